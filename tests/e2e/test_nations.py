"""International politics as it is played: two people on phones among mock models, to the end of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.people import Person, code_of, moved, participant, seated
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(420)]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TURNS = 4


@pytest.fixture
def site(quiet: Site) -> Site:
    """No demo plays beside those who sit here."""
    return quiet


@pytest.fixture
def people(browser: Browser, site: Site) -> Iterator[Callable[[str], Person]]:
    """Makes people with a phone; their browsers end with the test."""
    made: list[Person] = []

    def person(name: str) -> Person:
        made.append(Person(browser, site, name, **PHONE))
        return made[-1]

    yield person
    for one in made:
        one.end()


def begun(site: Site) -> str:
    """A match of two people and two mock models, who have a summary of their own."""
    person = {"person": True, "substitute": {"policy": "pacifist"}}
    seats: dict[str, Any] = {"0": person, "1": person}
    for seat, policy in (("2", "trader"), ("3", "tit-for-tat")):
        seats[seat] = {"model": f"mock/{policy}", "profile": {"memory": "summary"}}
    config = {"turns": TURNS, "armies": [2, 0, 0, 0]}
    return seated(site, "nations/baseline", {"deadline_s": 120, "grace_s": 8}, seats, config)


def at_turn(one: Person, turn: int) -> None:
    """Waits until that turn's orders are this person's to give."""
    expect(one.page.locator(".who h1")).to_contain_text(f"Turn {turn}", timeout=60_000)
    one.asked()


def test_two_people_on_phones_and_two_models_play_a_match_to_its_end(
    people: Callable[[str], Person], site: Site
) -> None:
    run = begun(site)
    ann, bo = people("Ann"), people("Bo")
    for one in (ann, bo):
        one.join(code_of(site, run))
    for one in (ann, bo):
        at_turn(one, 1)

    # Ann orders more than she has: what is cut off is said before she sends. A reload keeps her draft.
    page = ann.page
    ann.press("a")
    expect(page.locator(".again")).to_contain_text("Press a once more")
    ann.press("a", "g")
    expect(page.locator(".c-purse")).to_contain_text("50 income − 4 upkeep − 5 penalty")
    expect(page.locator(".c-purse")).to_contain_text("31 left becomes welfare")
    page.get_by_role("button", name="+ Attack").click()
    expect(page.locator(".composer .c-note")).to_contain_text("your army is 2")
    page.get_by_role("button", name="Add a message").click()
    page.get_by_role("group", name="To 1").get_by_role("checkbox", name="Brevia").check()
    page.get_by_role("textbox", name="Text 1").fill("A word to you alone")
    ann.watched.shot("nations-phone-orders")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.reload()
    at_turn(ann, 1)
    expect(page.get_by_role("textbox", name="Text 1")).to_have_value("A word to you alone")
    expect(page.locator(".composer .c-note")).to_contain_text("your army is 2")
    # Who was shown what is struck out sends by one tap; who taps before the server has said so is shown it first.
    page.locator(".do .pri").tap()
    shown = page.locator(".notice").filter(has_text="Parts would be struck out")
    expect(page.locator(".state").filter(has_text="Sent.").or_(shown)).to_be_visible()
    if shown.is_visible():
        page.locator(".do .pri").tap()
    expect(page.locator(".state")).to_contain_text("Sent.", timeout=12_000)
    moved(site, run, 0, 1)

    # Bo submits by a tap, and reads what was written to him with the turn's news.
    bo.page.get_by_role("button", name="+ Grant").tap()
    bo.page.locator(".do .pri").tap()
    moved(site, run, 1, 1)
    for one in (ann, bo):
        at_turn(one, 2)
    bo.page.get_by_role("button", name="The match so far").tap()
    expect(bo.page.get_by_role("region", name="Feed")).to_contain_text("A word to you alone")
    bo.page.get_by_role("button", name="Your move").tap()
    first = site.operator_get(f"/runs/{run}/frames?limit=20")["frames"][1]
    said = next(event for event in first["events"] if event["data"].get("text") == "A word to you alone")
    assert (said["kind"], said["data"]["to"], said["to"]) == ("message_sent", [1], [0, 1])

    # Bo leaves for good: his substitute plays on, and Ann is told.
    bo.page.get_by_role("button", name="Leave").click()
    bo.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(bo.page.get_by_role("heading", name="You have left the match")).to_be_visible()
    for turn in range(2, TURNS + 1):
        at_turn(ann, turn)
        ann.send()
        moved(site, run, 0, turn)
    expect(page.get_by_role("heading", name="The match is over")).to_be_visible(timeout=60_000)
    ann.watched.shot("nations-phone-end")
    told = site.until(run, "it ends", lambda now: now["status"] == "finished")
    assert told["head"] == TURNS
    assert {"joined", "left"} <= {notice["kind"] for notice in told["notices"]}
    ours = participant(site, run, 0)
    assert (ours["moves"], ours["timed_out"], ours["substituted"]) == (TURNS, 0, 0)
    frames = site.operator_get(f"/runs/{run}/frames?limit=20")["frames"]
    assert [seat for seat, flags in frames[TURNS]["flags"] if "substitute" in flags] == [1]
    assert ann.watched.faults == []
