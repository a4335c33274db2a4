"""The database made ready: opened, checked, migrated once; each way in which it can be unfit has its line."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from simsite.launch import BadStart

if TYPE_CHECKING:
    from django.db.migrations.executor import MigrationExecutor

#: The advisory lock that migrating processes take on PostgreSQL: "polity" as a number.
LOCK_KEY = 0x706F6C697479


def prepare(home: Path, say: Callable[[str], None] = lambda _: None) -> int:
    """Migrates what is not migrated; how many migrations that were. Of several processes one does it, the rest wait.

    BadStart: a file that is no database or is damaged, a server that does not answer, a database that knows migrations
    which this program does not, tables that no migration recorded (an import that was broken off).
    """
    from django.db import DatabaseError, connection

    check_file(Path(str(connection.settings_dict["NAME"])) if connection.vendor == "sqlite" else None)
    where = describe()
    try:
        with _alone(home):
            return _migrate(where, say)
    except DatabaseError as error:
        raise BadStart(f"{where}: {_first_line(error)}") from None
    finally:
        connection.close()


def _migrate(where: str, say: Callable[[str], None]) -> int:
    from django.core.management import call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    unknown = sorted(
        f"{app}.{name}"
        for app, name in executor.loader.applied_migrations
        if app in executor.loader.migrated_apps
        and (app, name) not in executor.loader.graph.nodes
        and (app, name) not in executor.loader.replacements
    )
    if unknown:
        raise BadStart(
            f"{where} was made by a newer version ({unknown[0]} is unknown here). "
            "Update this program, or give another POLITY_HOME or DATABASE_URL."
        )
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return 0
    say(f"{len(plan)} migrations")
    try:
        if not connection.introspection.table_names():
            _make_tables(executor)
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise BadStart(
            f"{where} is half-made: a migration met what it did not expect ({_first_line(error)}). "
            "Nothing was deleted; move it away and start again, or restore a copy."
        ) from None
    return len(plan)


def _make_tables(executor: MigrationExecutor) -> None:
    """An empty database gets each table as the last migration leaves it, and those that led there as applied ones."""
    executor.recorder.ensure_schema()
    with executor.connection.schema_editor() as editor:
        for model in executor.loader.project_state().apps.get_models():
            if model._meta.can_migrate(executor.connection):
                editor.create_model(model)
        for app, name in executor.loader.graph.nodes:
            executor.recorder.record_applied(app, name)


def check_file(path: Path | None) -> None:
    """Refuses an SQLite file that is no database or is damaged. A missing or empty one is well."""
    if path is None or not path.is_file() or path.stat().st_size == 0:
        return
    remedy = "Move it away (a new one is made) or restore a copy."
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=20)) as file:
            # The schema and the free list only: a full check reads the whole file, which may hold gigabytes.
            file.execute("PRAGMA schema_version").fetchone()
            tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            if "django_migrations" in tables:
                verdict = file.execute("PRAGMA quick_check('django_migrations')").fetchone()[0]
                if verdict != "ok":
                    raise BadStart(f"{path} is damaged: {verdict}. {remedy}")
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise BadStart(f"{path} is locked by another program for more than 20 s. End it and start again.") from None
        raise BadStart(f"{path} cannot be read as a database: {error}. {remedy}") from None


def describe() -> str:
    """The database in words, without its password."""
    from django.db import connection

    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"the database {facts['NAME']}"
    return f"the PostgreSQL database {facts['NAME']} at {facts['HOST'] or 'the local socket'}"


def has_superuser() -> bool:
    """Whether an active superuser has a password: what an open bind needs."""
    from django.contrib.auth import get_user_model

    users = get_user_model()._default_manager.filter(is_superuser=True, is_active=True)
    return any(user.has_usable_password() for user in users)


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[None]:
    """One process at a time: PostgreSQL's advisory lock where several machines share a database, else a file's."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK_KEY])
        return
    file = os.open(home / "migrate.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__).strip()
