"""The paper's table 6 by configuration, row by row, and what is refused.

Each row is a piece of YAML over a small base; the probe tells whether the row had its effect, and must tell otherwise
for the base alone, so that a row which is ignored fails its test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from games.catalog.adasociety.oracle import oracle
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import BLOCK, Pick, Synthesize
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import GAME, bag, held, refused, start, step
from games.lab.learning.adasociety import preset_config

BASE = """
mini_game: social_structure
height: 5
width: 5
sight: 2
resources: [wood, stone, hammer, coal]
piles:
  - {resource: wood, units: 5, cells: [[0, 0]]}
  - {resource: coal, units: 5, cells: [[1, 1]]}
events:
  - {event: hammer_craft, cells: [[0, 0]]}
roles:
  carpenter: {}
agents:
  - {role: carpenter, count: 2, cells: [[0, 0], [1, 1]]}
steps: 20
"""


def made(row: str = "") -> AdaSocietyConfig:
    return AdaSocietyConfig.model_validate({**yaml.safe_load(BASE), **(yaml.safe_load(row) or {})})


def terrain(config: AdaSocietyConfig) -> tuple[int, ...]:
    return start(config).land.terrain


def picks(config: AdaSocietyConfig, seat: int, resource: str) -> dict[str, int]:
    return bag(config, step(config, start(config), **{f"s{seat}": Pick(resource)}).state, seat)


def pays(config: AdaSocietyConfig) -> float:
    return step(config, start(config), s0=Pick("wood")).payoffs[0]


def crafts(config: AdaSocietyConfig) -> dict[str, int]:
    state = held(config, start(config), s0={"wood": 3, "stone": 1})
    return bag(config, step(config, state, s0=Synthesize()).state, 0)


Probe = Callable[[AdaSocietyConfig], Any]
ROWS: list[tuple[str, str, Probe, Any, Any]] = [
    ("map height h", "height: 6", lambda c: len(terrain(c)), 25, 30),
    ("map width w", "width: 7", lambda c: len(terrain(c)), 25, 35),
    ("terrain B, random", "blocks: 3", lambda c: terrain(c).count(BLOCK), 0, 3),
    ("terrain b_pos, assigned", "block_cells: [[2, 3]]", lambda c: terrain(c)[13], -1, BLOCK),
    ("resources", "resources: [wood, stone, hammer, coal, gem]", lambda c: task_of(c).resources[-1], "coal", "gem"),
    (
        "resource requirement and temporary resources",
        "{new_resources: {amber: {value: 7, requires: {hammer: 1}}},"
        " piles: [{resource: amber, units: 2, cells: [[0, 0]]}]}",
        lambda c: (
            "amber" in task_of(c).resources
            and refused(c, start(c), 0, Pick("amber"))
            and step(c, held(c, start(c), s0={"hammer": 1}), s0=Pick("amber")).payoffs[0]
        ),
        False,
        7.0,
    ),
    ("piles at positions", "piles: [{resource: coal, cells: [[0, 0]]}]", lambda c: start(c).land.stacks[0][0][0], 0, 3),
    ("piles at random", "piles: [{resource: wood, count: 4}]", lambda c: sum(map(bool, start(c).land.stacks)), 2, 4),
    (
        "units of a pile",
        "piles: [{resource: wood, units: 9, cells: [[0, 0]]}]",
        lambda c: start(c).land.stacks[0],
        ((0, 5),),
        ((0, 9),),
    ),
    (
        "event inputs and temporary events",
        "{new_events: {carving: {inputs: {wood: 3}, outputs: {hammer: 1}}},"
        " events: [{event: carving, cells: [[0, 0]]}]}",
        crafts,
        {"wood": 2, "hammer": 1},
        {"stone": 1, "hammer": 1},
    ),
    (
        "event outputs",
        "{new_events: {carving: {inputs: {wood: 1, stone: 1}, outputs: {hammer: 2}}},"
        " events: [{event: carving, cells: [[0, 0]]}]}",
        crafts,
        {"wood": 2, "hammer": 1},
        {"wood": 2, "hammer": 2},
    ),
    (
        "event requirement",
        "{new_events: {carving: {inputs: {wood: 1}, outputs: {hammer: 1}, requires: {stone: 1}}},"
        " events: [{event: carving, cells: [[0, 0]]}]}",
        lambda c: observe(c, start(c), 0).here[0],
        0,
        -1,
    ),
    ("event positions, assigned", "events: [{event: hammer_craft, cells: [[4, 4]]}]", lambda c: terrain(c)[24], -1, 0),
    ("event positions, random", "events: [{event: hammer_craft, count: 6}]", lambda c: terrain(c).count(0), 1, 6),
    (
        "agents P",
        "agents: [{role: carpenter, count: 3}]",
        lambda c: [seat.name for seat in task_of(c).seats],
        ["carpenter_0", "carpenter_1"],
        ["carpenter_0", "carpenter_1", "carpenter_2"],
    ),
    (
        "initial inventory m(0)",
        "roles: {carpenter: {inventory: {hammer: 1}}}",
        lambda c: picks(c, 1, "coal"),
        {},
        {"hammer": 1, "coal": 1},
    ),
    ("capacity i_cap", "roles: {carpenter: {capacity: {wood: 0}}}", lambda c: picks(c, 0, "wood"), {"wood": 1}, {}),
    ("preference h", "roles: {carpenter: {preferences: {wood: 2.5}}}", pays, 1.0, 2.5),
    (
        "initial position i_pos(0), assigned",
        "agents: [{role: carpenter, count: 2, cells: [[3, 3], [0, 4]]}]",
        lambda c: start(c).cells,
        (0, 6),
        (18, 4),
    ),
    (
        "initial position i_pos(0), random",
        "agents: [{role: carpenter, count: 2}]",
        lambda c: len({start(c, seed).cells for seed in range(30)}) > 5,
        False,
        True,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "row", "probe", "without", "with_row"), ROWS, ids=[row[0] for row in ROWS])
def test_each_row_of_table_6_has_its_effect(name: str, row: str, probe: Probe, without: Any, with_row: Any) -> None:
    assert probe(made()) == without
    assert probe(made(row)) == with_row


REFUSED = [
    ("blocks: 25", "blocks: 25 on 25 cells; at most 24"),
    ("piles: [{resource: wood, count: 26}]", "piles: 26 on 25 blank cells; fewer piles, or a larger map"),
    ("events: [{event: hammer_craft, count: 26}]", "events: 26 on 25 blank cells"),
    ("{agents: [{role: carpenter, count: 26}]}", "agents: 26 on 25 blank cells"),
    ("block_cells: [[0, 0]]", "piles.0: (0,0) is a block; move one of the two"),
    ("block_cells: [[9, 0]]", "block_cells: (9,0) lies off the map; rows 0 to 4, columns 0 to 4"),
    ("agents: [{role: carpenter, count: 2, cells: [[0, 0], [0, 0]]}]", "agents.0: (0,0) is taken twice among agents"),
    ("agents: [{role: carpenter, count: 2, cells: [[0, 0]]}]", "agents.0.cells: 1 cells for 2 agents"),
    ("sight: 3", "sight: 3 on a map of 5x5; at most 2"),
    ("resources: [wood, gold]", "resources.1: gold is no built-in resource"),
    ("events: [{event: alchemy, count: 1}]", "events.0.event: alchemy is unknown"),
    ("events: [{event: torch_craft, count: 1}]", "events.0.event: torch is not in play"),
    (
        "{new_events: {carving: {inputs: {ivory: 1}, outputs: {hammer: 1}}}, events: [{event: carving, count: 1}]}",
        "new_events.carving.inputs.ivory: ivory is not in play; add it to resources or new_resources",
    ),
    (
        "{new_events: {unmake: {inputs: {hammer: 1}, outputs: {wood: 1}}},"
        " events: [{event: unmake, count: 1}, {event: hammer_craft, count: 1}]}",
        "events: wood → hammer → wood: a cycle, in which each needs the next; break it by taking one need away",
    ),
    (
        "new_resources: {amber: {value: 1, requires: {amber: 1}}}",
        "events: amber → amber: a cycle",
    ),
    (
        "schedule: [{at: 0, structure: {groups: [{members: [0, 1], weights: [0, 0]}]}}]",
        "schedule.0.structure.Structure.groups.0.weights.0: Input should be greater than 0",
    ),
    (
        "schedule: [{at: 0, structure: {groups: [{members: [0, 5]}]}}]",
        "schedule.0.structure.groups.0.members: 5 is no node of layer 0; from 0 to 1",
    ),
    (
        "schedule: [{at: 0, structure: {reward_shares:"
        " [{tail: 0, head: 1, share: 0.7}, {tail: 0, head: 1, share: 0.7}]}}]",
        "schedule.0.structure.reward_shares.1: 0 to 1 stands twice",
    ),
    ("schedule: [{at: 0, structure: inequality}]", "is defined for 8, 4 agents, here are 2; write it out"),
    ("schedule: [{at: 20, structure: isolation}]", "schedule.0.at: 20; below 20, the length of the run"),
    ("contract_rounds: 7", "contract_rounds: set to 7, but social_structure does not use it"),
    ("forced_probability: 0.5", "forced_probability: 0.5 without effect"),
    ("roles: {carpenter: {capacity: {wood: 1}, inventory: {wood: 2}}}", "roles.carpenter.inventory.wood: 2; at most 1"),
    ("roles: {carpenter: {}, miner: {}}", "roles.miner: no agent has this role"),
    ("gravity: 9", "gravity: Extra inputs are not permitted"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "message"), REFUSED, ids=[row for row, _ in REFUSED])
def test_what_does_not_fit_is_refused_in_one_line_with_its_path(row: str, message: str) -> None:
    with pytest.raises(ValidationError) as raised:
        made(row)
    faults = [
        f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}".removeprefix(": Value error, ")
        for fault in raised.value.errors()
    ]
    assert any(message in fault for fault in faults), faults
    assert all("\n" not in fault for fault in faults)


def test_the_invented_resource_and_event_of_the_example_are_playable() -> None:
    config = preset_config("invented")
    assert isinstance(config, AdaSocietyConfig)
    assert {"rope", "pearl"} <= set(task_of(config).resources)
    assert oracle(config).executions["rope_making"] > 0


def test_one_config_has_the_same_tables_wherever_it_is_made() -> None:
    assert task_of(made()).resources == task_of(made()).resources
    changed = made().model_copy(update={"sight": 1})
    assert len(task_of(changed).window_cells[0]) == 9


def test_piles_of_several_resources_may_share_a_cell_and_two_of_one_may_not() -> None:
    piles = [{"resource": "wood", "units": 2, "cells": [[0, 0]]}, {"resource": "stone", "units": 3, "cells": [[0, 0]]}]
    config = AdaSocietyConfig.model_validate({"piles": piles})
    state = start(config)
    assert state.land.stacks[0] == ((0, 2), (1, 3))
    with pytest.raises(ValidationError, match="is taken twice among piles"):
        AdaSocietyConfig.model_validate({"piles": [piles[0], piles[0]]})


def test_the_length_of_a_run_is_known_from_its_start() -> None:
    for name, length in (("contract-easy", 120), ("exploration", 500)):
        config = preset_config(name)
        assert GAME.horizon(config) == length == task_of(config).horizon
