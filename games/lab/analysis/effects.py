"""How large a difference is, apart from how sure it is: standardised differences and rank-biserial correlations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from games.lab.analysis.intervals import CONFIDENCE, deviation, is_constant, t_quantile, tied

Size: TypeAlias = Literal["paired_d", "hedges_g", "rank_biserial", "rank_biserial_paired"]
T_MAX: Final = 36.0
"""Beyond this t the noncentral law is at the end of floating point; the interval is left undefined."""
FAR: Final = 5.0
"""Standard errors from a t at which the share of a noncentrality is told from 0 or 1 by no interval."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A size of effect with its 95% interval. None where it, or its interval, is undefined."""

    kind: Size
    estimate: float | None = None
    low: float | None = None
    high: float | None = None


def correction(df: float) -> float:
    """Hedges' factor against the bias of small samples, gamma(df/2) / (sqrt(df/2) gamma((df - 1)/2)); 0.96 at 19."""
    if df <= 1:
        return math.nan
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2) - 0.5 * math.log(df / 2))


def paired_d(differences: Sequence[float]) -> Effect:
    """Mean over standard deviation of the differences within pairs, times Hedges' factor (d_z, corrected).

    The interval inverts the noncentral t. None without spread, or for fewer than three pairs.
    Source: Cumming and Finch, "A primer on the understanding, use, and calculation of confidence intervals", 2001.
    """
    n, spread = len(differences), deviation(differences)
    if n < 3 or not spread or is_constant(differences):
        return Effect("paired_d")
    raw = math.fsum(differences) / n / spread
    factor, root = correction(n - 1), math.sqrt(n)
    low, high = _noncentral(raw * root, n - 1)
    return Effect("paired_d", factor * raw, _times(low, factor / root), _times(high, factor / root))


def hedges_g(of: Sequence[float], against: Sequence[float]) -> Effect:
    """Difference of the means over the pooled standard deviation, times Hedges' factor; the interval as `paired_d`.

    Source: Hedges, "Distribution theory for Glass's estimator of effect size", J. Educ. Stat. 6 (1981).
    """
    n, m = len(of), len(against)
    one, other = deviation(of), deviation(against)
    if n + m < 4 or one is None or other is None or not (one or other):
        return Effect("hedges_g")
    df = n + m - 2
    pooled = math.sqrt(((n - 1) * one**2 + (m - 1) * other**2) / df)
    raw = (math.fsum(of) / n - math.fsum(against) / m) / pooled
    factor, root = correction(df), math.sqrt(n * m / (n + m))
    low, high = _noncentral(raw * root, df)
    return Effect("hedges_g", factor * raw, _times(low, factor / root), _times(high, factor / root))


def rank_biserial_paired(differences: Sequence[float]) -> Effect:
    """(W+ - W-) / (W+ + W-) of the signed ranks: -1 all fell, 1 all rose. None where no pair differs.

    The interval is Wilson's score interval of W+ / (W+ + W-), with the variance of the signed ranks in the place of the
    binomial's and Student's quantile in that of the normal. Sources: Kerby, "The simple difference formula", 2014;
    Wilson, JASA 22 (1927).
    """
    from scipy.stats import rankdata  # type: ignore[import-untyped]

    moved = np.asarray([value for value in differences if value])
    n = len(moved)
    if not n:
        return Effect("rank_biserial_paired")
    ranks = rankdata(tied(np.abs(moved).tolist()))
    share = float(ranks[moved > 0].sum() / ranks.sum())
    if n < 2:
        return Effect("rank_biserial_paired", 2 * share - 1)
    squares = float((ranks**2).sum() / ranks.sum() ** 2)
    z = t_quantile(n - 1) ** 2 * squares
    centre, half = (share + z / 2) / (1 + z), math.sqrt(z * share * (1 - share) + z**2 / 4) / (1 + z)
    return Effect("rank_biserial_paired", 2 * share - 1, 2 * (centre - half) - 1, 2 * (centre + half) - 1)


def rank_biserial(of: Sequence[float], against: Sequence[float]) -> Effect:
    """2 U / (n m) - 1: the chance that one of ``of`` is above one of ``against``, less the chance that it is below.

    The interval are the shares t = U / (n m) whose variance, t (1 - t) (1 + (N - 1) ((1 - t) / (2 - t) + t / (1 + t)))
    / (n m) with N = (n + m) / 2, leaves the share that was seen within Student's quantile.
    Source: Newcombe, "Confidence intervals for an effect size measure based on the Mann-Whitney statistic", Stat. Med.
    25 (2006), method 5.
    """
    from scipy.stats import rankdata

    n, m = len(of), len(against)
    if not n or not m:
        return Effect("rank_biserial")
    ranks = rankdata(tied([*of, *against]))
    share = (float(ranks[:n].sum()) - n * (n + 1) / 2) / (n * m)
    if n + m < 4:
        return Effect("rank_biserial", 2 * share - 1)
    z = t_quantile(n + m - 2)

    def low(seen: float) -> float:
        from scipy.optimize import brentq  # type: ignore[import-untyped]

        def beyond(at: float) -> float:
            spread = at * (1 - at) * (1 + ((n + m) / 2 - 1) * ((1 - at) / (2 - at) + at / (1 + at))) / (n * m)
            return seen - at - z * math.sqrt(spread)

        return 0.0 if seen <= 0 else float(brentq(beyond, 0.0, seen, xtol=1e-13, rtol=1e-13))

    return Effect("rank_biserial", 2 * share - 1, 2 * low(share) - 1, 1 - 2 * low(1 - share))


def _noncentral(t: float, df: int) -> tuple[float | None, float | None]:
    """The noncentralities under which a t at least, and at most, as large is seen in 2.5 of 100 samples."""
    from scipy.optimize import brentq
    from scipy.special import nctdtr  # type: ignore[import-untyped]

    if abs(t) > T_MAX:
        return None, None
    if t < 0:  # the library's law is surer on this side
        low, high = _noncentral(-t, df)
        return _times(high, -1.0), _times(low, -1.0)

    def law(shift: float) -> float:
        """The share of such t at most as large; 1 and 0 in the far tails, where the library gives up."""
        found = float(nctdtr(df, shift, t))
        return (
            found
            if math.isfinite(found) or abs(shift - t) < FAR * math.sqrt(1 + t * t / (2 * df))
            else float(shift < t)
        )

    def solved(share: float) -> float | None:
        gap: Callable[[float], float] = lambda shift: law(shift) - share  # noqa: E731
        low, high = -5.0, 2 * t + 5
        found = gap(low), gap(high)
        if not all(map(math.isfinite, found)) or found[0] < 0 or found[1] > 0:
            return None
        try:
            return float(brentq(gap, low, high, xtol=1e-12, rtol=1e-13))
        except ValueError:  # not a number in between
            return None

    return solved(0.5 + CONFIDENCE / 2), solved(0.5 - CONFIDENCE / 2)


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
