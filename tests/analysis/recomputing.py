"""Every number of a report, reckoned again from its CSV files by scipy and statsmodels, without anything of ours."""

from __future__ import annotations

import csv
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy import stats
from scipy.special import gamma
from statsmodels.duration.survfunc import SurvfuncRight, survdiff
from statsmodels.regression.linear_model import OLS
from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestIndPower, TTestPower
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

CLOSE = 1e-9
FITTED = 1e-6
"""Of what a search has found: the largest likelihood of a mixed model."""
SIDES = {"lower": "less", "higher": "greater", "differs": "two-sided"}
Row = dict[str, str]
Values = Mapping[tuple[str, str], Mapping[int, float | None]]
"""By condition and measure, of each replicate."""
Seats = Mapping[str, Mapping[int, Sequence[float]]]
"""By condition and replicate, what each seat was paid in all."""


def rows(folder: Path, name: str) -> list[Row]:
    path = folder / f"{name}.csv"
    return list(csv.DictReader(path.open(encoding="utf-8"))) if path.is_file() else []


def number(text: str) -> float | None:
    return float(text) if text else None


def mean_difference(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    return a.mean(axis=axis) - b.mean(axis=axis)


def studentised(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    return stats.ttest_ind(a, b, axis=axis, equal_var=False).statistic


def ranked(values: np.ndarray) -> tuple[np.ndarray, bool]:
    """Ranks, and whether there are ties: values that are the same to ten decimals of the largest."""
    settled = np.round(values / (np.abs(values).max(initial=0.0) or 1.0), 10)
    return stats.rankdata(settled), len(set(settled)) < len(settled)


def rearranged(data: tuple[np.ndarray, ...], statistic: Callable[..., object], kind: str, side: str) -> float:
    """By all arrangements, or by 19 999 that numpy draws with seed 1, as the report says; ties are those to 1e-10."""
    unit = 1.0 if statistic is studentised else max(float(abs(part).max()) for part in data) or 1.0

    def settled(*parts: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.round(statistic(*parts, axis=axis) / unit, 10)  # type: ignore[operator]

    found = stats.permutation_test(
        data, settled, permutation_type=kind, vectorized=True, n_resamples=19_999, alternative=side, batch=2000,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    return float(found.pvalue)


class Checker:
    """Compares what a file says with what is reckoned; counts how many numbers were compared."""

    def __init__(self) -> None:
        self.compared = 0

    def same(self, told: str, reckoned: float | None, what: str, close: float = CLOSE) -> None:
        self.compared += 1
        value = number(told)
        if value is None or reckoned is None or math.isnan(reckoned):
            assert value is None, f"{what}: {told} is told, {reckoned} reckoned"
            assert reckoned is None or math.isnan(reckoned), f"{what}: nothing is told, {reckoned} reckoned"
            return
        assert math.isclose(value, reckoned, rel_tol=close, abs_tol=close), f"{what}: {value}, reckoned {reckoned}"


def check(folder: Path, seats: Seats | None = None, rule: str = "fixed") -> int:
    """How many numbers of a report were compared; raises AssertionError at the first that differs.

    ``seats`` stand in no table of a report: without them what compares seats is left out. ``rule`` of stopping.
    """
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
        elif row["method"] in ("mixed", "clustered"):
            if row["unit"] == "run":
                _clusters(
                    checker,
                    row,
                    {name: _alone(values[name, row["metric"]]) for name, _ in weights(row["contrast"])},
                    paired,
                )
            elif seats is not None:
                _clusters(checker, row, seats, paired)
        elif row["method"] in ("mcnemar", "boschloo"):
            _shares(checker, row, values, replicates)
        elif rule == "always_valid":
            _whenever(checker, row, values, replicates, paired)
        elif paired:
            _paired(checker, row, list(_sides(row, values, replicates)))
        else:
            _apart(checker, row, values)
    for row in comparisons:
        if row["matters"]:
            bound, low, high = (float(row[name]) for name in ("interest", "low", "high"))
            far, near = low > bound or high < -bound, -bound < low and high < bound
            assert row["matters"] == ("yes" if far else "no" if near else "unsure"), row
            checker.compared += 1
    _families(checker, comparisons, rows(folder, "elsewhere"))
    for row in rows(folder, "multiverse"):
        asked = next((one for one in comparisons if one["hypothesis"] == row["hypothesis"]), None)
        if asked is not None and row["leave_out"] == "1.0":  # what others leave out stands in no table
            _chosen(checker, row, asked["contrast"], asked["direction"], values, replicates, paired)
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
    if row["direction"] == "equivalent":
        _within_bounds(checker, row, d, what)
        return
    side = SIDES[row["direction"]]
    t = stats.ttest_rel(of, against, alternative=side)
    moved = d[d != 0]
    ranks, ties = ranked(abs(moved))
    w = stats.wilcoxon(moved, alternative=side)
    signed = ranks * np.sign(moved)
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
    r = float(signed.sum() / ranks.sum())
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


def _within_bounds(checker: Checker, row: Row, d: np.ndarray, what: str) -> None:
    """Two one-sided tests of differences within seeds: the one that says less."""
    bound = float(row["interest"])
    found = {
        "paired_t": [
            float(DescrStatsW(d).ttest_mean(edge, side)[1]) for edge, side in ((-bound, "larger"), (bound, "smaller"))
        ],
        "permutation_paired": [
            rearranged((d - edge,), np.mean, "samples", side) for edge, side in ((-bound, "greater"), (bound, "less"))
        ],
    }
    checker.same(row["p"], max(found[row["method"]]), what)
    if row["check_p"]:
        checker.same(row["check_p"], max(found[row["check_method"]]), what)


def _shares(checker: Checker, row: Row, values: Values, replicates: Sequence[int]) -> None:
    """Shares of runs: exact intervals of each, McNemar's or Boschloo's test, the interval of their difference."""
    what = f"{row['hypothesis']} {row['contrast']}"
    if row["reason"] == "not_binary":
        return
    (a, _), (b, _) = sorted(weights(row["contrast"]), key=lambda part: -part[1])
    over = number(row["over"])

    def yes(name: str, r: int) -> float | None:
        value = values[name, row["metric"]].get(r)
        return value if value is None or over is None else float(value > over)

    both = [(x, y) for r in replicates if (x := yes(a, r)) is not None and (y := yes(b, r)) is not None]
    is_paired = row["method"] == "mcnemar"
    of = [x for x, _ in both] if is_paired else [x for r in replicates if (x := yes(a, r)) is not None]
    against = [y for _, y in both] if is_paired else [y for r in replicates if (y := yes(b, r)) is not None]
    for name, side in (("of", of), ("against", against)):
        checker.same(row[f"mean_{name}"], float(np.mean(side)), what)
        low, high = proportion_confint(round(sum(side)), len(side), 0.05, "beta")
        checker.same(row[f"{name}_low"], float(low), what)
        checker.same(row[f"{name}_high"], float(high), what)
    checker.same(row["difference"], float(np.mean(of) - np.mean(against)), what)
    n, side = len(of), SIDES[row["direction"]]
    if is_paired:
        up, down = sum(x > y for x, y in both), sum(x < y for x, y in both)
        rose, fell = (up + 1) / (n + 2), (down + 1) / (n + 2)  # Bonett and Price
        half = float(stats.norm.isf(0.025)) * math.sqrt((rose + fell - (rose - fell) ** 2) / (n + 2))
        low, high = max(-1.0, rose - fell - half), min(1.0, rose - fell + half)
        p = float(stats.binomtest(up, up + down, alternative=side).pvalue) if up + down else None
    else:
        cells = round(sum(of)), n, round(sum(against)), len(against)
        low, high = confint_proportions_2indep(*cells, method="agresti-caffo", compare="diff", alpha=0.05)
        table = [[cells[0], cells[2]], [n - cells[0], cells[3] - cells[2]]]
        p = None if row["reason"] else min(1.0, float(stats.boschloo_exact(table, alternative=side).pvalue))
    checker.same(row["low"], float(low), what)
    checker.same(row["high"], float(high), what)
    checker.same(row["p"], p, what)


def _alone(of: Mapping[int, float | None]) -> dict[int, list[float]]:
    return {replicate: [value] for replicate, value in of.items() if value is not None}


def _clusters(checker: Checker, row: Row, played: Seats, paired: bool) -> None:
    """Least squares with errors by seed (or run), or a mixed model of the same, written out for the library."""
    what, parts = f"{row['hypothesis']} {row['contrast']}", list(weights(row["contrast"]))
    told = [
        (value, name, str(r) if paired else f"{name} {r}", name)
        for name, _ in parts
        for r, seats in played[name].items()
        for value in seats
    ]
    if row["reason"]:
        return
    values = np.array([one[0] for one in told], dtype=float)
    design = np.array([[float(one[1] == name) for name, _ in parts] for one in told])
    clusters = list(dict.fromkeys(one[2] for one in told))
    groups = np.array([clusters.index(one[2]) for one in told])
    contrast, k = np.array([weight for _, weight in parts]), len(parts)
    if row["method"] == "clustered":
        fit = OLS(values, design).fit(cov_type="cluster", cov_kwds={"groups": groups})
        means, covariance = fit.params, fit.cov_params()
    else:
        runs = None
        if paired and len({(one[2], one[3]) for one in told}) < len(told):  # seats of runs of one seed
            inside = [[one[3] for one in told if one[2] == cluster] for cluster in clusters]
            labels = [list(dict.fromkeys(names)) for names in inside]
            columns = [
                np.array([[float(n == each) for each in names] for n in of])
                for names, of in zip(labels, inside, strict=True)
            ]
            runs = VCSpec(["run"], [labels], [columns])
        scale = values.std()
        for search in ("bfgs", "powell", "nm"):
            fit = MixedLM(values / scale, design, groups=groups, exog_vc=runs).fit(reml=True, method=search)
            if fit.converged:
                break
        means, covariance = np.asarray(fit.fe_params) * scale, np.asarray(fit.cov_params())[:k, :k] * scale**2
    difference, error = float(contrast @ means), math.sqrt(float(contrast @ covariance @ contrast))
    df, t = len(clusters) - 1, difference / error
    close = FITTED if row["method"] == "mixed" else CLOSE
    checker.same(row["df"], df, what)
    p = {"less": stats.t.cdf(t, df), "greater": stats.t.sf(t, df), "two-sided": 2 * stats.t.sf(abs(t), df)}
    half = float(stats.t.isf(0.025, df)) * error
    found = {"difference": difference, "statistic": t, "low": difference - half, "high": difference + half}
    for name, value in {**found, "p": float(p[SIDES[row["direction"]]])}.items():
        checker.same(row[name], value, f"{what} {name}", close)


def _two(
    row: Row, contrast: str, values: Values, replicates: Sequence[int], paired: bool
) -> tuple[float, float, float, float]:
    """Of t: difference, its error, degrees of freedom, and n of a pair or the like of it of two groups."""
    if paired:
        sides = list(_sides({**row, "contrast": contrast}, values, replicates))  # type: ignore[arg-type]
        d = np.array([x - y for x, y in sides])
        return float(d.mean()), float(d.std(ddof=1)) / math.sqrt(len(d)), len(d) - 1, len(d)
    (a, _), (b, _) = sorted(weights(contrast), key=lambda part: -part[1])
    x, y = (np.array([v for v in values[name, row["metric"]].values() if v is not None]) for name in (a, b))
    told = stats.ttest_ind(x, y, equal_var=False)
    error = math.sqrt(x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y))
    return float(x.mean() - y.mean()), error, float(told.df), len(x) * len(y) / (len(x) + len(y))


def _whenever(checker: Checker, row: Row, values: Values, replicates: Sequence[int], paired: bool) -> None:
    """One over the evidence of a t under effects of a standard normal law, and the interval that it inverts to."""
    difference, error, df, n = _two(row, row["contrast"], values, replicates, paired)
    what, t, spread = f"{row['hypothesis']} {row['contrast']}", difference / error, 1 + n
    evidence = (1 + t * t / df) ** ((df + 1) / 2) / (1 + t * t / (df * spread)) ** ((df + 1) / 2) / math.sqrt(spread)
    is_other_side = (row["direction"] == "higher" and t < 0) or (row["direction"] == "lower" and t > 0)
    checker.same(row["p"], 1.0 if is_other_side else min(1.0, 1 / evidence), what)
    for name, sign in (("low", -1), ("high", 1)):
        bound = number(row[name])
        if bound is None:
            continue
        far = (bound - difference) / error * sign
        at = (1 + far**2 / df) ** ((df + 1) / 2) / (1 + far**2 / (df * spread)) ** ((df + 1) / 2) / math.sqrt(spread)
        checker.same(repr(float(row["alpha"])), 1 / at, f"{what} {name}")


def _chosen(
    checker: Checker, row: Row, contrast: str, direction: str, values: Values, replicates: Sequence[int], paired: bool
) -> None:
    """One way to ask a question again, with all runs."""
    what, side = f"{row['hypothesis']} by {row['metric']}, {row['test']}", SIDES[direction]
    if row["reason"] or not paired or row["method"] not in ("paired_t", "wilcoxon", "permutation_paired"):
        return
    d = np.array([x - y for x, y in _sides({**row, "contrast": contrast}, values, replicates)])  # type: ignore[arg-type]
    checker.same(row["difference"], float(d.mean()), what)
    d = np.round(d, 12)  # sums of the same numbers in another order are ties
    moved = d[d != 0]
    ranks, ties = ranked(abs(moved))
    signed = ranks * np.sign(moved)
    ps: dict[str, Callable[[], float]] = {
        "paired_t": lambda: float(stats.ttest_1samp(d, 0, alternative=side).pvalue),
        "wilcoxon": lambda: (
            rearranged((signed,), np.mean, "samples", side)
            if ties
            else float(stats.wilcoxon(moved, alternative=side).pvalue)
        ),
        "permutation_paired": lambda: rearranged((d,), np.mean, "samples", side),
    }
    checker.same(row["p"], ps[row["method"]](), what)
    _standardised(checker, row, float(d.mean() / d.std(ddof=1)), len(d) - 1, math.sqrt(len(d)), what)


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
    if len(parts) != 2 or row["direction"] == "equivalent":
        return
    (a, b) = samples if parts[0][1] > 0 else samples[::-1]
    side = SIDES[row["direction"]]
    told = CompareMeans(DescrStatsW(a), DescrStatsW(b))
    checker.same(row["difference"], float(a.mean() - b.mean()), what)
    low, high = told.tconfint_diff(0.05, usevar="unequal")
    checker.same(row["low"], float(low), what)
    checker.same(row["high"], float(high), what)
    welch = stats.ttest_ind(a, b, equal_var=False, alternative=side)
    ranks, ties = ranked(np.array([*a, *b]))
    u = stats.mannwhitneyu(a, b, alternative=side, method="asymptotic" if ties else "exact")
    halved = ranks[: len(a)], ranks[len(a) :]
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
                if row["verdict"] != "not_delivered" and not row["level"]:  # a look has a level of its own
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
