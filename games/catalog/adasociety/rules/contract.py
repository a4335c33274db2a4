"""The contract stage: in a random order, again and again, each agent picks the group that it is in.

Source: AdaSociety paper, section 4, "Contract"; turns and lengths from the authors' configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.catalog.adasociety.rules.graph import Draft, SocialGraph
from games.catalog.adasociety.rules.state import Action, Join, State, shown
from games.core.answers import Note
from games.core.game import Event, Seat


def on_turn(state: State) -> Seat:
    """Who picks next: the agent at this position of the order, which is gone through round by round."""
    return state.order[state.step % len(state.order)]


@lru_cache(maxsize=64)
def _joins(count: int) -> tuple[Join, ...]:
    return tuple(Join(group) for group in range(count))


def options(graph: SocialGraph) -> tuple[Join, ...]:
    """Every group node. There is no way to be in none once it is one's turn."""
    return _joins(graph.sizes[1])


def default(graph: SocialGraph, seat: Seat) -> Join:
    """Who does not answer stays in its group, and in the first round takes the group of its own number."""
    group = graph.group_of(seat)
    return Join(group[1] if group is not None else seat % graph.sizes[1])


def clean(state: State, seat: Seat, action: Action | None) -> tuple[Action, tuple[Note, ...]]:
    kept = default(state.graph, seat)
    if action is None:
        return kept, ()
    if not isinstance(action, Join):
        return kept, (Note("not_in_contract", {"action": action.do, "group": kept.group}),)
    count = state.graph.sizes[1]
    if not isinstance(action.group, int) or not 0 <= action.group < count:
        asked = shown(action.group)
        return kept, (Note("no_group_joined_own", {"asked": asked, "last": count - 1, "group": kept.group}),)
    return action, ()


def join(graph: SocialGraph, actions: Mapping[Seat, Action]) -> tuple[SocialGraph, list[Event]]:
    """The graph after all who join have joined, in seat order."""
    draft = Draft(graph)
    events = joining(draft, actions)
    return draft.done(), events


def joining(draft: Draft, actions: Mapping[Seat, Action]) -> list[Event]:
    """All who join, in seat order. Nobody's groups are another's doing, so that those of the graph before tell them."""
    events: list[Event] = []
    for seat in sorted(actions):
        action = actions[seat]
        if isinstance(action, Join):
            before = draft.graph.group_of(seat)
            if before != (1, action.group):
                draft.join(seat, action.group)
                left = before[1] if before is not None else None
                events.append(Event("group_joined", {"seat": seat, "group": action.group, "left": left}))
    return events
