"""Permutation tests: what could have come out, had the treatment done nothing but change which run stands where.

All arrangements are gone through where there are at most `ARRANGEMENTS`; else so many are drawn by numpy's
``default_rng(SEED)``, and p counts the one that was seen among them, so that the level holds however many are drawn.
Nothing is assumed of the shape of the values; what is tested is that the treatment changes nothing.
Source: Phipson and Smyth, "Permutation p-values should never be zero", 2010; `scipy.stats.permutation_test`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from games.lab.analysis.testing import SIDES, Direction, Outcome, Reason, reason_apart, reason_paired

ARRANGEMENTS: Final = 19_999
SEED: Final = 1
TIES: Final = 10
"""Decimals, of the largest value or of Welch's t, beyond which two arrangements come to the same but for rounding."""


@dataclass(frozen=True, slots=True)
class Resampled:
    """A statistic with its p; ``draws`` None where all arrangements were gone through."""

    statistic: float
    p: float
    draws: int | None


def signs(values: Sequence[float], direction: Direction, most: int = ARRANGEMENTS) -> Resampled:
    """The mean of differences, each of which could as well have had the other sign."""
    count = 2 ** len(values) if len(values) < 64 else math.inf
    return _permuted((np.asarray(values),), np.mean, "samples", direction, count, most)


def groups(
    of: Sequence[float],
    against: Sequence[float],
    direction: Direction,
    statistic: Callable[..., Any],
    most: int = ARRANGEMENTS,
) -> Resampled:
    """A statistic of two groups, any of whose values could as well have been in the other."""
    count = math.comb(len(of) + len(against), len(of))
    return _permuted((np.asarray(of), np.asarray(against)), statistic, "independent", direction, count, most)


def _permuted(
    data: tuple[Any, ...], statistic: Callable[..., Any], kind: str, direction: Direction, count: float, most: int
) -> Resampled:
    from scipy import stats  # type: ignore[import-untyped]

    unit = 1.0 if statistic is welch else max((float(np.abs(part).max()) for part in data), default=0.0) or 1.0

    def settled(*parts: Any, axis: int = -1) -> Any:
        return np.round(statistic(*parts, axis=axis) / unit, TIES)

    found = stats.permutation_test(
        data, settled, permutation_type=kind, vectorized=True, n_resamples=most, alternative=SIDES[direction],
        batch=2000, rng=np.random.default_rng(SEED),
    )  # fmt: skip
    return Resampled(float(statistic(*data, axis=-1)), float(found.pvalue), None if count <= most else most)


def mean_difference(of: Any, against: Any, axis: int = -1) -> Any:
    """The first group's mean less the second's."""
    return np.mean(of, axis=axis) - np.mean(against, axis=axis)


def welch(of: Any, against: Any, axis: int = -1) -> Any:
    """Welch's t: studentised, so that groups may spread differently. Infinite without spread, 0 without difference.

    Source: Chung and Romano, "Exact and asymptotically robust permutation tests", 2013.
    """
    error = np.sqrt(
        np.var(of, axis=axis, ddof=1) / of.shape[axis] + np.var(against, axis=axis, ddof=1) / against.shape[axis]
    )
    difference = mean_difference(of, against, axis)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(difference == 0, 0.0, difference / error)


def permutation_paired(differences: Sequence[float], direction: Direction, most: int = ARRANGEMENTS) -> Outcome:
    """Differences within pairs, by their signs. The statistic is their mean."""
    if reason := reason_paired(differences, needs_spread=False):
        return Outcome("permutation_paired", reason=reason)
    found = signs(differences, direction, most)
    return Outcome("permutation_paired", found.statistic, None, found.p, found.draws is None, draws=found.draws)


def permutation_groups(
    of: Sequence[float], against: Sequence[float], direction: Direction, most: int = ARRANGEMENTS
) -> Outcome:
    """Two independent groups, by Welch's t."""
    reason: Reason | None = reason_apart(of, against)
    if reason is not None:
        return Outcome("permutation", reason=reason)
    found = groups(of, against, direction, welch, most)
    return Outcome("permutation", found.statistic, None, found.p, found.draws is None, draws=found.draws)
