"""What is made for all seats at once is what is made seat by seat: observations, cleaned actions, notes, choices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.catalog.adasociety import PACK
from games.catalog.adasociety.play.policies import ALL_PHYSICAL
from games.catalog.adasociety.rules.knowledge import learned
from games.catalog.adasociety.rules.observe import Observation, _observe, observe_all
from games.catalog.adasociety.rules.state import (
    MOVES,
    STAY,
    Join,
    Leave,
    Move,
    PassOn,
    Pick,
    Send,
    ShowMap,
    State,
    Weigh,
)
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import GAME
from games.core import codec
from games.core.game import Game
from games.core.rng import Rng, SeatDraws
from games.lab.learning.adasociety import preset_config

ODD = (None, Pick("nothing"), Pick("wood" * 20), Move("sideways"), Move("stay"), Join(0), ShowMap(1), Send(2, "hi"))
SOCIAL = (Leave(), PassOn(1, 50), Weigh(0, 10))
STEPS = 120


def crowded(**settings: Any) -> AdaSocietyConfig:
    """Exploration where much happens: many on a small map, with tools in their bags from the start."""
    raw = preset_config("exploration").model_dump(mode="json")
    raw.update(height=9, width=9, blocks=3, steps=STEPS, piles=[], events=[], **settings)
    raw["piles"] = [{"resource": name, "count": 12, "units": 3} for name in ("wood", "stone", "coal", "iron", "clay")]
    raw["events"] = [{"event": name, "count": 12} for name in ("hammer_craft", "torch_craft", "steel_making")]
    raw["agents"] = [
        {"role": "explorer", "count": 9, "inventory": {"wood": 5, "stone": 5, "coal": 5}},
        {"role": "explorer", "count": 9, "inventory": {"hammer": 1, "torch": 1}, "capacity": {"wood": 1}},
    ]
    return AdaSocietyConfig.model_validate(raw)


def answers(config: AdaSocietyConfig, state: State, rng: Rng, social: bool) -> dict[int, Any]:
    """For each seat any of the 36 actions, and now and then something odd or social."""
    drawn: dict[int, Any] = {}
    for seat in task_of(config).everyone:
        pool: tuple[Any, ...] = ALL_PHYSICAL
        if social and rng.chance(0.2, "odd", seat):
            pool = (*ODD, *SOCIAL)
        drawn[seat] = rng.choice(pool, "answer", seat)
    return drawn


def bare(state: State) -> State:
    """The state alone, without anything that was remembered on the way to it."""
    return replace(state, land=replace(state.land))


@pytest.mark.parametrize("social", [False, True])
def test_the_bulk_forms_give_what_the_seat_by_seat_forms_give_step_by_step_and_byte_by_byte(social: bool) -> None:
    config = crowded(social_actions=["leave", "pass_on", "weigh"] if social else [])
    task = task_of(config)
    kept = plain = GAME.initial(config, Rng.root(7).step(0)).state
    refused = 0
    for index in range(1, STEPS + 1):
        rng = Rng.root(7).step(index)
        seen: list[Observation] = observe_all(task, kept)
        assert seen == [_observe(task, bare(plain), seat) for seat in task.everyone]
        given = answers(config, kept, rng, social)
        actions, notes = GAME.clean_all(config, kept, given, rng)
        assert (actions, notes) == Game.clean_all(GAME, config, bare(plain), given, rng)
        refused += len(notes)
        after, reference = GAME.resolve(config, kept, actions, rng), GAME.resolve(config, bare(plain), actions, rng)
        assert (after.payoffs, tuple(after.events)) == (reference.payoffs, tuple(reference.events))
        kept, plain = after.state, reference.state
        assert codec.canonical(codec.dump(State, kept)) == codec.canonical(codec.dump(State, plain))
        facts = [task.facts(bag) for bag in kept.bags]
        assert kept.known == learned(task, kept.land, kept.cells, facts, kept.graph, kept.known)
    assert refused > STEPS, "what is refused is compared too"
    assert len(set(kept.known)) > 1
    assert any(kept.made)


def test_who_looks_again_after_a_step_in_which_little_happened_sees_what_is_there_and_knows_it() -> None:
    wide = {**crowded().model_dump(mode="json"), "height": 30, "width": 30}
    config = AdaSocietyConfig.model_validate(wide)
    task = task_of(config)
    state = GAME.initial(config, Rng.root(5).step(0)).state
    same = quiet = 0
    for index in range(1, STEPS + 1):
        rng = Rng.root(5).step(index)
        seen = GAME.observe_all(config, state, task.everyone, ())
        assert seen == [_observe(task, bare(state), seat) for seat in task.everyone]
        pool = MOVES if index % 2 else ALL_PHYSICAL
        acts = [seat for seat in task.everyone if rng.chance(0.1, "acts", seat)]
        given = {seat: rng.choice(pool, "answer", seat) if seat in acts else STAY for seat in task.everyone}
        actions, _ = GAME.clean_all(config, state, given, rng)
        resolved, reference = (GAME.resolve(config, one, actions, rng) for one in (state, bare(state)))
        assert resolved.state == reference.state
        assert (resolved.payoffs, tuple(resolved.events)) == (reference.payoffs, tuple(reference.events))
        assert resolved.state.occupants == reference.state.occupants
        same += resolved.state.cells == state.cells and resolved.state.bags == state.bags
        quiet += all(action is STAY for action in actions.values())
        state = resolved.state
    assert STEPS // 4 < quiet <= same < STEPS


@pytest.mark.parametrize("name", ["random", "blind", "load36"])
def test_a_policy_chooses_for_all_what_it_chooses_for_each(name: str) -> None:
    config, policy = crowded(), PACK.policies[name].bind()
    state = GAME.initial(config, Rng.root(3).step(0)).state
    seen = GAME.observe_all(config, state, task_of(config).everyone, ())
    for index in range(1, 20):
        seats = range(len(seen))
        together = policy.spec.play_all(policy.params, seen, SeatDraws(Rng.root(3), seats).at(index))
        each = [policy(seen[seat], None, Rng.root(3).step(index).at("seat", seat))[0] for seat in seats]
        assert list(together) == each
