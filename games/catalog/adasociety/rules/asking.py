"""What a seat may answer at a moment, as a schema that names only what the seat knows."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, Final

from pydantic import TypeAdapter

from games.catalog.adasociety.rules import contract, negotiation
from games.catalog.adasociety.rules.crafting import legal_physical
from games.catalog.adasociety.rules.knowledge import kit
from games.catalog.adasociety.rules.state import KEPT, MOVES, PASSED_MOST, SHARES, STAY, WEIGHTS, Action, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import Stack, Task
from games.catalog.adasociety.setup.torus import DIRECTIONS
from games.core.answers import JSON, ActionSpec, read_as
from games.core.game import Seat
from games.core.schema import option

_ADAPTER: TypeAdapter[Any] = TypeAdapter(Action)


def read(raw: Any) -> Any:
    """Untrusted JSON as an action, legal or not; raises `BadAction`."""
    return read_as(_ADAPTER, raw)


def spec(config: AdaSocietyConfig, task: Task, state: State, seat: Seat) -> ActionSpec[Any]:
    """The spec of a seat at this moment, made once for all moments that are alike to it.

    Messages may say anything, so that exploration has no list of options.
    """
    stage = task.stages[state.step] if state.step < task.horizon else "over"
    key: tuple[Any, ...] = (seat, stage, state.known[seat])
    if stage == "negotiation":
        graph = state.graph.public
        invitable = negotiation.invitable(graph, seat)
        options = negotiation.options(graph, seat, state.step)
        bargains = graph.partner.get(seat) is not None
        opening = () if bargains else negotiation.openings(invitable)
        return ActionSpec(_negotiation(invitable, bargains, STAY in options), read, (*options, *opening))
    if stage == "contract":
        key = (stage, state.graph.sizes[1])
    elif stage != "exploration":
        key = (*key, state.bags[seat], *_here(task, state, seat))
    made: ActionSpec[Any] | None = task.specs.get(key)
    if made is None:
        if len(task.specs) > 100_000:
            task.specs.clear()
        made = task.specs[key] = _made(config, task, state, seat, stage)
    return made


def _here(task: Task, state: State, seat: Seat) -> tuple[int, Stack]:
    cell = state.cells[seat]
    return task.glimpse(state.land.terrain[cell], state.land.stacks[cell], task.facts(state.bags[seat]).access)


def _made(config: AdaSocietyConfig, task: Task, state: State, seat: Seat, stage: str) -> ActionSpec[Any]:
    if stage == "contract":
        joining = _one("join", "Join a group", group=_number("Group", state.graph.sizes[1] - 1))
        return ActionSpec(_any_of(joining), read, contract.options(state.graph))
    known = kit(task, seat, state.known[seat])
    names = tuple(name for name in known.resources if name)
    if stage == "exploration":
        seats, groups = state.graph.sizes[:2]
        most = (config.message_chars, config.message_numbers)
        return ActionSpec(_exploration(names, seats, groups, *most, known.opened), read)
    event, stack = _here(task, state, seat)
    return ActionSpec(_physical(names), read, legal_physical(known, MOVES, state.bags[seat], event, stack))


_one: Final = partial(option, "do")


def _any_of(*options: dict[str, Any]) -> dict[str, JSON]:
    return {"type": "object", "oneOf": list(options), "discriminator": {"propertyName": "do"}}


def _number(title: str, most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most, "title": title}


def _physical_options(names: tuple[str, ...]) -> list[dict[str, Any]]:
    options = [
        _one("move", "Move", direction={"enum": list(DIRECTIONS), "title": "Direction"}),
        _one("synthesize", "Synthesize here"),
    ]
    if names:
        resource = {"enum": list(names), "title": "Resource"}
        options += [_one("pick", "Pick one up", resource=resource), _one("dump", "Put one down", resource=resource)]
    return options


@lru_cache(maxsize=1024)
def _physical(names: tuple[str, ...]) -> dict[str, JSON]:
    return _any_of(*_physical_options(names))


@lru_cache(maxsize=1024)
def _negotiation(invitable: tuple[int, ...], bargains: bool, passes: bool) -> dict[str, JSON]:
    """Who bargains and is on turn takes one of the three steps; passing is for those who are free, or not on turn."""
    share = {"enum": list(SHARES), "title": "Own share, percent"}
    wait = _one("move", "Pass", direction={"const": "stay"})
    if bargains and not passes:
        return _any_of(_one("propose", "Propose a share", share=share), _one("accept", "Accept"), _one("end", "End"))
    if bargains or not invitable:
        return _any_of(wait)
    asked = {"enum": list(invitable), "title": "Seat"}
    opening = {"enum": [None, *SHARES], "default": None, "title": "Own share, percent"}
    return _any_of(_one("invite", "Ask to bargain", seat=asked, share=opening), wait)


@lru_cache(maxsize=1024)
def _exploration(
    names: tuple[str, ...], seats: int, groups: int, chars: int, numbers: int, opened: tuple[str, ...]
) -> dict[str, JSON]:
    text = {"type": "string", "maxLength": chars, "default": "", "title": "Text"}
    number = {"type": "number", "minimum": -1, "maximum": 1}
    vector = {"type": "array", "items": number, "maxItems": numbers, "default": [], "title": "Numbers"}
    percent, weight = (
        _number("Own reward, percent", PASSED_MOST),
        _number("Own weight, percent", WEIGHTS[-1], WEIGHTS[0]),
    )
    kept = _number("Kept by each member, percent", KEPT[-1], KEPT[0])
    seat, group = _number("Seat", seats - 1), _number("Group", groups - 1)
    more = {
        "leave": _one("leave", "Leave the groups"),
        "pass_on": _one("pass_on", "Pass reward on", seat=seat, share=percent),
        "ballot": _one("ballot", "Vote on what members keep", keep=kept),
        "trust": _one("trust", "Trust a member to decide", seat=seat),
        "weigh": _one("weigh", "Set the own weight", group=group, weight=weight),
    }
    return _any_of(
        *_physical_options(names),
        _one("send", "Send a message", seat=seat, text=text, vector=vector),
        _one("show_map", "Show or hide the map", seat=seat),
        _one("join", "Join a group", group=group),
        *(more[act] for act in more if act in opened),
    )
