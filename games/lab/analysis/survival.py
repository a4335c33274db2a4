"""Times until something happens, where some runs end before it: Kaplan and Meier's curves, the log-rank test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.lab.analysis.intervals import CONFIDENCE, tied
from games.lab.analysis.ranks import EXACT_MAX
from games.lab.analysis.resampling import ARRANGEMENTS, groups, mean_difference
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


def log_rank(of: Times, against: Times, most: int = ARRANGEMENTS) -> Outcome:
    """Whether two groups' times differ, two-sided, the groups taken as independent. The statistic is chi-squared(1).

    Up to `EXACT_MAX` runs a group p is that of the rearranged scores (ended less the hazard that it was exposed to),
    whose sum over a group is the statistic's numerator: at small n the chi-squared law rejects too often.
    """
    from statsmodels.duration.survfunc import survdiff

    if len(of) < 2 or len(against) < 2:
        return Outcome("log_rank", reason="too_few")
    ended = [*(happened for _, happened in of), *(happened for _, happened in against)]
    times = tied([*(time for time, _ in of), *(time for time, _ in against)])
    if not any(ended):
        return Outcome("log_rank", reason="no_event")
    pooled = list(zip(times, ended, strict=True))
    if sorted(pooled[: len(of)]) == sorted(pooled[len(of) :]):
        return Outcome("log_rank", reason="identical")
    statistic, p = survdiff(times, [int(one) for one in ended], [1] * len(of) + [0] * len(against))
    if not math.isfinite(p):
        return Outcome("log_rank", reason="no_spread")
    if max(len(of), len(against)) > EXACT_MAX:
        return Outcome("log_rank", float(statistic), 1.0, float(p), False)
    scores = _scores(pooled)
    told = groups(scores[: len(of)], scores[len(of) :], "differs", mean_difference, most)
    return Outcome("log_rank", float(statistic), 1.0, told.p, told.draws is None, draws=told.draws)


def _scores(times: Times) -> list[float]:
    """Of each run, whether it ended less Nelson and Aalen's cumulative hazard until then."""
    ends = sorted({time for time, happened in times if happened})
    steps = {end: sum(t == end and h for t, h in times) / sum(t >= end for t, _ in times) for end in ends}
    return [happened - math.fsum(step for end, step in steps.items() if end <= time) for time, happened in times]
