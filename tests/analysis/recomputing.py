"""Every number of a report, reckoned again from its CSV files by scipy and statsmodels, without anything of ours."""

from __future__ import annotations

import csv
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy import stats
from scipy.special import gamma
from statsmodels.duration.survfunc import SurvfuncRight, survdiff
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestIndPower, TTestPower
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

CLOSE = 1e-9
SIDES = {"lower": "less", "higher": "greater", "differs": "two-sided"}
Row = dict[str, str]


def rows(folder: Path, name: str) -> list[Row]:
    path = folder / f"{name}.csv"
    return list(csv.DictReader(path.open(encoding="utf-8"))) if path.is_file() else []


def number(text: str) -> float | None:
    return float(text) if text else None


def mean_difference(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    return a.mean(axis=axis) - b.mean(axis=axis)


def studentised(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    return stats.ttest_ind(a, b, axis=axis, equal_var=False).statistic


def rearranged(data: tuple[np.ndarray, ...], statistic: Callable[..., object], kind: str, side: str) -> float:
    """By all arrangements, or by 19 999 that numpy draws with seed 1, as the report says."""
    found = stats.permutation_test(
        data, statistic, permutation_type=kind, vectorized=True, n_resamples=19_999, alternative=side, batch=2000,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    return float(found.pvalue)


class Checker:
    """Compares what a file says with what is reckoned; counts how many numbers were compared."""

    def __init__(self) -> None:
        self.compared = 0

    def same(self, told: str, reckoned: float | None, what: str) -> None:
        self.compared += 1
        value = number(told)
        if value is None or reckoned is None or math.isnan(reckoned):
            assert value is None, f"{what}: {told} is told, {reckoned} reckoned"
            assert reckoned is None or math.isnan(reckoned), f"{what}: nothing is told, {reckoned} reckoned"
            return
        assert math.isclose(value, reckoned, rel_tol=CLOSE, abs_tol=CLOSE), f"{what}: {value}, reckoned {reckoned}"


def check(folder: Path) -> int:
    """How many numbers of a report were compared; raises AssertionError at the first that differs."""
    checker = Checker()
    runs = rows(folder, "runs")
    values: dict[tuple[str, str], dict[int, float | None]] = defaultdict(dict)
    for run in runs:
        for name, text in run.items():
            values[run["condition"], name][int(run["replicate"])] = number(text) if name != "condition" else None
    for row in rows(folder, "summaries"):
        _summary(checker, row, list(values[row["condition"], row["metric"]].values()))
    halves: dict[tuple[str, str], dict[int, tuple[float | None, float | None]]] = defaultdict(dict)
    for row in rows(folder, "halves"):
        sides = number(row["first"]), number(row["second"])
        halves[row["condition"], row["metric"]][int(row["replicate"])] = sides
    comparisons = rows(folder, "comparisons")
    replicates = sorted({int(run["replicate"]) for run in runs})
    paired = len({(r["replicate"], r["seed"]) for r in runs}) == len(replicates)
    for row in comparisons:
        if row["kind"] == "halves":
            found = halves[row["contrast"], row["metric"]]
            sides = [(second, first) for first, second in found.values() if first is not None and second is not None]
            _paired(checker, row, [(a, b) for a, b in sides if a is not None and b is not None])
        elif row["method"] == "log_rank":
            _log_rank(checker, row, values)
        elif paired:
            _paired(checker, row, list(_sides(row, values, replicates)))
        else:
            _apart(checker, row, values)
    _families(checker, comparisons, rows(folder, "elsewhere"))
    for row in rows(folder, "times"):
        _curve(checker, row, values, [r for r in rows(folder, "survival") if _of(r, row)])
    return checker.compared


def _of(row: Row, other: Row) -> bool:
    return (row["condition"], row["metric"]) == (other["condition"], other["metric"])


def _summary(checker: Checker, row: Row, sample: Sequence[float | None]) -> None:
    known = np.array([value for value in sample if value is not None])
    what = f"{row['condition']} {row['metric']}"
    checker.same(row["n"], len(known), what)
    checker.same(row["undefined"], len(sample) - len(known), what)
    if not len(known):
        assert not row["mean"], what
        return
    told = DescrStatsW(known)
    checker.same(row["mean"], float(told.mean), what)
    if len(known) < 2:
        assert not row["low"], what
        return
    checker.same(row["sd"], float(np.std(known, ddof=1)), what)
    low, high = told.tconfint_mean(0.05)
    checker.same(row["low"], float(low), what)
    checker.same(row["high"], float(high), what)


def weights(contrast: str) -> Iterator[tuple[str, float]]:
    """``b - 0.5 a`` as (b, 1), (a, -0.5)."""
    for sign, size, name in re.findall(r"(?:^|(?<= ))([+-]?) ?(?:(\d[\d.e-]*) )?([A-Za-z0-9][\w.-]*)", contrast):
        yield name, (-1 if sign == "-" else 1) * float(size or 1)


def _sides(
    row: Row, values: dict[tuple[str, str], dict[int, float | None]], replicates: Sequence[int]
) -> Iterator[tuple[float, float]]:
    parts = list(weights(row["contrast"]))
    for replicate in replicates:
        found = [values[name, row["metric"]].get(replicate) for name, _ in parts]
        if all(value is not None for value in found):
            weighted = [(weight, value or 0.0) for (_, weight), value in zip(parts, found, strict=True)]
            yield sum(w * v for w, v in weighted if w > 0), -sum(w * v for w, v in weighted if w < 0)


def _paired(checker: Checker, row: Row, sides: Sequence[tuple[float, float]]) -> None:
    what = f"{row['hypothesis']} {row['contrast']}"
    checker.same(row["n"], len(sides), what)
    if not sides:
        return
    of, against = (np.array(side, dtype=float) for side in zip(*sides, strict=True))
    scale = max(abs(of).max(), abs(against).max())
    d = of - against
    d[abs(d) <= 1e-12 * scale] = 0
    checker.same(row["mean_of"], float(of.mean()), what)
    checker.same(row["mean_against"], float(against.mean()), what)
    checker.same(row["difference"], float(d.mean()), what)
    if len(d) < 2 or np.ptp(d) <= 1e-12 * abs(d).max():
        assert row["reason"] in ("too_few", "identical", "no_spread") or row["method"] == "wilcoxon", what
        return
    low, high = DescrStatsW(d).tconfint_mean(0.05)
    checker.same(row["low"], float(low), what)
    checker.same(row["high"], float(high), what)
    side = SIDES[row["direction"]]
    t = stats.ttest_rel(of, against, alternative=side)
    moved = d[d != 0]
    ties = len(set(abs(moved))) < len(moved)
    w = stats.wilcoxon(moved, alternative=side)
    signed = stats.rankdata(abs(moved)) * np.sign(moved)
    ps = {
        "paired_t": float(t.pvalue),
        "wilcoxon": rearranged((signed,), np.mean, "samples", side) if ties else float(w.pvalue),
        "permutation_paired": rearranged((d,), np.mean, "samples", side),
    }
    checker.same(row["p"], ps[row["method"]], what)
    checker.same(row["check_p"], ps[row["check_method"]], what)
    if row["method"] == "paired_t":
        checker.same(row["statistic"], float(t.statistic), what)
        checker.same(row["df"], len(d) - 1, what)
    elif row["method"] == "wilcoxon":
        checker.same(row["statistic"], float(w.statistic), what)
    n, sd = len(d), float(np.std(d, ddof=1))
    _standardised(checker, row, float(d.mean()) / sd, n - 1, math.sqrt(n), what)
    ranks = stats.rankdata(abs(moved))
    r = float((ranks * np.sign(moved)).sum() / ranks.sum())
    checker.same(row["ranks"], r, what)
    m = len(moved)
    variance, z = float((ranks**2).sum() / ranks.sum() ** 2), float(stats.t.ppf(0.975, m - 1)) if m > 1 else 0.0
    for name in ("ranks_low", "ranks_high") if m > 1 else ():
        bound = ((number(row[name]) or 0.0) + 1) / 2
        away = ((r + 1) / 2 - bound) ** 2 - z**2 * variance * bound * (1 - bound)
        assert abs(away) < CLOSE, f"{what}: {name} is not where the score stands at {z}"
        checker.compared += 1
    sides_of_power = "two-sided" if row["direction"] == "differs" else "larger"
    _smallest(
        checker,
        row["smallest"],
        lambda d: TTestPower().power(d / sd, n, 0.05, alternative=sides_of_power),
        lambda d: stats.nct.sf(stats.t.isf(0.025, n - 1), n - 1, d / sd * math.sqrt(n)),
        what,
    )


def _standardised(checker: Checker, row: Row, raw: float, df: int, root: float, what: str) -> None:
    """The corrected size; its bounds are those noncentralities under which the t that was seen is at 97.5% and 2.5%."""
    if df < 2:
        return
    factor = float(gamma(df / 2) / (math.sqrt(df / 2) * gamma((df - 1) / 2)))
    checker.same(row["effect"], raw * factor, what)
    for name, share in (("effect_low", 0.975), ("effect_high", 0.025)):
        bound = number(row[name])
        if bound is not None:
            at = float(stats.nct.cdf(raw * root, df, bound / factor * root))
            assert abs(at - share) < CLOSE, f"{what}: {name} is at {at}"
            checker.compared += 1
        else:
            assert abs(raw * root) > 36, f"{what}: no {name}"


def _apart(checker: Checker, row: Row, values: dict[tuple[str, str], dict[int, float | None]]) -> None:
    what = f"{row['hypothesis']} {row['contrast']}"
    parts = list(weights(row["contrast"]))
    samples = [np.array([v for v in values[name, row["metric"]].values() if v is not None]) for name, _ in parts]
    if len(parts) != 2:
        return
    (a, b) = samples if parts[0][1] > 0 else samples[::-1]
    side = SIDES[row["direction"]]
    told = CompareMeans(DescrStatsW(a), DescrStatsW(b))
    checker.same(row["difference"], float(a.mean() - b.mean()), what)
    low, high = told.tconfint_diff(0.05, usevar="unequal")
    checker.same(row["low"], float(low), what)
    checker.same(row["high"], float(high), what)
    welch = stats.ttest_ind(a, b, equal_var=False, alternative=side)
    ties = len({*a, *b}) < len(a) + len(b)
    u = stats.mannwhitneyu(a, b, alternative=side, method="asymptotic" if ties else "exact")
    ranked = stats.rankdata([*a, *b])
    halved = ranked[: len(a)], ranked[len(a) :]
    ps = {
        "welch": float(welch.pvalue),
        "mann_whitney": rearranged(halved, mean_difference, "independent", side) if ties else float(u.pvalue),
        "permutation": rearranged((a, b), studentised, "independent", side),
    }
    checker.same(row["p"], ps[row["method"]], what)
    checker.same(row["check_p"], ps[row["check_method"]], what)
    if row["method"] == "welch":
        checker.same(row["statistic"], float(welch.statistic), what)
        checker.same(row["df"], float(welch.df), what)
    n, m = len(a), len(b)
    pooled = math.sqrt(((n - 1) * a.var(ddof=1) + (m - 1) * b.var(ddof=1)) / (n + m - 2))
    _standardised(checker, row, float(a.mean() - b.mean()) / pooled, n + m - 2, math.sqrt(n * m / (n + m)), what)
    checker.same(row["ranks"], float(2 * stats.mannwhitneyu(a, b).statistic / (n * m) - 1), what)
    sides_of_power = "two-sided" if row["direction"] == "differs" else "larger"
    sd = math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2)
    _smallest(
        checker,
        row["smallest"],
        lambda d: TTestIndPower().power(d / sd, min(n, m), 0.05, ratio=1.0, alternative=sides_of_power),
        lambda d: stats.nct.sf(
            stats.t.isf(0.025, 2 * min(n, m) - 2), 2 * min(n, m) - 2, d / sd * math.sqrt(min(n, m) / 2)
        ),
        what,
    )


def _smallest(
    checker: Checker, told: str, share: Callable[[float], float], upper: Callable[[float], float], what: str
) -> None:
    """The difference that is told is shown in eighty of a hundred experiments; the library's own search is coarser.

    ``upper``: the upper tail alone, for few seeds, where the library finds no number for the lower.
    """
    difference = number(told)
    found = None if difference is None else float(share(difference))
    if difference is not None and found is not None and math.isnan(found):
        found = float(upper(difference))
    checker.same("0.8", found, what)


def _timed(
    values: dict[tuple[str, str], dict[int, float | None]], name: str, metric: str
) -> tuple[list[float], list[int]]:
    found, ends = values[name, metric], values[name, "steps"]
    times = [value if value is not None else float(ends[r] or 0) for r, value in found.items()]
    return times, [int(value is not None) for value in found.values()]


def _log_rank(checker: Checker, row: Row, values: dict[tuple[str, str], dict[int, float | None]]) -> None:
    (a, _), (b, _) = sorted(weights(row["contrast"]), key=lambda part: -part[1])
    times, happened = _timed(values, a, row["metric"])
    more, too = _timed(values, b, row["metric"])
    if row["reason"]:
        return
    statistic, p = survdiff(times + more, happened + too, [1] * len(times) + [0] * len(more))
    checker.same(row["statistic"], float(statistic), row["contrast"])
    if max(len(times), len(more)) <= 50:
        both = stats.CensoredData(
            [t for t, h in zip(times + more, happened + too, strict=True) if h],
            right=[t for t, h in zip(times + more, happened + too, strict=True) if not h],
        )
        survival = stats.ecdf(both).sf
        at_risk, ends = survival._n, survival._d  # by the sorted times of all
        hazard = {time: float((ends / at_risk)[survival.quantiles <= time].sum()) for time in {*times, *more}}
        first = [h - hazard[t] for t, h in zip(times, happened, strict=True)]
        second = [h - hazard[t] for t, h in zip(more, too, strict=True)]
        p = rearranged((np.array(first), np.array(second)), mean_difference, "independent", "two-sided")
    checker.same(row["p"], float(p), row["contrast"])


def _families(checker: Checker, comparisons: Sequence[Row], elsewhere: Sequence[Row]) -> None:
    families: dict[str, list[Row]] = defaultdict(list)
    for row in comparisons:
        families[row["family"]].append(row)
    for members in families.values():
        others = [row for row in elsewhere if row["family"] == members[0]["family"]]
        ps = [1.0 if not row["p"] else float(row["p"]) for row in (*members, *others)]
        method = {"holm": "holm", "bh": "fdr_bh"}[members[0]["correction"]]
        reject, adjusted, _, _ = multipletests(ps, alpha=float(members[0]["alpha"]), method=method)
        for row, p, rejected in zip(members, adjusted, reject, strict=False):
            checker.same(row["family_size"], len(ps), row["family"])
            if row["p"]:
                checker.same(row["p_adjusted"], float(p), row["family"])
                assert (row["verdict"] == "shown") == bool(rejected), row
            else:
                assert row["verdict"] in ("untestable", "not_delivered"), row


def _curve(
    checker: Checker, row: Row, values: dict[tuple[str, str], dict[int, float | None]], points: Sequence[Row]
) -> None:
    times, happened = _timed(values, row["condition"], row["metric"])
    what = f"{row['condition']} {row['metric']}"
    checker.same(row["n"], len(times), what)
    checker.same(row["ended"], sum(happened), what)
    if not sum(happened):
        return
    fit = SurvfuncRight(times, happened)
    for point, time, share in zip(points, fit.surv_times, fit.surv_prob, strict=True):
        checker.same(point["time"], float(time), what)
        checker.same(point["share"], float(share), what)
    halved = fit.surv_times[fit.surv_prob <= 0.5 + 1e-12]
    checker.same(row["median"], float(halved[0]) if len(halved) else None, what)
