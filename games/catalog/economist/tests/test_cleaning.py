"""Absurd answers are cut to their bounds or struck out, each with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.economist.cleaning import read_planner, read_worker
from games.catalog.economist.state import Build, Deal, Gather, Misreport, Move, SetTaxes, Shift
from games.catalog.economist.tests.build import GAME, config, last_step, step, world
from games.core.answers import BadAction
from games.core.rng import Rng


def cleaned(action: Any, **accounts: Any) -> tuple[Any, list[str]]:
    terms = config(1)
    made, notes = GAME.clean(terms, world(terms, "w....", **accounts), 0, action, Rng.root(1))
    return made, [note.kind for note in notes]


@pytest.mark.parametrize(
    ("action", "accounts", "note"),
    [
        (Move("left"), {}, "off_map"),
        (Move("up"), {}, "off_map"),
        (Move("right"), {"energy": [0.5]}, "no_energy"),
        (Gather(), {"cell": [1]}, "no_resource"),
        (Build(), {}, "insufficient_wood"),
        (Build(), {"wood": [3]}, "insufficient_stone"),
        (Build(), {"energy": [1]}, "no_energy"),
        (Build(), {"built": [10]}, "max_houses"),
        (Deal("wood", -4, 1, "buy"), {}, "bad_quantity"),
        (Deal("wood", float("nan"), 1, "sell"), {}, "bad_quantity"),
        (Shift(5), {}, "nothing_to_shift"),
    ],
)
def test_what_cannot_be_done_becomes_nothing_with_its_reason(action: Any, accounts: Any, note: str) -> None:
    made, notes = cleaned(action, **accounts)
    assert (made.do, notes) == ("noop", [note])


def test_numbers_out_of_bounds_are_cut_to_them() -> None:
    assert cleaned(Misreport(2.0)) == (Misreport(0.5), ["fraction_cut"])
    assert cleaned(Misreport(-1)) == (Misreport(0), ["fraction_cut"])
    assert cleaned(Deal("wood", 1e300, float("inf"), "buy")) == (
        Deal("wood", 1e6, 100, "buy"),
        ["quantity_cut", "price_clamped"],
    )
    assert cleaned(Deal("wood", 1, 0.001, "sell")) == (Deal("wood", 1, 0.1, "sell"), ["price_clamped"])
    assert cleaned(Shift(50), gross=[100]) == (Shift(30), ["shift_cut"])


@pytest.mark.parametrize(
    ("brackets", "stands", "notes"),
    [
        (((5, 0.1), (20, 0.3)), ((0, 0.1), (20, 0.3)), ["first_threshold_moved"]),
        (((0, -0.5), (10, 1.5)), ((0, 0), (10, 1)), ["rate_clamped"]),
        (((10, 0.2), (0, 0.1)), ((0, 0.1), (10, 0.2)), []),
        (((0, 0.3), (10, 0.1)), ((0, 0.3), (10, 0.3)), ["rates_raised"]),
        (((0, 0.1), (0, 0.9)), ((0, 0.1),), ["threshold_repeated"]),
        (((float("nan"), 0.1), (float("inf"), 0.2)), ((0, 0.1), (1e6, 0.2)), ["threshold_clamped"]),
        (tuple((n, 0.1) for n in range(30)), tuple((n, 0.1) for n in range(20)), ["brackets_cut"]),
    ],
)
def test_a_schedule_is_repaired_into_one_that_can_stand(brackets: Any, stands: Any, notes: list[str]) -> None:
    terms = config(1)
    state = step(terms, last_step(terms, world(terms))).state
    made, found = GAME.clean(terms, state, 1, SetTaxes(brackets), Rng.root(1))
    assert (made, [note.kind for note in found]) == (SetTaxes(stands), notes)
    assert GAME.clean(terms, state, 1, made, Rng.root(1)) == (made, ())


@pytest.mark.parametrize(
    "raw", [{"do": "fly"}, {"do": "move", "direction": "sideways"}, {"do": "buy"}, 7, None, "gather"]
)
def test_what_is_no_action_is_refused_in_a_line(raw: Any) -> None:
    with pytest.raises(BadAction):
        read_worker(raw)


def test_the_planner_may_answer_with_bare_pairs() -> None:
    assert read_planner([[0, 0.1], [10, 0.2]]) == SetTaxes(((0, 0.1), (10, 0.2)))


@pytest.mark.parametrize("raw", [{"answer": "take"}, {"action": {"brackets": [[0, 0.1]]}}, {"items": []}])
def test_an_object_that_names_no_brackets_is_not_taken_for_the_wish_to_keep_them(raw: Any) -> None:
    with pytest.raises(BadAction, match="brackets: missing"):
        read_planner(raw)
    assert read_planner({}) == read_planner({"do": "set_taxes"}) == SetTaxes()
