"""Pick, dump and synthesize: what each needs, and what it does to bag and map.

The same test serves the environment, the mask and the notes. A capacity belongs to the inventory (paper, section
2.1.1): the environment itself keeps it, where the authors' code leaves it to the mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games.catalog.adasociety.rules.knowledge import Kit
from games.catalog.adasociety.rules.state import SHOWN_MAX, SYNTHESIZE, Dump, Physical, Pick, shown
from games.catalog.adasociety.setup.task import Bag, Stack
from games.core.answers import JSON, Note

UNKNOWN: Final = "unknown"
"""What the words call a resource or event that the seat does not know."""


NO_EVENT: Final = (Note("no_event"),)
NAMED: Final = SHOWN_MAX + 1
"""Letters of a name by which a note shows it, and whether it was longer."""


@lru_cache(maxsize=4096)
def refusal(kind: str, resource: str) -> tuple[Note, ...]:
    """Why nothing can be picked or dumped, as the notes of an answer. Made once for a name, since most picks and dumps
    of a player that tries everything end here; callers cut it (`NAMED`), so that nobody's long text is kept."""
    return (Note(kind, {"resource": shown(resource)}),)


def pick_fault(kit: Kit, resource: str, bag: Bag, stack: Stack) -> Note | None:
    """Why one unit cannot be picked from a stack as the seat sees it; None where it can."""
    number = kit.index.get(resource)
    if not stack or number is None or all(number != kind for kind, _ in stack):
        return refusal("nothing_to_pick", resource[:NAMED])[0]
    most = kit.capacity[number]
    if bag[number] >= most:
        return Note("bag_full", {"resource": resource, "held": bag[number], "most": most})
    return None


def dump_fault(kit: Kit, resource: str, bag: Bag) -> Note | None:
    number = kit.index.get(resource)
    if number is not None and bag[number]:
        return None
    return refusal("nothing_to_dump", resource[:NAMED])[0]


def synthesis_fault(kit: Kit, event: int, bag: Bag) -> Note | None:
    """Why the event that the seat sees on its cell (-1: none) cannot be done; None where it can."""
    if event < 0:
        return NO_EVENT[0]
    known = kit.events[event]
    name = known.name if known is not None else UNKNOWN
    for resource, count in kit.needs[event]:
        if bag[resource] < count:
            data: dict[str, JSON] = {"event": name, "count": count, "resource": kit.resources[resource] or UNKNOWN}
            return Note("input_missing", {**data, "held": bag[resource]})
    for resource, change in enumerate(kit.change[event]):
        if change > 0 and bag[resource] + change > kit.capacity[resource]:
            data = {"event": name, "count": bag[resource] + change, "resource": kit.resources[resource] or UNKNOWN}
            return Note("output_too_many", {**data, "most": kit.capacity[resource]})
    return None


def legal_physical(kit: Kit, moves: Sequence[Physical], bag: Bag, event: int, stack: Stack) -> tuple[Physical, ...]:
    """Moves, then synthesis, picks and dumps that would do something, in resource order."""
    options: list[Physical] = list(moves)
    if event >= 0 and synthesis_fault(kit, event, bag) is None:
        options.append(SYNTHESIZE)
    lying = {kind for kind, _ in stack}
    options.extend(
        Pick(name) for r, name in enumerate(kit.resources) if name and r in lying and bag[r] < kit.capacity[r]
    )
    options.extend(Dump(name) for r, name in enumerate(kit.resources) if name and bag[r])
    return tuple(options)


def with_one_less(stack: Stack, resource: int) -> Stack:
    """The stack after one unit of a resource that lies there is taken. Raises ValueError where none lies there."""
    left = tuple((kind, units - (kind == resource)) for kind, units in stack if kind != resource or units > 1)
    if left == stack:
        raise ValueError(f"resource {resource}: no unit of it lies here")
    return left


def with_one_more(stack: Stack, resource: int) -> Stack:
    """The stack after one unit is laid on it: on its own kind, or on top."""
    if any(kind == resource for kind, _ in stack):
        return tuple((kind, units + (kind == resource)) for kind, units in stack)
    return (*stack, (resource, 1))


def changed(bag: Bag, resource: int, by: int) -> Bag:
    return (*bag[:resource], bag[resource] + by, *bag[resource + 1 :])
