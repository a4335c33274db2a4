"""Ways on the torus as a seat knows it: windows, distances, and the next step of a shortest path."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator

from games.catalog.adasociety.rules.knowledge import Kit
from games.catalog.adasociety.rules.observe import Observation, Sight
from games.catalog.adasociety.rules.state import BLOCK, MOVES, STAY, Move
from games.catalog.adasociety.setup.task import Stack
from games.catalog.adasociety.setup.torus import Cell, apart, neighbours, window_cells
from games.core.game import Seat
from games.core.rng import Rng


def sights(observation: Observation) -> Iterator[Sight]:
    """The windows shown by others, then the own one, whose word counts: only what it shows can be picked and done."""
    yield from observation.shared
    yield observation.sight


def things(observation: Observation) -> dict[Cell, tuple[int, Stack]]:
    """(event or -1 or -2, stack) by cell, for every cell in sight."""
    kit = observation.kit
    return {
        cell: thing
        for sight in sights(observation)
        for cell, thing in zip(seen_cells(kit, sight), sight.things, strict=True)
    }


def seen_cells(kit: Kit, sight: Sight) -> tuple[Cell, ...]:
    return window_cells(kit.height, kit.width, kit.sight, sight.cell)


def distance(kit: Kit, one: Cell, other: Cell) -> int:
    """Steps between two cells of an empty torus."""
    return apart(kit.height, kit.width, one, other)


def nearest(kit: Kit, cell: Cell, cells: Iterable[Cell]) -> Cell | None:
    """The nearest of some cells, the lowest number among equals."""
    return min(cells, key=lambda other: (distance(kit, cell, other), other), default=None)


def people(observation: Observation) -> dict[Cell, Seat]:
    """Who of the others stands where, as far as it is seen."""
    return {
        cell: person
        for sight in sights(observation)
        for cell, person in zip(seen_cells(observation.kit, sight), sight.people, strict=True)
        if person not in (-1, observation.seat)
    }


def step_towards(observation: Observation, target: Cell, known_walls: Iterable[Cell] = ()) -> Move | None:
    """The first step of a shortest way around blocks; None where no way is known. "stay" when there.

    Cells that nobody sees count as free. Somebody next to the agent is walked around where that costs no longer way;
    else the step is tried, since people move on.
    """
    cell = observation.cell
    if cell == target:
        return STAY
    kit = observation.kit
    shut = {at for at, (event, _) in things(observation).items() if event == BLOCK}.union(known_walls)
    if target in shut:
        return None
    if not shut:
        return _straight(kit, cell, target, people(observation))
    return _first_step(kit, cell, target, shut)


def _first_step(kit: Kit, start: Cell, target: Cell, shut: set[Cell]) -> Move | None:
    """Breadth first from the target, so that the first neighbour of the start that is reached begins a shortest way."""
    around = neighbours(kit.height, kit.width, start)
    reached, queue = {target}, deque([target])
    while queue:
        cell = queue.popleft()
        if cell in around:
            return MOVES[around.index(cell)]
        for other in neighbours(kit.height, kit.width, cell):
            if other not in reached and other not in shut and other != start:
                reached.add(other)
                queue.append(other)
    return None


def _straight(kit: Kit, start: Cell, target: Cell, taken: Container[Cell]) -> Move:
    """A step that comes nearer, along rows first, rather to where nobody stands."""
    around = neighbours(kit.height, kit.width, start)
    return MOVES[min(range(4), key=lambda way: (distance(kit, around[way], target), around[way] in taken, way))]


def random_move(rng: Rng) -> Move:
    """One of the five moves, as the paper's controller draws them."""
    return rng.choice(MOVES, "wander")
