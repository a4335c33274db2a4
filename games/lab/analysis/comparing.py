"""A declared comparison, carried out: the difference, its test, its size, and what the seeds could have shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from games.lab.analysis.effects import Effect, hedges_g, paired_d, rank_biserial, rank_biserial_paired
from games.lab.analysis.families import adjusted
from games.lab.analysis.intervals import deviation
from games.lab.analysis.plan import Comparison, Plan
from games.lab.analysis.power import smallest_difference
from games.lab.analysis.runs import Run, halves
from games.lab.analysis.survival import Times, log_rank
from games.lab.analysis.testing import (
    Difference,
    Group,
    Outcome,
    between,
    mann_whitney,
    paired_difference,
    paired_t,
    settled,
    wilcoxon,
)

Verdict: TypeAlias = Literal["shown", "not_shown", "opposite", "untestable"]
"""Whether the declared difference is shown at the family's level, is not, lies the other way with its whole interval,
or could not be tested.
"""
ByReplicate: TypeAlias = Mapping[str, Mapping[int, Run]]


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison.

    ``n``                  pairs, or values by group
    ``undefined``          replicates (or values) that are left out because the measure is undefined there
    ``absent``             replicates that lack a run: not played, or left out
    ``mean_of, mean_against``  the two sides' weighted means; of halves, the second and the first
    ``outcome``            the declared test; ``check`` the other one of the pair, which is not part of the family
    ``p_adjusted``         over the ``family_size`` declared tests of the family
    ``smallest``           the difference that so many seeds show in 80 of 100 such experiments, by the spread seen here
                           and without correction
    ``spread``             the standard deviation that it rests on: of the differences within pairs, or within a group
    """

    comparison: Comparison
    n: tuple[int, ...]
    undefined: int
    absent: int
    mean_of: float | None
    mean_against: float | None
    difference: Difference
    outcome: Outcome
    check: Outcome | None
    effect: Effect | None
    ranks: Effect | None
    smallest: float | None
    spread: float | None = None
    p_adjusted: float | None = None
    family_size: int = 0
    verdict: Verdict = "untestable"


def compared(plan: Plan, runs: ByReplicate, replicates: Sequence[int]) -> list[Compared]:
    """Every declared comparison, in order, with p adjusted within its family."""
    found = [_carried_out(plan, one, runs, replicates) for one in plan.comparisons]
    for name in dict.fromkeys(one.family for one in plan.comparisons):
        places = [place for place, one in enumerate(found) if one.comparison.family == name]
        family = plan.family(name)
        ps = adjusted([found[place].outcome.p for place in places], family.correction)
        for place, p in zip(places, ps, strict=True):
            told = replace(found[place], p_adjusted=p, family_size=len(places))
            found[place] = replace(told, verdict=_verdict(told, family.alpha))
    return found


def _verdict(found: Compared, alpha: float) -> Verdict:
    if found.p_adjusted is None:
        return "untestable"
    if found.p_adjusted <= alpha:
        return "shown"
    low, high = found.difference.low, found.difference.high
    if low is None or high is None or found.comparison.direction == "differs":
        return "not_shown"
    other_way = low > 0 if found.comparison.direction == "lower" else high < 0
    return "opposite" if other_way else "not_shown"


def _carried_out(plan: Plan, one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    if one.test == "log_rank":
        return _timed(plan, one, runs)
    if one.kind == "halves":
        return _halved(one, runs, replicates)
    return _within(one, runs, replicates) if plan.is_paired else _apart(one, runs, replicates)


def _halved(one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    """The second half less the first, within each seed."""
    (condition,) = one.weights
    sides: list[tuple[float, float]] = []
    undefined = absent = 0
    for replicate in replicates:
        run = runs[condition].get(replicate)
        if run is None:
            absent += 1
            continue
        first, second = halves(run.rounds.get(one.metric, {}))
        if first is None or second is None:
            undefined += 1
        else:
            sides.append((second, first))
    return _paired(one, sides, undefined, absent)


def _within(one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    """The weighted sum of the conditions, within each seed."""
    sides: list[tuple[float, float]] = []
    undefined = absent = 0
    for replicate in replicates:
        there = {name: runs[name].get(replicate) for name in one.weights}
        if any(run is None for run in there.values()):
            absent += 1
            continue
        values = {name: run.metrics.get(one.metric) for name, run in there.items() if run is not None}
        if any(value is None for value in values.values()):
            undefined += 1
            continue
        known = {name: float(value) for name, value in values.items() if value is not None}
        sides.append((_side(one, known, 1), _side(one, known, -1)))
    return _paired(one, sides, undefined, absent)


def _side(one: Comparison, values: Mapping[str, float], sign: int) -> float:
    """The weighted sum of one side, its weights taken positive."""
    return math.fsum(abs(weight) * values[name] for name, weight in one.weights.items() if weight * sign > 0)


def _paired(one: Comparison, sides: Sequence[tuple[float, float]], undefined: int, absent: int) -> Compared:
    scale = max((max(abs(of), abs(against)) for of, against in sides), default=0.0)
    differences = settled([of - against for of, against in sides], scale)
    t, ranks = paired_t(differences, one.direction), wilcoxon(differences, one.direction)
    spread = deviation(differences)
    outcome, check = (t, ranks) if one.test == "t" else (ranks, t)
    return Compared(
        one,
        (len(sides),),
        undefined,
        absent,
        _mean([of for of, _ in sides]),
        _mean([against for _, against in sides]),
        paired_difference(differences),
        outcome,
        check,
        paired_d(differences),
        rank_biserial_paired(differences),
        smallest_difference(spread, len(sides), one.direction),
        spread,
    )


def _apart(one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    """The weighted sum of the means of conditions whose seeds are their own."""
    values = {name: [run.metrics.get(one.metric) for run in runs[name].values()] for name in one.weights}
    known = {name: tuple(float(v) for v in row if v is not None) for name, row in values.items()}
    undefined = sum(len(row) - len(known[name]) for name, row in values.items())
    absent = sum(len(replicates) - len(row) for row in values.values())
    difference, welch = between([Group(weight, known[name]) for name, weight in one.weights.items()], one.direction)
    means = {name: _mean(row) for name, row in known.items()}
    sure = {name: value for name, value in means.items() if value is not None}
    whole = len(sure) == len(means)
    sizes = tuple(len(row) for row in known.values())
    outcome, check, effect, ranks, smallest, spread = welch, None, None, None, None, None
    if len(known) == 2:
        of, against = (known[name] for name in sorted(one.weights, key=lambda name: -one.weights[name]))
        u = mann_whitney(of, against, one.direction)
        outcome, check = (welch, u) if one.test == "t" else (u, welch)
        effect, ranks = hedges_g(of, against), rank_biserial(of, against)
        spreads = [deviation(of), deviation(against)]
        if all(each is not None for each in spreads):
            spread = math.sqrt(math.fsum((each or 0.0) ** 2 for each in spreads) / 2)
            smallest = smallest_difference(spread, min(sizes), one.direction, is_paired=False)
    return Compared(
        one,
        sizes,
        undefined,
        absent,
        _side(one, sure, 1) if whole else None,
        _side(one, sure, -1) if whole else None,
        difference,
        outcome,
        check,
        effect,
        ranks,
        smallest,
        spread,
    )


def times_of(plan: Plan, metric: str, runs: Mapping[int, Run]) -> Times:
    """Each run's time, censored where the measure is None at what the plan names for it."""
    until: Callable[[Run], float | None] = lambda run: (  # noqa: E731
        float(run.steps) if plan.times[metric] == "steps" else run.metrics.get(plan.times[metric])
    )
    found: list[tuple[float, bool]] = []
    for run in runs.values():
        value, end = run.metrics.get(metric), until(run)
        if value is not None:
            found.append((float(value), True))
        elif end is not None:
            found.append((float(end), False))
    return found


def _timed(plan: Plan, one: Comparison, runs: ByReplicate) -> Compared:
    """Two conditions' times by the log-rank test; a difference of means would ignore the censored."""
    of, against = sorted(one.weights, key=lambda name: -one.weights[name])
    sides = [times_of(plan, one.metric, runs[name]) for name in (of, against)]
    sizes = tuple(len(side) for side in sides)
    outcome = log_rank(*sides)
    return Compared(one, sizes, 0, 0, None, None, Difference(None), outcome, None, None, None, None)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
