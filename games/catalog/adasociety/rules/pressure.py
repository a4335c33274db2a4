"""Survival pressure: what must be eaten, what spoils, and creatures that bite. Off unless a configuration asks for it.

Source: AdaSociety paper, section 7 ("survival pressures (need for food, hostile creatures, and so on)"), which gives no
rule; these are ours. At the end of a step on the map things spoil, everybody eats, creatures walk and bite. What is
eaten or spoils leaves the bag, which is counted as any change of its worth; hunger and bites take reward besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.catalog.adasociety.rules.crafting import changed
from games.catalog.adasociety.rules.state import BLOCK, State
from games.catalog.adasociety.setup.task import Bag, Task
from games.catalog.adasociety.setup.torus import Cell, apart
from games.core.answers import JSON
from games.core.game import Event
from games.core.rng import Rng

SCENT = 3
"""So many cells away a creature still goes for somebody."""
PACE = 2
"""A creature takes a step in every so many, so that whoever walks can get away."""


@dataclass(slots=True)
class Pressed:
    """What has come of a step: bags and gains are changed in place; ``lost`` is reward taken, in millionths."""

    creatures: tuple[Cell, ...]
    spent: tuple[int, ...]
    lost: int
    events: list[Event] = field(default_factory=list)


def press(
    task: Task, state: State, cells: Sequence[Cell], bags: list[Bag], gains: list[int], terrain: Sequence[int], rng: Rng
) -> Pressed:
    step, spent, lost = state.step + 1, list(state.spent or (0,) * len(task.resources)), 0
    done = Pressed(state.creatures, (), 0)

    def take(seat: int, resource: int, units: int) -> None:
        bags[seat] = changed(bags[seat], resource, -units)
        gains[seat] -= units * task.values[seat][resource]
        spent[resource] += units

    for resource, every in task.decay:
        for seat in task.everyone if step % every == 0 else ():
            if bags[seat][resource]:
                take(seat, resource, 1)
                done.events.append(Event("spoiled", {"seat": seat, "resource": task.resources[resource]}, (seat,)))
    for resource, every, units, loss in task.needs:
        for seat in task.everyone if step % every == 0 else ():
            eaten = min(units, bags[seat][resource])
            take(seat, resource, eaten)
            missing = units - eaten
            gains[seat] -= missing * loss
            lost += missing * loss
            told: dict[str, JSON] = {"seat": seat, "resource": task.resources[resource], "units": missing or eaten}
            done.events.append(Event("hungry" if missing else "eaten", told, (seat,)))
    if state.creatures:
        done.creatures = walked(task, state, cells, terrain, rng) if step % PACE == 0 else state.creatures
        for seat in task.everyone:
            if cells[seat] in done.creatures:
                gains[seat] -= task.bite
                lost += task.bite
                done.events.append(Event("bitten", {"seat": seat, "cell": list(task.place(cells[seat]))}, (seat,)))
    done.spent = tuple(spent) if any(spent) else ()
    done.lost = state.lost + lost
    return done


def walked(task: Task, state: State, cells: Sequence[Cell], terrain: Sequence[int], rng: Rng) -> tuple[Cell, ...]:
    """Each creature a cell on: towards who is near, else anywhere; not onto a block. They may share a cell."""
    after = []
    for number, cell in enumerate(state.creatures):
        near = min(cells, key=lambda other: (apart(task.height, task.width, cell, other), other))
        ways = [ahead[cell] for ahead in task.ahead]
        free = [way for way in ways if terrain[way] != BLOCK]
        if not free or near == cell:
            after.append(cell)
        elif apart(task.height, task.width, cell, near) <= SCENT:
            after.append(min(free, key=lambda way: (apart(task.height, task.width, way, near), ways.index(way))))
        else:
            after.append(free[rng.below(len(free), "creature", number)])
    return tuple(after)
