"""The first state: blocks, resources, events, agents and the social graph, drawn in this order.

Each layer takes distinct blank cells, independently of the other layers: a pile may lie on an event grid, and an agent
may start on either. Source: the authors' environment (the paper says "random locations").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from games.catalog.adasociety.rules import graph as social
from games.catalog.adasociety.rules.graph import SocialGraph
from games.catalog.adasociety.rules.knowledge import learned
from games.catalog.adasociety.rules.physical import worth
from games.catalog.adasociety.rules.state import BLANK, BLOCK, Land, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig, structure_at
from games.catalog.adasociety.setup.settings import Crew, EventGrids, Piles
from games.catalog.adasociety.setup.task import Stack, Task, task_of
from games.catalog.adasociety.setup.torus import Cell
from games.core.rng import Rng

P = TypeVar("P", bound=Piles | EventGrids | Crew)


def first_state(config: AdaSocietyConfig, rng: Rng) -> State:
    task = task_of(config)
    terrain = _blocks(config, task, rng)
    blank = [cell for cell in range(task.cells) if terrain[cell] == BLANK]
    stacks = _piles(config, task, blank, rng)
    _place_events(config, task, blank, terrain, rng)
    crews = _dealt(task, config.agents, blank, "agents", rng)
    cells = tuple(cell for _, placed in crews for cell in placed)
    land = Land(tuple(terrain), tuple(stacks))
    graph = _first_graph(config, task, rng)
    order = tuple(rng.shuffled(task.everyone, "contract order")) if config.mini_game == "contract" else ()
    nothing = (0,) * len(task.everyone)
    known = learned(task, land, cells, [task.facts(bag) for bag in task.start_bags], graph, nothing)
    returns = tuple(worth(task, seat, bag) for seat, bag in enumerate(task.start_bags))
    made = (0,) * len(task.events)
    lairs = [cell for cell in blank if cell not in cells] or blank
    creatures = tuple(lairs[rng.below(len(lairs), "creature", number)] for number in range(config.creatures))
    return State(0, land, cells, task.start_bags, known, graph, order, returns, made, creatures)


def _numbers(task: Task, places: Iterable[tuple[int, int]]) -> list[Cell]:
    return [task.cell(row, column) for row, column in places]


def _blocks(config: AdaSocietyConfig, task: Task, rng: Rng) -> list[int]:
    terrain = [BLANK] * task.cells
    for cell in _numbers(task, config.block_cells):
        terrain[cell] = BLOCK
    free = [cell for cell in range(task.cells) if terrain[cell] == BLANK]
    for cell in rng.sample(free, config.blocks, "blocks"):
        terrain[cell] = BLOCK
    return terrain


def _dealt(
    task: Task, parts: Sequence[P], blank: Sequence[Cell], label: str, rng: Rng
) -> Iterator[tuple[P, Sequence[Cell]]]:
    """Each part with its cells: those that it names, and drawn blank ones of which no part has named any. Agents have
    the one or the other."""
    placed = {cell for part in parts for cell in _numbers(task, part.cells)}
    free: Sequence[Cell] = rng.shuffled([cell for cell in blank if cell not in placed], label)
    for part in parts:
        count = 0 if label == "agents" and part.cells else part.count
        yield part, [*_numbers(task, part.cells), *free[:count]]
        free = free[count:]


def _piles(config: AdaSocietyConfig, task: Task, blank: Sequence[Cell], rng: Rng) -> list[Stack]:
    stacks: list[Stack] = [()] * task.cells
    for piles, cells in _dealt(task, config.piles, blank, "piles", rng):
        for cell in cells:
            stacks[cell] = (*stacks[cell], (task.resource_index[piles.resource], piles.units))
    return stacks


def _place_events(config: AdaSocietyConfig, task: Task, blank: Sequence[Cell], terrain: list[int], rng: Rng) -> None:
    for grids, cells in _dealt(task, config.events, blank, "events", rng):
        event = task.events.index(grids.event)
        for cell in cells:
            terrain[cell] = event


def _first_graph(config: AdaSocietyConfig, task: Task, rng: Rng) -> SocialGraph:
    seats = len(task.everyone)
    if config.social_control != "free":
        return _forced(config, seats, rng)
    nodes = config.group_count if config.mini_game in ("contract", "exploration") else 0
    structure = structure_at(config, 0)
    if structure is None:
        return social.empty(seats, nodes)
    return social.of_structure(structure, seats, max(nodes, groups_in_schedule(config)))


def groups_in_schedule(config: AdaSocietyConfig) -> int:
    """Group nodes of layer 1 that any structure of the schedule uses; they stand throughout."""
    counts = [0]
    for milestone in config.schedule:
        structure = structure_at(config, milestone.at)
        if structure is not None:
            counts.append(sum(group.layer == 1 for group in structure.groups))
    return max(counts)


def _forced(config: AdaSocietyConfig, seats: int, rng: Rng) -> SocialGraph:
    """Everybody in group 0, or each one there with the probability given and else in a random group.

    Source: AdaSociety paper, appendix D.1, stages 1 and 2 of the curriculum.
    """
    draft = social.Draft(social.empty(seats, config.group_count))
    for seat in range(seats):
        stays = config.social_control == "forced_one" or rng.chance(config.forced_probability, "forced", seat)
        draft.join(seat, 0 if stays else rng.below(config.group_count, "forced group", seat))
    return draft.done()
