"""Values that are not independent: seats that share a run, runs that share a seed.

A row is a run, or a seat of one. Rows of one seed (or, where every condition has its own, of one run) are a cluster.
The mixed model takes what they have in common as drawn from a normal law; the clustered one lets it be anything.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from games.lab.analysis.intervals import is_constant, t_quantile
from games.lab.analysis.testing import Difference, Direction, Method, Outcome, Reason

SEARCHES: Final = ("bfgs", "powell", "nm")
"""For the largest likelihood of a mixed model, in turn until one converges; the library's first choice often fails."""


@dataclass(frozen=True, slots=True)
class Row:
    """A value, the condition that it was played under, its cluster, and the run within that."""

    value: float
    condition: str
    cluster: str
    run: str


def clustered(
    rows: Sequence[Row], weights: Mapping[str, float], direction: Direction, by: Literal["mixed", "clustered"]
) -> tuple[Difference, Outcome]:
    """The weighted sum of the conditions' means with its interval and test, by statsmodels.

    Both take Student's t with as many degrees of freedom as there are clusters less one. ``mixed``: restricted maximum
    likelihood, a random intercept of each cluster and of each run with several rows in it. ``clustered``: least squares
    with errors by cluster, corrected for their number.
    Sources: Laird and Ware, Biometrics 38 (1982); Cameron and Miller, J. Hum. Resour. 50 (2015).
    """
    method: Method = by
    names = [name for name in weights if any(row.condition == name for row in rows)]
    clusters = list(dict.fromkeys(row.cluster for row in rows))
    if len(names) < len(weights) or len(clusters) < 3 or len(rows) <= len(names) + 1:
        return Difference(None), Outcome(method, reason="too_few")
    if is_constant([row.value for row in rows]):
        return Difference(0.0), Outcome(method, reason="identical")
    values = np.asarray([row.value for row in rows])
    scale = float(values.std())
    design = np.asarray([[float(row.condition == name) for name in names] for row in rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            means, covariance = (_mixed if by == "mixed" else _least_squares)(values / scale, design, rows)
        except (np.linalg.LinAlgError, ValueError):
            return Difference(None), Outcome(method, reason="no_fit")
    contrast = np.asarray([weights[name] for name in names])
    estimate, variance = float(contrast @ means) * scale, float(contrast @ covariance @ contrast) * scale**2
    if not math.isfinite(variance) or variance <= 0:
        reason: Reason = "no_spread" if variance == 0 else "no_fit"
        return Difference(estimate), Outcome(method, reason=reason)
    return _tested(estimate, math.sqrt(variance), len(clusters) - 1, direction, method)


def _tested(estimate: float, error: float, df: int, direction: Direction, method: Method) -> tuple[Difference, Outcome]:
    from scipy.special import stdtr  # type: ignore[import-untyped]

    t, half = estimate / error, t_quantile(df) * error
    p = {"lower": stdtr(df, t), "higher": stdtr(df, -t), "differs": 2 * stdtr(df, -abs(t))}[direction]
    return Difference(estimate, estimate - half, estimate + half), Outcome(method, t, float(df), float(p))


def _mixed(values: Any, design: Any, rows: Sequence[Row]) -> tuple[Any, Any]:
    from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec  # type: ignore[import-untyped]

    parts = None
    if len({(row.cluster, row.run) for row in rows}) < len(rows) and any(row.run for row in rows):
        names, columns = [], []
        for cluster in dict.fromkeys(row.cluster for row in rows):
            inside = [row.run for row in rows if row.cluster == cluster]
            runs = list(dict.fromkeys(inside))
            names.append(runs)
            columns.append(np.asarray([[float(run == each) for each in runs] for run in inside]))
        parts = VCSpec(["run"], [names], [columns])
    groups = [row.cluster for row in rows]
    if len(set(groups)) == len(groups):
        raise ValueError("no two rows share a cluster, so that nothing can be told apart")
    model = MixedLM(values, design, groups=groups, exog_vc=parts)
    k = design.shape[1]
    for search in SEARCHES:
        try:
            fit = model.fit(reml=True, method=search)
        except np.linalg.LinAlgError:  # the search left the variances that there can be
            continue
        if fit.converged:
            return np.asarray(fit.fe_params), np.asarray(fit.cov_params())[:k, :k]
    raise ValueError("no search converges")


def _least_squares(values: Any, design: Any, rows: Sequence[Row]) -> tuple[Any, Any]:
    from statsmodels.regression.linear_model import OLS  # type: ignore[import-untyped]

    codes = {cluster: number for number, cluster in enumerate(dict.fromkeys(row.cluster for row in rows))}
    fit = OLS(values, design).fit(cov_type="cluster", cov_kwds={"groups": [codes[row.cluster] for row in rows]})
    return np.asarray(fit.params), np.asarray(fit.cov_params())
