"""Forks beside the runs they came from, and the stage that other sites may frame."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

ROUNDS = 30
AT = 12


@pytest.fixture
def operator(watched: Watched, site: Site) -> Watched:
    sign_in(watched.page.context, site)
    return watched


@pytest.fixture
def parent(site: Site) -> dict[str, Any]:
    run = site.post("/runs", {"scenario": "mining/mixed", "config": {"rounds": ROUNDS}, "seed": 3})
    return finished(site, run["id"])


@pytest.fixture
def elsewhere(site: Site) -> Iterator[tuple[str, dict[str, str]]]:
    """A site of another origin, and the pages on it, which a test fills in."""
    pages: dict[str, str] = {}

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages.get(self.path, "").encode())

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}", pages
    server.shutdown()
    server.server_close()


def finished(site: Site, run_id: str) -> dict[str, Any]:
    return site.until(run_id, "it has ended", lambda run: run["status"] == "finished")


def frames(site: Site, run_id: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = site.get(f"/runs/{run_id}/frames?limit=200")["frames"]
    return told


def hashes(site: Site, run_id: str) -> list[str]:
    return [frame["hash"] for frame in frames(site, run_id)]


def fork(page: Page, site: Site, parent: dict[str, Any]) -> None:
    """Opens the dialog at round AT, until its form is filled in."""
    page.goto(f"{site.address}/m/{parent['id']}?r={AT}")
    page.get_by_role("button", name="Fork", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Fork at round {AT}")
    expect(page.get_by_role("button", name="Start the fork")).to_be_enabled()


def seat_of(dialog: Locator, name: str) -> Locator:
    """Who plays the seat, taken out of the row that it shares with others."""
    select = dialog.get_by_label(f"Played by: {name}")
    for row in dialog.get_by_role("button", name="Choose each of the").all()[::-1]:
        row.click()
    return select


def forked(page: Page, site: Site, parent: dict[str, Any]) -> dict[str, Any]:
    page.get_by_role("button", name="Start the fork").click()
    page.wait_for_url(lambda url: "/m/" in url and parent["id"] not in url)
    return finished(site, page.url.split("/m/")[1].split("?")[0])


def test_an_unchanged_fork_plays_the_same_to_the_end(site: Site, operator: Watched, parent: dict[str, Any]) -> None:
    page = operator.page
    fork(page, site, parent)
    made = forked(page, site, parent)
    assert (made["parent"], made["fork_at"]) == (parent["id"], AT)
    assert len(hashes(site, made["id"])) == ROUNDS + 1
    assert hashes(site, made["id"]) == hashes(site, parent["id"])
    banner = page.get_by_role("banner")
    expect(banner).to_contain_text(f"forked from {parent['id']} at {AT}")
    banner.get_by_role("link", name="Compare").click()
    expect(page.get_by_role("status").first).to_have_text("Alike to the end")
    expect(page.locator("[data-pin]")).to_have_count(0)
    assert operator.faults == []


def test_the_comparison_marks_the_first_step_that_differs(
    site: Site, operator: Watched, parent: dict[str, Any]
) -> None:
    page = operator.page
    fork(page, site, parent)
    dialog = page.get_by_role("dialog")
    seat_of(dialog, "miner-08").select_option("random")
    operator.shot("fork")
    made = forked(page, site, parent)
    assert made["seats"][7]["agent"] == "random"
    pairs = zip(hashes(site, parent["id"]), hashes(site, made["id"]), strict=True)
    parting = next(n for n, (one, other) in enumerate(pairs) if one != other)
    assert parting > AT
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_role("status").first).to_have_text(f"They part at {parting}")
    expect(page.locator("[data-pin]")).to_have_attribute("data-pin", str(parting))
    for branch, run in zip(page.locator("main section").all(), (parent, made), strict=True):
        expect(branch.locator(".other")).to_have_text(f"H miner-08 {run['seats'][7]['agent']}")
    page.get_by_role("button", name="Go to where they part").click()
    for grid in page.get_by_role("grid").all():
        expect(grid).to_have_attribute("data-step", str(parting))
    assert page.get_by_role("grid").count() == 2
    outputs = [frames(site, run["id"])[parting]["metrics"]["output"] for run in (parent, made)]
    expect(page.locator(".lab").first).to_have_text("Output" + " | ".join(f"{output:.1f}" for output in outputs))
    operator.shot("compare")
    assert operator.faults == []


def test_a_fork_that_cannot_be_is_refused_in_the_dialog(site: Site, operator: Watched, parent: dict[str, Any]) -> None:
    page = operator.page
    fork(page, site, parent)
    dialog = page.get_by_role("dialog")
    dialog.locator("summary", has_text="Land").click()
    dialog.get_by_label("Rows", exact=True).fill("0")
    dialog.get_by_role("button", name="Start the fork").click()
    row = dialog.locator('[data-field="config.rows"]')
    expect(row.get_by_role("alert")).to_contain_text("0; at least 1")
    dialog.get_by_label("Rows", exact=True).fill("5")
    dialog.get_by_role("button", name="Start the fork").click()
    expect(dialog.locator("footer").get_by_role("status")).to_contain_text("Nothing was started")
    assert parent["id"] in page.url


def test_the_stage_may_be_framed_elsewhere_and_the_run_page_may_not(
    site: Site, watched: Watched, parent: dict[str, Any], elsewhere: tuple[str, dict[str, str]]
) -> None:
    other, pages = elsewhere
    run = f"{site.address}/m/{parent['id']}"
    pages["/stage"] = f'<iframe id="stage" width="700" height="600" src="{run}/embed?r=5"></iframe>'
    pages["/page"] = f'<iframe id="page" width="700" height="600" src="{run}"></iframe>'
    page = watched.page
    page.goto(f"{other}/stage")
    stage = page.frame_locator("#stage")
    expect(stage.get_by_role("grid")).to_have_attribute("data-step", "5")
    stage.get_by_role("button", name="Forward one").click()
    expect(stage.get_by_role("grid")).to_have_attribute("data-step", "6")
    watched.shot("embed")
    assert watched.faults == []
    page.goto(f"{other}/page")
    page.wait_for_timeout(1000)
    assert page.frame_locator("#page").get_by_role("grid").count() == 0
    assert any("frame" in fault.lower() for fault in watched.faults), watched.faults
    for path in (f"/m/{parent['id']}", "/", "/m/nosuchrun/embed"):
        answer = site.client.get(path)
        framed = "frame-ancestors *" in answer.headers["Content-Security-Policy"]
        assert not framed, path


def test_where_people_enter_visitors_see_less_unless_the_operator_says_otherwise(
    site: Site, operator: Watched, parent: dict[str, Any]
) -> None:
    page = operator.page
    fork(page, site, parent)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Audience")).to_have_value("omniscient")
    seat_of(dialog, "miner-08").select_option("@person")
    expect(dialog).to_contain_text("visitors see public facts only, unless you choose otherwise")
    expect(dialog.get_by_label("Audience")).to_have_value("public")
    dialog.get_by_label("Shown to").select_option("link")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        operator.shot(f"fork-audience-{width}")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Start the fork").click()
    page.wait_for_url(lambda url: "/m/" in url and parent["id"] not in url)
    made = page.url.split("/m/")[1].split("?")[0]
    assert site.get(f"/runs/{made}")["audience"] == {"kind": "public", "to": "link"}

    live = site.post("/runs", {"scenario": "mining/mixed", "pace": 1})["id"]
    page.goto(f"{site.address}/m/{live}?tab=people")
    page.get_by_role("button", name="Hand over").first.click()
    page.locator(".people form select").first.select_option("person")
    expect(page.get_by_text("visitors see public facts only, unless you choose otherwise")).to_be_visible()
    page.get_by_label("Audience").select_option("delayed")
    page.get_by_label("Delay").fill("3")
    page.get_by_label("Shown to").select_option("members")
    operator.shot("hand-over-audience")
    page.locator(".people form button[type=submit]").click()
    run = site.until(live, "somebody is awaited", lambda told: told["people"] is not None)
    assert run["audience"] == {"kind": "delayed", "delay": 3, "to": "members"}
    assert operator.faults == []
