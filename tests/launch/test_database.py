"""A database is made ready once, and each way in which it can be unfit has its line."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from simsite.launch import BadStart
from simsite.launch.database import check_file

ROOT = Path(__file__).resolve().parents[2]
PREPARE = """
from simsite.environment import read
from simsite.launch import BadStart, database
from simsite.setup import set_django_up
set_django_up()
try:
    print("applied", database.prepare(read().home))
except BadStart as error:
    print("refused", error)
"""
#: The same by Django's own command, which applies one migration after the other.
STEPWISE = """
from simsite.setup import set_django_up
set_django_up()
from django.core.management import call_command
call_command("migrate", verbosity=0)
"""
Prepare = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(tmp_path: Path) -> Prepare:
    def run(script: str = PREPARE, **environ: str) -> subprocess.Popen[str]:
        kept = {
            name: text for name, text in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_", "DATABASE"))
        }
        return subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**kept, "POLITY_HOME": str(tmp_path), **environ},
            stdout=subprocess.PIPE,
            text=True,
        )

    return run


def said(run: subprocess.Popen[str]) -> str:
    return run.communicate(timeout=100)[0].strip()


def test_of_two_that_start_together_one_migrates(begin: Prepare) -> None:
    counts = sorted(int(said(run).removeprefix("applied ")) for run in [begin(), begin()])
    assert counts[0] == 0 < counts[1]


def test_the_same_on_postgresql(begin: Prepare, postgres_url: str) -> None:
    counts = sorted(int(said(run).removeprefix("applied ")) for run in [begin(DATABASE_URL=postgres_url) for _ in "ab"])
    assert counts[0] == 0 < counts[1]


def shape(path: Path) -> dict[str, tuple[object, ...]]:
    """Tables with their columns in any order, keys, laws, indexes and rows: numbers of rows and times apart."""
    with closing(sqlite3.connect(path)) as file:

        def rows(query: str) -> list[tuple[str, ...]]:
            return sorted(file.execute(query).fetchall(), key=repr)

        def table(name: str, made: str) -> tuple[object, ...]:
            columns = [f'"{column}"' for (column,) in rows(f"SELECT name FROM pragma_table_info('{name}')")]
            kept = [column for column in columns if column.strip('"') not in ("id", "applied", "content_type_id")]
            return (
                sorted(re.split(r", (?=\"|CONSTRAINT)", made[made.index("(") + 1 : -1])),
                rows(f"SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = '{name}'"),
                rows(f"SELECT {', '.join(kept)} FROM {name}"),
            )

        made = rows("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name: table(name, sql) for name, sql in made}


def test_tables_that_are_made_at_once_are_those_that_one_migration_after_the_other_leaves(
    begin: Prepare, tmp_path: Path
) -> None:
    made = {}
    for name, script in {"at once": PREPARE, "stepwise": STEPWISE}.items():
        path = tmp_path / f"{name}.sqlite3"
        said(begin(script, DATABASE_URL=f"sqlite:///{path}"))
        made[name] = shape(path)
    assert len(made["stepwise"]) > 40
    assert made["at once"] == made["stepwise"]


def test_a_database_of_a_newer_version_is_refused(begin: Prepare, tmp_path: Path) -> None:
    said(begin())
    with sqlite3.connect(tmp_path / "polity.sqlite3") as file:
        file.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_later', '2026-01-01')")
    file.close()
    assert "made by a newer version (games.9999_later is unknown here)" in said(begin())


def test_a_half_made_one_is_refused_and_left_alone(begin: Prepare, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "polity.sqlite3") as file:
        file.execute("CREATE TABLE auth_user (id integer)")
    file.close()
    line = said(begin())
    assert "is half-made: a migration met what it did not expect" in line
    assert "auth_user" in line


def test_migrations_that_were_broken_off_go_on(begin: Prepare, tmp_path: Path) -> None:
    said(begin())
    with sqlite3.connect(tmp_path / "polity.sqlite3") as file:
        file.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
        file.execute("DROP TABLE django_session")
    file.close()
    assert said(begin()) == "applied 1"


def test_a_server_that_does_not_answer_is_said(begin: Prepare) -> None:
    line = said(begin(DATABASE_URL="postgresql://polity:hidden@127.0.0.1:9/none"))
    assert line.startswith("refused the PostgreSQL database none at 127.0.0.1: ")
    assert "hidden" not in line


def test_an_empty_or_missing_file_is_well(tmp_path: Path) -> None:
    check_file(tmp_path / "none.sqlite3")
    (tmp_path / "empty.sqlite3").touch()
    check_file(tmp_path / "empty.sqlite3")


def test_a_text_file_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "notes.sqlite3").write_text("not a database at all, only text " * 40)
    with pytest.raises(BadStart, match="cannot be read as a database"):
        check_file(tmp_path / "notes.sqlite3")
