"""One run as statistics see it: what was measured of the whole, of its rounds and seats, and how it was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from games.core.conduct import UNSOUND
from games.core.measures import mean

Rounds: TypeAlias = Mapping[int, float | None]
"""A measure by the number of the round; None where it is undefined."""
Fault: TypeAlias = Literal["not_own", "fallbacks", "cleaned", "substitutes"]
FAULTS: Final[tuple[Fault, ...]] = ("not_own", "fallbacks", "cleaned", "substitutes")


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a run's decisions came about.

    ``decisions``    asked for in all
    ``fallbacks``    for which the game's default stood in, because no answer could be used
    ``cleaned``      of which a part was struck out or changed
    ``substitutes``  that a policy made for a person who was not there
    ``not_own``      that their seats did not make themselves (`games.core.conduct`)
    ``worst``        the share of these in the run, or in the seat that has the highest
    """

    decisions: int = 0
    fallbacks: int = 0
    cleaned: int = 0
    substitutes: int = 0
    not_own: int = 0
    worst: float = 0.0

    def share(self, fault: Fault) -> float:
        """The share of decisions with that fault; 0 where there were none. Of ``not_own``, the worst seat's counts."""
        if fault == "not_own":
            return self.worst
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


@dataclass(frozen=True, slots=True)
class NotOwn:
    """Of all runs of a condition, those left out too: how many decisions were not their seats' own, and in how many
    runs these were more than the bound.
    """

    runs: int
    decisions: int
    not_own: int
    share: float | None
    unsound: int


def not_own(runs: Sequence[Run], most: float) -> NotOwn:
    decisions, others = sum(run.conduct.decisions for run in runs), sum(run.conduct.not_own for run in runs)
    unsound = sum(run.conduct.share("not_own") > most for run in runs)
    return NotOwn(len(runs), decisions, others, others / decisions if decisions else None, unsound)


def sort_out(runs: Sequence[Run], rules: Mapping[Fault, float]) -> tuple[list[Run], list[LeftOut]]:
    """The runs that count, and those that do not, each under the first rule that it breaks.

    Runs that are unsound do not count where nothing else is declared of them.
    """
    kept, out = [], {fault: list[tuple[str, int]]() for fault in FAULTS if fault in rules or fault == "not_own"}
    asked, rules = rules, {"not_own": UNSOUND, **rules}
    for run in runs:
        broken = next((fault for fault in out if run.conduct.share(fault) > rules[fault]), None)
        if broken is None:
            kept.append(run)
        else:
            out[broken].append((run.condition, run.replicate))
    return kept, [LeftOut(fault, rules[fault], tuple(found)) for fault, found in out.items() if fault in asked or found]


def by_condition(runs: Iterable[Run], conditions: Iterable[str]) -> dict[str, dict[int, Run]]:
    """Runs by condition and replicate, conditions in the order given."""
    found: dict[str, dict[int, Run]] = {name: {} for name in conditions}
    for run in runs:
        found.setdefault(run.condition, {})[run.replicate] = run
    return found
