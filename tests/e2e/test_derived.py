"""The board and the seat of a game that has written neither: derived from its declaration, read by browser and key."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Watched, axe
from tests.e2e.people import Person, code_of, moved, participant, seated
from tests.sites import ROOT, Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(420)]

GAME = "public_goods/default"
SHIFTS = """
() => {
  window.shifts = []
  const told = (list) => list.getEntries().forEach((entry) => entry.hadRecentInput || window.shifts.push(entry.value))
  new PerformanceObserver(told).observe({ type: 'layout-shift', buffered: false })
}
"""
VIOLATIONS = "async () => (await axe.run('main', { resultTypes: ['violations'] })).violations.map(({ id }) => id)"
FAULTS = (ROOT / "tests/e2e/page_faults.js").read_text()


@pytest.fixture
def site(quiet: Site) -> Site:
    """No demo plays beside those who sit here."""
    return quiet


def played(site: Site) -> str:
    """A run with gifts and points of all sizes."""
    seats = {str(seat): {"policy": "random"} for seat in range(3)}
    run: str = site.post("/runs", {"scenario": GAME, "seed": 5, "pace": 0, "seats": seats})["id"]
    site.until(run, "it has ended", lambda one: one["status"] == "finished")
    return run


def values(page: Page, selector: str) -> dict[int, float | None]:
    """By seat the number that an element of it carries."""
    told = page.locator(f"{selector}[data-seat]").evaluate_all("all => all.map((one) => ({ ...one.dataset }))")
    return {int(one["seat"]): float(one["value"]) if "value" in one else None for one in told}


def test_every_bar_point_and_sum_of_a_declared_game_equals_its_state(site: Site, watched: Watched) -> None:
    run, page = played(site), watched.page
    points = 0
    for n in (1, 2, 9, 14):
        view = site.get(f"/runs/{run}/snapshot?n={n}")["frame"]["view"]
        page.goto(f"{site.address}/m/{run}?r={n}&tab=feed")
        expect(page.locator(f".board[data-step='{n}'] .face table").first).to_be_visible()
        assert values(page, ".box") == dict(enumerate(view["contribute"]))
        for row in page.locator("tr.money").all():
            label = row.locator("th").inner_text()
            key = "total" if "so far" in label else "gain"
            told = row.locator(".amount").evaluate_all("all => all.map((one) => one.dataset.value)")
            assert [None if one is None else float(one) for one in told] == view[key], label
        cells = page.locator("td[data-by]").evaluate_all("all => all.map((one) => ({ ...one.dataset }))")
        given = {(int(one["by"]), int(one["to"])): int(one["value"]) for one in cells if one.get("value", "0") != "0"}
        expected = {
            (by, to): units for by, row in enumerate(view["punish"] or []) for to, units in enumerate(row) if units
        }
        assert given == expected
        points += sum(given.values())
        assert page.locator(".face path.head").count() == len(given)
    assert points, "no step compared has a point in it"
    watched.shot("derived-board")
    assert watched.faults == []


@pytest.mark.parametrize(("size", "scheme", "locale"), [((1440, 900), "light", "en-GB"), ((390, 844), "dark", "zh-CN")])
def test_a_derived_board_is_clean_for_axe_stands_still_and_goes_by_key(
    browser: Browser, site: Site, size: tuple[int, int], scheme: Any, locale: str
) -> None:
    run = played(site)
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, locale=locale)
    watched = Watched(context)
    page = watched.page
    page.goto(f"{site.address}/m/{run}?r=3&tab=feed")
    board = page.locator(".board[data-step='3'] .face")
    expect(board.locator("table").first).to_be_visible()
    page.evaluate(axe())
    assert page.evaluate(VIOLATIONS) == []
    assert page.evaluate(f"({FAULTS})('{locale[:2]}')") == []
    page.evaluate(SHIFTS)
    for n in (4, 6, 8):  # a round has two steps
        page.keyboard.press("ArrowRight")
        expect(page.locator(f".board[data-step='{n}']")).to_be_visible()
    assert page.evaluate("window.shifts") == []
    # The board is reached by Tab, and says what it is.
    page.locator(".face").focus()
    assert page.evaluate("document.activeElement.getAttribute('role')") == "region"
    assert watched.faults == []
    context.close()


def test_a_person_plays_a_declared_game_on_a_phone_by_key_alone(browser: Browser, site: Site) -> None:
    run = seated(site, GAME, {"deadline_s": 600, "grace_s": 600}, {"2": {"person": True}}, {"rounds": 2})
    mira = Person(browser, site, "Mira", viewport={"width": 390, "height": 844})
    page = mira.page
    page.goto(f"{site.address}/join/{code_of(site, run)}")
    expect(page.locator("#what")).to_contain_text("multiplied by 1.6")
    examples = page.locator("#what .example-table")
    expect(examples.first.locator("tbody tr").nth(1).locator("td")).to_have_text(["32", "32", "22", "12"])
    mira.join(code_of(site, run))

    button = page.locator(".do .pri")
    for gift, taken in ((20, 2), (7, 0)):
        # An amount: nothing is chosen beforehand; the slider goes by arrow keys, the button says the deed.
        mira.asked()
        expect(button).to_be_disabled()
        slider = page.get_by_role("slider")
        expect(slider).to_be_enabled()
        slider.focus()
        expect(slider).to_be_focused()
        mira.press("End", *["ArrowLeft"] * (20 - gift))
        expect(button).to_contain_text(str(gift))
        mira.send()
        # Points: a row for each other seat, and none for oneself.
        expect(page.locator(".points .row")).to_have_count(3)
        mira.asked()
        expect(page.locator(".points .row b").filter(has_text="C")).to_have_count(0)
        for _ in range(taken):
            page.locator(".points .row button").nth(1).focus()
            mira.press("Enter")
        expect(page.locator(".meter")).to_contain_text(f"{taken} of 10")
        expect(page.locator("[data-seat='2'].box")).to_have_attribute("data-value", str(gift))
        mira.send()
        if gift == 20:
            mira.asked()
            page.get_by_role("button", name="Rules").focus()
            mira.press("Enter")
            expect(page.get_by_role("dialog").locator(".example-table")).to_have_count(2)
            mira.press("Escape")
            expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("section.end")).to_be_visible(timeout=60_000)
    moved(site, run, 2, 4)
    assert participant(site, run, 2)["moves"] == 4
    frames = site.get(f"/runs/{run}/frames?after=0&limit=10")["frames"]
    own = [json.dumps(action) for frame in frames for seat, action in frame["actions"] if seat == 2]
    assert [("20" in own[0]), ('"units": 2' in own[1]), ("7" in own[2]), ("units" not in own[3])] == [True] * 4, own
    assert mira.watched.faults == []
    mira.end()
