"""Whose decisions a run's are: the one definition of what is not a seat's own."""

from __future__ import annotations

import re

import pytest

from games.core.conduct import FLAGS, STANDS, UNSOUND, Decisions, decided_by, stand_in
from tests.sites import ROOT


@pytest.mark.parametrize(
    ("flags", "decider"),
    [
        ((), None),
        (("passed",), None),
        (("corrected", "repaired", "from_cache"), None),
        (("timed_out",), "clock"),
        (("idle",), "clock"),
        (("timed_out", "substitute"), "substitute"),
        (("fallback", "unparseable"), "fallback"),
        (("fallback", "timeout"), "fallback"),
        (("agent_error",), "default"),
        (("no_answer",), "default"),
        (("impossible_plan",), "default"),
    ],
)
def test_who_decided_in_a_seats_place(flags: tuple[str, ...], decider: str | None) -> None:
    assert stand_in(flags) == decider
    assert decided_by("person", flags) == (decider or "person")


def test_a_plan_of_ones_own_under_way_is_own() -> None:
    assert decided_by("model", (), is_plans=True) == "plan"
    assert decided_by("model", ("fallback",), is_plans=True) == "fallback"
    conduct = Decisions()
    conduct.add([0], [])
    assert conduct.share() == 0


def test_every_flag_has_a_stand() -> None:
    assert set(FLAGS.values()) == set(STANDS)


def counted() -> Decisions:
    conduct = Decisions()
    for step in range(10):
        conduct.add([0, 1, 2, 3, 4], [(0, ("timed_out",))] if step < 3 else [(1, ("passed",))])
    return conduct


def test_shares_by_seat_and_run_and_one_seat_makes_a_run_unsound() -> None:
    conduct = counted()
    assert (conduct.share(), conduct.of(0), conduct.of(1)) == (0.06, 0.3, 0)
    assert conduct.worst() == 0.3
    assert conduct.is_unsound()
    assert not conduct.is_unsound(0.3)
    assert UNSOUND == 0.2


def test_of_no_decision_there_is_no_share_and_nothing_unsound() -> None:
    assert Decisions().share() is None
    assert Decisions().of(0) is None
    assert not Decisions().is_unsound()


def test_what_is_stored_is_read_again_and_an_older_tally_is_not() -> None:
    conduct = counted()
    assert Decisions.read(conduct.plain()) == conduct
    assert Decisions.read({"decisions": 5, "fallbacks": 1}) is None


def test_pages_know_the_same_flags() -> None:
    text = (ROOT / "frontend/src/notown.ts").read_text()
    listed = re.search(r"NOT_OWN = new Set\(\[(.*?)\]\)", text)
    assert listed
    assert set(re.findall(r"\w+", listed[1])) == set(FLAGS)
