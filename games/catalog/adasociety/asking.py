"""What a seat may answer at a moment, as a schema that names only what the seat knows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from games.catalog.adasociety import negotiation
from games.catalog.adasociety.config import AdaSocietyConfig
from games.catalog.adasociety.knowledge import Kit
from games.catalog.adasociety.observe import Observation
from games.catalog.adasociety.state import SHARES, Action
from games.catalog.adasociety.task import DIRECTIONS
from games.core.game import JSON, ActionSpec, BadAction, first_error

_ADAPTER: TypeAdapter[Any] = TypeAdapter(Action)


def read(raw: Any) -> Any:
    """Untrusted JSON as an action, legal or not; raises `BadAction`."""
    try:
        return _ADAPTER.validate_python(raw)
    except ValidationError as error:
        raise BadAction(first_error(error)) from None


def spec(config: AdaSocietyConfig, observation: Observation) -> ActionSpec[Any]:
    """The spec for what is observed. Message texts are open, so exploration lists its messages empty."""
    kit = observation.kit
    names = tuple(name for name in kit.resources if name)
    graph = observation.graph
    match observation.stage:
        case "contract":
            schema = _contract(graph.sizes[1])
        case "negotiation":
            schema = _negotiation(negotiation.invitable(graph, kit.seat), graph.partner.get(kit.seat) is not None)
        case "exploration":
            schema = _exploration(
                names, kit.seat, graph.sizes[0], graph.sizes[1], config.message_chars, config.message_numbers
            )
        case _:
            schema = _physical(names)
    return ActionSpec(schema, read, observation.legal())


def plan_names(kit: Kit) -> tuple[str, ...]:
    return tuple(name for name in kit.resources if name)


def _one(do: str, title: str, **fields: dict[str, Any]) -> dict[str, Any]:
    optional = {name for name, field in fields.items() if "default" in field}
    return {
        "title": title,
        "type": "object",
        "properties": {"do": {"const": do}, **fields},
        "required": ["do", *(name for name in fields if name not in optional)],
        "additionalProperties": False,
    }


def _any_of(*options: dict[str, Any]) -> dict[str, JSON]:
    return {"type": "object", "oneOf": list(options), "discriminator": {"propertyName": "do"}}


def _seat(seats: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": seats - 1, "title": "Seat"}


def _group(groups: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": groups - 1, "title": "Group"}


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


@lru_cache(maxsize=64)
def _contract(groups: int) -> dict[str, JSON]:
    return _any_of(_one("join", "Join a group", group=_group(groups)))


@lru_cache(maxsize=1024)
def _negotiation(invitable: tuple[int, ...], bargains: bool) -> dict[str, JSON]:
    share = {"enum": list(SHARES), "title": "Own share, percent"}
    wait = _one("move", "Pass", direction={"const": "stay"})
    if bargains:
        return _any_of(
            _one("propose", "Propose a share", share=share), _one("accept", "Accept"), _one("end", "End"), wait
        )
    if not invitable:
        return _any_of(wait)
    asked = {"enum": list(invitable), "title": "Seat"}
    opening = {"enum": [None, *SHARES], "default": None, "title": "Own share, percent"}
    return _any_of(_one("invite", "Ask to bargain", seat=asked, share=opening), wait)


@lru_cache(maxsize=1024)
def _exploration(
    names: tuple[str, ...], seat: int, seats: int, groups: int, chars: int, numbers: int
) -> dict[str, JSON]:
    text = {"type": "string", "maxLength": chars, "default": "", "title": "Text"}
    number = {"type": "number", "minimum": -1, "maximum": 1}
    vector = {"type": "array", "items": number, "maxItems": numbers, "default": [], "title": "Numbers"}
    return _any_of(
        *_physical_options(names),
        _one("send", "Send a message", seat=_seat(seats), text=text, vector=vector),
        _one("show_map", "Show or hide the map", seat=_seat(seats)),
        _one("join", "Join a group", group=_group(groups)),
    )
