"""The numbers behind every figure and table, as rows for CSV: whoever has them can reckon everything again.

Numbers are written in full (the shortest text that reads back as the same float); what is undefined is empty.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, overload

from games.lab.analysis.comparing import Compared
from games.lab.analysis.effects import Effect
from games.lab.analysis.intervals import Description
from games.lab.analysis.multiverse import Choice
from games.lab.analysis.result import Result
from games.lab.analysis.runs import Run
from games.lab.analysis.testing import Outcome
from games.lab.analysis.trends import Band

Cell: TypeAlias = str | int | float | bool | None
DESCRIBED = ("n", "undefined", "mean", "sd", "low", "high")


@dataclass(frozen=True, slots=True)
class Table:
    """One file: its name without the ending, its columns, its rows."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]

    def csv(self) -> str:
        """As RFC 4180 has it, but with plain line ends."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return out.getvalue()


class _Rows(Sequence[tuple[Cell, ...]]):
    """A row a run, made when it is asked for: a hundred thousand runs are not held twice."""

    def __init__(self, runs: Sequence[Run], row: Callable[[Run], tuple[Cell, ...]]) -> None:
        self._runs, self._row = runs, row

    def __len__(self) -> int:
        return len(self._runs)

    @overload
    def __getitem__(self, at: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[tuple[Cell, ...]]: ...
    def __getitem__(self, at: int | slice) -> Any:
        return list(map(self._row, self._runs[at])) if isinstance(at, slice) else self._row(self._runs[at])


def tables(result: Result) -> list[Table]:
    """All that have rows: ``runs`` and what is made of them. Where runs were left out, the same of all runs stands
    beside them under ``all-…``.
    """
    made = (
        _runs,
        _summaries,
        _comparisons,
        _arrivals,
        _elsewhere,
        _halves,
        _trends,
        _slopes,
        _times,
        _survival,
        _standings,
        _matrix,
        _points,
        _sensitivity,
        _multiverse,
    )
    found = [table for make in made if (table := make(result)).rows]
    of_all = tables(result.everything) if result.everything is not None else []
    return [*found, *(replace(one, name=f"all-{one.name}") for one in of_all)]


def behind(result: Result, figure: str) -> Iterator[Table]:
    """The numbers that one figure shows, under its name; ``…-seeds`` the single values that it has ticks for."""
    kind, _, metric = figure.partition("-")
    made = {
        "mean": _summaries, "trend": _trends, "time": _survival, "standings": _standings, "sensitivity": _sensitivity,
        "multiverse": _multiverse, "plane": _summaries, "map": _summaries,
    }[kind](result)  # fmt: skip
    if not metric:
        yield made
        return
    at = made.columns.index("hypothesis" if kind == "multiverse" else "metric")
    yield replace(made, name=figure, rows=tuple(row for row in made.rows if row[at] in (metric, *metric.split("-"))))
    if kind == "mean":
        single = _Rows(result.runs, lambda run: (run.condition, run.replicate, run.seed, run.metrics.get(metric)))
        yield Table(f"{figure}-seeds", ("condition", "replicate", "seed", metric), single)


def _runs(result: Result) -> Table:
    names = list(dict.fromkeys(name for run in result.runs for name in run.metrics))
    columns = ("condition", "replicate", "seed", "steps", *names, "not_own", "not_own_worst")

    def row(run: Run) -> tuple[Cell, ...]:
        return run.condition, run.replicate, run.seed, run.steps, *map(run.metrics.get, names), *_others(run)

    return Table("runs", columns, _Rows(result.runs, row))


def _others(run: Run) -> tuple[Cell, ...]:
    """The share of its decisions that were not its seats' own, and that of the seat that has most."""
    conduct = run.conduct
    return (conduct.not_own / conduct.decisions if conduct.decisions else None), conduct.worst


def _summaries(result: Result) -> Table:
    columns = ("condition", "metric", *DESCRIBED, "bootstrap_low", "bootstrap_high")
    rows = []
    for condition, told in result.summaries.items():
        for metric, one in told.items():
            resampled = result.bootstraps.get(condition, {}).get(metric) or (None, None)
            rows.append((condition, metric, *_described(one), *resampled))
    return Table("summaries", columns, tuple(rows))


def _described(one: Description) -> tuple[Cell, ...]:
    return one.n, one.undefined, one.mean, one.sd, one.low, one.high


def contrast_text(weights: Sequence[tuple[str, float]]) -> str:
    """``talk - baseline``; weights other than 1 stand before their condition."""
    parts: list[str] = []
    for name, weight in weights:
        sign = "-" if weight < 0 else "+" if parts else ""
        size = "" if abs(weight) == 1 else f"{abs(weight):.6g} "
        parts.append(f"{sign} {size}{name}" if parts else f"{sign}{size}{name}")
    return " ".join(parts)


def _comparisons(result: Result) -> Table:
    columns = (
        "hypothesis", "kind", "metric", "contrast", "direction", "family", "written", "n", "undefined", "absent",
        "mean_of", "mean_against", "difference", "low", "high", "method", "statistic", "df", "p", "exact", "reason",
        "p_adjusted", "correction", "family_size", "alpha", "verdict", "check_method", "check_p", "effect_kind",
        "effect", "effect_low", "effect_high", "ranks_kind", "ranks", "ranks_low", "ranks_high", "smallest",
        "draws", "interest", "matters", "over", "unit", "of_low", "of_high", "against_low", "against_high",
        "level",
    )  # fmt: skip
    return Table("comparisons", columns, tuple(_compared(result, one) for one in result.comparisons))


def _compared(result: Result, one: Compared) -> tuple[Cell, ...]:
    asked, found = one.comparison, one.difference
    family = result.plan.family(asked.family)
    return (
        asked.hypothesis,
        asked.kind,
        asked.metric,
        contrast_text(list(asked.weights.items())),
        asked.direction,
        asked.family,
        asked.written,
        " ".join(map(str, one.n)),
        one.undefined,
        one.absent,
        one.mean_of,
        one.mean_against,
        found.estimate,
        found.low,
        found.high,
        *_outcome(one.outcome),
        one.p_adjusted,
        family.correction,
        one.family_size,
        family.alpha,
        one.verdict,
        one.check.method if one.check else None,
        one.check.p if one.check else None,
        *_effect(one.effect),
        *_effect(one.ranks),
        one.smallest,
        one.outcome.draws,
        asked.interest,
        one.matters,
        asked.over,
        asked.unit,
        *(one.share_of or (None, None)),
        *(one.share_against or (None, None)),
        one.level,
    )


def _elsewhere(result: Result) -> Table:
    rows = tuple((name, p) for name, ps in result.elsewhere.items() for p in ps)
    return Table("elsewhere", ("family", "p"), rows)


def _arrivals(result: Result) -> Table:
    columns = ("hypothesis", "contrast", "condition", "metric", "over", "under", "of", "arrived", "runs")
    rows = tuple(
        (one.comparison.hypothesis, contrast_text(list(one.comparison.weights.items())), each.condition, each.metric,
         each.over, each.under, each.of, each.arrived, each.runs)
        for one in result.comparisons
        for each in one.arrived
    )  # fmt: skip
    return Table("arrivals", columns, rows)


def _outcome(one: Outcome) -> tuple[Cell, ...]:
    return one.method, one.statistic, one.df, one.p, one.exact, one.reason


def _effect(one: Effect | None) -> tuple[Cell, ...]:
    return (None,) * 4 if one is None else (one.kind, one.estimate, one.low, one.high)


def _halves(result: Result) -> Table:
    columns = ("condition", "replicate", "seed", "metric", "first", "second")
    return Table(
        "halves", columns, tuple((r.condition, r.replicate, r.seed, r.metric, *r.halves) for r in result.halves)
    )


def _trends(result: Result) -> Table:
    columns = ("condition", "metric", "round", *DESCRIBED)
    rows = (
        (condition, metric, number, *_described(one))
        for condition, metric, band in _bands(result)
        for number, one in zip(band.rounds, band.values, strict=True)
    )
    return Table("trends", columns, tuple(rows))


def _slopes(result: Result) -> Table:
    rows = ((condition, metric, *_described(band.slope)) for condition, metric, band in _bands(result))
    return Table("slopes", ("condition", "metric", *DESCRIBED), tuple(rows))


def _bands(result: Result) -> Iterator[tuple[str, str, Band]]:
    for condition, told in result.bands.items():
        for metric, band in told.items():
            yield condition, metric, band


def _times(result: Result) -> Table:
    columns = ("condition", "metric", "n", "ended", "censored", "median", "low", "high")
    rows = (
        (condition, metric, one.n, one.ended, one.censored, one.median, one.median_low, one.median_high)
        for condition, told in result.curves.items()
        for metric, one in told.items()
    )
    return Table("times", columns, tuple(rows))


def _survival(result: Result) -> Table:
    columns = ("condition", "metric", "time", "at_risk", "ended", "share", "low", "high")
    rows = (
        (condition, metric, point.time, point.at_risk, point.ended, point.share, point.low, point.high)
        for condition, told in result.curves.items()
        for metric, one in told.items()
        for point in one.points
    )
    return Table("survival", columns, tuple(rows))


def _standings(result: Result) -> Table:
    columns = ("rank", "entrant", *DESCRIBED, "rank_low", "rank_high", "wins", "draws", "losses", "mu", "sigma")
    if result.standings is None:
        return Table("standings", columns, ())
    rows = (
        (
            one.rank,
            one.name,
            *_described(one.score),
            one.rank_low,
            one.rank_high,
            one.wins,
            one.draws,
            one.losses,
            one.mu,
            one.sigma,
        )
        for one in result.standings.places
    )
    return Table("standings", columns, tuple(rows))


def _matrix(result: Result) -> Table:
    columns = ("entrant", "against", *DESCRIBED)
    if result.standings is None:
        return Table("matrix", columns, ())
    names = result.standings.names
    rows = (
        (names[row], names[col], *_described(cell))
        for row, cells in enumerate(result.standings.matrix)
        for col, cell in enumerate(cells)
        if cell is not None
    )
    return Table("matrix", columns, tuple(rows))


def _points(result: Result) -> Table:
    """Where each condition of a sensitivity design stands; with ``summaries``, all that its indices are made of."""
    design = result.plan.sensitivity
    if design is None:
        return Table("points", (), ())
    rows: list[tuple[str | float, ...]] = [
        (name, *(point[setting] for setting in design.ranges)) for name, point in design.points.items()
    ]
    return Table("points", ("condition", *design.ranges), tuple(rows))


def _sensitivity(result: Result) -> Table:
    rows = ((one.metric, each.setting, each.kind, each.value, each.low, each.high)
            for one in result.sensitivity for each in one.indices)  # fmt: skip
    return Table("sensitivity", ("metric", "setting", "index", "value", "low", "high"), tuple(rows))


def _multiverse(result: Result) -> Table:
    columns = (
        "hypothesis", "metric", "test", "leave_out", "n", "difference", "low", "high", "method", "statistic", "df", "p",
        "exact", "reason", "effect_kind", "effect", "effect_low", "effect_high", "verdict",
    )  # fmt: skip
    rows = tuple(_chosen(name, one) for name, choices in result.multiverse.items() for one in choices)
    return Table("multiverse", columns, rows)


def _chosen(name: str, one: Choice) -> tuple[Cell, ...]:
    found, difference = one.found, one.found.difference
    n = " ".join(map(str, found.n))
    told = name, one.metric, one.test, one.leave_out, n, difference.estimate, difference.low, difference.high
    return (*told, *_outcome(found.outcome), *_effect(found.effect), found.verdict)
