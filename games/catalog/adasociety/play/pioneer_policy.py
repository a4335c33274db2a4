"""Explores the whole tree of things: in two guilds that show each other their maps, and tell what they make first.

Plans as the loner does, but for what it has never held it goes far, it hoards nothing, and it turns away from a place
that it did not come to.
"""

from __future__ import annotations

from typing import Any

from games.catalog.adasociety.play.field import FieldMemory
from games.catalog.adasociety.play.solo_policy import feeding, fetching, go, pursue, serving, worth_crafting
from games.catalog.adasociety.rules.norms import PERCENT, members, trusted
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import STAY, Action, Ballot, Join, Send, ShowMap, Trust
from games.core.agents import Memory, Plan, PolicySpec
from games.core.rng import Rng
from games.core.settings import Settings, setting

GUILDS = 2
HALF = 50
NEW = 40.0
"""What a thing that was never held is worth to it, for what it may lead to."""
ENOUGH = 6
"""Units of a kind beyond which more is worth little."""
TRIES = 24
"""Steps after which a place that it is under way to is left alone."""


class PioneerParams(Settings):
    """In percent of what each member of a guild earns."""

    keeps: int = setting(
        HALF,
        0,
        100,
        title="Keeps",
        description="What it asks its guild to let members keep, where guilds decide.",
        exclude_if=lambda part: part == HALF,
    )


def play(params: PioneerParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if observation.stage == "contract":
        return Join(observation.seat % min(GUILDS, observation.graph.sizes[1])), memory
    if observation.stage == "negotiation":
        return STAY, memory
    field = FieldMemory.read(memory)
    held = field.tools
    field.look(observation)
    action = speak(observation, field, held, params.keeps) if observation.stage == "exploration" else None
    if action is None:
        keep_moving(observation, field)
        action = pursue(observation, field, next_plan, rng)
    return action, field.write()


# --- the guild ------------------------------------------------------------------------------------


def speak(observation: Observation, field: FieldMemory, held_before: int, keeps: int) -> Action | None:
    """Join the guild, show it the map, and tell one of it of each thing that is made for the first time."""
    graph, seat = observation.graph, observation.seat
    seats = graph.sizes[0]
    guild = seat % min(GUILDS, graph.sizes[1])
    if graph.group_of(seat) is None:
        return Join(guild)
    others = [other for other in range(seats) if other != seat and other % min(GUILDS, graph.sizes[1]) == guild]
    shown = field.notes.setdefault("shown", 0)
    if shown < min(len(others), 2):
        field.notes["shown"] = shown + 1
        return ShowMap(others[(others.index(min(others, key=lambda o: (o - seat) % seats)) + shown) % len(others)])
    ballot = voting(observation, keeps)
    if ballot is not None:
        return ballot
    can_be_made = [name for event in observation.kit.events if event is not None for name, _ in event.outputs]
    new = field.tools & ~held_before
    made = [name for name, number in observation.kit.index.items() if new >> number & 1 and name in can_be_made]
    if made and others:
        return Send(others[observation.step % len(others)], f"I have a {made[-1].replace('_', ' ')} now.")
    return None


def voting(observation: Observation, keeps: int) -> Action | None:
    """Where the guild decides what its members keep: ask for the part, or trust the lowest seat to."""
    graph, seat, norm = observation.graph, observation.seat, observation.kit.norm
    group = graph.group_of(seat)
    if norm == "none" or group is None or graph.rules.get(group, 0) == keeps * PERCENT:
        return None
    said = graph.edge((0, seat), group).proposal
    if norm != "delegation":
        return Ballot(keeps) if said != keeps else None
    eldest = min(members(graph, group))
    if said != eldest:
        return Trust(eldest)
    return Ballot(keeps) if trusted(graph, group) == seat else None


# --- the map --------------------------------------------------------------------------------------


def keep_moving(observation: Observation, field: FieldMemory) -> None:
    """Who stands where it stood, or is under way for long, gives the place up that it was going to."""
    plan: Any = field.notes.get("plan")
    is_under_way = isinstance(plan, dict) and plan.get("plan") == "go"
    goal = int(plan["row"]) * observation.kit.width + int(plan["column"]) if is_under_way else None
    if goal is None or goal != field.notes.get("goal"):
        field.notes["goal"], field.notes["since"] = goal, observation.step
        return
    if observation.step - field.notes["since"] >= TRIES:
        field.looked.add(goal)
        field.piles.pop(goal, None)
        field.grids.pop(goal, None)
        field.notes.update({"plan": None, "goal": None})


def next_plan(observation: Observation, field: FieldMemory) -> Plan:
    """Make what pays or is new; else fetch what is new, or missing, or worth its way; else look where nobody looked."""
    crafted = worth_crafting(observation, field)
    if crafted is not None:
        return crafted
    score, fetched = _best_fetch(observation, field)
    unseen = field.nearest_unseen(observation, len(observation.kit.names))
    if fetched is not None and (unseen is None or score >= 0.5):
        return fetched
    if unseen is not None:
        return go(observation, unseen)
    if not field.notes.get("again"):
        field.looked.clear()  # piles and places may have come to light since
        field.notes["again"] = True
    return fetched


def _best_fetch(observation: Observation, field: FieldMemory) -> tuple[float, Plan]:
    kit, bag = observation.kit, observation.bag
    use: dict[str, float] = {}
    for name, number in kit.index.items():
        use[name] = NEW if not field.tools >> number & 1 else kit.values[number] / (1 + max(0, bag[number] - ENOUGH))
    return fetching(observation, field, serving(observation, field, feeding(observation, use), 10))


PIONEER = PolicySpec(
    "pioneer",
    "Two guilds: shares and shows its map within its own, tells what it makes first, and goes far for what is new.",
    "AdaSociety paper, section 5.3: exploration with every social action",
    play,
    params=PioneerParams,
)
