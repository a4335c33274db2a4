"""Social actions of exploration, each in place of a physical one: speak, show the map, join a group.

Source: AdaSociety paper, appendix C.2; which actions there are follows the authors' code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from games.catalog.adasociety import contract
from games.catalog.adasociety.config import AdaSocietyConfig
from games.catalog.adasociety.graph import Message, SocialGraph
from games.catalog.adasociety.state import STAY, Action, Join, Send, ShowMap, State
from games.core.game import JSON, Event, Seat

_SOCIAL = frozenset((Join, ShowMap, Send))


def options(graph: SocialGraph, seat: Seat) -> tuple[Action, ...]:
    """Speak to anybody (oneself too, as in the authors' code), begin or stop to show the map, join any other group."""
    seats = range(graph.sizes[0])
    return (
        *(Send(other) for other in seats),
        *(ShowMap(other) for other in seats if other != seat),
        *contract.options(graph),
    )


def clean(config: AdaSocietyConfig, state: State, seat: Seat, action: Action) -> tuple[Action, tuple[str, ...]]:
    seats = state.graph.sizes[0]
    match action:
        case Join():
            count = state.graph.sizes[1]
            if isinstance(action.group, int) and 0 <= action.group < count:
                return action, ()
            return STAY, (f"join: group {action.group}; from 0 to {count - 1}. Stayed.",)
        case ShowMap():
            if isinstance(action.seat, int) and 0 <= action.seat < seats and action.seat != seat:
                return action, ()
            return STAY, (f"show_map: seat {action.seat}; another seat from 0 to {seats - 1}. Stayed.",)
        case Send():
            if not isinstance(action.seat, int) or not 0 <= action.seat < seats:
                return STAY, (f"send: seat {action.seat}; from 0 to {seats - 1}. Stayed.",)
            return _clean_message(config, action)
        case _:
            return STAY, (f"{action.do}: not in this stage. Stayed.",)


def _clean_message(config: AdaSocietyConfig, action: Send) -> tuple[Send, tuple[str, ...]]:
    reasons: list[str] = []
    text = action.text
    if not isinstance(text, str):
        text = ""
        reasons.append("send: the text is no text. Left out.")
    if len(text) > config.message_chars:
        reasons.append(f"send: {len(text)} characters; at most {config.message_chars} (message_chars). Cut.")
        text = text[: config.message_chars]
    vector = tuple(action.vector)
    if len(vector) > config.message_numbers:
        reasons.append(f"send: {len(vector)} numbers; at most {config.message_numbers} (message_numbers). Cut.")
        vector = vector[: config.message_numbers]
    sound = tuple(_number(value) for value in vector)
    if sound != vector:
        reasons.append("send: numbers lie from -1 to 1, with nine decimals. Others were moved there.")
    if not reasons:
        return action, ()
    return Send(action.seat, text, sound), tuple(reasons)


def _number(value: object) -> float:
    if not isinstance(value, int | float) or math.isnan(value):
        return 0.0
    return round(min(max(float(value) if abs(value) < 2 else math.copysign(1, value), -1.0), 1.0), 9)


def act(graph: SocialGraph, actions: Mapping[Seat, Action]) -> tuple[SocialGraph, list[Event]]:
    """The graph after this step's social actions, in seat order; messages of the step before are gone."""
    if not graph.inbox and _SOCIAL.isdisjoint(map(type, actions.values())):
        return graph, []
    graph = graph.without_messages()
    graph, events = contract.join(graph, actions)
    for seat in sorted(actions):
        action = actions[seat]
        if isinstance(action, ShowMap):
            bond = graph.bond(seat, action.seat)
            graph = graph.put(replace(bond, shares_view=not bond.shares_view))
            kind = "map_hidden" if bond.shares_view else "map_shown"
            events.append(Event(kind, {"seat": seat, "to": action.seat}))
        elif isinstance(action, Send):
            graph = graph.put(replace(graph.bond(seat, action.seat), message=Message(action.text, action.vector)))
            to = tuple(sorted({seat, action.seat}))
            said: dict[str, JSON] = {"text": action.text, "vector": list(action.vector)}
            events.append(Event("message_sent", {"by": seat, "to": [action.seat], **said}, to))
    return graph, events
