"""The contract stage: whose turn, what may be joined, what follows."""

from __future__ import annotations

from games.catalog.adasociety.rules.state import STAY, Join, Move, Pick
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME, reasons, start, step
from games.core.rng import Rng

CONFIG = AdaSocietyConfig(contract_rounds=2)


def test_one_seat_decides_at_a_time_in_one_order_again_and_again() -> None:
    state = start(CONFIG)
    seats = []
    while (turn := GAME.turn(CONFIG, state)) is not None and turn.stage == "contract":
        seats.append(turn.seats)
        state = step(CONFIG, state).state
    assert seats == [(seat,) for seat in state.order] * 2
    assert sorted(state.order) == [0, 1, 2, 3]
    assert state.step == CONFIG.social_steps == 8


def test_the_order_is_drawn_by_the_seed() -> None:
    orders = {GAME.initial(CONFIG, Rng.root(seed).step(0)).state.order for seed in range(200)}
    assert len(orders) == 24


def test_who_is_on_turn_leaves_its_group_and_joins_the_chosen_one() -> None:
    state = start(CONFIG)
    first, second = state.order[:2]
    state = step(CONFIG, state, **{f"s{first}": Join(3)}).state
    state = step(CONFIG, state, **{f"s{second}": Join(3)}).state
    assert [node[1] for node, _ in state.graph.members[1, 3]] == sorted((first, second))
    for _ in range(2):
        state = step(CONFIG, state).state
    resolved = step(CONFIG, state, **{f"s{first}": Join(0)})
    assert resolved.state.graph.group_of(first) == (1, 0)
    assert [event.data for event in resolved.events] == [{"seat": first, "group": 0, "left": 3}]
    assert resolved.payoffs == {}


def test_joining_the_own_group_again_changes_nothing() -> None:
    state = start(CONFIG)
    for seat in state.order:
        state = step(CONFIG, state, **{f"s{seat}": Join(1)}).state
    again = step(CONFIG, state, **{f"s{state.order[0]}": Join(1)})
    assert again.state.graph == state.graph
    assert list(again.events) == []


def test_after_the_first_round_everybody_is_in_one_group_even_without_answers() -> None:
    state = start(CONFIG)
    for _ in range(4):
        state = step(CONFIG, state).state
    assert [state.graph.groups[0, seat] for seat in range(4)] == [((1, seat),) for seat in range(4)]


def test_physical_actions_and_unknown_groups_are_refused_in_the_stage() -> None:
    state = start(CONFIG)
    seat = state.order[0]
    assert reasons(CONFIG, state, seat, Move("up"))[0].startswith("Move: not in the contract stage")
    assert reasons(CONFIG, state, seat, Join(4)) == (
        f"Join group 4: groups are 0 to 3. Taken as joining group {seat}.",
    )
    assert reasons(CONFIG, state, seat, Join(-1))
    assert reasons(CONFIG, state, state.order[1], Join(0)) == (f"Join group: it is seat {seat}'s turn. Passed.",)


def test_after_the_stage_groups_are_frozen_and_split_evenly() -> None:
    settings = CONFIG.model_dump()
    settings.update(
        piles=[{"resource": "wood", "units": 5, "cells": [[0, 0]]}],
        agents=[{"role": "carpenter", "count": 2, "cells": [[0, 0], [1, 1]]}, {"role": "miner", "count": 2}],
    )
    config = AdaSocietyConfig.model_validate(settings)
    state = start(config)
    while state.step < 8:
        state = step(config, state, **{f"s{seat}": Join(2) for seat in range(4)}).state
    assert reasons(config, state, 0, Join(0)) == ("Join group: not in this stage. Stayed.",)
    resolved = step(config, state, s0=Pick("wood"), s1=STAY)
    assert resolved.payoffs == dict.fromkeys(range(4), 0.25)
    assert resolved.state.graph == state.graph
