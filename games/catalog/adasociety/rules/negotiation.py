"""The negotiation stage: agents pair up, offer each other shares, and merge into groups on agreement.

Free agents ask one another; two who ask each other in the same step bargain from the next step on. The lower seat is on
turn on even steps, the other on odd ones. Weights are whole parts of a billion within a group.
Source: AdaSociety paper, section 4, "Negotiation"; the details follow the authors' code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from games.catalog.adasociety.rules.graph import WHOLE, Node, SocialGraph
from games.catalog.adasociety.rules.sharing import split
from games.catalog.adasociety.rules.state import (
    ACCEPT,
    END,
    SHARES,
    STAY,
    Accept,
    Action,
    End,
    Invite,
    Move,
    Propose,
    State,
    shown,
)
from games.core.answers import Note
from games.core.game import Event, Seat


def invitable(graph: SocialGraph, seat: Seat) -> tuple[Seat, ...]:
    """Whom a free agent may ask: not itself, not its own group, nobody who is bargaining."""
    group = graph.group_of(seat)
    return tuple(
        other
        for other in range(graph.sizes[0])
        if other != seat and other not in graph.partner and (group is None or graph.group_of(other) != group)
    )


def speakers(graph: SocialGraph) -> list[Seat]:
    """Who has most of each group, the lowest seat of equals, and who is in none. A number alone speaks for nobody."""
    shares: dict[Seat, tuple[Node, int]] = {
        node[1]: (group, weight) for group, members in graph.members.items() for node, weight in members if node[0] == 0
    }
    most: dict[Node, Seat] = {}
    for seat in sorted(shares, key=lambda one: (-shares[one][1], one)):
        most.setdefault(shares[seat][0], seat)
    return [seat for seat in range(graph.sizes[0]) if seat not in shares or most[shares[seat][0]] == seat]


def asked(graph: SocialGraph, step: int) -> tuple[Seat, ...]:
    """Who has something to decide: bargainers on turn, and free agents who may ask anybody."""
    return tuple(seat for seat in range(graph.sizes[0]) if _decides(graph, seat, step))


def _decides(graph: SocialGraph, seat: Seat, step: int) -> bool:
    partner = graph.partner.get(seat)
    if partner is None:
        return bool(invitable(graph, seat))
    return graph.bond(seat, partner).parity == step % 2


def options(graph: SocialGraph, seat: Seat, step: int) -> tuple[Action, ...]:
    """A bargain opens with a proposal; then one may also accept the partner's, or end. A free agent may also pass."""
    partner = graph.partner.get(seat)
    if partner is None:
        return (STAY, *(Invite(other) for other in invitable(graph, seat)))
    if graph.bond(seat, partner).parity != step % 2:
        return (STAY,)
    proposals = tuple(Propose(share) for share in SHARES)
    own, theirs = graph.bond(seat, partner).proposal, graph.bond(partner, seat).proposal
    accept = (ACCEPT,) if theirs is not None else ()
    end = (END,) if own is not None or theirs is not None else ()
    return (*proposals, *accept, *end)


@lru_cache(maxsize=1024)
def openings(invitable: tuple[Seat, ...]) -> tuple[Invite, ...]:
    """What a free agent may ask with a share of its own at once; the authors' agents never do."""
    return tuple(Invite(other, share) for other in invitable for share in SHARES)


def clean(state: State, seat: Seat, action: Action | None) -> tuple[Action, tuple[Note, ...]]:
    """The action as the stage allows it; who does not answer passes."""
    if action is None:
        return STAY, ()
    graph = state.graph
    partner = graph.partner.get(seat)
    match action:
        case Move("stay"):
            return STAY, ()
        case Invite():
            return _clean_invite(graph, seat, partner, action)
        case Propose() | Accept() | End() if partner is None:
            return STAY, (Note("no_partner", {"action": action.do}),)
        case Propose() | Accept() | End() if graph.bond(seat, partner or 0).parity != state.step % 2:
            return STAY, (Note("out_of_turn", {"action": action.do, "seat": partner}),)
        case Propose():
            share, notes = clean_share("propose", action.share)
            if share is None:
                return STAY, notes
            return (action if share == action.share else Propose(share)), notes
        case Accept():
            if graph.bond(partner or 0, seat).proposal is None:
                return STAY, (Note("nothing_to_accept", {"seat": partner}),)
            return ACCEPT, ()
        case End():
            if graph.bond(seat, partner or 0).proposal is None and graph.bond(partner or 0, seat).proposal is None:
                return STAY, (Note("nothing_to_end"),)
            return END, ()
        case _:
            return STAY, (Note("not_in_negotiation", {"action": action.do}),)


def _clean_invite(
    graph: SocialGraph, seat: Seat, partner: Seat | None, action: Invite
) -> tuple[Action, tuple[Note, ...]]:
    if partner is not None:
        return STAY, (Note("bargains_already", {"seat": partner}),)
    if not isinstance(action.seat, int) or action.seat not in invitable(graph, seat):
        able = list(invitable(graph, seat))
        return STAY, (Note("cannot_be_asked", {"asked": shown(action.seat), "able": able}),)
    if action.share is None:
        return action, ()
    share, notes = clean_share("invite", action.share)
    return (action if share == action.share else Invite(action.seat, share)), notes


def clean_share(what: str, share: object) -> tuple[int | None, tuple[Note, ...]]:
    """A share in tens from 10 to 90: others are moved to the nearest; None for what is no number."""
    if not isinstance(share, int) or isinstance(share, bool):
        return None, (Note("share_unread", {"action": what, "share": shown(share)}),)
    near = min(max((share + 5) // 10 * 10, SHARES[0]), SHARES[-1])
    if near == share:
        return share, ()
    return near, (Note("share_moved", {"action": what, "share": shown(share), "near": near}),)


def bargain(graph: SocialGraph, actions: Mapping[Seat, Action], step: int) -> tuple[SocialGraph, list[Event]]:
    """The graph after proposals, agreements, endings and matches, in this order and each in seat order."""
    events: list[Event] = []
    for seat in sorted(actions):
        action = actions[seat]
        partner = graph.partner.get(seat)
        if isinstance(action, Propose) and partner is not None:
            graph = graph.put(replace(graph.bond(seat, partner), proposal=action.share))
            events.append(Event("share_proposed", {"seat": seat, "to": partner, "share": action.share}))
    for seat in sorted(actions):
        partner = graph.partner.get(seat)
        if isinstance(actions[seat], Accept) and partner is not None:
            graph = _agree(graph, seat, partner, events)
        elif isinstance(actions[seat], End) and partner is not None:
            graph = _closed(graph, seat, partner)
            events.append(Event("bargain_ended", {"seat": seat, "with": partner}))
    return _match(graph, actions, events), events


def _agree(graph: SocialGraph, seat: Seat, partner: Seat, events: list[Event]) -> SocialGraph:
    share = graph.bond(partner, seat).proposal
    graph = _closed(graph, seat, partner)
    if share is None:
        return graph
    graph, group = merged(graph, seat, partner, 100 - share)
    weights = [[node[1], weight] for node, weight in graph.members[group]]
    events.append(
        Event(
            "groups_merged",
            {"seat": seat, "with": partner, "share": 100 - share, "group": group[1], "weights": weights},
        )
    )
    return lapse(graph, events, inner=True)


def merged(graph: SocialGraph, acceptor: Seat, proposer: Seat, share: int) -> tuple[SocialGraph, Node]:
    """Both sides as one group, the acceptor's side with ``share`` percent of its weight, the proposer's with the rest.

    The group of the lower seat goes on, or the only one there is; two who were alone get a new one.
    """
    sides = {seat: graph.group_of(seat) for seat in sorted((acceptor, proposer))}
    survivor = next((group for group in sides.values() if group is not None), None)
    if survivor is None:
        graph, survivor = graph.with_group()
    raw: dict[Node, int] = {}
    for seat, part in ((acceptor, share), (proposer, 100 - share)):
        group = sides[seat]
        members = graph.members[group] if group is not None else (((0, seat), 1),)
        parts = split(part * (WHOLE // 100), [weight for _, weight in members])
        raw.update({node: max(1, units) for (node, _), units in zip(members, parts, strict=True)})
        if group is not None:
            graph = graph.put(*(replace(graph.edge(node, group), weight=0) for node, _ in members))
    return graph.put(*(replace(graph.edge(node, survivor), weight=units) for node, units in raw.items())), survivor


def _closed(graph: SocialGraph, seat: Seat, partner: Seat) -> SocialGraph:
    """Without the bargain of two seats."""
    return graph.put(
        replace(graph.bond(seat, partner), parity=None, proposal=None),
        replace(graph.bond(partner, seat), parity=None, proposal=None),
    )


def _match(graph: SocialGraph, actions: Mapping[Seat, Action], events: list[Event]) -> SocialGraph:
    """Those who asked each other bargain from the next step on; what the others asked is forgotten."""
    asks = {seat: action for seat, action in actions.items() if isinstance(action, Invite)}
    for seat in sorted(asks):
        other = asks[seat].seat
        answer = asks.get(other)
        if answer is None or answer.seat != seat:
            events.append(Event("request_unanswered", {"seat": seat, "to": other}))
        elif seat < other and seat not in graph.partner and other not in graph.partner:
            if graph.are_together(seat, other):
                continue
            graph = graph.put(
                replace(graph.bond(seat, other), parity=0, proposal=asks[seat].share),
                replace(graph.bond(other, seat), parity=1, proposal=answer.share),
            )
            shares = [[s, asks[s].share] for s in (seat, other) if asks[s].share is not None]
            events.append(Event("bargain_opened", {"seats": [seat, other], "shares": shares}))
    return graph


def lapse(graph: SocialGraph, events: list[Event], *, inner: bool = False) -> SocialGraph:
    """The stage is over: bargains still open end without effect. ``inner``: only those whose two sides have come into
    one group, which have nothing left to settle."""
    for seat, partner in sorted(graph.partner.items()):
        if seat < partner and (not inner or graph.are_together(seat, partner)):
            graph = _closed(graph, seat, partner)
            events.append(Event("bargain_lapsed", {"seats": [seat, partner]}))
    return graph
