"""One step on the map: everyone picks, dumps, synthesizes or steps at once; rewards follow from what bags are worth.

Nobody shares a cell, so only steps can collide; whatever else is done, is done where the agent stood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import add

from games.catalog.adasociety.rules import crafting
from games.catalog.adasociety.rules.graph import SocialGraph
from games.catalog.adasociety.rules.knowledge import Kit, learned
from games.catalog.adasociety.rules.moves import Contest, settle_moves
from games.catalog.adasociety.rules.pressure import Pressed, press
from games.catalog.adasociety.rules.sharing import shared_rewards
from games.catalog.adasociety.rules.state import (
    BLOCK,
    STAY,
    Action,
    Dump,
    Land,
    Move,
    Pick,
    State,
    Synthesize,
    shown,
)  # fmt: skip
from games.catalog.adasociety.setup.task import MICRO, Bag, BagFacts, Stack, Task
from games.catalog.adasociety.setup.torus import DIRECTIONS, Cell
from games.core.answers import Note
from games.core.game import Event, Seat
from games.core.rng import Rng

AHEAD = {direction: index for index, direction in enumerate(DIRECTIONS)}


@dataclass(slots=True)
class Outcome:
    """The physical half of the next state. ``rewards`` in millionths after sharing; None where nothing was gained."""

    land: Land
    cells: tuple[Cell, ...]
    bags: tuple[Bag, ...]
    facts: list[BagFacts]
    known: tuple[int, ...]
    made: tuple[int, ...]
    rewards: list[int] | None
    contests: list[Contest]
    pressed: Pressed | None = None


def clean(kit: Kit, event: int, stack: Stack, bag: Bag, action: Action | None) -> tuple[Action, tuple[Note, ...]]:
    """The action if it would do something, else staying and why. ``event`` and ``stack`` as the seat sees them."""
    if action is None:
        return STAY, ()
    fault: Note | None = None
    if isinstance(action, Pick):
        fault = crafting.pick_fault(kit, action.resource, bag, stack)
    elif isinstance(action, Dump):
        fault = crafting.dump_fault(kit, action.resource, bag)
    elif isinstance(action, Synthesize):
        fault = crafting.synthesis_fault(kit, event, bag)
    elif not isinstance(action, Move):
        fault = Note("not_in_stage", {"action": action.do})
    elif action.direction not in AHEAD:
        fault = Note("no_direction", {"asked": shown(action.direction), "directions": list(DIRECTIONS)})
    return (action, ()) if fault is None else (STAY, (fault,))


def act(task: Task, state: State, graph: SocialGraph, actions: Mapping[Seat, Action], rng: Rng) -> Outcome:
    """The world after clean actions: first what is done on the own cells, in seat order, then all steps together."""
    cells, land, facts = state.cells, state.land, state.facts(task)
    bags: list[Bag] | None = None
    made: list[int] | None = None
    gains: list[int] | None = None
    stacks: dict[Cell, Stack] = {}
    targets: dict[Seat, Cell] = {}
    ahead = task.ahead
    for seat in task.everyone:
        action = actions[seat]
        if action is STAY:
            continue
        if type(action) is Move:
            if action.direction != "stay":
                targets[seat] = ahead[AHEAD[action.direction]][cells[seat]]
            continue
        if not isinstance(action, Pick | Dump | Synthesize):
            continue
        if bags is None or gains is None:
            bags, gains, facts = list(state.bags), [0] * len(cells), facts.copy()
        cell, values = cells[seat], task.values[seat]
        if isinstance(action, Synthesize):
            event = land.terrain[cell]
            recipe = task.recipes[event]
            made = list(state.made) if made is None else made
            made[event] += 1
            bags[seat] = tuple(map(add, bags[seat], recipe.change))
            gains[seat] = sum(change * value for change, value in zip(recipe.change, values, strict=True))
        else:
            resource = task.resource_index[action.resource]
            stack = stacks[cell] if cell in stacks else land.stacks[cell]
            if isinstance(action, Pick):
                stacks[cell] = crafting.with_one_less(stack, resource)
                bags[seat] = crafting.changed(bags[seat], resource, 1)
                gains[seat] = values[resource]
            else:
                stacks[cell] = crafting.with_one_more(stack, resource)
                bags[seat] = crafting.changed(bags[seat], resource, -1)
                gains[seat] = -values[resource]
        facts[seat] = task.facts(bags[seat])
    contests: list[Contest] = []
    after = cells
    if targets:
        moved, contests = settle_moves(cells, state.occupants, targets, land.terrain, BLOCK, rng)
        after = tuple(moved)
    pressed = None
    if task.presses:
        if bags is None or gains is None:
            bags, gains = list(state.bags), [0] * len(cells)
        pressed = press(task, state, after, bags, gains, land.terrain, rng)
        facts = [task.facts(bag) for bag in bags]
        gains = gains if any(gains) or made is not None or stacks else None
    if stacks:
        land = land.changed(task, stacks, {fact.access for fact in facts})
    known = state.known
    # Who has looked already, and stands and holds what it did, learns nothing by looking again.
    if bags is not None or after is not cells or graph is not state.graph or "_settled" not in state.__dict__:
        known = learned(task, land, after, facts, graph, known)
    return Outcome(
        land,
        after,
        state.bags if bags is None else tuple(bags),
        facts,
        known,
        state.made if made is None else tuple(made),
        None if gains is None else shared_rewards(gains, graph),
        contests,
        pressed,
    )


def tell(task: Task, before: State, outcome: Outcome, actions: Mapping[Seat, Action]) -> Iterator[Event]:
    """What happened on the map. What a seat did, and what it learned, is for that seat alone: bags are private."""
    for seat in task.everyone:
        place = list(task.place(before.cells[seat]))
        match actions[seat]:
            case Pick(name):
                yield Event("resource_picked", {"seat": seat, "resource": name, "cell": place}, (seat,))
            case Dump(name):
                yield Event("resource_dumped", {"seat": seat, "resource": name, "cell": place}, (seat,))
            case Synthesize():
                recipe = task.recipes[before.land.terrain[before.cells[seat]]]
                made = [task.resources[resource] for resource, _ in recipe.outputs]
                yield Event("synthesized", {"seat": seat, "event": recipe.name, "made": made, "cell": place}, (seat,))
            case Move(direction) if direction != "stay" and outcome.cells[seat] == before.cells[seat]:
                yield Event("step_blocked", {"seat": seat, "direction": direction, "cell": place}, (seat,))
    for cell, winner, rivals in outcome.contests:
        yield Event("cell_contested", {"cell": list(task.place(cell)), "by": winner, "seats": list(rivals)}, rivals)
    if outcome.pressed is not None:
        yield from outcome.pressed.events
    yield from tell_learned(task, before.known, outcome.known)


def tell_learned(task: Task, before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[Event]:
    """What each seat has come to know: resources, then events."""
    if before is after:
        return
    names = (*task.resources, *task.events)
    for seat in task.everyone:
        fresh = after[seat] & ~before[seat]
        if fresh:
            learnt = [name for bit, name in enumerate(names) if fresh >> bit & 1]
            yield Event("tree_learned", {"seat": seat, "names": learnt}, (seat,))


def worth(task: Task, seat: Seat, bag: Bag) -> int:
    """What a seat's bag is worth to it, in millionths."""
    return sum(units * value for units, value in zip(bag, task.values[seat], strict=True))


def in_units(rewards: list[int]) -> dict[Seat, float]:
    """Rewards in the paper's unit, by seat."""
    return {seat: reward / MICRO for seat, reward in enumerate(rewards)}
