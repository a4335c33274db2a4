"""The shelf of classics by hand: each game played on two phones, amid models, to the end of a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.core.registry import Registry
from games.declare.kernel import Declared
from tests.e2e.people import Person, code_of, participant, seated
from tests.e2e.test_people import PHONE
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.full, pytest.mark.timeout(420)]
SHELF = [name for name in Registry().modules() if isinstance(Registry().get(name).game, Declared)]
ROUNDS = 2


@pytest.fixture
def site(quiet: Site) -> Site:
    return quiet


@pytest.fixture
def two(browser: Browser, site: Site) -> Iterator[tuple[Person, Person]]:
    one, other = (Person(browser, site, name, **{**PHONE, "locale": tongue}) for name, tongue in NAMES.items())
    yield one, other
    one.end()
    other.end()


NAMES = {"Mira": "en-GB", "Ling": "zh-CN"}


def answers(page: Page, turn: int) -> None:
    """Whatever is asked is answered by hand: the middle of an amount, one choice after the other, a point, a word."""
    for amount in page.locator(".amount").all():
        slide = amount.locator(".slide")
        low, high = (float(slide.get_attribute(name) or 0) for name in ("min", "max"))
        field = amount.locator(".number input")
        field.fill(str(int((low + high) // 2)))
        field.press("Tab")
    for picks in page.locator("[role=radiogroup]").all():
        choices = picks.locator("input[type=radio]")
        choices.nth(turn % choices.count()).check(force=True)
    for points in page.locator(".points").all():
        points.locator(".row button:enabled").last.click()
    for text in page.locator("textarea.field").all():
        text.fill("fair is fair")
    page.locator(".do .pri").click()


def plays(one: Person, turn: int) -> bool:
    """Answers if it is this person's turn; whether it was."""
    if not one.page.locator(".state.mine").count() or not one.page.locator(".do .pri").count():
        return False
    answers(one.page, turn)
    expect(one.page.locator(".state.mine, section.end").first).to_be_hidden(timeout=20_000)
    return True


@pytest.mark.parametrize("name", SHELF)
def test_a_match_is_played_on_two_phones_beside_a_model(name: str, two: tuple[Person, Person], site: Site) -> None:
    game = Registry().get(name)
    rounds = {"rounds": ROUNDS} if "rounds" in game.game.config_type.model_fields else {}
    seats = len(game.game.seats(game.game.config_type(**rounds)))
    taken = {"0": {"person": True}, str(min(1, seats - 1)): {"person": True}}
    people = two[: len(taken)]
    models = {str(seat): {"model": "mock/random"} for seat in range(2, seats)}
    run = seated(site, name, {"deadline_s": 300, "grace_s": 300}, taken | models, rounds)
    for one in people:
        one.join(code_of(site, run))
    moves = dict.fromkeys(people, 0)
    while not all(one.page.locator("section.end").count() for one in people):
        for one in people:
            if plays(one, moves[one]):
                moves[one] += 1
                if moves[one] == 1:
                    one.watched.shot(f"{name}-{one.name}")
        one.page.wait_for_timeout(200)
    for seat, one in enumerate(people):
        told: dict[str, Any] = participant(site, run, seat)
        assert (told["moves"], told["timed_out"], told["substituted"]) == (moves[one], 0, 0)
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert one.watched.faults == []
        one.watched.shot(f"{name}-{one.name}-end")
    site.until(run, "it ends", lambda told: told["status"] == "finished")
