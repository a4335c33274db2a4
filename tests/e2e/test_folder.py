"""Run folders and files in a real browser: the page that runs have, with the facts of the runs, and without a site."""

from __future__ import annotations

import csv
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from typer.testing import CliRunner

from games.core.game import All, Public
from games.lab.folders.bundle import Bundle
from games.lab.folders.reading import RunFolder
from games.lab.folders.reel import FolderFrames
from games.lab.folders.replayfile import of_reel
from games.lab.folders.running import run as play_scenario
from games.lab.folders.viewing import server
from games.lab.scenarios.scenario import load
from simsite.commands.built import bundle as built
from simsite.commands.pdbench import app
from tests.e2e.conftest import Watched

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
Serve = Callable[[Path], str]


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return built()


@pytest.fixture
def serve(bundle: Bundle) -> Iterator[Serve]:
    """The address of a folder's server."""
    with ExitStack() as stack:

        def start(path: Path) -> str:
            served = stack.enter_context(server(RunFolder(path), bundle, 0))
            threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
            stack.callback(served.shutdown)
            return f"http://127.0.0.1:{served.server_address[1]}"

        yield start


@pytest.fixture(scope="module")
def personas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source's experiment: four conditions, two replicates of each."""
    place = tmp_path_factory.mktemp("personas")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        CliRunner().invoke(app, ["run", "configs/experiment.yaml", "--replicates", "2"], catch_exceptions=False)
    return place / "data" / "runs" / "personas"


@pytest.fixture(scope="module")
def robin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("robin") / "robin"
    asked = ["--policies", "ALLC,ALLD,TFT,GTFT:generous_prob=0.2", "--noise", "0.05", "--repetitions", "3"]
    told = CliRunner().invoke(
        app, ["tournament", *asked, "--set", "rounds=30", "--out", str(place)], catch_exceptions=False
    )
    assert told.exit_code == 0, told.output
    return place


def moves_on(page: Page, step: int) -> list[str]:
    """The moves of both strips, as the grid says them at a step."""
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("data-step", str(step), timeout=20_000)
    cells = grid.get_by_role("gridcell").evaluate_all("cells => cells.map(c => c.dataset.move ?? '')")
    half = len(cells) // 2
    return ["".join(cells[:half]), "".join(cells[half:])]


def frames_of(path: Path, condition: str, replicate: int, eyes: Any = None) -> list[dict[str, Any]]:
    folder = RunFolder(path)
    reel = FolderFrames(folder, folder.find(condition, replicate), eyes or All())
    return [json.loads(reel.one(n)) for n in range(reel.head + 1)]


def test_every_condition_and_replicate_of_a_folder_is_shown_as_it_was_played(
    personas: Path, serve: Serve, watched: Watched
) -> None:
    before = {path: path.read_bytes() for path in personas.iterdir()}
    page = watched.page
    address = serve(personas)
    page.goto(f"{address}/")
    folder = RunFolder(personas)
    expect(page.get_by_label("Condition").locator("option")).to_have_text(list(folder.conditions), timeout=20_000)
    for entry in folder.entries:
        page.get_by_label("Condition").select_option(entry.condition)
        page.get_by_label("Replicate").select_option(str(entry.replicate))
        last = frames_of(personas, entry.condition, entry.replicate)[-1]
        assert moves_on(page, entry.steps) == last["view"]["moves"]
        page.get_by_role("tab", name="Charts").click()
        totals = page.locator(".totals [data-seat]")
        expect(totals).to_have_text([f"{total:,}" for total in last["view"]["totals"]])
    watched.shot("folder")
    page.get_by_role("slider").press("Home")
    assert moves_on(page, 0) == ["", ""]
    page.go_back()
    assert (
        moves_on(page, folder.entries[-2].steps)
        == frames_of(personas, folder.entries[-2].condition, 1)[-1]["view"]["moves"]
    )
    assert watched.faults == []
    assert watched.hosts == {address.removeprefix("http://")}
    assert {path: path.read_bytes() for path in personas.iterdir()} == before


def test_measures_are_shown_as_means_with_their_interval_beside_this_run(
    personas: Path, serve: Serve, watched: Watched
) -> None:
    page = watched.page
    address = serve(personas)
    page.goto(f"{address}/?run=grim-vs-wsls-slips-2&tab=results")
    index = page.request.get(f"{address}/api/v1/folder").json()
    told = next(one for one in index["conditions"] if one["name"] == "grim-vs-wsls-slips")["metrics"]
    rows = page.locator(".measures tbody tr")
    expect(rows).to_have_count(len(told))
    row = page.locator('.measures tr[data-metric="cooperation_rate"]')
    spread = told["cooperation_rate"]
    assert float(row.locator("[data-mean]").get_attribute("data-mean") or "") == spread["mean"]
    expect(row.locator("td").nth(3)).to_have_text(f"±{100 * spread['half']:.1f}%")
    own = page.request.get(f"{address}/api/v1/runs/grim-vs-wsls-slips-2/measures").json()["cooperation_rate"]
    expect(row.locator("td").nth(1)).to_have_text(f"{100 * own:.1f}%")
    page.locator(".across").get_by_role("button", name="cooperative-vs-tft").click()
    expect(page.get_by_label("Condition")).to_have_value("cooperative-vs-tft")
    watched.shot("folder-results")
    assert watched.faults == []


def test_a_cell_of_the_tournaments_matrix_opens_the_match_that_was_played(
    robin: Path, serve: Serve, watched: Watched
) -> None:
    page = watched.page
    page.goto(f"{serve(robin)}/?tab=results")
    matches = {
        (row["name_a"], row["name_b"]): row
        for row in csv.DictReader((robin / "matches.csv").open(encoding="utf-8"))
        if row["repetition"] == "0"
    }
    payoffs = {row["name"]: row for row in csv.DictReader((robin / "payoff_matrix.csv").open(encoding="utf-8"))}
    for row, values in payoffs.items():
        for col in payoffs:
            cell = page.locator(f'.robin button[data-row="{row}"][data-col="{col}"]')
            assert float(cell.get_attribute("data-value") or "") == pytest.approx(float(values[col]), abs=1e-12)
            cell.click()
            match = matches.get((row, col)) or matches[col, row]
            assert moves_on(page, int(match["rounds"])) == [match["moves_a"], match["moves_b"]]
            expect(cell).to_have_attribute("aria-pressed", "true")
    ranking = list(csv.DictReader((robin / "ranking.csv").open(encoding="utf-8")))
    for by in ("mean", "median"):
        page.locator(".ranking").get_by_role("button", name=by).click()
        best = [row["name"] for row in sorted(ranking, key=lambda row: int(row[f"rank_by_{by}"]))]
        assert page.locator(".ranking tbody tr").evaluate_all("rows => rows.map(r => r.dataset.entrant)") == best
    wins = {row["name"]: row["wins"] for row in ranking}
    for name, won in wins.items():
        expect(page.locator(f'.ranking tr[data-entrant="{name}"] td').nth(4)).to_have_text(won)
    page.get_by_role("button", name="Cooperation", exact=True).click()
    expect(page.locator('.robin button[data-row="ALLC"][data-col="ALLD"]')).to_contain_text("%")
    with page.expect_download() as download:
        page.get_by_role("link", name="matches.csv").click()
    assert Path(download.value.path()).read_bytes() == (robin / "matches.csv").read_bytes()
    watched.shot("tournament")
    assert watched.faults == []


@pytest.fixture
def offline(browser: Browser) -> Iterator[Watched]:
    """A browser that no network answers; what it asks for is noted all the same."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB", offline=True)
    yield Watched(context)
    context.close()


def test_a_file_opens_from_disk_without_a_network_and_shows_the_state_of_every_step(
    personas: Path, bundle: Bundle, tmp_path: Path, offline: Watched
) -> None:
    folder = RunFolder(personas)
    entry = folder.find("grim-vs-wsls-slips", 2)
    path = tmp_path / "replay.html"
    path.write_bytes(of_reel(bundle, FolderFrames(folder, entry, All())))
    asked: list[str] = []
    offline.page.on("request", lambda request: asked.append(request.url))
    offline.page.goto(path.as_uri())
    frames = frames_of(personas, entry.condition, entry.replicate)
    for n in (entry.steps, entry.steps - 1, 0, 1, 17):
        offline.page.get_by_role("slider").focus()
        offline.page.keyboard.press("Home" if n < 2 else "End")
        for _ in range(n if n < 2 else entry.steps - n):
            offline.page.keyboard.press("ArrowRight" if n < 2 else "ArrowLeft")
        assert moves_on(offline.page, n) == frames[n]["view"]["moves"]
    expect(offline.page).to_have_url(re.compile("r=17"))
    offline.page.reload()
    assert moves_on(offline.page, 17) == frames[17]["view"]["moves"]
    offline.page.get_by_role("button", name="中文").click()
    expect(offline.page.get_by_role("banner")).to_contain_text("囚徒困境")
    offline.shot("file")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert offline.faults == []


def test_the_page_hands_out_the_file_of_what_is_looked_at(personas: Path, serve: Serve, watched: Watched) -> None:
    page = watched.page
    page.goto(f"{serve(personas)}/?run=exploitative-vs-gtft-1&as=1")
    expect(page.get_by_role("grid")).to_be_visible(timeout=20_000)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download replay").click()
    path = Path(download.value.path()).rename(Path(download.value.path()).with_suffix(".html"))
    page.goto(path.as_uri())
    moves = frames_of(personas, "exploitative-vs-gtft", 1)[-1]["view"]["moves"]
    assert moves_on(page, len(moves[0])) == moves
    expect(page.get_by_role("banner")).to_contain_text("Through the eyes of")
    assert page.get_by_role("button", name="See as").count() == 0
    assert page.get_by_role("link", name="Download replay").count() == 0
    assert watched.faults == []


def test_a_public_file_of_a_run_with_secrets_shows_none(bundle: Bundle, tmp_path: Path, offline: Watched) -> None:
    place = tmp_path / "mining"
    play_scenario(load("mining/baseline", seeds=(1,)), place, jobs=1)
    folder = RunFolder(place)
    entry = folder.entries[0]
    private = {
        event["data"]["text"]
        for frame in frames_of(place, entry.condition, 1)
        for event in frame["events"]
        if event.get("to") is not None and "text" in event["data"]
    }
    path = tmp_path / "public.html"
    path.write_bytes(of_reel(bundle, FolderFrames(folder, entry, Public())))
    page = offline.page
    page.goto(path.as_uri())
    expect(page.get_by_role("grid")).to_have_attribute("data-step", str(entry.steps), timeout=20_000)
    held = page.evaluate(
        """async () => {
          const text = atob(document.getElementById('frames').textContent.trim())
          const bytes = new Blob([Uint8Array.from(text, c => c.charCodeAt(0))])
          return await new Response(bytes.stream().pipeThrough(new DecompressionStream('deflate'))).text()
        }"""
    )
    assert len(held.strip().split("\n")) == entry.steps + 1
    assert '"to":[' not in held
    assert [text for text in private if json.dumps(text, ensure_ascii=False) in held] == []
    assert offline.faults == []
