"""Times until something happens, where some runs end before it: Kaplan and Meier's curves, the log-rank test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.lab.analysis.intervals import CONFIDENCE
from games.lab.analysis.testing import Outcome

Times = Sequence[tuple[float, bool]]
"""Each run's time and whether it is when the thing happened (else the run ended first: it is censored there)."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """At a time when something happened: how many were at risk and how many of them ended, and the share that goes on.

    The band is pointwise, by the complementary log-log transform; None where the share is 0 or 1.
    """

    time: float
    at_risk: int
    ended: int
    share: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Curve:
    """A survival curve. ``median`` is the first time at which half or less go on, as in `core.measures`; it and its
    bounds are None where the curve does not come down so far.
    """

    n: int
    ended: int
    censored: int
    median: float | None
    median_low: float | None
    median_high: float | None
    points: tuple[CurvePoint, ...]


def kaplan_meier(times: Times) -> Curve:
    """The curve of one condition's times.

    Source: Kaplan and Meier, JASA 53 (1958); median's interval by Brookmeyer and Crowley, as in statsmodels.
    """
    from statsmodels.duration.survfunc import SurvfuncRight  # type: ignore[import-untyped]

    ended = sum(happened for _, happened in times)
    if not ended:
        return Curve(len(times), 0, len(times), None, None, None, ())
    fit = SurvfuncRight([time for time, _ in times], [int(happened) for _, happened in times])
    points = tuple(
        CurvePoint(float(time), int(risk), int(events), float(share), *_band(float(share), float(error)))
        for time, risk, events, share, error in zip(
            fit.surv_times, fit.n_risk, fit.n_events, fit.surv_prob, fit.surv_prob_se, strict=True
        )
    )
    low, high = fit.quantile_ci(0.5, alpha=1 - CONFIDENCE)
    median = next((point.time for point in points if point.share <= 0.5 + 1e-12), None)
    return Curve(len(times), ended, len(times) - ended, median, _finite(low), _finite(high), points)


def _band(share: float, error: float) -> tuple[float | None, float | None]:
    from scipy.special import ndtri  # type: ignore[import-untyped]

    if not 1e-12 < share < 1 - 1e-12 or not math.isfinite(error):
        return None, None
    half = float(ndtri(0.5 + CONFIDENCE / 2)) * error / (share * abs(math.log(share)))
    return share ** math.exp(half), share ** math.exp(-half)


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def log_rank(of: Times, against: Times) -> Outcome:
    """Whether two groups' times differ, two-sided, the groups taken as independent. The statistic is chi-squared(1)."""
    from statsmodels.duration.survfunc import survdiff

    if len(of) < 2 or len(against) < 2:
        return Outcome("log_rank", reason="too_few")
    pooled = [*of, *against]
    if not any(happened for _, happened in pooled):
        return Outcome("log_rank", reason="no_event")
    if sorted(of) == sorted(against):
        return Outcome("log_rank", reason="identical")
    groups = [1] * len(of) + [0] * len(against)
    statistic, p = survdiff([time for time, _ in pooled], [int(happened) for _, happened in pooled], groups)
    if not math.isfinite(p):
        return Outcome("log_rank", reason="no_spread")
    return Outcome("log_rank", float(statistic), 1.0, float(p))
