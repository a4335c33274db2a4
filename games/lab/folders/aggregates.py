"""Metrics by condition and replicate as Parquet: the same rows, the same bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from games.lab.folders.runspec import Played


def table_of(played: Sequence[Played]) -> dict[str, list[Any]]:
    """Columns by name: condition, replicate, seed, steps, then the metrics in the order in which they first appear."""
    names = list(dict.fromkeys(name for one in played for name in one.metrics))
    columns: dict[str, list[Any]] = {
        "condition": [one.condition for one in played],
        "replicate": [one.replicate for one in played],
        "seed": [one.seed for one in played],
        "steps": [one.steps for one in played],
    }
    for name in names:
        if name in columns:
            raise ValueError(f"metric {name!r}: a column of that name is there already; rename the metric")
        columns[name] = [_scalar(name, one.metrics.get(name)) for one in played]
    return columns


def write_aggregates(path: Path, played: Sequence[Played]) -> None:
    """The table as a Parquet file, complete or not at all."""
    pyarrow: Any = import_module("pyarrow")  # takes a quarter of a second, and only this needs it
    parquet: Any = import_module("pyarrow.parquet")

    columns = table_of(played)
    arrays = {name: pyarrow.array(values, type=_type(pyarrow, values)) for name, values in columns.items()}
    building = path.with_name(path.name + ".partial")
    parquet.write_table(pyarrow.table(arrays), building)
    building.replace(path)


def _scalar(name: str, value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"metric {name!r}: {value}; undefined is None")
    if value is not None and not isinstance(value, bool | int | float | str):
        raise ValueError(f"metric {name!r}: a run's metrics are numbers, texts or None")
    return value


def _type(pyarrow: Any, values: Sequence[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pyarrow.bool_()
    if kinds == {int} and all(value is None or -(2**63) <= value < 2**63 for value in values):
        return pyarrow.int64()
    if str in kinds:
        return pyarrow.string()
    return pyarrow.float64()
