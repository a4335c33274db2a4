"""Offline and back, a laptop that slept, a server that was started again: the page says so, heals, and misses nothing.

What the page then has is read from the page itself: every round is scrubbed to, and its board compared with the record.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.test_watching import round_shown, until_round
from tests.sites import POLITY, ROOT, Site, serve

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

#: What a browser itself writes on the console when a line cannot be had; everything else there is a fault.
CUT = re.compile(r"net::ERR_|WebSocket connection to")
LOST = re.compile("Line lost")

SCRUB = """
async (last) => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  const grid = () => document.querySelector('[role=grid][data-step]')
  const slider = () => document.querySelector('[role=slider]')
  const rest = () => new Promise((done) => setTimeout(done, 10))
  const at = async (n) => {
    // The feed follows when the cursor rests.
    const isTold = () => document.querySelector(`.now[data-round="${n}"]`) !== null
    const isThere = () => grid()?.dataset.step === String(n) && slider().ariaValueNow === String(n) && isTold()
    for (let i = 0; i < 1000 && !isThere(); i++) await rest()
    const owners = [...grid().querySelectorAll('[role=gridcell]')].map((cell) => Number(cell.dataset.owner ?? -1))
    const told = document.querySelectorAll(`[data-round="${n}"]`).length
    return { n: Number(grid().dataset.step), slider: Number(slider().ariaValueNow), owners, told }
  }
  press('Home')
  const seen = [await at(0)]
  for (let n = 1; n <= last; n++) {
    press('ArrowRight')
    seen.push(await at(n))
  }
  return seen
}
"""

#: Counts in `window.silences` how often the page, while the line was lost, left off saying so.
NOTICE = """
() => {
  const notices = document.querySelector('[aria-live=polite].notices')
  window.silences = 0
  const look = () => { if (!notices.innerText.includes('Line lost')) window.silences++ }
  new MutationObserver(look).observe(notices, { childList: true, subtree: true, characterData: true })
}
"""


def begin(site: Site, watched: Watched, pace: float) -> dict[str, Any]:
    """A run that was just started, and a page that follows it from before its first frame."""
    run: dict[str, Any] = site.post("/runs", {"scenario": "mining/mixed", "seed": 9, "pace": pace})
    watched.page.goto(f"{site.address}/m/{run['id']}")
    until_round(watched.page, lambda n: n >= 3)
    return run


def check_whole(site: Site, watched: Watched, run: dict[str, Any]) -> int:
    """The run is held, and each of its rounds is on the page once, as it is in the record; how many there are."""
    page = watched.page
    if site.get(f"/runs/{run['id']}")["status"] != "finished":
        site.post(f"/runs/{run['id']}/control", {"action": "pause"})
    head = site.until(run["id"], "it stands", lambda run: run["status"] in ("paused", "finished"))["head"]
    until_round(page, lambda n: n == head)
    expect(page.get_by_text(re.compile("loading", re.IGNORECASE))).to_have_count(0, timeout=20_000)
    seen = page.evaluate(SCRUB, head)
    kept = [
        frame
        for after in range(-1, head, 200)
        for frame in site.get(f"/runs/{run['id']}/frames?after={after}")["frames"]
    ]
    assert [frame["n"] for frame in kept] == list(range(head + 1))
    assert [one["n"] for one in seen] == list(range(head + 1))
    assert [one["slider"] for one in seen] == list(range(head + 1))
    assert [one["owners"] for one in seen] == [frame["view"]["owners"] for frame in kept]
    assert {one["told"] for one in seen} == {1}, "the feed tells each round once"
    assert [fault for fault in watched.faults if not CUT.search(fault)] == []
    return int(head) + 1


def expect_lost(page: Page) -> None:
    expect(page.locator("[aria-live=polite]").get_by_text(LOST)).to_be_visible(timeout=40_000)


def expect_healed(page: Page) -> None:
    expect(page.get_by_text(LOST)).to_have_count(0, timeout=40_000)


def test_twenty_seconds_offline_leave_no_gap_and_no_double(site: Site, watched: Watched) -> None:
    run = begin(site, watched, pace=3)
    page = watched.page
    page.context.set_offline(True)
    began = time.monotonic()
    expect_lost(page)
    page.evaluate(NOTICE)
    standing = round_shown(page)
    expect(page.get_by_role("banner")).to_contain_text("Reconnecting")
    watched.shot("offline")
    page.wait_for_timeout(max(0.0, 20 - (time.monotonic() - began)) * 1000)
    assert round_shown(page) == standing, "nothing came through"
    head = site.get(f"/runs/{run['id']}")["head"]
    assert head > standing + 30, "the run went on"
    assert page.evaluate("window.silences") == 0, "it says that the line is lost for as long as it is"
    page.context.set_offline(False)
    back = page.locator("[aria-live=polite]").get_by_text("The line is back: ")
    expect(back).to_be_visible(timeout=40_000)
    assert int(re.findall(r"\d+", back.inner_text())[0]) >= head - standing, "it says how many rounds came meanwhile"
    expect(page.get_by_role("banner")).to_contain_text("Live")
    watched.shot("line-back")
    expect_healed(page)
    until_round(page, lambda n: n > head)
    assert check_whole(site, watched, run) > head


@pytest.mark.full
def test_a_laptop_that_slept_catches_up(site: Site, browser: Browser, watched: Watched) -> None:
    """All processes of the browser are held for longer than the server waits for a pong, then let go."""
    run = begin(site, watched, pace=3)
    page = watched.page
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    processes = [int(process["id"]) for process in told["processInfo"]]
    assert len(processes) >= 3
    standing = round_shown(page)
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(34)
        head = site.get(f"/runs/{run['id']}")["head"]
    finally:
        for pid in processes:
            os.kill(pid, signal.SIGCONT)
    assert head > standing + 30, "the run went on"
    until_round(page, lambda n: n > head)
    expect_healed(page)
    assert check_whole(site, watched, run) > head


@pytest.mark.full
def test_a_tab_that_was_frozen_catches_up(site: Site, watched: Watched) -> None:
    run = begin(site, watched, pace=5)
    page = watched.page
    tab = page.context.new_cdp_session(page)
    tab.send("Page.setWebLifecycleState", {"state": "frozen"})
    time.sleep(15)
    head = site.get(f"/runs/{run['id']}")["head"]
    tab.send("Page.setWebLifecycleState", {"state": "active"})
    until_round(page, lambda n: n > head)
    expect_healed(page)
    assert check_whole(site, watched, run) > head


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[list[Site]]:
    """The sites that served one home in turn."""
    sites = [serve([POLITY], ROOT, tmp_path / "home", tmp_path / "first.log", "--no-demo")]
    yield sites
    for site in sites:
        site.end()


def test_a_server_that_is_started_again_is_found_again(restarted: list[Site], tmp_path: Path, watched: Watched) -> None:
    first = restarted[0]
    run = begin(first, watched, pace=5)
    page = watched.page
    address, port = first.address, first.address.rpartition(":")[2]
    first.process.send_signal(signal.SIGTERM)
    assert first.process.wait(60) == 0
    expect_lost(page)
    page.evaluate(NOTICE)
    watched.shot("server-away")
    standing = round_shown(page)
    page.wait_for_timeout(5_000)
    assert page.evaluate("window.silences") == 0, "it says that the line is lost for as long as it is"
    again = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "second.log", "--no-demo", "--port", port)
    restarted.append(again)
    assert again.address == address
    expect_healed(page)
    until_round(page, lambda n: n > standing + 20)
    assert check_whole(again, watched, run) > standing + 20
