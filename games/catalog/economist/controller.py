"""Carries a worker's plan out, one action a step, for models and people alike.

It uses what the seat sees. A plan that is done, or cannot go on, asks for a new one with the reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.catalog.economist.dealing import can_order, lacking
from games.catalog.economist.land import towards
from games.catalog.economist.money import decimal, micro
from games.catalog.economist.observation import WorkerSeen
from games.catalog.economist.plans import (
    BuildPlan,
    DealPlan,
    GatherPlan,
    GoPlan,
    OncePlan,
    WaitPlan,
    read_plan,
    write_plan,
)
from games.catalog.economist.state import NOOP, STONE, WOOD, Build, Deal, Gather, Move
from games.catalog.economist.workers import is_free, seek, seek_site
from games.core.agents import Act, Plan, Replan
from games.core.answers import SENTENCE, BadAction, Note
from games.core.rng import Rng


def controller(seen: Any, plan: Plan, rng: Rng) -> Act[Any] | Replan:
    """The next action of a plan and what remains of it, or why a new plan is needed."""
    if not isinstance(seen, WorkerSeen):
        return Replan(Note("plan_done"))
    try:
        read = read_plan(plan)
    except BadAction as bad:
        return Replan(Note(SENTENCE, {"text": str(bad)}))
    match read:
        case OncePlan(action):
            return Act(action, None)
        case WaitPlan(steps):
            return Act(NOOP, write_plan(WaitPlan(steps - 1)) if steps > 1 else None)
        case GatherPlan():
            return _gather(seen, read, rng)
        case BuildPlan():
            return _build(seen)
        case GoPlan():
            return _go(seen, read)
        case DealPlan():
            return _deal(seen, read)


def _held(seen: WorkerSeen, resource: str) -> int:
    return seen.wood if resource == "wood" else seen.stone


def _move(seen: WorkerSeen, direction: Any, rest: Any) -> Act[Any] | Replan:
    """A step on the way, where the energy lasts for it."""
    if seen.energy < seen.shared.config.terms.cost_move:
        return Replan(Note("plan_tired"))
    return Act(Move(direction), write_plan(rest))


def _gather(seen: WorkerSeen, plan: GatherPlan, rng: Rng) -> Act[Any] | Replan:
    """Gather underfoot, else walk to the nearest such cell in sight that has a whole unit, or what there is."""
    held = _held(seen, plan.resource)
    goal = decimal(held) + plan.n if plan.goal is None else plan.goal
    if held >= micro(goal):
        return Replan(Note("plan_done"))
    if seen.energy < seen.shared.config.terms.cost_gather:
        return Replan(Note("plan_tired"))
    kind, here = WOOD if plan.resource == "wood" else STONE, seen.shared.grid.own[seen.cell]
    wanted = min(seen.skill, micro(goal) - held)
    rest = replace(plan, goal=goal)
    if seen.bears[here] == kind and seen.stock[here] >= wanted:
        last = held + min(seen.skill, seen.stock[here]) >= micro(goal)
        return Act(Gather(), None if last else write_plan(rest))
    direction = seek(seen, lambda place: seen.bears[place] == kind and seen.stock[place] >= wanted)
    if direction is not None:
        return _move(seen, direction, rest)
    if seen.bears[here] == kind and seen.stock[here]:
        return Act(Gather(), write_plan(rest))
    return Replan(Note("plan_none_in_sight", {"resource": plan.resource}))


def _build(seen: WorkerSeen) -> Act[Any] | Replan:
    terms = seen.shared.config.terms
    if seen.houses >= terms.houses_max:
        return Replan(Note("plan_max_houses"))
    if any(lacking(seen)):
        held = {"held_wood": decimal(seen.wood), "held_stone": decimal(seen.stone)}
        cost = {"wood": decimal(terms.house_wood), "stone": decimal(terms.house_stone)}
        return Replan(Note("plan_lacks", {**cost, **held}))
    if seen.energy < terms.cost_build:
        return Replan(Note("plan_tired"))
    if is_free(seen, seen.shared.grid.own[seen.cell]):
        return Act(Build(), None)
    direction = seek_site(seen)
    return Replan(Note("plan_no_site")) if direction is None else _move(seen, direction, BuildPlan())


def _go(seen: WorkerSeen, plan: GoPlan) -> Act[Any] | Replan:
    grid = seen.shared.grid
    if plan.row >= grid.rows or plan.column >= grid.cols:
        return Replan(Note("plan_off_map", {"cell": [plan.row, plan.column]}))
    target = plan.row * grid.cols + plan.column
    if target == seen.cell:
        return Replan(Note("plan_done"))
    return _move(seen, towards(seen.cell, target, grid.cols), plan)


def _deal(seen: WorkerSeen, plan: DealPlan) -> Act[Any] | Replan:
    """The same order step by step until it is filled, as orders live one step; one order where it stands longer."""
    held, sign = _held(seen, plan.resource), -1 if plan.plan == "sell" else 1
    goal = decimal(held) + sign * plan.n if plan.goal is None else plan.goal
    left = sign * (micro(goal) - held)
    if left <= 0:
        return Replan(Note("plan_done"))
    if not can_order(seen):
        return Replan(Note("plan_no_market"))
    again = plan.tries > 1 and seen.shared.config.terms.order_lifetime == 1
    rest = write_plan(replace(plan, goal=goal, tries=plan.tries - 1)) if again else None
    if plan.plan == "buy":
        fee = seen.shared.config.market.transaction_fee_rate
        if decimal(left) * plan.price * (1 + fee) > decimal(seen.coin):
            return Replan(Note("plan_unpayable"))
        return Act(Deal(plan.resource, decimal(left), plan.price, "buy"), rest)
    quantity = min(left, held)
    if quantity <= 0:
        return Replan(Note("plan_nothing_to_sell", {"resource": plan.resource}))
    return Act(Deal(plan.resource, decimal(quantity), plan.price, "sell"), rest)
