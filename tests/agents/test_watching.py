"""A seat that does not decide stops its run, by one rule for models, people and programs; resumed, it has more time."""

from __future__ import annotations

import pytest

from agents_app.people import PeopleSettings
from agents_app.ports import ModelStop, SeatStop
from agents_app.profile import Profile
from agents_app.watching import BLOCK, FIRST, check_answers

REAL = Profile(model="openai/local", base_url="http://127.0.0.1:9/v1").fallbacks_at_most
BAD, GOOD, AWAY = ("fallback", "unparseable"), (), ("substitute",)
LATE = ("timed_out",)


def test_three_answers_of_which_none_can_be_used_stop_the_run_at_once() -> None:
    with pytest.raises(ModelStop, match="A: none of its first 3 answers could be used, most of them unparseable"):
        check_answers("A", REAL, [BAD] * FIRST)
    for number in range(FIRST):
        check_answers("A", REAL, [BAD] * number)
    check_answers("A", REAL, [BAD, GOOD, BAD])


def test_the_same_rule_holds_for_people_and_programs_but_not_for_what_was_agreed_for_those_away() -> None:
    with pytest.raises(SeatStop, match="Ann: none of its first 3 turns were its own, most of them timed_out"):
        check_answers("Ann", 0.5, [LATE] * FIRST, is_model=False)
    check_answers("Ann", 0.5, [AWAY] * FIRST, is_model=False)
    check_answers("Ann", 0.5, [AWAY] * BLOCK, is_model=False)


def test_more_than_half_of_twenty_answers_that_cannot_be_used_stop_the_run() -> None:
    check_answers("A", REAL, [BAD] * 10 + [GOOD] * 10)
    with pytest.raises(ModelStop, match="A: 9 of its last 20 answers could be used, most of them unp"):
        check_answers("A", REAL, [BAD] * 11 + [GOOD] * 9)


def test_between_the_looks_nothing_stops_so_that_a_resumed_run_goes_on() -> None:
    for number in [*range(FIRST + 1, BLOCK), *range(BLOCK + 1, 2 * BLOCK)]:
        check_answers("A", REAL, [BAD] * number)
    with pytest.raises(ModelStop):
        check_answers("A", REAL, [BAD] * 2 * BLOCK)


def test_mocks_and_whoever_says_so_may_fail_at_any_rate() -> None:
    check_answers("A", Profile().fallbacks_at_most, [BAD] * FIRST)
    check_answers("A", Profile(fallback_limit=1.0).fallbacks_at_most, [BAD] * BLOCK)


@pytest.mark.parametrize(
    ("terms", "is_led", "most"),
    [
        ({}, True, 0.5),
        ({}, False, 1.0),
        ({"tick_s": 1.0}, True, 1.0),
        ({"out_after": 3}, True, 1.0),
        ({"missed_limit": 0.25}, False, 0.25),
    ],
)
def test_whose_turns_may_be_missed_follows_from_the_terms(terms: dict[str, float], is_led: bool, most: float) -> None:
    assert PeopleSettings(**terms).missed_at_most(is_led=is_led) == most
