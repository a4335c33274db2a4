"""Structures over time, and social states that are forced."""

from __future__ import annotations

from games.catalog.adasociety.rules.state import STAY, Pick
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME, start, step
from games.core.game import Event
from games.core.rng import Rng
from games.lab.learning.adasociety import preset_config


def dynamic() -> AdaSocietyConfig:
    config = preset_config("social-structure-hard")
    assert isinstance(config, AdaSocietyConfig)
    return config


def test_the_dynamic_structure_changes_when_30_and_60_steps_are_resolved() -> None:
    config = dynamic()
    state, links = start(config), []
    for _ in range(70):
        links.append(sum(edge.shares_view for edge in state.graph.edges))
        state = step(config, state).state
    assert links == [24] * 30 + [56] * 30 + [40] * 10


def test_four_group_nodes_stand_throughout_and_the_new_graph_pays_from_the_next_step() -> None:
    config = dynamic()
    state = start(config)
    told: list[tuple[int, Event]] = []
    while state.step < 61:
        assert state.graph.sizes == (8, 4)
        resolved = step(config, state)
        told += [(state.step + 1, event) for event in resolved.events if event.kind == "structure_changed"]
        state = resolved.state
    assert [(at, event.data["name"]) for at, event in told] == [(30, "independent"), (60, "overlapping")]


def test_the_step_that_brings_a_structure_is_paid_by_the_one_before() -> None:
    config = AdaSocietyConfig.model_validate(
        {
            "mini_game": "social_structure",
            "height": 3, "width": 3, "sight": 1, "steps": 5,
            "piles": [{"resource": "wood", "units": 5, "cells": [[0, 0]]}],
            "events": [],
            "roles": {"carpenter": {}},
            "agents": [{"role": "carpenter", "count": 2, "cells": [[0, 0], [1, 1]]}],
            "schedule": [{"at": 2, "structure": {"groups": [{"members": [0, 1]}]}}],
        }
    )  # fmt: skip
    state, payoffs = start(config), []
    for _ in range(3):
        resolved = step(config, state, s0=Pick("wood"), s1=STAY)
        payoffs.append(tuple(resolved.payoffs[seat] for seat in (0, 1)))
        state = resolved.state
    assert payoffs == [(1.0, 0.0), (1.0, 0.0), (0.5, 0.5)]


def forced(**settings: object) -> AdaSocietyConfig:
    return AdaSocietyConfig.model_validate({"mini_game": "contract", **settings})


def test_forced_one_puts_everybody_into_group_0_and_leaves_the_contract_stage_out() -> None:
    config = forced(social_control="forced_one")
    state = start(config)
    assert [state.graph.group_of(seat) for seat in range(4)] == [(1, 0)] * 4
    turn = GAME.turn(config, state)
    assert turn is not None
    assert turn.stage == "physical"
    assert config.horizon == 100


def test_forced_puts_each_into_group_0_with_the_probability_and_else_anywhere() -> None:
    config = forced(social_control="forced", forced_probability=0.5)
    in_first = 0
    for seed in range(500):
        graph = GAME.initial(config, Rng.root(seed).step(0)).state.graph
        in_first += sum(graph.group_of(seat) == (1, 0) for seat in range(4))
    assert abs(in_first / 2000 - (0.5 + 0.5 / 4)) < 4 * (0.625 * 0.375 / 2000) ** 0.5


def test_with_social_control_explorers_have_no_social_actions() -> None:
    config = AdaSocietyConfig.model_validate({"mini_game": "exploration", "social_control": "forced_one"})
    turn = GAME.turn(config, start(config))
    assert turn is not None
    assert turn.stage == "physical"
