"""What a seat has come to know of the synthesis tree: whatever it has seen or held.

Agents are unaware of the tree (AdaSociety paper, section 2.1.1), so nothing that reaches a seat names a resource or an
event before that. A kit is all of the rules that a seat knows; it is what prompts, composers and policies may use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.catalog.adasociety.rules.graph import SocialGraph
from games.catalog.adasociety.rules.norms import ACTS
from games.catalog.adasociety.rules.state import MOVES, SYNTHESIZE, Dump, Land, Physical, Pick
from games.catalog.adasociety.setup.task import MICRO, BagFacts, Stack, Task
from games.catalog.adasociety.setup.torus import Cell
from games.core.game import Seat


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """An event as a seat knows it. Names that it does not know yet are ""."""

    name: str
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    requires: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Kit:
    """The rules as one seat knows them.

    ``resources`` and ``events`` are by number, "" and None for what it does not know; ``values`` in the paper's unit,
    0 where unknown; ``capacity`` is the own body's and has no names. By event, ``change`` is what doing it does to
    the bag and ``needs`` what must be held, both empty where unknown. ``opened`` are the social actions that the
    configuration opens beside the usual ones, ``norm`` how groups decide. ``meals`` are (resource, every so many steps,
    units, what a missing unit costs), ``decay`` (resource, every so many steps), ``bite`` what a creature's costs.
    """

    seat: Seat
    name: str
    role: str
    names: tuple[str, ...]
    roles: tuple[str, ...]
    height: int
    width: int
    sight: int
    resources: tuple[str, ...]
    values: tuple[float, ...]
    capacity: tuple[int, ...]
    events: tuple[KnownEvent | None, ...]
    change: tuple[tuple[int, ...], ...]
    needs: tuple[tuple[tuple[int, int], ...], ...]
    index: Mapping[str, int]
    physical: tuple[Physical, ...]
    opened: tuple[str, ...] = ()
    norm: str = "none"
    meals: tuple[tuple[int, int, int, float], ...] = ()
    decay: tuple[tuple[int, int], ...] = ()
    bite: float = 0.0


def kit(task: Task, seat: Seat, known: int) -> Kit:
    """The kit of a seat that knows those bits; remembered."""
    made: Kit | None = task.kits.get((seat, known))
    if made is None:
        made = task.kits[seat, known] = _kit(task, seat, known)
        made.__dict__["_task"] = task
    return made


def tables(known: Kit) -> Task:
    """All that there is, for `imagining` alone, which veils it. No field of a kit, so that nobody is told of it."""
    task: Task = known.__dict__["_task"]
    return task


def full_kit(task: Task, seat: Seat) -> Kit:
    """The kit of a seat that has been told all that exists."""
    return kit(task, seat, task.everything)


def _kit(task: Task, seat: Seat, known: int) -> Kit:
    tree = task.trees.get(known)
    if tree is None:
        tree = task.trees[known] = _tree(task, known)
    values = task.values[seat]
    return Kit(
        seat=seat,
        name=task.seats[seat].name,
        role=task.seats[seat].role,
        names=task.names,
        roles=task.roles,
        height=task.height,
        width=task.width,
        sight=task.config.sight,
        values=tuple(value / MICRO if name else 0.0 for name, value in zip(tree["resources"], values, strict=True)),
        capacity=task.capacities[seat],
        opened=(*task.config.social_actions, *ACTS[task.config.group_norm]),
        norm=task.config.group_norm,
        meals=tuple((resource, every, units, loss / MICRO) for resource, every, units, loss in task.needs),
        decay=task.decay,
        bite=task.config.bite if task.config.creatures else 0.0,
        **tree,
    )


def _tree(task: Task, known: int) -> dict[str, Any]:
    """The part of a kit that is common to all who know those bits."""
    count = len(task.resources)
    resources = tuple(name if known >> r & 1 else "" for r, name in enumerate(task.resources))

    def named(units: Sequence[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
        return tuple((resources[resource], number) for resource, number in units)

    knows = [known >> (count + e) & 1 for e in range(len(task.events))]
    return {
        "resources": resources,
        "events": tuple(
            KnownEvent(each.name, named(each.inputs), named(each.outputs), named(each.requires)) if knows[e] else None
            for e, each in enumerate(task.recipes)
        ),
        "change": tuple(each.change if knows[e] else () for e, each in enumerate(task.recipes)),
        "needs": tuple(each.needs if knows[e] else () for e, each in enumerate(task.recipes)),
        "index": {name: r for r, name in enumerate(resources) if name},
        "physical": (*MOVES, SYNTHESIZE, *map(Pick, filter(None, resources)), *map(Dump, filter(None, resources))),
    }


def learned(
    task: Task, land: Land, cells: Sequence[Cell], facts: Sequence[BagFacts], graph: SocialGraph, known: tuple[int, ...]
) -> tuple[int, ...]:
    """What every seat knows after a look at its window, at those it is shown, and into its bag."""
    near = land.near(task)
    shown_to = graph.shown_to
    after: list[int] | None = None
    if not shown_to:
        for fact, knows, cell in zip(facts, known, cells, strict=True):
            if (fact.held | fact.access & near[cell]) & ~knows:
                break
        else:
            return known
    for seat, (fact, knows) in enumerate(zip(facts, known, strict=True)):
        fresh = fact.held & ~knows
        if fact.access & near[cells[seat]] & ~knows:
            fresh |= seen_bits(task, land, cells[seat], fact.access)
        for tail in shown_to.get(seat, ()) if shown_to else ():
            access = facts[tail].access
            if access & near[cells[tail]] & ~(knows | fresh):
                fresh |= seen_bits(task, land, cells[tail], access)
        if fresh & ~knows:
            if after is None:
                after = list(known)
            after[seat] = knows | fresh
    return known if after is None else tuple(after)


def seen_bits(task: Task, land: Land, cell: Cell, access: int) -> int:
    """Bits of what somebody with that access sees from a cell."""
    bits = 0
    window: tuple[tuple[int, Stack], ...] = task.windows[cell](land.layer(task, access))
    for event, stack in window:
        if event >= 0 or stack:
            bits |= task.bits(event, stack)
    return bits
