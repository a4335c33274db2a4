"""Before the start: what so many seeds would show, by the spread of runs that are there already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.lab.analysis.comparing import compared
from games.lab.analysis.plan import Comparison, Plan
from games.lab.analysis.power import power_of, smallest_difference
from games.lab.analysis.runs import Run, by_condition

CURVE: Final = (5, 10, 15, 20, 30, 40, 60, 100)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a comparison could show.

    ``pilot``     runs (pairs, or values a group) that the spread rests on; 0 where the pilot lacks a condition
    ``sd``        of the differences within pairs, or within a group; None where the pilot does not show any
    ``seen``      the pilot's difference
    ``smallest``  the difference that ``seeds`` seeds show in 80 of 100 experiments
    ``power``     in what share of experiments they show a difference as large as the pilot's
    ``curve``     the same by the number of seeds
    """

    comparison: Comparison
    seeds: int
    pilot: int = 0
    sd: float | None = None
    seen: float | None = None
    smallest: float | None = None
    power: float | None = None
    curve: tuple[tuple[int, float | None], ...] = ()


def forecasts(plan: Plan, pilot: Sequence[Run], seeds: int) -> list[Forecast]:
    """One for each declared comparison, in order, each test by itself at its family's level.

    The log-rank test has none: its power depends on what no pilot's spread tells.
    """
    there = {run.condition for run in pilot}
    replicates = sorted({run.replicate for run in pilot})
    told = []
    for one in plan.comparisons:
        if one.test == "log_rank" or not there.issuperset(one.weights):
            told.append(Forecast(one, seeds))
            continue
        alone = replace(plan, comparisons=(one,))
        told.append(_forecast(alone, by_condition(pilot, plan.conditions), replicates, seeds))
    return told


def _forecast(plan: Plan, runs: dict[str, dict[int, Run]], replicates: Sequence[int], seeds: int) -> Forecast:
    (found,) = compared(plan, runs, replicates)
    one, n = found.comparison, min(found.n)
    is_paired = plan.is_paired or one.kind == "halves"
    unit = smallest_difference(1.0, n, one.direction, is_paired)
    if found.smallest is None or unit is None:
        return Forecast(one, seeds, n, None, found.difference.estimate)
    sd, seen, alpha = found.smallest / unit, found.difference.estimate or 0.0, plan.family(one.family).alpha
    return Forecast(
        one,
        seeds,
        n,
        sd,
        found.difference.estimate,
        smallest_difference(sd, seeds, one.direction, is_paired, alpha),
        power_of(seen, sd, seeds, one.direction, is_paired, alpha),
        tuple((size, power_of(seen, sd, size, one.direction, is_paired, alpha)) for size in CURVE),
    )
