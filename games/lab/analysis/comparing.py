"""A declared comparison, carried out: the difference, its test, its size, and what the seeds could have shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal, TypeAlias

from games.lab.analysis.clusters import Row, clustered
from games.lab.analysis.delivery import Arrived, arrived
from games.lab.analysis.effects import Effect, hedges_g, paired_d, rank_biserial, rank_biserial_paired
from games.lab.analysis.families import adjusted
from games.lab.analysis.intervals import deviation, t_quantile
from games.lab.analysis.plan import Comparison, Plan, Test
from games.lab.analysis.power import smallest_difference
from games.lab.analysis.proportions import Interval, counted, independent_shares, paired_shares, share_interval
from games.lab.analysis.ranks import mann_whitney, wilcoxon
from games.lab.analysis.resampling import permutation_groups, permutation_paired
from games.lab.analysis.runs import Run, halves
from games.lab.analysis.sequential import SPENDING, always_valid, half_width, holm
from games.lab.analysis.survival import Times, log_rank
from games.lab.analysis.testing import (
    Difference,
    Direction,
    Group,
    Method,
    Outcome,
    Reason,
    between,
    paired_difference,
    paired_t,
    settled,
)

Verdict: TypeAlias = Literal["shown", "not_shown", "opposite", "untestable", "not_delivered"]
"""Whether the declared difference is shown at the family's level, is not, lies the other way with its whole interval,
could not be tested, or was not shown where a treatment never arrived.
"""
Matters: TypeAlias = Literal["yes", "no", "unsure"]
"""Whether the difference's whole interval lies beyond the smallest that matters, within it, or neither."""
ByReplicate: TypeAlias = Mapping[str, Mapping[int, Run]]


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison.

    ``n``                  pairs, or values by group
    ``undefined``          replicates (or values) that are left out because the measure is undefined there
    ``absent``             replicates that lack a run: not played, or left out
    ``mean_of, mean_against``  the two sides' weighted means; of halves, the second and the first
    ``outcome``            the declared test; ``check`` another (ranks beside t), which is not part of the family
    ``p_adjusted``         over the ``family_size`` declared tests of the family
    ``smallest``           the difference that so many seeds show in 80 of 100 such experiments, by the spread seen here
                           and without correction
    ``matters``            how the difference stands to the smallest that matters, where that was declared
    ``arrived``            what is seen of the arrival of its conditions' treatments
    ``level``              the uncorrected p at which a lone test is shown at this look, where a rule spends its level
    ``share_of, against``  of proportions, the exact intervals of both sides
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
    matters: Matters | None = None
    share_of: Interval | None = None
    share_against: Interval | None = None
    arrived: tuple[Arrived, ...] = ()
    level: float | None = None


Elsewhere: TypeAlias = Mapping[str, Sequence[float | None]]
"""By family, the p of its tests in the other experiments on the same question."""


def compared(
    plan: Plan, runs: ByReplicate, replicates: Sequence[int], elsewhere: Elsewhere | None = None
) -> list[Compared]:
    """Every declared comparison, in order, p adjusted within its family, and over experiments where that says so."""
    found = [_carried_out(plan, one, runs, replicates) for one in plan.comparisons]
    stopping = plan.stopping
    if stopping.rule == "always_valid":
        found = [_whenever(plan, one) for one in found]
    look = stopping.due(len(replicates)) or 0
    for name in dict.fromkeys(one.family for one in plan.comparisons):
        places = [place for place, one in enumerate(found) if one.comparison.family == name]
        family = plan.family(name)
        others = (elsewhere or {}).get(name, ()) if family.across else ()
        all_ps = [*(found[place].outcome.p for place in places), *others]
        ps = adjusted(all_ps, family.correction)[: len(places)]
        at_look = holm(all_ps, partial(stopping.level, look), family.alpha)[: len(places)]
        for place, p, is_shown in zip(places, ps, at_look, strict=True):
            told = replace(found[place], p_adjusted=p, family_size=len(all_ps))
            verdict = _verdict(told, family.alpha)
            if stopping.rule in SPENDING:
                level = stopping.level(look, family.alpha)
                verdict = "shown" if is_shown else "not_shown" if verdict == "shown" else verdict
                told = replace(told, level=level)
            found[place] = replace(told, verdict=verdict, matters=_matters(told))
    return [_delivered(plan, one, runs) for one in found]


def _delivered(plan: Plan, found: Compared, runs: ByReplicate) -> Compared:
    """With what is seen of its treatments' arrival; without any, "no effect" is no verdict."""
    one = found.comparison
    seen = arrived(plan.delivered, one.weights, runs, plan.is_paired)
    is_shown = found.verdict == "shown" and one.direction != "equivalent"
    if not is_shown and any(each.never for each in seen):
        return replace(found, arrived=seen, verdict="not_delivered", matters=None)
    return replace(found, arrived=seen)


def _whenever(plan: Plan, found: Compared) -> Compared:
    """With a p and an interval that hold at whichever seed one stops."""
    outcome, difference = found.outcome, found.difference
    if outcome.statistic is None or outcome.df is None or difference.estimate is None or outcome.method == "log_rank":
        return found
    n = float(found.n[0]) if len(found.n) == 1 else math.prod(found.n) / sum(found.n)
    level = 1 - plan.family(found.comparison.family).alpha
    low = high = None
    if difference.high is not None:
        error = (difference.high - difference.estimate) / t_quantile(outcome.df)
        half = half_width(error, outcome.df, n, level)
        low, high = (difference.estimate - half, difference.estimate + half) if math.isfinite(half) else (None, None)
    valid = always_valid(outcome, n, found.comparison.direction)
    return replace(found, outcome=valid, difference=Difference(difference.estimate, low, high))


def _matters(found: Compared) -> Matters | None:
    bound, low, high = found.comparison.interest, found.difference.low, found.difference.high
    if bound is None or low is None or high is None:
        return None
    if low > bound or high < -bound:
        return "yes"
    return "no" if -bound < low and high < bound else "unsure"


def _verdict(found: Compared, alpha: float) -> Verdict:
    if found.p_adjusted is None:
        return "untestable"
    if found.p_adjusted <= alpha:
        return "shown"
    low, high = found.difference.low, found.difference.high
    if low is None or high is None or found.comparison.direction == "differs":
        return "not_shown"
    if found.comparison.direction == "equivalent":
        return "opposite" if _matters(found) == "yes" else "not_shown"
    other_way = low > 0 if found.comparison.direction == "lower" else high < 0
    return "opposite" if other_way else "not_shown"


def _carried_out(plan: Plan, one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    if one.test == "log_rank":
        return _timed(plan, one, runs)
    if one.test in ("mixed", "clustered"):
        return _clustered(plan, one, runs, replicates)
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


def _measured(one: Comparison, run: Run) -> float | None:
    """The run's measure; of proportions, whether it counts."""
    value = run.metrics.get(one.metric)
    if value is None or one.test != "proportion":
        return None if value is None else float(value)
    return counted(float(value), one.over)


def _is_binary(one: Comparison, runs: ByReplicate) -> bool:
    """Whether every measure that is defined counts or does not."""
    played = [run for name in one.weights for run in runs[name].values()]
    return all(_measured(one, run) is not None for run in played if run.metrics.get(one.metric) is not None)


def _within(one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    """The weighted sum of the conditions, within each seed."""
    sides: list[tuple[float, float]] = []
    undefined = absent = 0
    for replicate in replicates:
        there = {name: runs[name].get(replicate) for name in one.weights}
        if any(run is None for run in there.values()):
            absent += 1
            continue
        values = {name: _measured(one, run) for name, run in there.items() if run is not None}
        if any(value is None for value in values.values()):
            undefined += 1
            continue
        known = {name: float(value) for name, value in values.items() if value is not None}
        sides.append((_side(one, known, 1), _side(one, known, -1)))
    found = _paired(one, sides, undefined, absent)
    return found if _is_binary(one, runs) else _untested(found, "mcnemar", "not_binary")


def _untested(found: Compared, method: Method, reason: Reason) -> Compared:
    return replace(found, outcome=Outcome(method, reason=reason), check=None)


def _side(one: Comparison, values: Mapping[str, float], sign: int) -> float:
    """The weighted sum of one side, its weights taken positive."""
    return math.fsum(abs(weight) * values[name] for name, weight in one.weights.items() if weight * sign > 0)


def _equivalent(one: Comparison, tested: Callable[[float, Direction], Outcome]) -> Outcome:
    """Two one-sided tests of the difference against both bounds of what matters: the one whose p is larger.

    Source: Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987).
    """
    if one.direction != "equivalent":
        return tested(0.0, one.direction)
    bound = one.interest or 0.0
    return max(tested(-bound, "higher"), tested(bound, "lower"), key=lambda found: 1.0 if found.p is None else found.p)


def _paired(one: Comparison, sides: Sequence[tuple[float, float]], undefined: int, absent: int) -> Compared:
    scale = max((max(abs(of), abs(against)) for of, against in sides), default=0.0)
    differences = settled([of - against for of, against in sides], scale)
    spread, difference = deviation(differences), paired_difference(differences)

    def t(beyond: float, direction: Direction) -> Outcome:
        return paired_t(settled([value - beyond for value in differences], scale), direction)

    def permuted(beyond: float, direction: Direction) -> Outcome:
        return permutation_paired(settled([value - beyond for value in differences], scale), direction)

    check: Outcome | None = None
    if one.test == "proportion":
        difference, outcome = paired_shares([of for of, _ in sides], [other for _, other in sides], one.direction)
    elif one.test == "rank":
        outcome, check = wilcoxon(differences, one.direction), t(0.0, one.direction)
    else:
        outcome = _equivalent(one, permuted if one.test == "permutation" else t)
        if one.test == "permutation":
            check = _equivalent(one, t)
        elif one.direction != "equivalent":
            check = wilcoxon(differences, one.direction)
    found = Compared(
        one,
        (len(sides),),
        undefined,
        absent,
        _mean([of for of, _ in sides]),
        _mean([against for _, against in sides]),
        difference,
        outcome,
        check,
        paired_d(differences),
        rank_biserial_paired(differences),
        smallest_difference(spread, len(sides), one.direction),
        spread,
    )
    return _with_shares(found, [of for of, _ in sides], [against for _, against in sides])


def _with_shares(found: Compared, of: Sequence[float], against: Sequence[float]) -> Compared:
    """With the exact intervals of both sides, where these are shares of runs. Sizes of effect have no meaning then."""
    if found.comparison.test != "proportion":
        return found
    told = share_interval(of), share_interval(against)
    return replace(found, effect=None, ranks=None, share_of=told[0], share_against=told[1])


def _apart(one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    """The weighted sum of the means of conditions whose seeds are their own."""
    values = {name: [_measured(one, run) for run in runs[name].values()] for name in one.weights}
    known = {name: tuple(float(v) for v in row if v is not None) for name, row in values.items()}
    undefined = sum(len(row) - len(known[name]) for name, row in values.items())
    absent = sum(len(replicates) - len(row) for row in values.values())
    samples = [Group(weight, known[name]) for name, weight in one.weights.items()]
    difference = between(samples, "differs")[0]
    means = {name: _mean(row) for name, row in known.items()}
    sure = {name: value for name, value in means.items() if value is not None}
    whole = len(sure) == len(means)
    found = Compared(
        one,
        tuple(len(row) for row in known.values()),
        undefined,
        absent,
        _side(one, sure, 1) if whole else None,
        _side(one, sure, -1) if whole else None,
        difference,
        _equivalent(one, lambda beyond, direction: between(samples, direction, beyond)[1]),
        None,
        None,
        None,
        None,
    )
    if len(known) > 2:
        return found if one.test == "t" else _untested(found, METHODS[one.test], "two_groups")
    of, against = (known[name] for name in sorted(one.weights, key=lambda name: -one.weights[name]))
    found = _of_two(found, of, against)
    return found if _is_binary(one, runs) else _untested(found, "boschloo", "not_binary")


METHODS: Final[dict[Test, Method]] = {"permutation": "permutation", "rank": "mann_whitney", "proportion": "boschloo"}
"""What tests are called that know two groups only."""


def _of_two(found: Compared, of: Sequence[float], against: Sequence[float]) -> Compared:
    """With the declared test of two groups, and their sizes of effect; Welch's test is there."""
    one, outcome, check = found.comparison, found.outcome, None
    difference = found.difference
    if one.test == "t":
        check = None if one.direction == "equivalent" else mann_whitney(of, against, one.direction)
    elif one.test == "proportion":
        difference, outcome = independent_shares(of, against, one.direction)
    else:
        check = outcome
        if one.test == "rank":
            outcome = mann_whitney(of, against, one.direction)
        else:
            outcome = _equivalent(
                one,
                lambda beyond, direction: permutation_groups([value - beyond for value in of], against, direction),
            )
    spreads = [deviation(of), deviation(against)]
    spread = smallest = None
    if all(each is not None for each in spreads):
        spread = math.sqrt(math.fsum((each or 0.0) ** 2 for each in spreads) / 2)
        smallest = smallest_difference(spread, min(found.n), one.direction, is_paired=False)
    told = replace(
        found,
        difference=difference,
        outcome=outcome,
        check=check,
        effect=hedges_g(of, against),
        ranks=rank_biserial(of, against),
        smallest=smallest,
        spread=spread,
    )
    return _with_shares(told, of, against)


def _clustered(plan: Plan, one: Comparison, runs: ByReplicate, replicates: Sequence[int]) -> Compared:
    """Conditions by a model that knows which seats share a run and which runs a seed. Runs without their like count."""
    rows: list[Row] = []
    undefined = 0
    for name in one.weights:
        for replicate, run in runs[name].items():
            values = run.payoffs if one.unit == "seat" else (_measured(one, run),)
            known = [value for value in values if value is not None]
            undefined += len(values) - len(known)
            cluster = str(replicate) if plan.is_paired else f"{name} {replicate}"
            rows += [Row(value, name, cluster, name if plan.is_paired else "") for value in known]
    by: Literal["mixed", "clustered"] = "mixed" if one.test == "mixed" else "clustered"
    difference, outcome = clustered(rows, one.weights, one.direction, by)
    means = {name: _mean([row.value for row in rows if row.condition == name]) for name in one.weights}
    sure = {name: value for name, value in means.items() if value is not None}
    whole = len(sure) == len(means)
    return Compared(
        one,
        tuple(len(runs[name]) for name in one.weights),
        undefined,
        sum(len(replicates) - len(runs[name]) for name in one.weights),
        _side(one, sure, 1) if whole else None,
        _side(one, sure, -1) if whole else None,
        difference,
        outcome,
        None,
        None,
        None,
        None,
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
    first, second = (times_of(plan, one.metric, runs[name]) for name in (of, against))
    sizes = len(first), len(second)
    outcome = log_rank(first, second)
    return Compared(one, sizes, 0, 0, None, None, Difference(None), outcome, None, None, None, None)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
