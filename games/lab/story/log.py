"""A run's records gathered for its story: what each seat earned by round, what happened when, who did not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from games.core.conduct import Decisions, stand_in

Happening: TypeAlias = tuple[int, Mapping[str, Any]]
"""The number of a round, and an event's data."""
Label: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Round:
    """``first`` and ``last`` step; the labels of the clock down to the one that the run is counted in; its gains."""

    label: Label
    first: int
    last: int
    gained: dict[int, float] = field(default_factory=dict)


@dataclass
class Log:
    """Fed record by record from the start; ``counted`` is the label that the run is counted in, "" the outermost.

    ``kinds``, ``measures``  the events and measures that are kept: those that a game's rules look for
    ``rounds``   number 0 is the start
    ``events``   by kind, in order
    ``missed``   by seat, the rounds in which a decision was not its own
    ``struck``   by seat, its own decisions of which a part was struck out or changed
    ``series``   the measures of each step, with the number of its round
    """

    counted: str = ""
    kinds: Collection[str] = ()
    measures: Collection[str] = ()
    rounds: list[Round] = field(default_factory=list)
    events: dict[str, list[Happening]] = field(default_factory=dict)
    decided: Decisions = field(default_factory=Decisions)
    missed: dict[int, list[int]] = field(default_factory=dict)
    struck: Counter[int] = field(default_factory=Counter)
    series: list[tuple[int, Mapping[str, Any]]] = field(default_factory=list)

    def add(self, record: Mapping[str, Any]) -> None:
        """One step's record, the start first."""
        number = self._round(record["step"], record["clock"])
        gained = self.rounds[number].gained
        for seat, amount in record["payoffs"]:
            gained[seat] = gained.get(seat, 0) + amount
        for event in record["events"]:
            if event["kind"] in self.kinds:
                self.events.setdefault(event["kind"], []).append((number, event["data"]))
        if record["step"] == 0:
            return
        if self.measures and record.get("metrics"):
            self.series.append((number, {name: record["metrics"].get(name) for name in self.measures}))
        self.decided.add(record["seats"], record["flags"])
        others = [seat for seat, flags in record["flags"] if stand_in(flags)]
        for seat in others:
            self.missed.setdefault(seat, []).append(number)
        for seat, notes in record["notes"]:
            if notes and seat not in others:
                self.struck[seat] += 1

    def _round(self, step: int, clock: Sequence[Sequence[Any]]) -> int:
        """The number of the round of a step; a new one where the labels have moved on."""
        label: list[tuple[str, int]] = []
        for name, value in clock:
            label.append((name, value))
            if name == self.counted or not self.counted:
                break
        key = tuple(label)
        if self.rounds and self.rounds[-1].label == key:
            self.rounds[-1].last = step
        else:
            self.rounds.append(Round(key, step, step))
        return len(self.rounds) - 1

    @property
    def last(self) -> int:
        """The number of the last round; 0: nothing was played."""
        return len(self.rounds) - 1

    @property
    def head(self) -> int:
        return self.rounds[-1].last if self.rounds else -1

    @cached_property
    def totals(self) -> dict[int, float]:
        """What each seat has earned in all. To be read when everything has been added."""
        sums: dict[int, float] = {}
        for one in self.rounds:
            for seat, amount in one.gained.items():
                sums[seat] = sums.get(seat, 0) + amount
        return sums

    def happened(self, kinds: Sequence[str]) -> list[Happening]:
        """The events of these kinds in the order of their rounds."""
        found = [one for kind in kinds for one in self.events.get(kind, ())]
        return sorted(found, key=lambda one: one[0]) if len(kinds) > 1 else found
