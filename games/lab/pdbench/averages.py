"""The averages of every condition over its replicates, as a table beside the aggregates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from games.core.game import Number
from games.core.measures import mean
from games.lab.folders.runspec import Played

AVERAGES: Final = "condition_averages.parquet"
OVER_TIME: Final = "cooperation_rate_over_time"


def table_of(played: Sequence[Played]) -> list[dict[str, Any]]:
    """A row a condition: each measure averaged over the replicates in which it is defined, null where in none."""
    rows = []
    for condition in dict.fromkeys(run.condition for run in played):
        runs = [run.metrics for run in played if run.condition == condition]
        row: dict[str, Any] = {"condition": condition, "replicates": len(runs), **average(runs)}
        if OVER_TIME in row:
            row[OVER_TIME] = json.dumps(over_time([json.loads(str(run[OVER_TIME])) for run in runs if run[OVER_TIME]]))
        rows.append(row)
    return rows


def average(summaries: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Each numeric measure averaged over replicates, those where it is undefined left out; None where all are."""
    names = dict.fromkeys(name for summary in summaries for name in summary)
    averages: dict[str, float | None] = {}
    for name in names:
        values: list[Number] = [summary[name] for summary in summaries if isinstance(summary.get(name), int | float)]
        averages[name] = mean(values)
    return averages


def over_time(series: Sequence[Sequence[float]]) -> list[float | None]:
    """The share of C in each round, averaged over the replicates that reached it."""
    return [mean([value for value in column if value is not None]) for column in zip_longest(*series)]


def write_averages(path: Path, played: Sequence[Played]) -> None:
    """The table as Parquet, complete or not at all."""
    pyarrow: Any = import_module("pyarrow")  # takes a quarter of a second, and only this needs it
    parquet: Any = import_module("pyarrow.parquet")
    rows = table_of(played)
    columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    kinds = {"condition": pyarrow.string(), "replicates": pyarrow.int64(), OVER_TIME: pyarrow.string()}
    arrays = {name: pyarrow.array(values, type=kinds.get(name, pyarrow.float64())) for name, values in columns.items()}
    building = path.with_name(path.name + ".partial")
    parquet.write_table(pyarrow.table(arrays), building)
    building.replace(path)
