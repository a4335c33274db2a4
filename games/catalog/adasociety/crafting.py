"""Pick, dump and synthesize: what each needs, and what it does to bag and map.

The same test serves the environment, the mask and the reasons. A capacity belongs to the inventory (paper, section
2.1.1): the environment itself keeps it, where the authors' code leaves it to the mask.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.catalog.adasociety.knowledge import Kit
from games.catalog.adasociety.state import SYNTHESIZE, Dump, Physical, Pick
from games.catalog.adasociety.task import Bag, Recipe, Stack


def pick_fault(kit: Kit, resource: str, bag: Bag, stack: Stack) -> str:
    """Why one unit cannot be picked from a stack as the seat sees it; "" where it can."""
    number = kit.index.get(resource)
    if not stack or number is None or all(number != kind for kind, _ in stack):
        return "none is seen on the own cell"
    most = kit.capacity[number]
    if bag[number] >= most:
        return f"{bag[number]} held; at most {most} (capacity)"
    return ""


def dump_fault(kit: Kit, resource: str, bag: Bag) -> str:
    number = kit.index.get(resource)
    return "" if number is not None and bag[number] else "none is held"


def synthesis_fault(kit: Kit, event: int, bag: Bag) -> str:
    """Why the event that the seat sees on its cell (-1: none) cannot be done; "" where it can."""
    if event < 0:
        return "no event is seen on the own cell"
    known = kit.events[event]
    name = known.name if known is not None else "event"
    for resource, count in kit.needs[event]:
        if bag[resource] < count:
            wanted = kit.resources[resource] or "something unknown"
            return f"{name} needs {count} {wanted}; {bag[resource]} held"
    for resource, change in enumerate(kit.change[event]):
        if change > 0 and bag[resource] + change > kit.capacity[resource]:
            made = kit.resources[resource] or "of something unknown"
            return f"{name} would make it {bag[resource] + change} {made}; at most {kit.capacity[resource]} (capacity)"
    return ""


def legal_physical(kit: Kit, moves: Sequence[Physical], bag: Bag, event: int, stack: Stack) -> tuple[Physical, ...]:
    """Moves, then synthesis, picks and dumps that would do something, in resource order."""
    options: list[Physical] = list(moves)
    if event >= 0 and not synthesis_fault(kit, event, bag):
        options.append(SYNTHESIZE)
    lying = {kind for kind, _ in stack}
    options.extend(
        Pick(name) for r, name in enumerate(kit.resources) if name and r in lying and bag[r] < kit.capacity[r]
    )
    options.extend(Dump(name) for r, name in enumerate(kit.resources) if name and bag[r])
    return tuple(options)


def with_one_less(stack: Stack, resource: int) -> Stack:
    """The stack after one unit of a resource that lies there is taken."""
    return tuple((kind, units - (kind == resource)) for kind, units in stack if kind != resource or units > 1)


def with_one_more(stack: Stack, resource: int) -> Stack:
    """The stack after one unit is laid on it: on its own kind, or on top."""
    if any(kind == resource for kind, _ in stack):
        return tuple((kind, units + (kind == resource)) for kind, units in stack)
    return (*stack, (resource, 1))


def changed(bag: Bag, resource: int, by: int) -> Bag:
    return (*bag[:resource], bag[resource] + by, *bag[resource + 1 :])


def after_synthesis(bag: Bag, recipe: Recipe) -> Bag:
    return tuple(units + change for units, change in zip(bag, recipe.change, strict=True))
