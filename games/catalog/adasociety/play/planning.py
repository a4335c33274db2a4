"""Plans as a model's answer: what may be planned at a moment, as a schema that names only what the seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from games.catalog.adasociety.play.controller import controller
from games.catalog.adasociety.play.plans import (
    EXPLORE_STEPS,
    GATHER_MAX,
    WORDS,
    Craft,
    Explore,
    Gather,
    Once,
    read_plan,
    write_plan,
)
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import SHARES, Action, Dump, Move, Pick, Synthesize
from games.core.agents import Act, Request
from games.core.answers import JSON, ActionSpec, BadAction
from games.core.schema import option

ON_THE_MAP: Final = ("move", "pick", "dump", "synthesize")


def plan_spec(request: Request[Any, Any]) -> ActionSpec[Any]:
    """One plan, or one social action. Read into plain JSON, as plans stand in the log."""
    assert request.actions is not None
    actions = request.actions
    seen: Observation = request.observation

    def read(raw: Any) -> JSON:
        if isinstance(raw, list):
            if len(raw) != 1:
                raise BadAction.told(WORDS.fault("several_plans", count=len(raw)))
            raw = raw[0]
        if isinstance(raw, dict) and "do" in raw:
            return write_plan(Once(actions.read(raw)))
        return write_plan(read_plan(raw))

    social: Any = actions.schema.get("oneOf", [])
    if seen.stage != "negotiation":
        social = [each for each in social if each["properties"]["do"]["const"] not in ON_THE_MAP]
    return ActionSpec({"type": "object", "oneOf": [*_plans(seen), *social]}, read)


def _plans(seen: Observation) -> Iterator[dict[str, Any]]:
    kit = seen.kit
    if seen.stage == "contract":
        return
    if seen.stage == "negotiation":
        if seen.graph.partner.get(seen.seat) is None:
            share = {"enum": list(SHARES)}
            others = [seat for seat in range(len(kit.names)) if seat != seen.seat]
            yield option("plan", "bargain", seat={"enum": others}, ask=share, least=share)
        return
    names = [name for name in kit.resources if name]
    made = [name for event in kit.events if event is not None for name, _ in event.outputs if name]
    made += [event.name for event in kit.events if event is not None]
    if names:
        yield option(
            "plan", "gather", resource={"enum": names}, n={"type": "integer", "minimum": 1, "maximum": GATHER_MAX}
        )
        yield option("plan", "dump", resource={"enum": names})
    if made:
        yield option("plan", "craft", resource={"enum": list(dict.fromkeys(made))})
    yield option("plan", "explore")
    row, column = ({"type": "integer", "minimum": 0, "maximum": size - 1} for size in (kit.height, kit.width))
    yield option("plan", "go", row=row, column=column)


def as_plan(request: Request[Any, Any], action: Action) -> JSON:
    """A plan that begins with an action: the first of some likely ones that does, else the action alone."""
    if not isinstance(action, Move | Pick | Dump | Synthesize):
        return write_plan(Once(action))
    seen: Observation = request.observation
    if seen.stage in ("contract", "negotiation"):
        return write_plan(Once(action))
    for plan in _likely(seen, action):
        begun = controller(seen, plan, request.rng)
        if isinstance(begun, Act) and begun.action == action:
            return plan
    return write_plan(Once(action))


def _likely(seen: Observation, action: Action) -> Iterator[JSON]:
    kit = seen.kit
    if isinstance(action, Dump):
        return
    if not isinstance(action, Pick):
        for event in kit.events:
            if event is not None:
                yield write_plan(Craft(event.name))
    if not isinstance(action, Synthesize):
        for number, name in enumerate(kit.resources):
            most = min(GATHER_MAX, kit.capacity[number] - seen.bag[number])
            if name and most > 0 and (not isinstance(action, Pick) or action.resource == name):
                yield write_plan(Gather(name, min(most, 3)))
    if isinstance(action, Move) and action.direction != "stay":
        yield write_plan(Explore(action.direction, EXPLORE_STEPS))  # type: ignore[arg-type]


def excess(seen: Observation) -> JSON:
    """A plan for more than anybody may plan for."""
    names = [name for name in seen.kit.resources if name]
    if seen.stage in ("contract", "negotiation") or not names:
        return {"do": "join", "group": 9999}
    return {"plan": "gather", "resource": names[0], "n": GATHER_MAX + 89}
