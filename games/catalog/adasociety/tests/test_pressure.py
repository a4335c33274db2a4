"""Hunger, decay and creatures: what each takes, from whom, and that nothing of it is there unless asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.catalog.adasociety.arrays.layout import layout
from games.catalog.adasociety.play.solo_policy import fleeing
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import STAY, Move, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME, bag, held, start, step, world
from games.core.codec import dump
from games.core.game import All, SeatEyes
from games.core.registry import get
from games.lab.scenarios.scenario import load
from games.laws.probing import probed

MAP = """
0 . . . .
. . . . .
. . . . .
. . . . .
. . . . 1
"""
FOOD = [{"resource": "wood", "every": 2, "units": 2, "loss": 5}]


def pressed(**settings: Any) -> AdaSocietyConfig:
    return world(MAP, "carpenter carpenter", **settings)


def told(resolved: Any) -> list[tuple[str, tuple[int, ...] | None]]:
    return [(event.kind, event.to) for event in resolved.events]


def test_who_lacks_food_at_a_meal_loses_reward_for_each_missing_unit_and_eats_what_there_is() -> None:
    config = pressed(needs=FOOD)
    state = held(config, start(config), s0={"wood": 3}, s1={"wood": 1})
    state = step(config, state).state
    assert bag(config, state, 0) == {"wood": 3}, "it is no meal yet"
    meal = step(config, state)
    assert (bag(config, meal.state, 0), bag(config, meal.state, 1)) == ({"wood": 1}, {})
    assert meal.payoffs == {0: -2.0, 1: -1.0 - 5.0}
    assert told(meal) == [("eaten", (0,)), ("hungry", (1,))]
    assert (meal.state.lost, sum(meal.state.spent)) == (5_000_000, 3)


def test_one_of_each_kind_that_spoils_goes_from_every_bag_when_its_time_is_up() -> None:
    config = pressed(decay={"stone": 1, "wood": 3})
    state = held(config, start(config), s0={"stone": 2, "wood": 1}, s1={})
    spoilt = step(config, state)
    assert bag(config, spoilt.state, 0) == {"stone": 1, "wood": 1}
    assert told(spoilt) == [("spoiled", (0,))]
    assert spoilt.payoffs[0] == -1


def at(config: AdaSocietyConfig, state: State, *cells: int) -> State:
    return replace(state, creatures=cells)


def test_a_creature_goes_for_who_is_near_every_other_step_and_bites_on_its_cell() -> None:
    config = pressed(creatures=1, bite=3)
    state = at(config, start(config), 2)
    waited = step(config, state)
    assert waited.state.creatures == (2,)
    walked = step(config, waited.state)
    assert walked.state.creatures == (1,), "towards seat 0, on cell 0"
    assert walked.payoffs[0] == 0
    bitten = step(config, step(config, walked.state).state)
    assert bitten.state.creatures == (0,)
    assert (bitten.payoffs[0], bitten.payoffs[1]) == (-3.0, 0.0)
    assert told(bitten) == [("bitten", (0,))]


def test_a_creature_is_seen_in_the_own_window_alone() -> None:
    config = pressed(creatures=2)
    state = at(config, start(config), 6, 12)
    assert observe(config, state, 0).creatures == (6,), "the window reaches one cell"
    assert [tuple(cell) for cell in GAME.view(config, state, SeatEyes(0))["creatures"]] == [(1, 1)]
    assert len(GAME.view(config, state, All())["creatures"]) == 2
    assert "creatures" not in GAME.view(pressed(), start(pressed()), All())


def test_who_works_alone_steps_out_of_a_creatures_way_where_it_bites() -> None:
    config = pressed(creatures=1)
    state = at(config, start(config), 1)
    away = fleeing(observe(config, state, 0))
    assert isinstance(away, Move)
    assert away != STAY
    harmless = pressed(creatures=1, bite=0)
    assert fleeing(observe(harmless, at(harmless, start(harmless), 1), 0)) is None


def test_states_and_configs_without_pressure_keep_their_bytes() -> None:
    config = pressed()
    assert not {"creatures", "spent", "lost"} & set(dump(GAME.state_type, start(config)))
    assert not {"needs", "decay", "creatures", "bite"} & set(config.model_dump())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"needs": [{"resource": "bread"}]}, "bread"),
        ({"needs": [{"resource": "wood"}, {"resource": "wood"}]}, "wood"),
        ({"decay": {"bread": 3}}, "bread"),
        ({"creatures": 26}, "creatures"),
        ({"bite": 2}, "creatures"),
    ],
)
def test_pressure_that_cannot_be_is_refused_by_name(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pressed(**settings)


def test_learners_who_would_be_told_nothing_of_it_are_refused() -> None:
    with pytest.raises(ValueError, match="learners"):
        layout(pressed(creatures=1))


@pytest.mark.parametrize("setting", ["needs", "decay", "creatures", "bite"])
def test_each_pressure_moves_somebody(setting: str) -> None:
    config = load("adasociety/survival").conditions[0].config
    (moved,) = probed(get("adasociety"), config, ["loner"], steps=40, settings=[setting])
    assert moved.by_policy, moved.values


def test_a_group_norm_moves_who_is_in_a_guild() -> None:
    config = load("adasociety/group-norms").conditions[0].config
    (moved,) = probed(get("adasociety"), config, ["pioneer"], steps=12, settings=["group_norm"])
    assert set(moved.by_policy) == {"pioneer"}
