"""What one seat knows when it plans: the public world, its own gold, and the past through its own eyes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from games.catalog.mining.shared import Shared
from games.catalog.mining.state import NOBODY, Plan
from games.core.game import Event, Seat, Seen
from games.core.steps import heard


class Observation(NamedTuple):
    """``past`` holds the recalled rounds, oldest first: own plans and notes in all of them, and what was public.

    Only the visible ones among them (`history_rounds`) may be shown as history: read it through `rounds_seen`.
    """

    shared: Shared
    seat: Seat
    gold: int
    past: Sequence[Seen[Plan]]

    @property
    def round(self) -> int:
        """The round to be played, from 1."""
        return self.shared.round

    @property
    def stamina(self) -> int:
        return self.shared.stamina[self.seat]

    @property
    def plots(self) -> tuple[int, ...]:
        """Own plots, row by row."""
        return self.shared.holdings[self.seat]

    def age(self, plot: int) -> int:
        """For how many rounds the owner has held this plot; 0 if it is unowned."""
        return self.shared.round - self.shared.since[plot] if self.shared.owners[plot] != NOBODY else 0

    def rounds_seen(self) -> Sequence[tuple[int, Sequence[Event]]]:
        """The visible rounds, oldest first, each with the events that this seat may know. Words events: costly."""
        visible = self.shared.config.history_rounds
        last = self.shared.round - 1
        return [
            (seen.index, seen.events)
            for seen in self.past
            if seen.index >= 1 and (visible is None or seen.index > last - visible)
        ]

    def own_plans(self) -> Sequence[tuple[int, Plan]]:
        """This seat's carried-out plans of the last K rounds, oldest first."""
        return [(one.index, one.action) for one in self.past[-self.shared.config.history_k :] if one.action is not None]

    def messages(self) -> Sequence[Event]:
        """What others said to this seat with their last plans."""
        talks = self.past and self.shared.config.messages
        return heard(self.past[-1].events, self.seat) if talks else ()

    def summary(self) -> Mapping[str, int]:
        """Totals over the visible rounds, the last K at most: claims, raids, captures, defences, gold mined by all."""
        k = self.shared.config.history_k
        rounds = [events for index, events in self.rounds_seen() if index >= self.shared.round - k]
        closed: list[Any] = [event.data for events in rounds for event in events if event.kind == "round_closed"]
        totals = ("claims", "raids", "captures", "defences", "output")
        return {"rounds": len(rounds)} | {name: sum(one[name] for one in closed) for name in totals}

    def occupancy(self) -> Sequence[str] | None:
        """The ownership map as one code a row: runs of owners, such as ``3x. 2x4 5x0`` (``.`` is unowned).

        None where `occupancy_summary` is off: the whole map is shown.
        """
        if not self.shared.config.occupancy_summary:
            return None
        shape, owners = self.shared.grid, self.shared.owners
        rows = (owners[start : start + shape.cols] for start in range(0, len(owners), shape.cols))
        return [
            " ".join(f"{len(list(run))}x{'.' if owner == NOBODY else owner}" for owner, run in groupby(row))
            for row in rows
        ]
