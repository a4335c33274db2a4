"""One run as statistics see it: what was measured of the whole, of its rounds and seats, and how it was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from games.core.measures import mean

Rounds: TypeAlias = Mapping[int, float | None]
"""A measure by the number of the round; None where it is undefined."""
Fault: TypeAlias = Literal["fallbacks", "cleaned", "substitutes"]
FAULTS: Final[tuple[Fault, ...]] = ("fallbacks", "cleaned", "substitutes")


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a run's decisions came about.

    ``decisions``    asked for in all
    ``fallbacks``    for which the game's default stood in, because no answer could be used
    ``cleaned``      of which a part was struck out or changed
    ``substitutes``  that a policy made for a person who was not there
    """

    decisions: int = 0
    fallbacks: int = 0
    cleaned: int = 0
    substitutes: int = 0

    def share(self, fault: Fault) -> float:
        """The share of decisions with that fault; 0 where there were none."""
        return getattr(self, fault) / self.decisions if self.decisions else 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run. Replicates count from 1 and are common to the conditions; undefined measures are None.

    ``metrics``  the run's measures, numbers only
    ``rounds``   its measures by round, for those that were read
    ``payoffs``  what each seat got in all, in seat order
    """

    condition: str
    replicate: int
    seed: int
    steps: int
    metrics: Mapping[str, float | None]
    rounds: Mapping[str, Rounds] = field(default_factory=dict)
    payoffs: tuple[float, ...] = ()
    conduct: Conduct = Conduct()


Halves: TypeAlias = tuple[float | None, float | None]


def halves(rounds: Rounds) -> Halves:
    """The means of rounds 1 to R/2 (rounded down) and of those after, R being the last; None where never defined."""
    last = max(rounds, default=0)
    first = [value for number, value in rounds.items() if value is not None and number <= last // 2]
    second = [value for number, value in rounds.items() if value is not None and number > last // 2]
    return mean(first), mean(second)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Runs that are not counted, and why: the share of decisions with that fault went beyond the declared one."""

    reason: Fault
    beyond: float
    runs: tuple[tuple[str, int], ...]


def sort_out(runs: Sequence[Run], rules: Mapping[Fault, float]) -> tuple[list[Run], list[LeftOut]]:
    """The runs that count, and those that do not, each under the first rule that it breaks."""
    kept, out = [], {fault: list[tuple[str, int]]() for fault in FAULTS if fault in rules}
    for run in runs:
        broken = next((fault for fault in out if run.conduct.share(fault) > rules[fault]), None)
        if broken is None:
            kept.append(run)
        else:
            out[broken].append((run.condition, run.replicate))
    return kept, [LeftOut(fault, rules[fault], tuple(found)) for fault, found in out.items()]


def by_condition(runs: Iterable[Run], conditions: Iterable[str]) -> dict[str, dict[int, Run]]:
    """Runs by condition and replicate, conditions in the order given."""
    found: dict[str, dict[int, Run]] = {name: {} for name in conditions}
    for run in runs:
        found.setdefault(run.condition, {})[run.replicate] = run
    return found
