"""Observations as arrays of fixed sizes, for learners. What an action's number means says `layout`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.layout import Layout
from games.catalog.adasociety.rules.crafting import synthesis_fault
from games.catalog.adasociety.rules.graph import WHOLE, SocialGraph
from games.catalog.adasociety.rules.knowledge import Kit
from games.catalog.adasociety.rules.negotiation import asked
from games.catalog.adasociety.rules.observe import Observation, Sight
from games.catalog.adasociety.rules.state import BLOCK, Action
from games.catalog.adasociety.setup.task import Stack

K = TypeVar("K", bound=np.generic)
STAYS: Final = 4
"""The number of the action that does nothing."""
THINGS_MAX: Final = 100_000
UNITS_MAX: Final = 32_767
"""More units than these on one cell, or of one kind in a bag, are told as these."""


def encode_all(shape: Layout, observations: Sequence[Observation]) -> list[dict[str, NDArray[Any]]]:
    """Everything that each seat knows of one moment, as arrays of fixed sizes.

    What all know alike (`social`) is one array for all, which cannot be written to.

    ``map``       the own window, channel by channel: whether somebody stands there, a block, what its event takes and
                  makes by resource, the units of its piles by resource
    ``shown``     where seats may show theirs: the windows of those who do, by seat, as they see them; else nothing
    ``offsets``   from the own cell to that of each who shows its window: rows down and columns right on the torus, each
                  by the nearer way
    ``bag``, ``capacity``  units by resource, 32767 for what has no bound
    ``messages``  1 where a seat spoke to this one, then what it said
    ``offers``    the share that each seat wants of what it and this one would have
    ``identity``  1 for the own seat
    ``time``      the part of the steps that is over
    ``action_mask``  see `mask`
    """
    if not observations:
        return []
    first = observations[0]
    common = {**_kept_social(shape, first), "time": _fixed(np.array([first.step / first.horizon], np.float32))}
    return [_encoded(shape, observation, common) for observation in observations]


def _fixed(array: NDArray[K]) -> NDArray[K]:
    """The array, not to be written to."""
    array.flags.writeable = False
    return array


def _kept_social(shape: Layout, observation: Observation) -> dict[str, NDArray[np.float32]]:
    """`social`, not to be written to, and made once for a graph where nobody takes turns."""
    graph, stage, step = observation.graph, observation.stage, observation.step
    key = (stage, step if stage in ("contract", "negotiation") else -1, observation.order)
    kept: tuple[Layout, Any, dict[str, NDArray[np.float32]]] | None = graph.__dict__.get("_told")
    if kept is None or kept[0] is not shape or kept[1] != key:
        made = social(shape, graph, stage, step, observation.order)
        kept = graph.__dict__["_told"] = (shape, key, {name: _fixed(array) for name, array in made.items()})
    return kept[2]


def encode(shape: Layout, observation: Observation) -> dict[str, NDArray[Any]]:
    """Everything that one seat knows."""
    return encode_all(shape, [observation])[0]


def social(
    shape: Layout, graph: SocialGraph, stage: str, step: int, turns: Sequence[int]
) -> dict[str, NDArray[np.float32]]:
    """The social state, which is everybody's knowledge (AdaSociety paper, section 2.1.3), rows for who acts.

    ``links``          1 where the row's seat shows its window to the column's
    ``members``        the seat's share of the weights of the first layer's groups
    ``unions``         where groups are members of groups, by layer from the second on: the row's group's share of the
                       weights of the column's
    ``free``           1 where the seat bargains with nobody
    ``decides``        1 where the seat is on turn: to join, to ask, or to answer
    ``bargains``       1 where two seats bargain
    ``proposals``      the share that the row's seat wants of what it and the column's would have; 0 where it named none
    ``reward_shares``  the part of the row's reward that goes to the column's
    ``order``          the place in the turn order of the contract stage, from 1 to 0; 0 where there is none
    """
    seats = shape.seats
    links, bargains, proposals, given = np.zeros((4, seats, seats), np.float32)
    members, order = np.zeros((seats, shape.groups), np.float32), np.zeros(seats, np.float32)
    for edge in graph.edges:
        if edge.head[0] != 0:
            continue
        pair = edge.tail[1], edge.head[1]
        links[pair] = edge.shares_view
        bargains[pair] = edge.parity is not None
        proposals[pair] = (edge.proposal or 0) / 100
        given[pair] = edge.reward_share / WHOLE
    unions = np.zeros((shape.unions, shape.groups, shape.groups), np.float32)
    for group, weighted in graph.members.items():
        total = sum(weight for _, weight in weighted)
        for node, weight in weighted:
            if group[0] == 1:
                members[node[1], group[1]] = weight / total
            else:
                unions[group[0] - 2, node[1], group[1]] = weight / total
    decides = np.zeros(seats, np.float32)
    if stage == "negotiation":
        decides[list(asked(graph, step))] = 1
    elif stage == "contract":
        decides[turns[step % len(turns)]] = 1
    elif stage != "over":
        decides[:] = 1
    for seat, partner in graph.partner.items():
        decides[seat] = graph.bond(seat, partner).parity == step % 2
    for place, seat in enumerate(turns):
        order[seat] = 1 - place / len(turns)
    return {
        "links": links,
        "members": members,
        **({"unions": unions} if shape.unions else {}),
        "free": 1 - bargains.max(axis=1, initial=0),
        "decides": decides,
        "bargains": bargains,
        "proposals": proposals,
        "reward_shares": given,
        "order": order,
    }


def _encoded(shape: Layout, observation: Observation, common: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    kit, seat = observation.kit, observation.seat
    messages = _silence(shape.seats, 1 + shape.message)
    if observation.messages:
        messages = messages.copy()
        for sender, message in observation.messages:
            messages[sender, 0] = 1
            messages[sender, 1 : 1 + len(message.vector)] = message.vector
    return {
        "map": _window(shape, kit, observation.sight),
        **(_shown(shape, observation) if shape.shown else {}),
        "bag": np.array(observation.bag, np.int16),
        "capacity": _capacity(kit.capacity),
        **common,
        "offers": common["proposals"][:, seat],
        "messages": messages,
        "identity": _identity(shape.seats, seat),
        "action_mask": mask(shape, observation),
    }


@lru_cache(maxsize=64)
def _silence(seats: int, numbers: int) -> NDArray[np.float32]:
    return _fixed(np.zeros((seats, numbers), np.float32))


@lru_cache(maxsize=1024)
def _capacity(units: tuple[int, ...]) -> NDArray[np.int16]:
    return _fixed(np.array(units, np.int16))


@lru_cache(maxsize=4096)
def _identity(seats: int, seat: int) -> NDArray[np.int8]:
    return _fixed((np.arange(seats) == seat).astype(np.int8))


def mask(shape: Layout, observation: Observation) -> NDArray[np.int8]:
    """1 for what the rules would carry out as it is. Who has nothing to decide may only stay; who bargains and is on
    turn, or is on turn to join, may not.
    """
    allowed = np.zeros(len(shape.actions), np.int8)
    kit, bag, resources, stage = observation.kit, observation.bag, shape.resources, observation.stage
    social = 6 + 2 * resources
    if stage == "over" or _waits(observation):
        allowed[STAYS] = 1
        return allowed
    if stage == "negotiation":
        numbers = _numbers(shape.actions)
        allowed[[numbers[action] for action in observation.legal()]] = 1
        return allowed
    if stage == "contract":
        allowed[social:] = 1
        return allowed
    event, stack = observation.here
    opened = [0, 1, 2, 3, STAYS]
    if event >= 0 and synthesis_fault(kit, event, bag) is None:
        opened.append(5)
    opened += [6 + r for r, _ in stack if kit.resources[r] and bag[r] < kit.capacity[r]]
    opened += [6 + resources + r for r, units in enumerate(bag) if units and kit.resources[r]]
    allowed[opened] = 1
    if stage == "exploration":
        further = shape.further
        allowed[social:further] = 1
        allowed[social + shape.seats + observation.seat] = 0
        if further < len(allowed):
            numbers = _numbers(shape.actions)
            allowed[[numbers[action] for action in observation.opened()]] = 1
    return allowed


@lru_cache(maxsize=16)
def _numbers(actions: tuple[Action, ...]) -> dict[Action, int]:
    return {action: number for number, action in enumerate(actions)}


def _waits(observation: Observation) -> bool:
    """Whether it is another's turn in the contract stage."""
    order = observation.order
    return observation.stage == "contract" and order[observation.step % len(order)] != observation.seat


class _Things(dict[tuple[int, Stack], int]):
    """What may lie on a cell by its row in ``table``, whose columns are the channels after the first.

    Few different things occur, and a window is then one look at each cell and one gathering of rows.
    """

    def __init__(self, change: tuple[tuple[int, ...], ...], resources: int) -> None:
        super().__init__()
        self._change, self._resources = change, resources
        self.table = np.zeros((64, 1 + 2 * resources), np.int16)

    def __missing__(self, thing: tuple[int, Stack]) -> int:
        number, (event, stack) = len(self), thing
        if number == len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        row = self.table[number]
        row[0] = event == BLOCK
        if event >= 0 and self._change[event]:
            row[1 : 1 + self._resources] = self._change[event]
        for resource, units in stack:
            row[1 + self._resources + resource] = min(units, UNITS_MAX)
        self[thing] = number
        return number


_things: Final = lru_cache(maxsize=256)(_Things)


def _window(shape: Layout, kit: Kit, sight: Sight) -> NDArray[np.int16]:
    """What a seat sees by itself."""
    things = _things(kit.change, shape.resources)
    if len(things) > THINGS_MAX:
        _things.cache_clear()
        things = _things(kit.change, shape.resources)
    rows = [things[thing] for thing in sight.things]
    grid = np.empty((shape.channels, len(rows)), np.int16)
    grid[0] = np.array(sight.people) >= 0
    grid[1:] = things.table[rows].T
    return grid.reshape(shape.channels, shape.window, shape.window)


def _shown(shape: Layout, observation: Observation) -> dict[str, NDArray[Any]]:
    kit = observation.kit
    windows = np.zeros((shape.seats, shape.channels, shape.window, shape.window), np.int16)
    offsets = np.zeros((shape.seats, 2), np.int16)
    for sight in observation.shared:
        windows[sight.seat] = _window(shape, kit, sight)
        offsets[sight.seat] = offset(kit.height, kit.width, observation.cell, sight.cell)
    return {"shown": windows, "offsets": offsets}


def offset(height: int, width: int, start: Any, end: Any) -> tuple[Any, Any]:
    """Rows down and columns right from one cell to another, each by the nearer way; of two alike, up or left. For
    arrays of cells that broadcast, arrays."""
    down, right = end // width - start // width, end % width - start % width
    return (down + height // 2) % height - height // 2, (right + width // 2) % width - width // 2
