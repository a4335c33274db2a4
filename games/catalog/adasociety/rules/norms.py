"""What groups decide, and how: the part of its earnings that every member keeps before the pot takes the rest.

A group decides by its norm (AdaSociety paper, A.6.2: "group norms, like voting, consensus decision-making and
delegation"; what is decided is our reading of "a kth-level agent will affect its neighbors' reward functions"):

    ``vote``        what more than half of its members ask for
    ``consensus``   what all of its members ask for
    ``delegation``  what the member asks for whom most members trust, the lowest seat among equals

Until then the pot takes all. A member's ballot, or whom it trusts, stands on its membership (`Edge.proposal`); what a
group has decided, on its edge to itself (`Edge.reward_share`). Both end with the membership and with the group.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from games.catalog.adasociety.rules.graph import WHOLE, Node, SocialGraph
from games.catalog.adasociety.rules.state import KEPT, Action, Ballot, Trust, shown
from games.core.answers import Note
from games.core.game import Event, Seat

PERCENT: Final = WHOLE // 100
ACTS: Final = {"none": (), "vote": ("ballot",), "consensus": ("ballot",), "delegation": ("ballot", "trust")}
"""The actions that each norm opens."""
KEPT_LISTED: Final = (0, 25, 50, 75, 100)
"""What `options` lists of the parts that a member may ask to keep."""


def members(graph: SocialGraph, group: Node) -> tuple[Seat, ...]:
    return tuple(node[1] for node, _ in graph.members.get(group, ()))


def trusted(graph: SocialGraph, group: Node) -> Seat:
    """Whom most members trust; the lowest seat among equals, and where nobody trusts anybody."""
    seats = members(graph, group)
    votes = Counter(graph.edge((0, seat), group).proposal for seat in seats)
    return min(seats, key=lambda seat: (-votes[seat], seat))


def options(graph: SocialGraph, seat: Seat, acts: tuple[str, ...]) -> list[Action]:
    """What would change something now; of the parts to keep a few."""
    group = graph.group_of(seat)
    if group is None or "ballot" not in acts:
        return []
    said = graph.edge((0, seat), group).proposal
    if "trust" not in acts:
        return [Ballot(part) for part in KEPT_LISTED if part != said]
    trusts: list[Action] = [Trust(other) for other in members(graph, group) if other != said]
    if trusted(graph, group) != seat:
        return trusts
    now = graph.rules.get(group, 0)
    return [*trusts, *(Ballot(part) for part in KEPT_LISTED if part * PERCENT != now)]


def fault(graph: SocialGraph, seat: Seat, acts: tuple[str, ...], action: Ballot | Trust) -> Note | None:
    """Why it does nothing; None where it counts."""
    if action.do not in acts:
        return Note("not_by_norm", {"action": action.do})
    group = graph.group_of(seat)
    if group is None:
        return Note("ballot_alone", {"action": action.do})
    if isinstance(action, Trust):
        seats = members(graph, group)
        if not isinstance(action.seat, int) or action.seat not in seats:
            return Note("no_member", {"asked": shown(action.seat), "members": list(seats)})
        return None
    if not isinstance(action.keep, int) or action.keep not in KEPT:
        return Note("ballot_bounded", {"keep": shown(action.keep), "most": KEPT[-1]})
    if "trust" in acts and trusted(graph, group) != seat:
        return Note("not_trusted", {"seat": trusted(graph, group)})
    return None


def settled(graph: SocialGraph, norm: str, actions: dict[Seat, Ballot | Trust]) -> tuple[SocialGraph, list[Event]]:
    """After this step's ballots, and after who has joined or left: what stands, and what every group has decided."""
    events: list[Event] = []
    asked: dict[Node, int] = {}
    for seat, action in sorted(actions.items()):
        group = graph.group_of(seat)
        if group is None:
            continue
        if isinstance(action, Trust) or norm != "delegation":
            said = action.seat if isinstance(action, Trust) else action.keep
            graph = graph.put(replace(graph.edge((0, seat), group), proposal=said))
            told = {"to": said} if isinstance(action, Trust) else {"keep": said}
            events.append(Event("trust_given" if isinstance(action, Trust) else "ballot_cast", {"seat": seat, **told}))
        elif trusted(graph, group) == seat:
            asked[group] = action.keep
    for group in [*graph.members, *(group for group in graph.rules if group not in graph.members)]:
        part = _decided(graph, group, norm, asked)
        if part is not None and part * PERCENT != graph.rules.get(group, 0):
            graph = graph.put(replace(graph.edge(group, group), reward_share=part * PERCENT))
            if group in graph.members:
                events.append(Event("rule_set", {"group": group[1], "keep": part, "norm": norm}))
    return graph, events


def _decided(graph: SocialGraph, group: Node, norm: str, asked: dict[Node, int]) -> int | None:
    """The part in percent that a group decides on now; None: what stood, stands."""
    seats = members(graph, group)
    if group[0] != 1 or not seats:
        return 0
    if norm == "delegation":
        return asked.get(group)
    ballots = Counter(graph.edge((0, seat), group).proposal for seat in seats)
    ballots.pop(None, None)
    needed = len(seats) if norm == "consensus" else len(seats) // 2 + 1
    return next((part for part, count in sorted(ballots.items()) if part is not None and count >= needed), None)
