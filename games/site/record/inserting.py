"""Inserts rows by a statement that is put together once a table: the tables that grow with each answer and step.

`bulk_create` asks for each value of each row how it is to be written, and builds objects first; with it, storing took
nearly half of what a worker of models did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.utils import timezone


def insert(model: type[models.Model], rows: Iterable[Mapping[str, Any]]) -> None:
    """Add rows, all or none, each given as the values of its columns (`run_id`, not `run`); what lacks has its default.

    Raises `IntegrityError` where one is there already. The database gives the keys, which are not read back.
    """
    here = connections[DEFAULT_DB_ALIAS]  # once: `connection` looks it up at each touch
    statement, copied, columns = _prepared(model, here.vendor)
    usual = [(name, write, usual() if write is None else write(usual(), here)) for name, usual, write in columns]
    values = [
        [
            lacking if name not in row else row[name] if write is None else write(row[name], here)
            for name, write, lacking in usual
        ]
        for row in rows
    ]
    if here.vendor == "postgresql" and len(values) >= MANY:
        with here.wrap_database_errors, here.cursor() as cursor, cursor.copy(copied) as copy:
            for one in values:
                copy.write_row(one)
    elif values:
        with here.cursor() as cursor:
            cursor.executemany(statement, values)


MANY = 16
"""Rows from which on PostgreSQL takes them as a copy."""
Column = tuple[str, Callable[[], Any], Callable[[Any, Any], Any] | None]
TEXTS_AND_BYTES = {models.BinaryField, models.CharField, models.TextField}
AS_IT_IS = {*TEXTS_AND_BYTES, models.BooleanField, models.IntegerField, models.PositiveIntegerField}


@cache
def _prepared(model: type[models.Model], vendor: str) -> tuple[str, str, tuple[Column, ...]]:
    """The statement, and that of a copy; of each column its name, what it holds by default and how a value is written;
    by database.
    """
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    quoted = connection.ops.quote_name
    names = ", ".join(quoted(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    into = f"{quoted(model._meta.db_table)} ({names})"
    statement, copied = f"INSERT INTO {into} VALUES ({marks})", f"COPY {into} FROM STDIN"
    return statement, copied, tuple((field.attname, _usual(field), _writer(field)) for field in fields)


def _writer(field: models.Field[Any, Any]) -> Callable[[Any, Any], Any] | None:
    kind = type(field.target_field if isinstance(field, models.ForeignKey) else field)
    return None if kind in AS_IT_IS else field.get_db_prep_save


def _usual(field: models.Field[Any, Any]) -> Callable[[], Any]:
    if getattr(field, "auto_now_add", False):
        return lambda: timezone.now()  # a rehearsal lets the process go by another
    return field.get_default
