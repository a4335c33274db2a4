"""A world that agrees with what one agent knows: its window and those it is shown, its bag, the social graph.

What it does not know of the tree is worth nothing in it; land and agents out of sight are drawn after what is seen.
"""

from __future__ import annotations

from dataclasses import replace
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import Any

from games.catalog.adasociety.rules.knowledge import learned, tables
from games.catalog.adasociety.rules.observe import Observation, Sight
from games.catalog.adasociety.rules.physical import worth
from games.catalog.adasociety.rules.state import BLANK, BLOCK, Land, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.settings import Piles
from games.catalog.adasociety.setup.task import Bag, Stack, Task, imagined
from games.catalog.adasociety.setup.torus import Cell
from games.core.game import CannotImagine, Imagined, Seat
from games.core.rng import Rng


def imagine(seen: Observation, rng: Rng) -> Imagined[AdaSocietyConfig, State, Any]:
    """Others hold what their windows show that they must, and nothing else; no change of the groups is foreseen."""
    if seen.stage == "over":
        raise CannotImagine("adasociety: the run is over; nothing comes that could be imagined")
    kit = seen.kit
    known = sum(1 << bit for bit, name in enumerate((*kit.resources, *kit.events)) if name)
    task = _veiled(tables(kit), known)
    lookers = (seen.sight, *seen.shared)
    things, people = _in_sight(task, lookers)
    cells, terrain, stacks = _drawn(task, things, people, rng)
    land = Land(tuple(terrain), tuple(stacks))
    shown = {sight.seat: _must_hold(task, sight) for sight in seen.shared}
    nothing = (0,) * len(task.resources)
    bags = tuple(seen.bag if one == seen.seat else shown.get(one, nothing) for one in task.everyone)
    lying = [sum(units for stack in stacks for kind, units in stack if kind == r) for r in range(len(nothing))]
    piles = tuple(
        Piles.model_construct(resource=name, count=1, units=units, cells=())
        for name, units in zip(task.resources, lying, strict=True)
    )
    config = task.config.model_copy(update={"piles": piles})
    task = imagined(config, replace(task, config=config, start_bags=bags))
    graph = seen.graph.put(*(replace(seen.graph.bond(by, seen.seat), message=message) for by, message in seen.messages))
    mine = tuple(known if one == seen.seat else 0 for one in task.everyone)
    knows = learned(task, land, cells, [task.facts(bag) for bag in bags], graph, mine)
    returns = tuple(worth(task, one, bag) for one, bag in enumerate(bags))
    made = (0,) * len(task.events)
    state = State(seen.step, land, cells, bags, knows, graph, seen.order, returns, made, creatures=seen.creatures)
    return Imagined(config, state, seen.seat)


def _veiled(task: Task, known: int) -> Task:
    """The tables as whoever knows those bits imagines them: without the worth of other things, and without changes of
    the social structure that are to come. Made once."""
    made = task.veiled.get(known)
    if made is None:
        kinds = {
            name: kind if known >> r & 1 else kind.model_copy(update={"value": 0.0})
            for r, (name, kind) in enumerate(task.config.resource_kinds.items())
        }
        values = tuple(tuple(v if known >> r & 1 else 0 for r, v in enumerate(own)) for own in task.values)
        config = task.config.model_copy(update={"new_resources": kinds, "schedule": ()})
        fresh: dict[str, Any] = {"kits": {}, "trees": {}, "specs": {}, "turns": {}}
        made = task.veiled[known] = replace(task, config=config, values=values, **fresh)
    return made


def _in_sight(task: Task, lookers: tuple[Sight, ...]) -> tuple[dict[Cell, tuple[int, Stack]], dict[Cell, Seat]]:
    """What lies and who stands on each cell that any of them sees."""
    events: dict[Cell, int] = {}
    piles: dict[Cell, list[Stack]] = {}
    people: dict[Cell, Seat] = {}
    for sight in lookers:
        for cell, (event, stack), who in zip(task.window_cells[sight.cell], sight.things, sight.people, strict=True):
            events[cell] = max(event, events.get(cell, event))
            piles.setdefault(cell, []).append(stack)
            people[cell] = who
    return {cell: (event, _merged(piles[cell])) for cell, event in events.items()}, people


def _merged(stacks: list[Stack]) -> Stack:
    """One pile of which each of these shows a part, in an order that agrees with all of them."""
    if all(stack == stacks[0] for stack in stacks):
        return stacks[0]
    units = {kind: count for stack in stacks for kind, count in stack}
    order: TopologicalSorter[int] = TopologicalSorter(dict.fromkeys(units, ()))
    for stack in stacks:
        for (under, _), (over, _) in pairwise(stack):
            order.add(over, under)
    return tuple((kind, units[kind]) for kind in order.static_order())


def _drawn(
    task: Task, things: dict[Cell, tuple[int, Stack]], people: dict[Cell, Seat], rng: Rng
) -> tuple[tuple[Cell, ...], list[int], list[Stack]]:
    """Where everybody stands, and the land: beyond sight each cell is like one in sight, and some are stood on."""
    hidden = [cell for cell in range(task.cells) if cell not in things]
    seen = [things[cell] for cell in sorted(things)]
    places = {who: cell for cell, who in people.items() if who >= 0}
    away = [one for one in task.everyone if one not in places]
    places.update(zip(away, rng.sample(hidden, len(away), "place"), strict=True))
    taken = set(places.values())
    for cell in hidden:
        event, stack = seen[rng.below(len(seen), "land", cell)]
        things[cell] = (BLANK, ()) if event == BLOCK and cell in taken else (event, stack)
    ordered = [things[cell] for cell in range(task.cells)]
    return tuple(places[one] for one in task.everyone), [event for event, _ in ordered], [stack for _, stack in ordered]


def _must_hold(task: Task, sight: Sight) -> Bag:
    """The least with which somebody sees what it is seen to see."""
    bag = [0] * len(task.resources)
    for event, stack in sight.things:
        needs = [task.requires[kind] for kind, _ in stack]
        if event >= 0:
            needs.append(task.recipes[event].requires)
        for resource, units in (pair for need in needs for pair in need):
            bag[resource] = max(bag[resource], units)
    return tuple(bag)
