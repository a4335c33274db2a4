"""What the runs of a folder came to: each condition's measures as means with intervals, and the table of a round robin.

Measures are read from ``aggregates.parquet`` where the manifest covers it, and measured again where it does not. The
interval is Student's, mean +- t(0.975, n-1) s / sqrt(n), over the replicates in which the measure is defined; None
where there are fewer than two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from games.errors import extras
from games.lab.analysis.intervals import CONFIDENCE as CONFIDENCE
from games.lab.analysis.intervals import describe
from games.lab.analysis.tally import defined
from games.lab.folders.aggregating import measured as measured_again
from games.lab.folders.folder import AGGREGATES
from games.lab.folders.reading import RunFolder
from games.lab.folders.standings import Outcome, Standings
from games.lab.scenarios.naming import agent_label

_KEYS = frozenset({"condition", "replicate", "seed", "steps"})
Measured = Mapping[tuple[str, int], Mapping[str, Any]]
"""The numeric measures of each run, by condition and replicate."""


@dataclass(frozen=True, slots=True)
class Spread:
    """One measure over replicates: its mean, the half width of its interval, and in how many runs it is defined."""

    mean: float | None
    half: float | None
    n: int

    def plain(self) -> dict[str, float | int | None]:
        return {"mean": self.mean, "half": self.half, "n": self.n}


def spread(values: Sequence[float]) -> Spread:
    told = describe(values, has_interval=extras.has("scipy"))
    return Spread(told.mean, told.half, told.n)


def measured(folder: RunFolder) -> Measured:
    """The measures of every run. Raises `BadFolder` where the aggregates are not the bytes that were written.

    Older folders have no digest of their aggregates, and a base install writes none: their runs are measured again
    from the rounds.
    """
    if not folder.covers(AGGREGATES) or not extras.has("pyarrow"):
        return {(run.condition, run.replicate): _numbers(run.metrics) for run in measured_again(folder)}
    if AGGREGATES in folder.altered((AGGREGATES,)):
        raise folder.bad(AGGREGATES, "not the bytes that were written; make it anew with polity aggregate")
    return {run: _numbers(row) for run, row in aggregates_of(folder).items()}


def aggregates_of(folder: RunFolder) -> dict[tuple[str, int], dict[str, Any]]:
    """The rows of ``aggregates.parquet`` by condition and replicate, measures alone, as they stand there.

    Raises `BadFolder` where the file is missing or cannot be read.
    """
    rows: list[dict[str, Any]] = _table(folder).to_pylist()
    return {
        (row["condition"], row["replicate"]): {name: value for name, value in row.items() if name not in _KEYS}
        for row in rows
    }


def _table(folder: RunFolder, columns: Sequence[str] | None = None) -> Any:
    """``columns``: these alone."""
    return _opened(folder, lambda file: file.read(columns, use_threads=False))


def _opened(folder: RunFolder, read: Callable[[Any], Any]) -> Any:
    parquet: Any = import_module("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(folder.path / AGGREGATES)  # read_table would load pandas
        if not {"condition", "replicate"} <= set(file.schema_arrow.names):
            raise KeyError(AGGREGATES)
        return read(file)
    except FileNotFoundError:
        raise folder.bad(AGGREGATES, "missing; make it anew with polity aggregate") from None
    except (OSError, ValueError, KeyError):
        raise folder.bad(AGGREGATES, "cannot be read; make it anew with polity aggregate") from None


class Measures(Mapping[str, float | None]):
    """One run's measures, from columns that all runs share; what is undefined, or no number, is None."""

    __slots__ = ("_at", "_columns")

    def __init__(self, columns: Mapping[str, Any], at: int) -> None:
        self._columns, self._at = columns, at

    def __getitem__(self, name: str) -> float | None:
        value = float(self._columns[name][self._at])
        return None if value != value else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def measures(folder: RunFolder) -> Callable[[str, int], Mapping[str, float | None]]:
    """As `measured`, by condition and replicate, with numbers alone, as statistics want them; of many runs in little
    memory. A run that is not there has none.
    """
    if not folder.covers(AGGREGATES):
        found = measured(folder)
        plain = {run: {name: defined(value) for name, value in row.items()} for run, row in found.items()}
        return lambda condition, replicate: plain.get((condition, replicate), {})
    if AGGREGATES in folder.altered((AGGREGATES,)):
        raise folder.bad(AGGREGATES, "not the bytes that were written; make it anew with polity aggregate")
    columns = {name: values for name, (_, values) in sorted(_columns(folder), key=lambda pair: pair[1][0])}
    places: dict[str, dict[int, int]] = {}
    keys = _table(folder, ["condition", "replicate"])
    for at, (condition, replicate) in enumerate(
        zip(*(keys[name].to_pylist() for name in keys.column_names), strict=True)
    ):
        places.setdefault(condition, {})[replicate] = at
    del keys
    import_module("pyarrow").default_memory_pool().release_unused()

    def of(condition: str, replicate: int) -> Mapping[str, float | None]:
        at = places.get(condition, {}).get(replicate)
        return {} if at is None else Measures(columns, at)

    return of


def _columns(folder: RunFolder) -> Iterator[tuple[str, tuple[int, Any]]]:
    """Each measure with the first row that has it, and its values, NaN where there is none. Texts are no measures."""
    types: Any = import_module("pyarrow.types")
    names = _opened(folder, lambda file: file.schema_arrow.names)
    for name in [name for name in names if name not in _KEYS]:
        column = _table(folder, [name])[name]
        if types.is_boolean(column.type) or types.is_string(column.type):
            if types.is_string(column.type) and not column.null_count:
                continue
            first = 0 if types.is_boolean(column.type) else column.is_null().to_pylist().index(True)
            yield name, (first, np.full(len(column), np.nan))
        else:
            chunks = column.cast("float64", safe=False).chunks
            yield name, (0, np.concatenate([_floats(one) for one in chunks] or [np.empty(0)]))


def _floats(chunk: Any) -> Any:
    """An Arrow array of floats for numpy; its own way there would load pandas."""
    values = np.frombuffer(chunk.buffers()[1], dtype=np.float64)[chunk.offset : chunk.offset + len(chunk)]
    return np.where(chunk.is_null().to_pylist(), np.nan, values) if chunk.null_count else values


def _numbers(metrics: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metrics.items() if not isinstance(value, str)}


def summaries(conditions: Iterable[str], found: Measured) -> dict[str, dict[str, Spread]]:
    """Each measure of each condition, in the order in which the folder has them."""
    by_condition: dict[str, list[Mapping[str, Any]]] = {name: [] for name in conditions}
    for (condition, _), metrics in found.items():
        by_condition.setdefault(condition, []).append(metrics)
    told: dict[str, dict[str, Spread]] = {}
    for condition, runs in by_condition.items():
        names = dict.fromkeys(name for run in runs for name in run)
        values = {name: [run[name] for run in runs if isinstance(run.get(name), int | float)] for name in names}
        told[condition] = {name: spread([float(value) for value in row]) for name, row in values.items() if row}
    return told


# --- a round robin ----------------------------------------------------------------------------------


def robin(folder: RunFolder, found: Measured) -> dict[str, Any] | None:
    """The standings where every two of at least three agents met, as the game counts them; else None.

    ``cells[row][col]`` names the condition in which row met col, and None where they did not. Void runs do not count.
    """
    counted = folder.pack.standings
    if not counted or not found:
        return None
    seated: dict[str, tuple[str, str]] = {}
    for name, told in folder.conditions.items():
        if len(told["agents"]) != 2:
            return None
        config = folder.config(name)
        a, b = (agent_label(folder.pack, config, agent) for agent in told["agents"])
        seated[name] = a, b
    names = list(dict.fromkeys(label for pair in seated.values() for label in pair))
    number = {name: n for n, name in enumerate(names)}
    cells: list[list[str | None]] = [[None] * len(names) for _ in names]
    for condition, (a, b) in seated.items():
        row, col = number[a], number[b]
        if cells[row][col] is not None:
            return None  # the same two under different conditions: no round robin, but a comparison
        cells[row][col] = cells[col][row] = condition
    if len(names) < 3 or any(cells[i][j] is None for i in range(len(names)) for j in range(i)):
        return None
    outcomes = []
    for (condition, replicate), metrics in found.items():
        if condition in seated and all(metrics.get(name) is not None for pair in counted.values() for name in pair):
            a, b = seated[condition]
            values = {kind: (metrics[of_a], metrics[of_b]) for kind, (of_a, of_b) in counted.items()}
            outcomes.append(Outcome(number[a], number[b], replicate, values))
    counts_itself = folder.manifest.get("tournament", {}).get("self_play") == "scored"
    return {"names": names, "cells": cells, **Standings(names, outcomes, tuple(counted), counts_itself).plain()}
