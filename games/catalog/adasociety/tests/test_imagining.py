"""Imagined worlds: what is not known is worth nothing, and who shows a map holds what it takes to see it."""

from __future__ import annotations

from games.catalog.adasociety.rules.imagining import _merged
from games.catalog.adasociety.setup.task import task_of
from games.core.registry import get
from games.core.rng import Rng
from games.lab.scenarios.scenario import load

GAME = get("adasociety").game


def test_piles_of_which_several_see_parts_keep_an_order_that_agrees_with_all() -> None:
    assert _merged([((2, 1), (5, 3)), ((2, 1), (0, 4)), ((0, 4), (5, 3))]) == ((2, 1), (0, 4), (5, 3))


def test_what_an_agent_does_not_know_is_worth_nothing_in_what_it_imagines() -> None:
    config = load("adasociety/exploration").conditions[0].config
    state = GAME.initial(config, Rng.root(4).step(0)).state
    seen = GAME.observe(config, state, 0, ())
    world = GAME.imagine(seen, Rng.root(9))
    unknown = [number for number, name in enumerate(seen.kit.resources) if not name]
    assert unknown
    task, true = task_of(world.config), task_of(config)
    assert any(true.values[0][number] for number in unknown)
    assert not any(values[number] for values in task.values for number in unknown)
    assert {event for event in world.state.land.terrain if event >= 0} <= {
        number for number, known in enumerate(seen.kit.events) if known is not None
    }


def test_imagined_worlds_push_no_table_out_that_is_played_on() -> None:
    config = load("adasociety/contract-easy").conditions[0].config
    task = task_of(config)
    state = GAME.initial(config, Rng.root(4).step(0)).state
    for number in range(100):
        GAME.imagine(GAME.observe(config, state, 0, ()), Rng.root(number))
    assert task_of(config) is task
