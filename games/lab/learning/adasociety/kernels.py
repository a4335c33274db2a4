"""The hot loop of `worlds`, compiled: windows, masks, what is done on the own cells, steps, pots.

Needs the extra ``polity[fast]``; imported by `compiled` alone, where it is wanted. Each function is the loop that its
namesake in `worlds` or `society` writes with whole arrays, and is held to it byte by byte. Arrays are filled in place;
compiled code checks no bounds, so that numbers from outside are checked before they come here (`checked`).

``at`` and ``holder`` count cells and seats over all worlds: world * cells + cell, world * seats + seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from games.core import rng

_GAMMA, _MIX1, _MIX2 = np.uint64(rng.GAMMA), np.uint64(rng.MIX1), np.uint64(rng.MIX2)
_ONE, _LOW = np.uint64(1), np.uint64(0xFFFFFFFF)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)

Array = NDArray[Any]


@njit
def _fold(key: Any, word: Any) -> Any:
    """`rng.fold`."""
    z = key + _GAMMA * (word + _ONE)
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@njit
def look(
    cells: int, around: Array, at: Array, table: Array, terrain: Array, bags: Array,
    starts: Array, kinds: Array, units: Array, capacity: Array, needs: Array, made: Array,
    windows: Array, mask: Array, open_map: bool
) -> None:  # fmt: skip
    """Every seat's window, and what of the physical actions would do something; all of them shut if not ``open_map``.

    ``starts``, ``kinds`` and ``units`` are what must be held to see each resource and event: those of thing t are
    kinds[starts[t] : starts[t + 1]].
    """
    worlds, seats, resources = bags.shape
    events, span, channels = len(starts) - 1 - resources, around.shape[1], table.shape[1]
    access, lies = np.ones(resources + events, np.bool_), 2 + resources
    shut = np.zeros(resources, np.int64)
    for world in range(worlds):
        base = world * cells
        for seat in range(seats):
            bag, rows, may = bags[world, seat], windows[world, seat], mask[world, seat]
            blind, hidden = False, 0
            for thing in range(resources + events):
                access[thing] = True
                for need in range(starts[thing], starts[thing + 1]):
                    if bag[kinds[need]] < units[need]:
                        access[thing] = False
                if not access[thing]:
                    if thing < resources:
                        shut[hidden] = lies + thing
                        hidden += 1
                    else:
                        blind = True
            place = at[world, seat]
            for number in range(span):
                cell = base + around[place - base, number]
                row, thing = rows[number], table[cell]
                for channel in range(channels):
                    row[channel] = thing[channel]
                for number_shut in range(hidden):
                    row[shut[number_shut]] = 0
                if blind:
                    event = terrain[cell]
                    if event < events and not access[resources + event]:
                        for resource in range(resources):
                            row[2 + resource] = 0
            for action in range(len(may)):
                may[action] = 0
            may[4] = 1
            if not open_map:
                continue
            for action in range(4):
                may[action] = 1
            event = terrain[place]
            if event < events and access[resources + event]:
                can = True
                for resource in range(resources):
                    after = made[event, resource]
                    if bag[resource] < needs[event, resource] or (
                        after > 0 and np.int64(bag[resource]) + after > capacity[seat, resource]
                    ):
                        can = False
                may[5] = can
            middle = rows[span // 2]
            for resource in range(resources):
                may[6 + resource] = middle[2 + resources + resource] > 0 and bag[resource] < capacity[seat, resource]
                may[6 + resources + resource] = bag[resource] > 0


@njit
def show(
    height: int, width: int, at: Array, links: Array, windows: Array, shown: Array, offsets: Array, was: Array
) -> None:
    """The windows of those who show theirs, each as one row, and the ways to them; nothing from the others.

    ``was`` says whose were written last time: only these need to be wiped out.
    """
    worlds, seats = at.shape
    for world in range(worlds):
        base = world * height * width
        for seat in range(seats):
            row, column = (at[world, seat] - base) // width, (at[world, seat] - base) % width
            for other in range(seats):
                if links[world, other, seat] > 0:
                    shown[world, seat, other, :] = windows[world, other]
                    cell = at[world, other] - base
                    offsets[world, seat, other, 0] = (cell // width - row + height // 2) % height - height // 2
                    offsets[world, seat, other, 1] = (cell % width - column + width // 2) % width - width // 2
                    was[world, seat, other] = True
                elif was[world, seat, other]:
                    shown[world, seat, other, :] = 0
                    offsets[world, seat, other, :] = 0
                    was[world, seat, other] = False


@njit
def checked(actions: Array, mask: Array, replace: bool, chosen: Array) -> int:
    """Fill ``chosen`` with the actions, staying in place of those that the mask shuts if ``replace``.

    Gives the place of the first number that is no action, counted over all seats, or -1.
    """
    worlds, seats, most = mask.shape
    for world in range(worlds):
        for seat in range(seats):
            action = actions[world, seat]
            if action < 0 or action >= most:
                return int(world * seats + seat)
            chosen[world, seat] = 4 if replace and not mask[world, seat, action] else action
    return -1


@njit
def act(
    cells: int, block: int, actions: Array, keys: Array, step: int, label: int, ahead: Array, at: Array,
    table: Array, terrain: Array, holder: Array, bags: Array, change: Array, values: Array, gains: Array, claims: Array
) -> bool:  # fmt: skip
    """What is done on the own cells, then all steps together. Fills ``gains``; whether anybody gains or loses.

    ``keys`` are those of the runs, ``label`` is the word of "contest"; ``claims`` holds -1 for each cell, and does so
    again afterwards.
    """
    worlds, seats, resources = bags.shape
    gained = False
    goal, ranks = np.empty(seats, np.int64), np.empty(seats, np.int64)
    for world in range(worlds):
        base, first = world * cells, world * seats
        moves = False
        for seat in range(seats):
            action, place, bag = actions[world, seat], at[world, seat], bags[world, seat]
            gain, goal[seat], ranks[seat] = 0, -1, 0
            if action < 4:
                target = base + ahead[action, place - base]
                if terrain[target] != block:
                    goal[seat] = target
                    moves = True
            elif action == 5:
                event = terrain[place]
                for resource in range(resources):
                    bag[resource] += change[event, resource]
                    gain += np.int64(change[event, resource]) * values[seat, resource]
            elif 6 <= action < 6 + 2 * resources:
                resource, by = (action - 6) % resources, 1 if action < 6 + resources else -1
                bag[resource] += by
                table[place, 2 + resources + resource] -= by
                gain = by * values[seat, resource]
            gains[world, seat] = gain
            gained = gained or gain != 0
        if not moves:
            continue
        contested = False
        for seat in range(seats):  # how many want each cell, and the how manieth of them one is
            if goal[seat] >= 0:
                claims[goal[seat]] += 1
                ranks[seat] = claims[goal[seat]]
                contested = contested or ranks[seat] > 0
        if contested:
            for seat in range(seats):
                target = goal[seat]
                if target >= 0 and claims[target] > 0:
                    key = _fold(_fold(_fold(keys[world], np.uint64(step)), np.uint64(label)), np.uint64(target - base))
                    bits, rivals = key >> _ONE, np.uint64(claims[target] + 1)
                    low = (bits & _LOW) * rivals >> _S32
                    if np.int64(((bits >> _S32) * rivals + low) >> _S31) != ranks[seat]:
                        ranks[seat] = -1
        for seat in range(seats):
            if goal[seat] >= 0:
                claims[goal[seat]] = -1
        if contested:
            for seat in range(seats):
                if ranks[seat] < 0:
                    goal[seat] = -1
        held = True
        while held:
            held = False
            for seat in range(seats):
                if goal[seat] >= 0:
                    stands = holder[goal[seat]]
                    if stands >= 0 and goal[stands - first] < 0:
                        goal[seat] = -1
                        held = True
        for seat in range(seats):
            if goal[seat] >= 0:
                holder[at[world, seat]] = -1
                table[at[world, seat], 0] = 0
        for seat in range(seats):
            if goal[seat] >= 0:
                at[world, seat] = goal[seat]
                holder[goal[seat]] = first + seat
                table[goal[seat], 0] = 1
    return gained


@njit
def join(actions: Array, first: int, group: Array, members: Array, size: Array, rank: Array, links: Array,
         messages: Array) -> None:  # fmt: skip
    """What seats that explore do socially: speak, show their maps or hide them, join groups. ``first`` is the number
    of the first such action; messages of the step before are gone."""
    worlds, seats = actions.shape
    for world in range(worlds):
        joined = False
        for seat in range(seats):
            for other in range(seats):
                if messages[world, seat, other, 0] > 0:
                    messages[world, seat, other, :] = 0
        for seat in range(seats):
            number = actions[world, seat] - first
            if number < 0:
                continue
            if number < seats:
                messages[world, number, seat, 0] = 1
            elif number < 2 * seats:
                links[world, seat, number - seats] = 1 - links[world, seat, number - seats]
            else:
                group[world, seat] = number - 2 * seats
                joined = True
        if joined:
            size[world, :] = 0
            members[world, :, :] = 0
            for seat in range(seats):
                rank[world, seat] = -1
                if group[world, seat] >= 0:
                    rank[world, seat] = size[world, group[world, seat]]
                    size[world, group[world, seat]] += 1
            for seat in range(seats):
                if group[world, seat] >= 0:
                    members[world, seat, group[world, seat]] = 1 / size[world, group[world, seat]]


@njit
def pots(gains: Array, group: Array, size: Array, rank: Array, paid: Array) -> None:
    """Who is in a group gets an equal part of what its members gained; what is left over goes to the lower seats."""
    worlds, seats = gains.shape
    pot = np.zeros(size.shape[1], np.int64)
    for world in range(worlds):
        pot[:] = 0
        for seat in range(seats):
            if group[world, seat] >= 0:
                pot[group[world, seat]] += gains[world, seat]
        for seat in range(seats):
            mine = group[world, seat]
            if mine < 0:
                paid[world, seat] = gains[world, seat]
            else:
                part, left = pot[mine] // size[world, mine], pot[mine] % size[world, mine]
                paid[world, seat] = part + (1 if rank[world, seat] < left else 0)
