"""Social actions of exploration, each in place of a physical one: speak, show the map, join a group.

A configuration may open three more: leave all groups, pass reward on over an edge, set the own weight in a group.
Source: AdaSociety paper, appendix C.2; which actions there are follows the authors' code. Those that are opened:
section 2.1.3, "build and break connections".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from games.catalog.adasociety.rules import contract, norms
from games.catalog.adasociety.rules.graph import WHOLE, Draft, Message, SocialGraph
from games.catalog.adasociety.rules.state import (
    LEAVE,
    PASSED_MOST,
    STAY,
    WEIGHTS,
    Action,
    Ballot,
    Join,
    Leave,
    PassOn,
    Send,
    ShowMap,
    State,
    Trust,
    Weigh,
    shown,
)  # fmt: skip
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.core.answers import JSON, Note
from games.core.cleaning import is_other, storable
from games.core.game import Event, Seat

_SOCIAL = frozenset((Join, ShowMap, Send, Leave, PassOn, Weigh, Ballot, Trust))
SHARES_PASSED: Final = (0, 25, 50, 75, 100)
"""What `opened` lists of the shares that may be passed on."""
WEIGHTS_LISTED: Final = (25, 50, 75, 100)
"""What `opened` lists of the weights that may be set."""
PERCENT: Final = WHOLE // 100
Cleaned: TypeAlias = tuple[Action, tuple[Note, ...]]


def options(graph: SocialGraph, seat: Seat) -> tuple[Action, ...]:
    """Speak to anybody (oneself too, as in the authors' code), begin or stop to show the map, join any other group."""
    seats = range(graph.sizes[0])
    return (
        *(Send(other) for other in seats),
        *(ShowMap(other) for other in seats if other != seat),
        *contract.options(graph),
    )


def opened(graph: SocialGraph, seat: Seat, acts: tuple[str, ...]) -> tuple[Action, ...]:
    """What of the actions that the configuration opens would change something now; of shares and weights a few."""
    options: list[Action] = []
    mine = [group for group in graph.groups.get((0, seat), ()) if group[0] == 1]
    if "leave" in acts and mine:
        options.append(LEAVE)
    if "pass_on" in acts:
        given = dict(graph.given.get(seat, ()))
        left = WHOLE - sum(given.values())
        for other in range(graph.sizes[0]):
            now = given.get(other, 0)
            can = [part for part in SHARES_PASSED if part * PERCENT != now and part * PERCENT <= left + now]
            options += [PassOn(other, part) for part in can if other != seat]
    if "weigh" in acts:
        for group in mine:
            now = graph.edge((0, seat), group).weight
            options += [Weigh(group[1], part) for part in WEIGHTS_LISTED if part * PERCENT != now]
    return (*options, *norms.options(graph, seat, acts))


def clean(config: AdaSocietyConfig, state: State, seat: Seat, action: Action) -> Cleaned:
    seats = state.graph.sizes[0]
    match action:
        case Join():
            count = state.graph.sizes[1]
            if isinstance(action.group, int) and 0 <= action.group < count:
                return action, ()
            return _refused("no_group", asked=shown(action.group), last=count - 1)
        case ShowMap():
            if is_other(action.seat, seat, seats):
                return action, ()
            return _refused("no_seat_to_show", asked=shown(action.seat), last=seats - 1)
        case Send():
            if not isinstance(action.seat, int) or not 0 <= action.seat < seats:
                return _refused("no_seat_to_tell", asked=shown(action.seat), last=seats - 1)
            return _clean_message(config, action)
        case Leave() | PassOn() | Weigh() if action.do not in config.social_actions:
            return _refused("not_opened", action=action.do)
        case Ballot() | Trust():
            why = norms.fault(state.graph, seat, norms.ACTS[config.group_norm], action)
            return (action, ()) if why is None else (STAY, (why,))
        case Leave():
            return (action, ()) if state.graph.groups.get((0, seat)) else _refused("in_no_group")
        case PassOn():
            return _clean_share(state.graph, seat, action)
        case Weigh():
            return _clean_weight(state.graph, seat, action)
        case _:
            return _refused("not_in_stage", action=action.do)


def _refused(kind: str, **data: JSON) -> Cleaned:
    return STAY, (Note(kind, data),)


def _clean_share(graph: SocialGraph, seat: Seat, action: PassOn) -> Cleaned:
    """A share within what the seat does not give to others already."""
    seats = graph.sizes[0]
    if not is_other(action.seat, seat, seats):
        return _refused("no_seat_to_pass", asked=shown(action.seat), last=seats - 1)
    given = sum(share for head, share in graph.given.get(seat, ()) if head != action.seat)
    most = max(0, PASSED_MOST * PERCENT - given) // PERCENT
    if not isinstance(action.share, int) or not 0 <= action.share <= most:
        return _refused("share_to_pass", share=shown(action.share), most=most)
    return action, ()


def _clean_weight(graph: SocialGraph, seat: Seat, action: Weigh) -> Cleaned:
    mine = [group[1] for group in graph.groups.get((0, seat), ())]
    if action.group not in mine:
        return _refused("not_in_group", asked=shown(action.group), groups=mine)
    if not isinstance(action.weight, int) or action.weight not in WEIGHTS:
        return _refused("weight_bounded", weight=shown(action.weight), least=WEIGHTS[0], most=WEIGHTS[-1])
    return action, ()


def _clean_message(config: AdaSocietyConfig, action: Send) -> tuple[Send, tuple[Note, ...]]:
    notes: list[Note] = []
    text = action.text
    if not isinstance(text, str):
        text = ""
        notes.append(Note("text_unread"))
    if storable(text) != text:
        notes.append(Note("text_unstorable"))
        text = storable(text)
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


def act(graph: SocialGraph, actions: Mapping[Seat, Action], norm: str = "none") -> tuple[SocialGraph, list[Event]]:
    """The graph after this step's social actions, in seat order; messages of the step before are gone."""
    if not graph.inbox and _SOCIAL.isdisjoint(map(type, actions.values())):
        return graph, []
    draft = Draft(graph)
    draft.silence()
    events = contract.joining(draft, actions)
    for seat in sorted(actions):
        action = actions[seat]
        if isinstance(action, ShowMap):
            bond = draft.edge((0, seat), (0, action.seat))
            draft.put(replace(bond, shares_view=not bond.shares_view))
            kind = "map_hidden" if bond.shares_view else "map_shown"
            events.append(Event(kind, {"seat": seat, "to": action.seat}))
        elif isinstance(action, Send):
            bond = draft.edge((0, seat), (0, action.seat))
            draft.put(replace(bond, message=Message(action.text, action.vector)))
            to = tuple(sorted({seat, action.seat}))
            said: dict[str, JSON] = {"text": action.text, "vector": list(action.vector)}
            events.append(Event("message_sent", {"by": seat, "to": [action.seat], **said}, to))
        elif type(action) in _OPENED:
            events.extend(_OPENED[type(action)](draft, seat, action))
    if norm == "none":
        return draft.done(), events
    ballots = {seat: action for seat, action in actions.items() if isinstance(action, Ballot | Trust)}
    graph, decided = norms.settled(draft.done(), norm, ballots)
    return graph, [*events, *decided]


def _left(draft: Draft, seat: Seat, action: Leave) -> list[Event]:
    groups = draft.graph.groups.get((0, seat), ())
    for group in groups:
        draft.put(replace(draft.edge((0, seat), group), weight=0, proposal=None))
    return [Event("group_left", {"seat": seat, "group": group[1]}) for group in groups]


def _passed(draft: Draft, seat: Seat, action: PassOn) -> list[Event]:
    bond, share = draft.edge((0, seat), (0, action.seat)), action.share * PERCENT
    if bond.reward_share == share:
        return []
    draft.put(replace(bond, reward_share=share))
    kind = "reward_passed" if share else "reward_kept"
    told: dict[str, JSON] = {"seat": seat, "to": action.seat, **({"share": action.share} if share else {})}
    return [Event(kind, told)]


def _weighed(draft: Draft, seat: Seat, action: Weigh) -> list[Event]:
    edge, weight = draft.edge((0, seat), (1, action.group)), action.weight * PERCENT
    if edge.weight == weight:
        return []
    draft.put(replace(edge, weight=weight))
    return [Event("weight_set", {"seat": seat, "group": action.group, "weight": action.weight})]


_OPENED: Final[dict[type, Callable[[Draft, Seat, Any], list[Event]]]] = {
    Leave: _left,
    PassOn: _passed,
    Weigh: _weighed,
}
