"""The economist as it is played: a person who taxes, by pointer and by key, and a worker on a phone with a plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.e2e.people import Person, code_of, moved, seated
from tests.sites import SOON_S, Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(420)]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PLANNER = 4
SHORT = {"workers": 4, "epochs": 3, "steps_per_epoch": 6, "map": {"height": 6, "width": 6}}
TIMES = {"deadline_s": 120, "grace_s": 8}


@pytest.fixture
def site(quiet: Site) -> Site:
    """No demo plays beside those who sit here."""
    return quiet


@pytest.fixture
def person(browser: Browser, site: Site) -> Iterator[Callable[..., Person]]:
    """Makes one person; the browser ends with the test."""
    made: list[Person] = []

    def one(**context: Any) -> Person:
        made.append(Person(browser, site, "Ann", **context))
        return made[-1]

    yield one
    for each in made:
        each.end()


def drag(handle: Locator, x: float, y: float) -> None:
    """From the handle's middle, so many pixels, in small steps."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    mouse = handle.page.mouse
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(*at)
    mouse.down()
    mouse.move(at[0] + x, at[1] + y, steps=6)
    mouse.up()


def test_a_person_sets_taxes_by_pointer_and_by_key(person: Callable[..., Person], site: Site) -> None:
    seats = {str(PLANNER): {"person": True, "substitute": {"policy": "heuristic"}}}
    run = seated(site, "economist/honest", TIMES, seats, SHORT)
    ann = person()
    ann.join(code_of(site, run))
    ann.asked()
    page = ann.page
    rate = page.get_by_role("slider", name="Rate, above 50 coin")
    expect(rate).to_have_attribute("aria-valuenow", "45")
    expect(page.locator(".do .pri")).to_have_text("Keep these rates")

    # What each would pay stands beside the draft, and nothing makes the page wider than its window.
    expect(page.get_by_role("columnheader", name="Of income")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Add a bracket")).to_be_in_viewport()
    for size in ({"width": 1280, "height": 720}, {"width": 1440, "height": 900}):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]

    # A rate goes with the pointer and with arrows, and never below the bracket beneath it; a bracket's start too.
    drag(rate.locator(".dot"), 0, -40)
    dragged = int(rate.get_attribute("aria-valuenow") or 0)
    assert dragged > 45
    rate.focus()
    ann.press("ArrowDown", "PageDown")
    expect(rate).to_have_attribute("aria-valuenow", str(dragged - 6))
    ann.press("Home")
    expect(rate).to_have_attribute("aria-valuenow", "35")
    first = page.get_by_role("slider", name="Start of the bracket 10 to 25 coin")
    first.focus()
    ann.press("ArrowLeft", "ArrowLeft", "PageDown")
    bottom = page.get_by_role("slider", name="Rate, 0 to 3 coin")
    bottom.focus()
    ann.press(*["ArrowUp"] * 5)
    expect(bottom).to_have_attribute("aria-valuenow", "15")

    # What last epoch's reports would have paid stands there before anything is sent: the tax of the draft.
    account = site.operator_get(f"/runs/{run}/frames?limit=20")["frames"][6]["view"]["report"]["accounts"]
    owed = sum(min(each["reported"], 3) * 0.15 + max(0, min(each["reported"], 25) - 3) * 0.2 for each in account)
    assert all(each["reported"] < 25 for each in account), "the table below covers two brackets"
    total = page.get_by_role("row", name="Revenue")
    expect(total.locator("b")).to_have_text(f"{owed:.1f}")
    ann.watched.shot("economist-planner")

    # A reload keeps the draft; what is sent holds in the next epoch, seven tenths of the way.
    page.reload()
    ann.asked()
    expect(bottom).to_have_attribute("aria-valuenow", "15")
    expect(page.locator(".do .pri")).to_have_text("Set these rates")
    ann.send()
    moved(site, run, PLANNER, 1)
    site.until(run, "the next epoch begins", lambda now: now["head"] >= 7)
    frame = site.operator_get(f"/runs/{run}/frames?limit=20")["frames"][7]
    assert frame["view"]["schedule"] == [[0, 0.135], [3, 0.2], [25, 0.35], [50, 0.38]]
    ann.asked()
    ann.send()
    site.until(run, "it ends", lambda now: now["status"] == "finished")
    assert ann.watched.faults == []


def test_a_worker_on_a_phone_walks_taps_and_leaves_a_plan(person: Callable[..., Person], site: Site) -> None:
    seats = {"0": {"person": True, "substitute": {"policy": "honest"}}}
    run = seated(site, "economist/honest", TIMES, seats, SHORT)
    ann = person(**PHONE)
    ann.join(code_of(site, run))
    ann.asked()
    page = ann.page

    def frames() -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = site.operator_get(f"/runs/{run}/frames?limit=40")["frames"]
        return told

    def cell(n: int) -> int:
        deadline = time.monotonic() + SOON_S
        while len(told := frames()) <= n:
            assert time.monotonic() < deadline, f"step {n} is never stored"
            time.sleep(0.2)
        return int(told[n]["view"]["workers"][0]["cell"])

    start = cell(0)
    down, key = (6, "ArrowDown") if start < 30 else (-6, "ArrowUp")
    ann.press(key)
    expect(page.locator(".again")).to_be_visible()
    ann.press(key)
    moved(site, run, 0, 1)
    assert cell(1) == start + down
    ann.asked()
    page.get_by_role("button", name="Up" if down > 0 else "Down", exact=True).tap()
    moved(site, run, 0, 2)
    assert cell(2) == start
    ann.watched.shot("economist-worker-phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    # A plan is carried out step by step without another tap, and it says so until it is done.
    ann.asked()
    before = len(frames())
    page.get_by_role("button", name="Gather 1 wood").tap()
    moved(site, run, 0, 3)
    deadline = time.monotonic() + SOON_S
    while len(frames()) <= before + 1:
        assert time.monotonic() < deadline, "the plan did not go on by itself"
        time.sleep(0.2)

    # A tap on the map goes there: another row than the one she stands in.
    ann.asked()
    before = len(frames()) - 1
    at = cell(before)
    drawn = page.locator("[role=grid] canvas").bounding_box()
    assert drawn is not None
    page.touchscreen.tap(drawn["x"] + drawn["width"] / 2, drawn["y"] + 80)
    deadline = time.monotonic() + SOON_S
    while cell(len(frames()) - 1) == at:
        assert time.monotonic() < deadline, "nobody went where the map was tapped"
        time.sleep(0.2)
    assert ann.watched.faults == []
