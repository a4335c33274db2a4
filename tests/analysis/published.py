"""Every number of a publication's report from its CSV files alone: ``python -m tests.analysis.published CRATE…``.

Nothing of ours is used but the names of its columns: means by round and slopes from ``data/rounds.csv`` by numpy, what
measures depend on by SALib and scipy, and the rest as in `recomputing`.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from SALib.analyze import morris, sobol
from SALib.sample import morris as morris_points
from SALib.sample import sobol as sobol_points
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from tests.analysis.recomputing import Checker, Row, check, number, rows

Series = dict[int, float | None]


def check_crate(crate: Path) -> dict[str, int]:
    """How many numbers were compared, by part; raises AssertionError at the first that differs."""
    report = crate / "report"
    declared = json.loads((crate / "declaration.json").read_text()).get("experiment", {})
    rule = (declared.get("stopping") or {}).get("rule", "fixed")
    told = {"runs, comparisons, times": check(report, _paid(crate / "data" / "rounds.csv"), rule)}
    runs, published = (list(csv.DictReader(one.open())) for one in (report / "runs.csv", crate / "data" / "runs.csv"))
    checker = Checker()
    for mine, theirs in zip(runs, published, strict=True):
        for name in mine.keys() & theirs.keys() - {"condition"}:
            if theirs[name] not in ("True", "False"):  # yes and no are no numbers
                checker.same(mine[name], number(theirs[name]), f"{mine['condition']} {name}")
    told["runs of report and data"] = checker.compared
    told["trends, slopes, halves"] = _over_rounds(report, crate / "data" / "rounds.csv")
    told["sensitivity"] = _depends(report, json.loads((crate / "declaration.json").read_text()))
    return told


def _paid(path: Path) -> dict[str, dict[int, list[float]]]:
    """What each seat was paid in all its rounds, by condition and replicate."""
    paid: dict[str, dict[int, list[float]]] = defaultdict(dict)
    for row in csv.DictReader(path.open()):
        given = [float(row[name] or 0) for name in row if name.startswith("payoff_") and name[7:].isdigit()]
        before = paid[row["condition"]].get(int(row["replicate"]), [0.0] * len(given))
        paid[row["condition"]][int(row["replicate"])] = [x + y for x, y in zip(before, given, strict=True)]
    return paid


def _over_rounds(report: Path, path: Path) -> int:
    """By condition and measure, each run's means by round; then bands, slopes and halves of these."""
    checker = Checker()
    trends, slopes, halves = rows(report, "trends"), rows(report, "slopes"), rows(report, "halves")
    wanted = {row["metric"] for row in (*trends, *halves)}
    steps: dict[tuple[str, str], dict[str, dict[int, list[float]]]] = defaultdict(lambda: defaultdict(dict))
    for row in csv.DictReader(path.open()):
        for metric in wanted if row["round"] else ():
            values = steps[row["condition"], metric][row["replicate"]].setdefault(int(row["round"]), [])
            values += [float(row[metric])] if row[metric] else []
    series: dict[tuple[str, str], dict[str, Series]] = {
        key: {run: {n: float(np.mean(v)) if v else None for n, v in of.items()} for run, of in runs.items()}
        for key, runs in steps.items()
    }
    for row in trends:
        found = series[row["condition"], row["metric"]].values()
        _described(checker, row, [one[int(row["round"])] for one in found if int(row["round"]) in one])
    for row in slopes:
        known = [
            [(n, v) for n, v in one.items() if v is not None]
            for one in series[row["condition"], row["metric"]].values()
        ]
        lines = [float(np.polyfit(*zip(*one, strict=True), 1)[0]) for one in known if len(one) > 1]
        _described(checker, row, [*lines, *[None] * (len(known) - len(lines))])
    for row in halves:
        one = series[row["condition"], row["metric"]][row["replicate"]]
        last = max(one)
        for name, half in (("first", range(1, last // 2 + 1)), ("second", range(last // 2 + 1, last + 1))):
            values = [v for n, v in one.items() if n in half and v is not None]
            checker.same(row[name], float(np.mean(values)) if values else None, f"{row} {name}")
    return checker.compared


def _described(checker: Checker, row: Row, sample: Sequence[float | None]) -> None:
    known = np.array([value for value in sample if value is not None])
    checker.same(row["n"], len(known), str(row))
    checker.same(row["undefined"], len(sample) - len(known), str(row))
    if len(known):
        checker.same(row["mean"], float(known.mean()), str(row))
    if len(known) > 1:
        low, high = DescrStatsW(known).tconfint_mean(0.05)
        for name, value in (("sd", np.std(known, ddof=1)), ("low", low), ("high", high)):
            checker.same(row[name], float(value), f"{name} of {row}")


def _depends(report: Path, declaration: dict[str, Any]) -> int:
    """Indices from the points and the means there, by SALib with the declared seed, or by scipy."""
    design = declaration.get("experiment", {}).get("sensitivity")
    checker = Checker()
    if design is None:
        return 0
    names, ranges, seed = list(design["settings"]), list(design["settings"].values()), design["seed"]
    problem = {"num_vars": len(names), "names": names, "bounds": ranges}
    at = {row["condition"]: [float(row[name]) for name in names] for row in rows(report, "points")}
    means = {(row["condition"], row["metric"]): number(row["mean"]) for row in rows(report, "summaries")}
    table = np.array([at[condition] for condition in design["order"]])
    method, samples = design["method"], len(table) // len(names)
    if method == "morris":
        drawn = morris_points.sample(problem, len(table) // (len(names) + 1), num_levels=4, seed=seed)
        assert np.allclose(drawn, table, atol=1e-12)
    if method == "sobol":
        drawn = sobol_points.sample(problem, len(table) // (len(names) + 2), calc_second_order=False, seed=seed)
        assert np.allclose(drawn, table, atol=1e-12)
    for metric in design["metrics"]:
        values = np.array([means[condition, metric] for condition in design["order"]], dtype=float)
        told = {(one["setting"], one["index"]): one for one in rows(report, "sensitivity") if one["metric"] == metric}
        if np.isnan(values).any():
            assert not told, metric
            continue
        found: dict[tuple[str, str], float] = {}
        if method == "one_at_a_time":
            found = {(n, "range"): float(np.ptp(values[k * samples : (k + 1) * samples])) for k, n in enumerate(names)}
        elif method == "latin_hypercube":
            column = enumerate(names)
            found = {(n, "rank_correlation"): float(stats.spearmanr(table[:, k], values).statistic) for k, n in column}
        else:
            made = (
                morris.analyze(problem, table, values, num_levels=4, seed=seed)
                if method == "morris"
                else sobol.analyze(problem, values, calc_second_order=False, seed=seed)
            )
            keys = {"mu_star": "mu_star", "sigma": "sigma"} if method == "morris" else {"first": "S1", "total": "ST"}
            for index, key in keys.items():
                for k, name in enumerate(names):
                    found[name, index] = float(made[key][k])
                    if f"{key}_conf" in made and index != "sigma":
                        half = float(made[f"{key}_conf"][k])
                        checker.same(told[name, index]["low"], float(made[key][k]) - half, f"{metric} {name} low")
                        checker.same(told[name, index]["high"], float(made[key][k]) + half, f"{metric} {name} high")
        assert told.keys() == found.keys()
        for place, value in found.items():
            checker.same(told[place]["value"], value, f"{metric} {place}")
    return checker.compared


if __name__ == "__main__":
    for crate in sys.argv[1:]:
        print(crate, check_crate(Path(crate)))  # noqa: T201
