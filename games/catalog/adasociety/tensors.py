"""Observations as arrays and actions as numbers, for learners.

Actions are numbered as in the authors' code: 0 up, 1 down, 2 left, 3 right, 4 stay, 5 synthesize, then a pick and then
a dump of each resource in table order; contract adds a join of each group; negotiation a request to each seat, accept,
end and the nine shares; exploration a message to each seat, showing the map to each seat and a join of each group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.config import AdaSocietyConfig
from games.catalog.adasociety.observe import Observation
from games.catalog.adasociety.paths import seen_cells
from games.catalog.adasociety.state import (
    ACCEPT,
    BLOCK,
    END,
    MOVES,
    SHARES,
    SYNTHESIZE,
    Action,
    Dump,
    Invite,
    Join,
    Pick,
    Propose,
    Send,
    ShowMap,
)  # fmt: skip
from games.catalog.adasociety.task import task_of
from games.catalog.adasociety.world import groups_in_schedule

Floats = NDArray[np.float32]
MERGED: Final = ("social_structure", "exploration")
"""Mini-games whose map is as large as the world, centred on the agent, with the windows it is shown merged in."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The sizes of one configuration's arrays."""

    seats: int
    resources: int
    groups: int
    height: int
    width: int
    message: int
    merged: bool
    actions: tuple[Action, ...]

    @property
    def channels(self) -> int:
        """People, blocks, then events (what they take and make) and piles, by resource."""
        return 2 + 2 * self.resources


@lru_cache(maxsize=16)
def _actions(mini_game: str, resources: tuple[str, ...], seats: int, groups: int) -> tuple[Action, ...]:
    physical: tuple[Action, ...] = (*MOVES, SYNTHESIZE, *map(Pick, resources), *map(Dump, resources))
    joins = tuple(Join(group) for group in range(groups))
    match mini_game:
        case "contract":
            return (*physical, *joins)
        case "negotiation":
            return (*physical, *map(Invite, range(seats)), ACCEPT, END, *map(Propose, SHARES))
        case "exploration":
            return (*physical, *map(Send, range(seats)), *map(ShowMap, range(seats)), *joins)
        case _:
            return physical


def layout(config: AdaSocietyConfig) -> Layout:
    task = task_of(config)
    seats, merged = len(task.everyone), config.mini_game in MERGED
    groups = max(config.group_count, seats, groups_in_schedule(config))
    nodes = max(config.group_count, groups_in_schedule(config))
    joinable = nodes if config.mini_game in ("contract", "exploration") else 0
    window = 2 * config.sight + 1
    return Layout(
        seats,
        len(task.resources),
        groups,
        task.height if merged else window,
        task.width if merged else window,
        config.message_numbers,
        merged,
        _actions(config.mini_game, task.resources, seats, joinable),
    )


def encode(shape: Layout, observation: Observation) -> dict[str, NDArray[Any]]:
    """Everything that the seat knows, as arrays of fixed sizes."""
    kit, graph, seat = observation.kit, observation.graph, observation.seat
    identity = np.zeros(shape.seats, np.float32)
    identity[seat] = 1
    links = np.zeros((shape.seats, shape.seats), np.float32)
    offers = np.zeros(shape.seats, np.float32)
    free = np.ones(shape.seats, np.float32)
    members = np.zeros((shape.seats, shape.groups), np.float32)
    for edge in graph.edges:
        if edge.head[0] == 0 and edge.shares_view:
            links[edge.tail[1], edge.head[1]] = 1
        if edge.head == (0, seat) and edge.proposal is not None:
            offers[edge.tail[1]] = edge.proposal / 100
        if edge.parity is not None:
            free[edge.tail[1]] = 0
    for group, weighted in graph.members.items():
        total = sum(weight for _, weight in weighted)
        for node, weight in weighted:
            if group[0] == 1:
                members[node[1], group[1]] = weight / total
    messages = np.zeros((shape.seats, shape.message), np.float32)
    for sender, message in observation.messages:
        messages[sender, : len(message.vector)] = message.vector
    return {
        "map": _map(shape, observation),
        "bag": np.array(observation.bag, np.float32),
        "capacity": np.array(kit.capacity, np.float32),
        "links": links,
        "members": members,
        "offers": offers,
        "free": free,
        "messages": messages,
        "identity": identity,
        "time": np.array([observation.step / observation.horizon], np.float32),
        "action_mask": mask(shape, observation),
    }


def mask(shape: Layout, observation: Observation) -> NDArray[np.int8]:
    """1 for what the rules would carry out as it is. Who has nothing to decide may only stay."""
    allowed = np.zeros(len(shape.actions), np.int8)
    allowed[4] = 1
    if observation.stage == "over" or _waits(observation):
        return allowed
    numbers = _numbers(shape.actions)
    for action in observation.legal():
        allowed[numbers[action]] = 1
    if observation.stage == "contract":
        allowed[4] = 0
    return allowed


@lru_cache(maxsize=16)
def _numbers(actions: tuple[Action, ...]) -> dict[Action, int]:
    return {action: number for number, action in enumerate(actions)}


def _waits(observation: Observation) -> bool:
    """Whether it is another's turn in the contract stage."""
    order = observation.order
    return observation.stage == "contract" and order[observation.step % len(order)] != observation.seat


def _map(shape: Layout, observation: Observation) -> Floats:
    kit, resources = observation.kit, shape.resources
    grid = np.zeros((shape.channels, shape.height, shape.width), np.float32)
    row0, column0 = divmod(observation.cell, kit.width)
    half_height, half_width = shape.height // 2, shape.width // 2
    windows = (*observation.shared, observation.sight) if shape.merged else (observation.sight,)
    for sight in windows:
        for cell, (event, stack), person in zip(seen_cells(kit, sight), sight.things, sight.people, strict=True):
            row = (cell // kit.width - row0 + half_height) % kit.height
            column = (cell % kit.width - column0 + half_width) % kit.width
            grid[0, row, column] = person >= 0
            grid[1, row, column] = event == BLOCK
            if event >= 0 and kit.change[event]:
                grid[2 : 2 + resources, row, column] = kit.change[event]
            for resource, units in stack:
                grid[2 + resources + resource, row, column] = units
    return grid
