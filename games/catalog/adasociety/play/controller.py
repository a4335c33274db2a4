"""Carries a plan out, one atomic action a step: for models, people and the scripted policies alike.

A plan that is done, or cannot go on, asks for a new one with the reason. Legality is checked before the first action.
Source: AdaSociety paper, appendix D.2; ways are shortest on the torus, where the authors' controller does not wrap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from games.catalog.adasociety.play.paths import distance, people, random_move, step_towards, things
from games.catalog.adasociety.play.plans import (
    CALLS,
    BadPlan,
    Bargain,
    Craft,
    DumpPlan,
    Explore,
    Gather,
    Go,
    Once,
    read_plan,
    write_plan,
)
from games.catalog.adasociety.rules import crafting, negotiation
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import (
    ACCEPT,
    END,
    SHARES,
    STAY,
    SYNTHESIZE,
    Ballot,
    Dump,
    Invite,
    Move,
    PassOn,
    Pick,
    Propose,
    Send,
    Weigh,
    shown,
)
from games.catalog.adasociety.setup.torus import Cell
from games.core.agents import Act, Plan, Replan
from games.core.answers import JSON, SENTENCE, Note
from games.core.rng import Rng


def controller(observation: Observation, plan: Plan, rng: Rng) -> Act[Any] | Replan:
    """The next action of a plan and what remains of it, or why a new plan is needed."""
    try:
        read = read_plan(plan)
    except BadPlan as bad:
        return Replan(Note(SENTENCE, {"text": str(bad)}))
    if isinstance(read, Once):
        return _once(observation, read)
    if isinstance(read, Bargain) != (observation.stage == "negotiation") or observation.stage == "contract":
        return Replan(Note("plan_not_in_stage", {"plan": read.plan, "stage": observation.stage}))
    match read:
        case Bargain():
            return _bargain(observation, read)
        case Gather():
            return _gather(observation, read, rng)
        case Craft():
            return _craft(observation, read, rng)
        case DumpPlan():
            fault = crafting.dump_fault(observation.kit, read.resource, observation.bag)
            return Act(Dump(read.resource), None) if fault is None else _stopped(fault)
        case Explore():
            return _explore(observation, read, rng)
        case Go():
            return _go(observation, read, rng)


def _once(observation: Observation, plan: Once) -> Act[Any] | Replan:
    action = plan.action
    known = replace(action, text="", vector=()) if isinstance(action, Send) else action
    if isinstance(action, Invite) and action.share in (None, *SHARES):
        known = Invite(action.seat)
    # Of shares and weights `opened` lists a few; any may be asked for, and cleaning says what goes beyond the bounds.
    is_any = isinstance(action, PassOn | Weigh | Ballot) and action.do in observation.kit.opened
    if not is_any and known not in (*observation.legal(), *observation.opened()):
        return Replan(Note("plan_not_open", {"action": action.do}))
    return Act(action, None)


def _bargain(observation: Observation, plan: Bargain) -> Act[Any] | Replan:
    """Whoever bargains is asked only when it is its turn; so a standing offer is the partner's answer."""
    graph, seat, step = observation.graph, observation.seat, observation.step
    partner = graph.partner.get(seat)
    if partner is None:
        if graph.are_together(seat, plan.seat):
            return Replan(Note("plan_bargained", {"seat": plan.seat}))
        if plan.seat not in negotiation.invitable(graph, seat):
            return Replan(Note("plan_cannot_be_asked", {"asked": plan.seat}))
        rest = replace(plan, calls=plan.calls - 1) if plan.calls > 1 else None
        return Act(Invite(plan.seat, plan.ask), None if rest is None else write_plan(rest))
    if partner != plan.seat:
        return Replan(Note("plan_bargains_already", {"seat": partner}))
    if graph.bond(seat, partner).parity != step % 2:
        return Act(STAY, write_plan(plan))
    offered = graph.bond(partner, seat).proposal
    if offered is not None and 100 - offered >= plan.least:
        return Act(ACCEPT, None)
    if not plan.offers:
        return Act(END, None)
    return Act(Propose(plan.ask), write_plan(replace(plan, offers=plan.offers - 1, calls=CALLS)))


def _gather(observation: Observation, plan: Gather, rng: Rng) -> Act[Any] | Replan:
    kit, bag = observation.kit, observation.bag
    number = kit.index.get(plan.resource)
    if number is None:
        return Replan(Note("plan_unknown", {"resource": shown(plan.resource)}))
    goal = bag[number] + plan.n if plan.goal is None else plan.goal
    if bag[number] >= goal:
        return Replan(Note("plan_gathered", {"resource": plan.resource, "held": bag[number]}))
    if goal > kit.capacity[number]:
        data: dict[str, JSON] = {"resource": plan.resource, "count": goal, "most": kit.capacity[number]}
        return Replan(Note("plan_too_many", data))
    target = _chosen(observation, piles(observation, number), plan.to)
    if target is None:
        return Replan(Note("plan_none_in_sight", {"resource": plan.resource}))
    if target == observation.cell:
        last = bag[number] + 1 >= goal
        return Act(Pick(plan.resource), None if last else write_plan(replace(plan, goal=goal, to=target, at=None)))
    return _walk(observation, target, plan.at, lambda at: write_plan(replace(plan, goal=goal, to=target, at=at)), rng)


def _craft(observation: Observation, plan: Craft, rng: Rng) -> Act[Any] | Replan:
    kit = observation.kit
    makers = [
        event
        for event, known in enumerate(kit.events)
        if known is not None
        and (known.name == plan.resource or any(name == plan.resource for name, _ in known.outputs))
    ]
    if not makers:
        return Replan(Note("plan_no_maker", {"resource": shown(plan.resource)}))
    faults = {event: crafting.synthesis_fault(kit, event, observation.bag) for event in makers}
    able = [event for event, fault in faults.items() if fault is None]
    if not able:
        return _stopped(faults[makers[0]])
    target = _chosen(observation, grids(observation, able), plan.to)
    if target is None:
        return Replan(Note("plan_no_grid", {"resource": plan.resource}))
    if target == observation.cell:
        return Act(SYNTHESIZE, None)
    return _walk(observation, target, plan.at, lambda at: write_plan(replace(plan, to=target, at=at)), rng)


def _stopped(fault: Note | None) -> Replan:
    """A fault of the next action, as the end of the plan that it was part of."""
    assert fault is not None
    return Replan(Note(f"plan_{fault.kind}", fault.data))


def _explore(observation: Observation, plan: Explore, rng: Rng) -> Act[Any]:
    move = Move(plan.direction) if plan.direction else random_move(rng)
    left = plan.left - 1
    return Act(move, write_plan(replace(plan, direction=move.direction, left=left)) if left else None)  # type: ignore[arg-type]


def _go(observation: Observation, plan: Go, rng: Rng) -> Act[Any] | Replan:
    kit = observation.kit
    if plan.row >= kit.height or plan.column >= kit.width:
        cell: list[JSON] = [plan.row, plan.column]
        return Replan(Note("plan_off_the_map", {"cell": cell, "rows": kit.height, "cols": kit.width}))
    target = plan.row * kit.width + plan.column
    if target == observation.cell:
        return Replan(Note("plan_arrived"))
    if distance(kit, observation.cell, target) == 1 and target in people(observation):
        return Replan(Note("plan_cell_taken", {"cell": [plan.row, plan.column]}))
    return _walk(observation, target, plan.at, lambda at: write_plan(replace(plan, at=at)), rng)


def _walk(
    observation: Observation, target: Cell, began: int | None, rest: Callable[[int | None], Plan], rng: Rng
) -> Act[Any] | Replan:
    """One step towards a cell. A step that did not move the agent is followed by a random one."""
    if began == observation.cell:
        return Act(random_move(rng), rest(None))
    move = step_towards(observation, target)
    if move is None:
        return Replan(Note("plan_no_way", {"cell": list(divmod(target, observation.kit.width))}))
    return Act(move, rest(observation.cell if move is not STAY else None))


def piles(observation: Observation, resource: int) -> set[Cell]:
    """The cells in sight where some of it lies."""
    return {
        cell for cell, (_, stack) in things(observation).items() if stack and any(kind == resource for kind, _ in stack)
    }


def grids(observation: Observation, events: list[int]) -> set[Cell]:
    """The cells in sight where one of these events can be done."""
    return {cell for cell, (event, _) in things(observation).items() if event in events}


def _chosen(observation: Observation, cells: set[Cell], before: Cell | None) -> Cell | None:
    """The cell chosen before, as long as it serves; else the nearest, free ones before those where somebody stands.

    Keeping to a choice keeps agents from dancing round each other.
    """
    taken, here = people(observation), observation.cell
    if before in cells and (before not in taken or distance(observation.kit, here, before) > 1):
        return before
    return min(cells, key=lambda cell: (cell in taken, distance(observation.kit, here, cell), cell), default=None)
