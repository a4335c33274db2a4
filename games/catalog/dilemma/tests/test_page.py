"""The read-only page in a real browser: a folder with several conditions, and a tournament's matrix."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright
from typer.testing import CliRunner

from games.catalog.dilemma.bulk import Entrant
from games.catalog.dilemma.cli import app
from games.catalog.dilemma.cli.page import of_folder, of_tournament, page, server
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.tournament import Tournament
from games.lab.reading import RunFolder
from games.lab.running import run as play_scenario
from games.lab.scenario import load as load_scenario

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def browser_page() -> Iterator[Page]:
    """A page that fails its test where it logs an error or asks any other host."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on the PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        opened = browser.new_page(viewport={"width": 1440, "height": 900})
        faults: list[str] = []
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
        yield opened
        browser.close()
        assert faults == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(app, ["run", "configs/experiment.yaml", "--replicates", "2"], catch_exceptions=False)
    return RunFolder(Path("data/runs/personas"))


def drawn(opened: Page, seat: int) -> str:
    """The moves on the strip of a seat."""
    boxes = opened.query_selector_all(f'#strips rect[data-seat="{seat}"]')
    return "".join(str(box.get_attribute("data-move")) for box in boxes)


@pytest.mark.e2e
def test_the_viewer_shows_every_condition_and_replicate_of_a_folder(folder: RunFolder, browser_page: Page) -> None:
    data = of_folder(folder)
    before = {path: path.read_bytes() for path in folder.path.iterdir()}
    with server(page(data), 0) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        browser_page.goto(f"http://127.0.0.1:{served.server_address[1]}/")
        names = browser_page.locator("#condition option").all_text_contents()
        assert names == list(folder.conditions)
        for match in data["matches"]:
            browser_page.select_option("#condition", str(match["condition"]))
            browser_page.select_option("#replicate", str(match["replicate"] - 1))
            assert (drawn(browser_page, 0), drawn(browser_page, 1)) == (match["a"], match["b"])
            shown = browser_page.locator("#metrics").inner_text()
            assert "cooperation rate" in shown
            assert "time to collapse" in shown
            assert browser_page.locator("#totals polyline").count() == 2
        assert "beats" in browser_page.locator("#headline").inner_text()
        assert browser_page.locator("#robin").is_hidden()
        served.shutdown()
    assert {path: path.read_bytes() for path in folder.path.iterdir()} == before


@pytest.mark.e2e
def test_a_cell_of_the_matrix_opens_its_match(tmp_path: Path, browser_page: Page) -> None:
    entrants = tuple(Entrant(name) for name in ("ALLC", "ALLD", "TFT", "GTFT"))
    held = Tournament(DilemmaConfig(rounds=20, noise_a=0.1, noise_b=0.1), entrants, repetitions=3).play()
    path = tmp_path / "tournament.html"
    path.write_text(page(of_tournament(held)), encoding="utf-8")
    browser_page.goto(path.as_uri())
    for i, row in enumerate(held.names):
        for j, col in enumerate(held.names):
            button = browser_page.locator(f'#matrix button[data-row="{row}"][data-col="{col}"]')
            value = held.payoff_matrix[i][j]
            assert value is not None
            assert button.inner_text() == f"{value:.2f}"
            button.click()
            cell = held.cells.index((min(i, j), max(i, j), 0))
            assert (drawn(browser_page, 0), drawn(browser_page, 1)) == held.matches.moves(cell)
            assert button.get_attribute("aria-pressed") == "true"
    means = [float(text) for text in browser_page.locator("#matrix td.mean").all_inner_texts()]
    assert means == sorted(means, reverse=True)


@pytest.mark.e2e
def test_a_folder_that_is_a_round_robin_shows_its_matrix(tmp_path: Path, browser_page: Page) -> None:
    play_scenario(load_scenario("dilemma/tournament", seeds=(1, 2)), tmp_path / "robin", jobs=1)
    path = tmp_path / "page.html"
    path.write_text(page(of_folder(RunFolder(tmp_path / "robin"))), encoding="utf-8")
    browser_page.goto(path.as_uri())
    assert browser_page.locator("#matrix tbody tr").count() == 6
    assert browser_page.locator('#matrix button[data-row="ALLD"][data-col="ALLC"]').inner_text() == "5.00"


def test_no_text_of_a_folder_can_end_the_element_that_holds_its_data() -> None:
    hostile = "</script><script>alert(1)</script>"
    text = page({"title": hostile})
    assert hostile not in text
    start = text.index('id="data">') + len('id="data">')
    assert json.loads(text[start : text.index("</script>", start)]) == {"title": hostile}
