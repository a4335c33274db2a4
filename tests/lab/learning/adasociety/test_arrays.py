"""What the arrays of learners say: all that a seat may know, by the rules, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from games.catalog.adasociety.arrays.layout import layout
from games.catalog.adasociety.arrays.tensors import encode
from games.catalog.adasociety.rules.graph import WHOLE, Edge, Message
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import (
    BLOCK,
    STAY,
    Action,
    Invite,
    Join,
    Land,
    Pick,
    Propose,
    Send,
    ShowMap,
    State,
)
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import start, world
from tests.lab.learning.adasociety.ruled import Ruled

GAMES = ["social-structure-easy", "contract-easy", "negotiation-easy", "invented"]


def test_actions_are_numbered_as_in_the_authors_code() -> None:
    easy = {"resources": ("wood", "stone", "hammer")}
    contract = layout(AdaSocietyConfig(mini_game="contract", **easy)).actions
    assert contract[6:9] == (Pick("wood"), Pick("stone"), Pick("hammer"))
    assert contract[12:] == tuple(Join(group) for group in range(4))
    negotiation = layout(AdaSocietyConfig(mini_game="negotiation", **easy)).actions
    assert negotiation[12:16] == tuple(Invite(seat) for seat in range(4))
    assert negotiation[18:] == tuple(Propose(share) for share in range(10, 100, 10))
    exploration = layout(AdaSocietyConfig(mini_game="exploration", **easy)).actions
    assert len(exploration) == 12 + 4 + 4 + 4
    assert exploration[16] == ShowMap(0)


@pytest.mark.parametrize("name", GAMES)
def test_what_the_mask_allows_needs_no_repair_and_rewards_add_up(name: str) -> None:
    run, chance = Ruled(name), np.random.default_rng(1)
    told = run.reset(5)
    total = sum(run.state.returns) / 1e6
    while not run.is_over:
        drawn = {agent: int(chance.choice(np.flatnonzero(told[agent]["action_mask"]))) for agent in run.names}
        told, rewards = run.step(drawn)
        total += sum(rewards)
        assert not run.notes
    assert total == pytest.approx(sum(run.state.returns) / 1e6)


def test_groups_that_the_first_structure_brings_can_be_joined() -> None:
    groups = [{"members": [seat]} for seat in range(4)] + [{"members": []}] * 2
    config = AdaSocietyConfig.model_validate(
        {"mini_game": "exploration", "groups": 2, "schedule": [{"at": 0, "structure": {"groups": groups}}]}
    )
    observations = Ruled(config).reset(1)
    assert observations["carpenter_0"]["action_mask"][-6:].tolist() == [1] * 6


def test_offers_are_seen_by_whom_they_are_made_to() -> None:
    run = Ruled("negotiation-easy")
    run.reset(1)
    number = {action: index for index, action in enumerate(run.shape.actions)}
    run.step({"carpenter_0": number[Invite(2)], "miner_0": number[Invite(0)]})
    observations, _ = run.step({"miner_0": number[Propose(60)]})
    assert observations["carpenter_0"]["offers"].tolist() == pytest.approx([0, 0, 0.6, 0])
    assert observations["carpenter_0"]["free"].tolist() == [0, 1, 0, 1]


def test_the_map_is_centred_on_the_agent_and_merges_what_it_is_shown() -> None:
    observations = Ruled("social-structure-easy").reset(2)
    for agent in observations:
        assert observations[agent]["map"].shape == (8, 7, 7)
        assert observations[agent]["map"][0, 3, 3] == 1
        assert observations[agent]["map"][0].sum() == 4


def arrays_after(config: AdaSocietyConfig, *rounds: dict[str, int]) -> dict[str, dict[str, np.ndarray]]:
    run = Ruled(config)
    observations = run.reset(3)
    for actions in rounds:
        observations, _ = run.step(actions)
    return observations


NEGOTIATION = AdaSocietyConfig(mini_game="negotiation")


def numbered(config: AdaSocietyConfig, *actions: Action) -> dict[str, int]:
    """The numbers of actions, the first one's that of the first seat, and so on."""
    shape, names = layout(config).actions, [spec.name for spec in task_of(config).seats]
    return {name: shape.index(action) for name, action in zip(names, actions, strict=False)}


def test_who_bargains_with_whom_is_seen_by_all() -> None:
    here = arrays_after(NEGOTIATION, numbered(NEGOTIATION, Invite(2), Invite(3), Invite(0), Invite(1)))
    there = arrays_after(NEGOTIATION, numbered(NEGOTIATION, Invite(3), Invite(2), Invite(1), Invite(0)))
    for name in here:
        assert here[name]["bargains"].tolist() == [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]
        assert there[name]["bargains"].tolist() == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
    matched = numbered(NEGOTIATION, Invite(2), Invite(3), Invite(0), Invite(1))
    offered = arrays_after(NEGOTIATION, matched, numbered(NEGOTIATION, STAY, STAY, Propose(70), Propose(20)))
    for told in offered.values():
        assert np.argwhere(told["proposals"]).tolist() == [[2, 0], [3, 1]]
        assert told["proposals"][2, 0] == pytest.approx(0.7)
    assert [round(float(told["offers"].sum()), 2) for told in offered.values()] == [0.7, 0.2, 0, 0]


def test_who_bargains_and_is_on_turn_may_not_stay() -> None:
    matched = arrays_after(NEGOTIATION, numbered(NEGOTIATION, Invite(1), Invite(0)))
    stays = [int(told["action_mask"][4]) for told in matched.values()]
    on_turn = [int(told["action_mask"].sum()) > 1 for told in matched.values()]
    assert sorted(zip(stays, on_turn, strict=True)) == [(0, True), (1, False), (1, True), (1, True)]


def test_a_message_is_heard_and_says_its_numbers() -> None:
    config = AdaSocietyConfig(mini_game="exploration", message_numbers=2)
    silent = arrays_after(config, {})
    spoken = arrays_after(config, numbered(config, Send(1)))
    names = list(silent)
    assert silent[names[1]]["messages"].tolist() == [[0, 0, 0]] * 4
    assert spoken[names[1]]["messages"].tolist() == [[1, 0, 0], *[[0, 0, 0]] * 3]
    assert spoken[names[2]]["messages"].sum() == 0


def changes() -> dict[str, tuple[Callable[[State], State], set[int]]]:
    """By name: one part of the state written anew, and the seats that may know it. No seat sees another."""

    def graph(*edges: Edge) -> Callable[[State], State]:
        return lambda state: replace(state, graph=state.graph.put(*edges))

    def land(cell: int, **parts: Any) -> Callable[[State], State]:
        def changed(state: State) -> State:
            spots = {name: list(getattr(state.land, name)) for name in ("terrain", "stacks")}
            for name, value in parts.items():
                spots[name][cell] = value
            return replace(state, land=Land(tuple(spots["terrain"]), tuple(spots["stacks"])))

        return changed

    def bag(state: State) -> State:
        return replace(state, bags=((1, *state.bags[0][1:]), *state.bags[1:]))

    everybody = {0, 1, 2, 3}
    return {
        "partner": (graph(Edge((0, 0), (0, 2), parity=0), Edge((0, 2), (0, 0), parity=1)), everybody),
        "whose turn": (graph(Edge((0, 1), (0, 3), parity=1), Edge((0, 3), (0, 1), parity=0)), everybody),
        "proposal": (graph(Edge((0, 1), (0, 3), parity=0, proposal=30)), everybody),
        "shown map": (graph(Edge((0, 0), (0, 1), shares_view=True)), everybody),
        "share of reward": (graph(Edge((0, 2), (0, 0), reward_share=WHOLE // 3)), everybody),
        "membership": (graph(Edge((0, 3), (1, 0), weight=WHOLE)), everybody),
        "weight": (graph(Edge((0, 0), (1, 0), weight=WHOLE // 2)), everybody),
        "layer": (graph(Edge((1, 1), (2, 0), weight=WHOLE // 2)), everybody),
        "that one speaks": (graph(Edge((0, 0), (0, 3), message=Message())), {3}),
        "what is said": (graph(Edge((0, 2), (0, 1), message=Message("", (0.5,)))), {1}),
        "order": (lambda state: replace(state, order=(3, 2, 1, 0)), everybody),
        "step": (lambda state: replace(state, step=state.step + 1), everybody),
        "bag": (bag, {0}),
        "pile": (land(8, stacks=((0, 4),)), {0}),
        "event": (land(8, terrain=0), {0}),
        "block": (land(9, terrain=BLOCK), {0}),
        "place": (lambda state: replace(state, cells=(9, *state.cells[1:])), {0}),
    }


@pytest.mark.parametrize("part", list(changes()))
def test_what_differs_in_the_state_differs_in_the_arrays_of_exactly_those_who_may_know(part: str) -> None:
    drawing = [". " * 7] * 7
    drawing[1], drawing[3], drawing[5] = ". 0 . . . 1 .", ". . . H . . .", ". 2 . . . 3 ."
    groups = [{"members": [0, 1]}, {"members": [2]}, {"layer": 2, "members": [0, 1]}]
    schedule = [{"at": 0, "structure": {"groups": groups}}]
    config = world(
        "\n".join(drawing),
        mini_game="exploration",
        sight=1,
        message_numbers=1,
        schedule=schedule,
        piles={(2, 1): ("wood", 2)},
    )
    first = start(config)
    bargains = (Edge((0, 1), (0, 3), parity=0), Edge((0, 3), (0, 1), parity=1))
    said = Edge((0, 2), (0, 1), message=Message("", (-0.5,)))
    before = replace(first, graph=first.graph.put(*bargains, said), order=(0, 1, 2, 3))
    change, knows = changes()[part]
    shape = layout(config)
    told = [encode(shape, observe(config, state, seat)) for state in (before, change(before)) for seat in range(4)]
    differ = {
        seat
        for seat in range(4)
        if any(not np.array_equal(told[seat][name], told[4 + seat][name]) for name in told[seat])
    }
    assert differ == knows
