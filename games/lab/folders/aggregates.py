"""Metrics by condition and replicate as Parquet: the same rows, the same bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, Final

from games.lab.folders.runspec import Played
from games.lab.wire.plainjson import encoded

_KEYS: Final = ("condition", "replicate", "seed", "steps")
ROWS_AT_ONCE: Final = 2000
"""Rows of a group: so many are held at a time."""


def write_aggregates(path: Path, played: Collection[Played]) -> None:
    """The table as a Parquet file, complete or not at all; the runs are gone through twice.

    Columns: condition, replicate, seed, steps, then the metrics in the order in which they first appear.
    """
    write_rows(path, lambda: map(_row, played), _KEYS)


def write_rows(path: Path, rows: Callable[[], Iterable[Mapping[str, Any]]], columns: Sequence[str] = ()) -> list[str]:
    """As `write_aggregates`, of any rows, which ``rows`` gives anew each time; the names of the columns."""
    pyarrow: Any = import_module("pyarrow")  # takes a quarter of a second, and only this needs it
    parquet: Any = import_module("pyarrow.parquet")

    kinds: dict[str, set[type]] = {name: set() for name in columns}
    for one in rows():
        for name, value in one.items():
            kinds.setdefault(name, set()).add(_kind(value))
    schema = pyarrow.schema([(name, _type(pyarrow, found)) for name, found in kinds.items()])
    building = path.with_name(path.name + ".partial")
    with parquet.ParquetWriter(building, schema) as writer:
        for batch in _batches(rows()):
            writer.write_table(_table(schema, b"\n".join(map(encoded, batch))))
    building.replace(path)
    return list(kinds)


def check_measures(played: Played) -> None:
    """Raises ValueError where a measure of a run is none that the table can hold."""
    _row(played)


def _table(schema: Any, lines: bytes) -> Any:
    """JSON lines as a table in one piece. Out of Python's values an array would load pandas first."""
    json: Any = import_module("pyarrow.json")
    reading = json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
    parsing = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    return json.read_json(BytesIO(lines), reading, parsing)


def _batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    left = iter(rows)
    while batch := list(islice(left, ROWS_AT_ONCE)):
        yield batch


def _row(one: Played) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(one, name) for name in _KEYS}
    for name, value in one.metrics.items():
        if name in _KEYS:
            raise ValueError(f"metric {name!r}: a column of that name is there already; rename the metric")
        row[name] = _scalar(name, value)
    return row


class _Wide:
    """The kind of a whole number beyond 64 bits."""


def _kind(value: Any) -> type:
    return _Wide if isinstance(value, int) and not -(2**63) <= value < 2**63 else type(value)


def _scalar(name: str, value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"metric {name!r}: {value}; undefined is None")
    if value is not None and not isinstance(value, bool | int | float | str):
        raise ValueError(f"metric {name!r}: a run's metrics are numbers, texts or None")
    return value


def _type(pyarrow: Any, found: set[type]) -> Any:
    kinds = found - {type(None)}
    if kinds == {bool}:
        return pyarrow.bool_()
    if kinds == {int}:
        return pyarrow.int64()
    return pyarrow.string() if str in kinds else pyarrow.float64()
