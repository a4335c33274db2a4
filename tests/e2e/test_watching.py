"""Somebody who watches: the page moves by itself, shows what the state says, and stays where it was put."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.operator import sign_in
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def empty(quiet: Site) -> Site:
    """Whatever else was played there ended by itself."""
    return quiet


@pytest.fixture
def paused(site: Site) -> dict[str, Any]:
    """A lively run that stands at round 40."""
    run = site.post("/runs", {"scenario": "mining/mixed", "seed": 5, "start": False})
    site.post(f"/runs/{run['id']}/control", {"action": "step", "steps": 41})  # the start, and forty
    return site.until(run["id"], "it stands at 40", lambda run: run["status"] == "paused" and run["head"] == 40)


def round_shown(page: Page) -> int:
    found = re.search(r"\d+", page.get_by_role("banner").locator(".place b").inner_text())
    return int(found[0]) if found else 0  # the start has no number


def until_round(page: Page, true: Callable[[int], bool]) -> int:
    for _ in range(300):
        number = round_shown(page)
        if true(number):
            return number
        page.wait_for_timeout(100)
    pytest.fail(f"waited in vain; the page shows round {round_shown(page)}")


def test_the_lobby_moves_without_a_login_and_without_a_word_on_the_console(site: Site, watched: Watched) -> None:
    page = watched.page
    page.goto(f"{site.address}/")
    place = page.locator(".title span.mut").last
    first = place.inner_text()
    expect(place).not_to_have_text(first, timeout=30_000)
    watched.shot("lobby")
    assert watched.faults == []
    assert watched.hosts == {site.address.removeprefix("http://")}
    assert page.get_by_role("button", name="Pause").count() == 0, "visitors only watch"


def test_the_lobby_goes_over_from_a_match_that_stands_still_to_one_that_moves(empty: Site, watched: Watched) -> None:
    held = empty.post("/runs", {"scenario": "mining/mixed", "seed": 4, "pace": 5})
    empty.until(held["id"], "it is under way", lambda run: run["head"] >= 3)
    empty.post(f"/runs/{held['id']}/control", {"action": "pause"})
    page = watched.page
    page.goto(f"{empty.address}/")
    watching = page.locator("form", has=page.get_by_role("button", name="Watch this match"))
    expect(watching).to_have_attribute("action", f"/m/{held['id']}")
    moving = empty.post("/runs", {"scenario": "dilemma/generous", "seed": 4, "pace": 1})
    expect(watching).to_have_attribute("action", f"/m/{moving['id']}", timeout=30_000)
    empty.post(f"/runs/{moving['id']}/control", {"action": "stop"})
    assert watched.faults == []


def test_scrubbing_while_live_stays_where_it_was_put_and_l_returns(site: Site, watched: Watched) -> None:
    run = site.post("/runs", {"scenario": "mining/mixed", "seed": 6, "pace": 5})
    site.until(run["id"], "a few rounds are played", lambda run: run["head"] >= 6)
    page = watched.page
    page.goto(f"{site.address}/m/{run['id']}")
    until_round(page, lambda n: n >= 6)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert until_round(page, lambda n: n == 2) == 2
    chip = page.get_by_role("button", name=re.compile(r"Live \+\d+"))
    expect(chip).to_be_visible()
    first = int(chip.inner_text().split("+")[1])
    expect(page.get_by_role("button", name=re.compile(rf"Live \+(?!{first}$)\d+"))).to_be_visible(timeout=20_000)
    assert round_shown(page) == 2
    watched.shot("scrubbed")
    page.keyboard.press("l")
    head = site.get(f"/runs/{run['id']}")["head"]
    assert until_round(page, lambda n: n >= head) >= head
    assert watched.faults == []
    site.post(f"/runs/{run['id']}/control", {"action": "stop"})


COUNT_CHARTS = """
window.charted = 0
const clear = CanvasRenderingContext2D.prototype.clearRect
CanvasRenderingContext2D.prototype.clearRect = function (...at) {
  if (this.canvas.closest('.chart')) window.charted++
  return clear.apply(this, at)
}
"""


def settled(page: Page, least: int) -> int:
    """How often a chart was drawn by the time that all are there: at least so often, and not once for a second."""
    before, now = -1, 0
    while now < least or now != before:
        page.wait_for_timeout(1000)
        before, now = now, int(page.evaluate("window.charted"))
    return now


@pytest.mark.parametrize("tab", ["feed", "charts"])
def test_what_is_known_is_drawn_once_and_not_again_at_each_step_of_a_scrub(
    site: Site, paused: dict[str, Any], watched: Watched, tab: str
) -> None:
    page = watched.page
    page.add_init_script(COUNT_CHARTS)
    page.goto(f"{site.address}/m/{paused['id']}?tab={tab}")
    until_round(page, lambda number: number >= 40)
    drawn = settled(page, least=3)  # three charts stand under the board
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    until_round(page, lambda number: number <= 20)
    assert page.evaluate("window.charted") == drawn


def test_who_comes_late_sees_the_present_round_and_all_that_was_before(
    site: Site, watched: Watched, paused: dict[str, Any]
) -> None:
    page = watched.page
    page.goto(f"{site.address}/m/{paused['id']}")
    until_round(page, lambda n: n == paused["head"])
    page.keyboard.press("Home")
    until_round(page, lambda n: n == 0)
    site.post(f"/runs/{paused['id']}/control", {"action": "step"})
    page.keyboard.press("l")
    until_round(page, lambda n: n == paused["head"] + 1)
    watched.shot("late")
    assert watched.faults == []


def test_a_round_of_several_steps_is_one_round_everywhere(site: Site, watched: Watched) -> None:
    """A dilemma with talk, in which nobody says a word: two steps a round, and one of them is not worth a line."""
    silent = {"A": {"policy": "GTFT"}, "B": {"policy": "GRIM"}}
    run = site.post("/runs", {"scenario": "dilemma/talk", "seats": silent, "seed": 3, "start": False})
    site.post(f"/runs/{run['id']}/control", {"action": "step", "rounds": 13})  # the start, and twelve
    site.until(run["id"], "it has played twelve rounds", lambda run: run["status"] == "paused" and run["head"] == 24)
    page = watched.page
    sign_in(page.context, site)
    page.goto(f"{site.address}/m/{run['id']}")
    header = page.get_by_role("banner")
    expect(header.locator(".place")).to_have_text("Round 12 of 30")
    expect(header.get_by_text("Paused at 12")).to_be_visible()
    bar = page.get_by_role("slider")
    expect(bar).to_have_attribute("aria-valuetext", re.compile("^Round 12,"))
    expect(page.locator(".track text").last).to_have_text("30")
    rows = page.locator(".rd > button")
    expect(rows).to_have_text(["r12", "r0–11"])
    page.get_by_role("button", name="show them").click()
    expect(rows).to_have_text([f"r{n}" for n in range(12, -1, -1)])
    watched.shot("talk-feed")
    page.keyboard.press("ArrowLeft")
    expect(header.locator(".place b")).to_have_text("Round 11")
    expect(page.get_by_role("button", name="Live +1")).to_be_visible()
    page.keyboard.press("n")
    expect(bar).to_have_attribute("aria-valuenow", "23")
    page.keyboard.press("ArrowRight")
    expect(header.locator(".place b")).to_have_text("Round 12")
    page.get_by_role("button", name="One round", exact=True).click()
    expect(header.locator(".place b")).to_have_text("Round 13")
    page.get_by_role("tab", name="Charts").click()
    payoff = page.locator("figure", has_text="Joint payoff")
    expect(payoff.locator("figcaption b")).to_have_text(re.compile(r"^\d+$"))
    watched.shot("talk-charts")
    page.goto(site.address)
    expect(page.get_by_role("row").filter(has_text="Talk before the move").first).to_contain_text("13 / 30")
    assert watched.faults == []


def test_a_spectator_guesses_before_the_round_is_shown_and_keeps_the_score_after_a_reload(
    site: Site, watched: Watched
) -> None:
    run = site.post("/runs", {"scenario": "dilemma/tft-vs-alld", "seed": 1, "config": {"rounds": 8}})
    site.until(run["id"], "it is over", lambda run: run["status"] == "finished")
    page = watched.page
    page.goto(f"{site.address}/m/{run['id']}?r=2")
    page.get_by_role("button", name="Guess").click()
    panel = page.get_by_role("region", name="Guess")
    panel.get_by_label("Next move of").select_option("1")
    assert "%" not in panel.inner_text()
    panel.get_by_role("button", name="Defect").click()
    expect(panel.get_by_role("button", name="Defect")).to_have_text(re.compile(r"Defect\s*100%"))
    assert round_shown(page) == 2
    panel.get_by_role("button", name="Show what came").click()
    score = "Round 3, B: Defect. You were right. Nobody else guessed. 1 of 1 right in this match."
    expect(panel.get_by_role("status")).to_contain_text(score)
    page.reload()
    expect(panel.get_by_role("status")).to_contain_text(score)
    page.get_by_role("button", name="Commentary").click()
    expect(page.locator(".said")).to_have_count(0)
    watched.shot("guess")
    assert watched.faults == []


def test_a_model_that_comments_on_each_new_round_is_asked_once_a_round_and_named_to_who_watches(
    site: Site, watched: Watched
) -> None:
    run = site.post("/runs", {"scenario": "dilemma/tft-vs-alld", "config": {"rounds": 40}, "pace": 1})
    headers = {"X-CSRFToken": site.client.cookies["polity_csrf"], "Referer": site.address}
    profile = {"about": "", "profile": {"model": "mock/default"}}
    assert site.client.put("/api/v1/models/speaker", json=profile, headers=headers).is_success
    page = watched.page
    sign_in(page.context, site)
    page.goto(f"{site.address}/m/{run['id']}")
    page.get_by_role("button", name="By a model").click()
    page.get_by_label("on each new round").check()
    begun = round_shown(page)
    until_round(page, lambda number: number >= begun + 3)
    expect(page.locator(".said")).to_contain_text("Written by mock/default:")
    page.get_by_label("on each new round").uncheck()
    asked = site.operator_get(f"/runs/{run['id']}/meter")["spent"]["calls"]
    assert 1 <= asked <= round_shown(page)
    assert len(site.get(f"/runs/{run['id']}/comments")) == asked
    assert watched.faults == []


def test_an_operator_signs_in_once_by_the_printed_address(site: Site, watched: Watched) -> None:
    site.post("/runs", {"scenario": "mining/baseline", "pace": 50})
    page = watched.page
    page.goto(site.find(r"(http://\S+/enter/\S+)"))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("has been used")).to_be_visible()


def test_an_unknown_run_gets_a_page_that_helps(site: Site, watched: Watched) -> None:
    answer = watched.page.goto(f"{site.address}/m/nosuchrun")
    assert answer is not None
    assert answer.status == 404
    expect(watched.page.get_by_text("There is no run “nosuchrun”")).to_be_visible()
