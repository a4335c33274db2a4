"""The contract stage: in a random order, again and again, each agent picks the group that it is in.

Source: AdaSociety paper, section 4, "Contract"; turns and lengths from the authors' configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.catalog.adasociety.graph import SocialGraph
from games.catalog.adasociety.state import Action, Join, State
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


def clean(state: State, seat: Seat, action: Action | None) -> tuple[Action, tuple[str, ...]]:
    kept = default(state.graph, seat)
    if action is None:
        return kept, ()
    if not isinstance(action, Join):
        return kept, (f"{action.do}: not in the contract stage; join a group. Taken as joining {kept.group}.",)
    count = state.graph.sizes[1]
    if not isinstance(action.group, int) or not 0 <= action.group < count:
        return kept, (f"join: group {action.group}; from 0 to {count - 1}. Taken as joining {kept.group}.",)
    return action, ()


def join(graph: SocialGraph, actions: Mapping[Seat, Action]) -> tuple[SocialGraph, list[Event]]:
    """The graph after all who join have joined, in seat order."""
    events: list[Event] = []
    for seat in sorted(actions):
        action = actions[seat]
        if isinstance(action, Join):
            before = graph.group_of(seat)
            if before != (1, action.group):
                graph = graph.joined(seat, action.group)
                left = before[1] if before is not None else None
                events.append(Event("group_joined", {"seat": seat, "group": action.group, "left": left}))
    return graph, events
