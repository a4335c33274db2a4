"""Rows as bytes: JSON lines, CSV, Parquet. Few rows are held at a time, whatever the number of all."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

from games.lab.wire.plainjson import encoded
from games.site.exports.plan import Plan
from games.site.exports.tables import Column, Row, rows_of

Format: TypeAlias = Literal["jsonl", "csv", "parquet", "zip"]
CONTENT_TYPES: Final = {
    "jsonl": "application/x-ndjson; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "zip": "application/zip",
}
CHUNK: Final = 256 * 1024
"""Bytes that are sent at once, about."""
GROUP: Final = 20_000
"""Rows of one row group of a Parquet file."""
BOM: Final = b"\xef\xbb\xbf"
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class WrongCount(RuntimeError):
    """Other rows came than were counted before: the file is not whole, and its sending breaks off."""


def all_rows(plan: Plan) -> Iterator[Row]:
    """Every row, each run's number checked against what was counted; raises `WrongCount`."""
    for chosen, expected in zip(plan.chosen, plan.by_run, strict=True):
        came = 0
        for row in rows_of(plan.level, chosen, plan.measures, labels=plan.labels):
            came += 1
            yield row
        if came != expected:
            raise WrongCount(f"run {chosen.run_id}: {came} {plan.level} came; {expected} were counted")


def written(plan: Plan, form: Format, *, bom: bool = False) -> Iterator[bytes]:
    """The table in one of the forms, in chunks."""
    match form:
        case "jsonl":
            return _jsonl(plan)
        case "csv":
            return _csv(plan, bom)
        case _:
            return _parquet(plan)


def _jsonl(plan: Plan) -> Iterator[bytes]:
    names = [column.name for column in plan.columns]
    held, size = [], 0
    for row in all_rows(plan):
        line = encoded(dict(zip(names, map(_plain, row), strict=True)))
        held.append(line)
        size += len(line) + 1
        if size >= CHUNK:
            yield b"\n".join([*held, b""])
            held, size = [], 0
    yield b"\n".join([*held, b""])


def _plain(value: Any) -> Any:
    return _stamp(value) if isinstance(value, datetime) else value


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _csv(plan: Plan, bom: bool) -> Iterator[bytes]:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow([column.name for column in plan.columns])
    if bom:
        yield BOM
    for row in all_rows(plan):
        table.writerow([_cell(column, value) for column, value in zip(plan.columns, row, strict=True)])
        if text.tell() >= CHUNK:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
    yield text.getvalue().encode()


def _cell(column: Column, value: Any) -> Any:
    """As a spreadsheet takes it: no text of a person or a model is read as a formula."""
    if value is None:
        return ""
    if column.kind == "json":
        return encoded(value).decode()
    if isinstance(value, datetime):
        return _stamp(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _parquet(plan: Plan) -> Iterator[bytes]:
    """Written to a file that has no name, since its index stands at its end; then sent."""
    pa: Any = import_module("pyarrow")
    pq: Any = import_module("pyarrow.parquet")
    kinds = {
        "whole": pa.int64(),
        "number": pa.float64(),
        "text": pa.string(),
        "json": pa.string(),
        "time": pa.timestamp("ms", tz="UTC"),
    }
    fields = [pa.field(one.name, kinds[one.kind], metadata={"about": one.about}) for one in plan.columns]
    schema = pa.schema(fields, metadata={"polity.level": plan.level, "polity.rows": str(plan.rows)})
    with tempfile.TemporaryFile() as file:
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for group in _groups(plan):
                columns = [
                    pa.array(_column(one, values), type=kinds[one.kind])
                    for one, values in zip(plan.columns, zip(*group, strict=True), strict=True)
                ]
                writer.write_table(pa.Table.from_arrays(columns, schema=schema))
        file.seek(0)
        while chunk := file.read(CHUNK):
            yield chunk


def _groups(plan: Plan) -> Iterator[list[Row]]:
    group: list[Row] = []
    for row in all_rows(plan):
        group.append(row)
        if len(group) >= GROUP:
            yield group
            group = []
    if group:
        yield group


def _column(column: Column, values: tuple[Any, ...]) -> list[Any]:
    if column.kind == "json":
        return [None if value is None else encoded(value).decode() for value in values]
    if column.kind == "number":
        return [None if value is None else float(value) for value in values]
    return list(values)
