"""Whether a treatment arrived: what it was to bring about is seen in its runs, or it changed nothing that was played.

A contrast whose treatment never arrived says nothing of an effect, and least of all that there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.lab.analysis.runs import Run

ANYTHING = "*"
"""In the place of a measure: every one of them, held against the like of the other condition."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What shows that a condition's treatment arrived: a measure above ``over`` and below ``under``, in its own runs or
    in those of the condition ``of``. The game may know it (``is_derived``).
    """

    metric: str
    over: float | None = None
    under: float | None = None
    of: str | None = None
    is_derived: bool = False

    def shown_by(self, run: Run) -> bool:
        """Whether it is seen in a run; what is undefined there is not."""
        value = run.metrics.get(self.metric)
        if value is None:
            return False
        return (self.over is None or value > self.over) and (self.under is None or value < self.under)


@dataclass(frozen=True, slots=True)
class Arrived:
    """In how many of so many runs (or, of ``ANYTHING``, pairs of runs of one seed) it was seen."""

    condition: str
    metric: str
    over: float | None
    under: float | None
    of: str | None
    arrived: int
    runs: int

    @property
    def never(self) -> bool:
        return self.runs > 0 and self.arrived == 0


ByReplicate = Mapping[str, Mapping[int, Run]]


def arrived(
    declared: Mapping[str, Iterable[Arrival]], conditions: Iterable[str], runs: ByReplicate, is_paired: bool
) -> tuple[Arrived, ...]:
    """What was declared of these conditions, and whether two of them were played alike to the last measure."""
    names = list(conditions)
    found = []
    for name in names:
        for one in declared.get(name, ()):
            played = list(runs.get(one.of or name, {}).values())
            seen = sum(one.shown_by(run) for run in played)
            found.append(Arrived(name, one.metric, one.over, one.under, one.of, seen, len(played)))
    if is_paired and len(names) == 2:
        of, against = (runs[name] for name in names)
        shared = [replicate for replicate in of if replicate in against]
        differing = sum(of[r].metrics != against[r].metrics or of[r].payoffs != against[r].payoffs for r in shared)
        if shared and not differing:
            found.append(Arrived(names[0], ANYTHING, None, None, names[1], 0, len(shared)))
    return tuple(found)
