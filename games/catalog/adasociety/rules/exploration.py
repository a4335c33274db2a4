"""Social actions of exploration, each in place of a physical one: speak, show the map, join a group.

Source: AdaSociety paper, appendix C.2; which actions there are follows the authors' code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from games.catalog.adasociety.rules import contract
from games.catalog.adasociety.rules.graph import Message, SocialGraph
from games.catalog.adasociety.rules.state import STAY, Action, Join, Send, ShowMap, State, shown
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.core.answers import JSON, Note
from games.core.game import Event, Seat

_SOCIAL = frozenset((Join, ShowMap, Send))


def options(graph: SocialGraph, seat: Seat) -> tuple[Action, ...]:
    """Speak to anybody (oneself too, as in the authors' code), begin or stop to show the map, join any other group."""
    seats = range(graph.sizes[0])
    return (
        *(Send(other) for other in seats),
        *(ShowMap(other) for other in seats if other != seat),
        *contract.options(graph),
    )


def clean(config: AdaSocietyConfig, state: State, seat: Seat, action: Action) -> tuple[Action, tuple[Note, ...]]:
    seats = state.graph.sizes[0]
    match action:
        case Join():
            count = state.graph.sizes[1]
            if isinstance(action.group, int) and 0 <= action.group < count:
                return action, ()
            return STAY, (Note("no_group", {"asked": shown(action.group), "last": count - 1}),)
        case ShowMap():
            if isinstance(action.seat, int) and 0 <= action.seat < seats and action.seat != seat:
                return action, ()
            return STAY, (Note("no_seat_to_show", {"asked": shown(action.seat), "last": seats - 1}),)
        case Send():
            if not isinstance(action.seat, int) or not 0 <= action.seat < seats:
                return STAY, (Note("no_seat_to_tell", {"asked": shown(action.seat), "last": seats - 1}),)
            return _clean_message(config, action)
        case _:
            return STAY, (Note("not_in_stage", {"action": action.do}),)


def _clean_message(config: AdaSocietyConfig, action: Send) -> tuple[Send, tuple[Note, ...]]:
    notes: list[Note] = []
    text = action.text
    if not isinstance(text, str):
        text = ""
        notes.append(Note("text_unread"))
    storable = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "?")
    if storable != text:
        notes.append(Note("text_unstorable"))
        text = storable
    if len(text) > config.message_chars:
        notes.append(Note("text_too_long", {"length": len(text), "most": config.message_chars}))
        text = text[: config.message_chars]
    vector = tuple(action.vector)
    if len(vector) > config.message_numbers:
        notes.append(Note("vector_too_long", {"length": len(vector), "most": config.message_numbers}))
        vector = vector[: config.message_numbers]
    sound = tuple(_number(value) for value in vector)
    if sound != vector:
        notes.append(Note("vector_bounded"))
    if not notes:
        return action, ()
    return Send(action.seat, text, sound), tuple(notes)


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
