"""What a seat knows when it plans, and what it does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.observation import Observation
from games.catalog.mining.policies import POLICIES
from games.catalog.mining.state import Message, MiningState, Plan
from games.catalog.mining.tests.builder import GAME, board, plan, step_of
from games.core.agents import deciding
from games.core.engine import play
from games.core.game import Past, Step
from games.core.requests import recalled


def played(rounds: int, **settings: Any) -> tuple[MiningConfig, list[Step[MiningState, Plan]]]:
    config = MiningConfig(miners=3, rows=3, cols=4, rounds=rounds, **settings)
    deciders = {seat: deciding(POLICIES["random"].bind()) for seat in range(3)}
    return config, list(play(GAME, config, 3, deciders))


def observed(config: MiningConfig, steps: Sequence[Step[MiningState, Plan]], seat: int) -> Observation:
    return GAME.observe(config, steps[-1].state, seat, Past(recalled(GAME, config, steps), seat))


@pytest.mark.parametrize(
    ("history", "visible"), [("last", [8]), ("last_k", [6, 7, 8]), ("full", [1, 2, 3, 4, 5, 6, 7, 8])]
)
def test_history_shows_as_many_rounds_as_it_says(history: str, visible: list[int]) -> None:
    config, steps = played(9, history=history, history_k=3)
    seen = observed(config, steps[:9], 1)
    assert [index for index, _ in seen.rounds_seen()] == visible
    assert seen.summary()["rounds"] == min(3, len(visible))


def test_the_rolling_summary_adds_up_what_was_public() -> None:
    config, steps = played(4, history="full")
    summary = observed(config, steps, 0).summary()
    records = [step.state.last for step in steps[1:]]
    assert summary["output"] == sum(record.output for record in records)
    assert summary["captures"] == sum(raid.outcome == "taken" for record in records for raid in record.raids)
    assert summary["raids"] == sum(len(raid.raiders) for record in records for raid in record.raids) > 0


def test_own_plans_are_remembered_and_those_of_others_are_not() -> None:
    config, steps = played(4)
    seen = observed(config, steps, 2)
    assert list(seen.own_plans()) == [(step.index, step.actions[2]) for step in steps[1:]]
    mined = [event for _, events in seen.rounds_seen() for event in events if event.kind == "gold_mined"]
    assert mined
    assert {event.data["by"] for event in mined} == {2}


def test_what_is_public_is_gathered_once_for_all_seats() -> None:
    config, steps = played(2)
    assert observed(config, steps, 0).shared is observed(config, steps, 1).shared


def test_the_occupancy_summary_is_runs_of_owners_row_by_row() -> None:
    world = board("..A/ABB/...", occupancy_summary=True)
    assert GAME.observe(world.config, world.state, 0, ()).occupancy() == ["2x. 1x0", "1x0 2x1", "3x."]


def test_messages_arrive_with_the_next_observation_at_those_they_were_sent_to() -> None:
    world = board("ABC", messages=2)
    sent = plan(messages=[Message((1,), "only you"), Message(None, "all of you")])
    step = step_of(world, {0: sent, 1: plan(), 2: plan()})
    heard = {
        seat: [
            event.data["text"] for event in GAME.observe(world.config, step.state, seat, Past([step], seat)).messages()
        ]
        for seat in range(3)
    }
    assert heard == {0: [], 1: ["only you", "all of you"], 2: ["all of you"]}


def test_age_counts_the_rounds_that_a_plot_was_held() -> None:
    world = board("A.", round=10).changed(since=(4, 0))
    seen = GAME.observe(world.config, world.state, 0, ())
    assert (seen.age(0), seen.age(1)) == (7, 0)
