"""Tests of a difference: within pairs (t) or between groups (Welch), and what every test says of itself.

Each gives its statistic and p, or the reason why there is none. Nothing is tested that has no spread: a t of 0/0 is no
result, and one of x/0 rests on a spread that the runs did not show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from games.lab.analysis.intervals import NOISE, deviation, is_constant, t_quantile

Direction: TypeAlias = Literal["lower", "higher", "differs", "equivalent"]
"""What is expected of the difference: `differs` is two-sided, `equivalent` that it is smaller than what matters."""
Method: TypeAlias = Literal[
    "paired_t", "wilcoxon", "welch", "mann_whitney", "log_rank", "permutation_paired", "permutation", "mcnemar",
    "boschloo", "mixed", "clustered",
]  # fmt: skip
Reason: TypeAlias = Literal["too_few", "identical", "no_spread", "no_event", "two_groups", "not_binary", "no_fit"]
"""Why there is no p: fewer than two values (or pairs), no difference anywhere, a difference without any spread, no end
of anything that is timed, more groups than the test knows, values that are not 0 and 1, a model that does not fit.
"""
STATISTICS: Final[dict[Method, str]] = {
    "paired_t": "t({df:.0f})",
    "welch": "t({df:.1f})",
    "wilcoxon": "W",
    "mann_whitney": "U",
    "log_rank": "χ²(1)",
    "permutation_paired": "mean",
    "permutation": "t",
    "mcnemar": "n",
    "boschloo": "Fisher's p",
    "mixed": "t({df:.0f})",
    "clustered": "t({df:.0f})",
}
"""The tests, each with the sign of its statistic."""
SIDES: Final[dict[Direction, str]] = {"lower": "less", "higher": "greater", "differs": "two-sided"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A test's result. ``df`` is of t tests; ``exact`` says of others whether p is exact; if not, it is by so many
    ``draws`` of arrangements, or by the statistic's law for large samples where that is None.
    """

    method: Method
    statistic: float | None = None
    df: float | None = None
    p: float | None = None
    exact: bool | None = None
    reason: Reason | None = None
    draws: int | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """An estimated difference with its two-sided 95% interval; None where it is undefined."""

    estimate: float | None
    low: float | None = None
    high: float | None = None


def settled(differences: Sequence[float], scale: float) -> list[float]:
    """The differences, 0 where they are only the rounding of values as large as ``scale``."""
    return [0.0 if abs(value) <= NOISE * scale else float(value) for value in differences]


def paired_difference(differences: Sequence[float]) -> Difference:
    """Mean of the differences within pairs, with Student's interval."""
    if not differences:
        return Difference(None)
    centre = differences[0] if is_constant(differences) else math.fsum(differences) / len(differences)
    spread = deviation(differences)
    if spread is None:
        return Difference(centre)
    half = t_quantile(len(differences) - 1) * spread / math.sqrt(len(differences))
    return Difference(centre, centre - half, centre + half)


def paired_t(differences: Sequence[float], direction: Direction) -> Outcome:
    """Student's t of the differences within pairs, against 0."""
    from scipy import stats  # type: ignore[import-untyped]

    if reason := reason_paired(differences):
        return Outcome("paired_t", reason=reason)
    found = stats.ttest_1samp(np.asarray(differences), 0.0, alternative=SIDES[direction])
    return Outcome("paired_t", float(found.statistic), float(found.df), float(found.pvalue))


def reason_paired(differences: Sequence[float], needs_spread: bool = True) -> Reason | None:
    """Why nothing can be tested within these pairs."""
    if len(differences) < 2:
        return "too_few"
    if not any(differences):
        return "identical"
    return "no_spread" if needs_spread and is_constant(differences) else None


def reason_apart(of: Sequence[float], against: Sequence[float]) -> Reason | None:
    """Why nothing can be tested between these groups."""
    if len(of) < 2 or len(against) < 2:
        return "too_few"
    return "identical" if is_constant([*of, *against]) else None


@dataclass(frozen=True, slots=True)
class Group:
    """One condition's values and its weight in a contrast: 1 for what is looked at, -1 for what it is held against."""

    weight: float
    values: tuple[float, ...]


def between(groups: Sequence[Group], direction: Direction, beyond: float = 0.0) -> tuple[Difference, Outcome]:
    """The weighted sum of independent groups' means with its interval, and Welch's test of it against ``beyond``.

    t = sum(w m) / sqrt(sum(w^2 s^2 / n)), with Satterthwaite's degrees of freedom; for two groups it is Welch's t.
    """
    from scipy.special import stdtr  # type: ignore[import-untyped]

    if any(not group.values for group in groups):
        return Difference(None), Outcome("welch", reason="too_few")
    centres = [math.fsum(group.values) / len(group.values) for group in groups]
    estimate = math.fsum(group.weight * centre for group, centre in zip(groups, centres, strict=True))
    spreads = [deviation(group.values) for group in groups]
    if any(spread is None for spread in spreads):
        return Difference(estimate), Outcome("welch", reason="too_few")
    parts = [
        (group.weight * (spread or 0.0)) ** 2 / len(group.values) for group, spread in zip(groups, spreads, strict=True)
    ]
    variance = math.fsum(parts)
    if variance == 0:
        scale = max(abs(centre) for centre in centres)
        told: Reason = "identical" if abs(estimate) <= NOISE * scale else "no_spread"
        return Difference(estimate, estimate, estimate), Outcome("welch", reason=told)
    error = math.sqrt(variance)
    df = variance**2 / math.fsum(part**2 / (len(group.values) - 1) for group, part in zip(groups, parts, strict=True))
    half = t_quantile(df) * error
    t = (estimate - beyond) / error
    tail = {"lower": stdtr(df, t), "higher": stdtr(df, -t), "differs": 2 * stdtr(df, -abs(t))}[direction]
    return Difference(estimate, estimate - half, estimate + half), Outcome("welch", t, df, float(tail))
