"""A reader is told at once that the database's server is away, waits where its connections are in use, and finds it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.sites import ROOT
from tests.survival.servers import Postgres, frozen

READS = """
import sys, threading, time, django
django.setup()
from django.db import OperationalError, connection

def reads():
    try:
        with connection.cursor() as cursor:
            cursor.execute(sys.argv[1])
        return "read"
    except OperationalError:
        return "away"
    finally:
        connection.close()

reads()
print("ready", flush=True)
for line in sys.stdin:
    told = []
    many = [threading.Thread(target=lambda: told.append(reads())) for _ in range(int(line))]
    for one in many: one.start()
    for one in many: one.join()
    print(" ".join(sorted(set(told))), flush=True)
"""


class Web:
    """A process of the web part, with two connections, whose readers all ask the same."""

    def __init__(self, url: str, asks: str) -> None:
        environ = {"DATABASE_URL": url, "POLITY_PART": "web", "POLITY_DATABASE_POOL": "2"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", READS, asks],
            cwd=ROOT,
            env={**os.environ, **environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._said() == "ready"

    def _said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def read(self, readers: int) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{readers}\n")
        self.process.stdin.flush()
        return self._said()


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.end()


def test_who_reads_is_told_that_the_server_is_away_and_finds_it_as_soon_as_it_is_back(postgres: Postgres) -> None:
    web = Web(postgres.url, "SELECT 1")
    assert web.read(3) == "read"
    postgres.stop()
    assert web.read(3) == "away"
    postgres.start()
    assert web.read(3) == "read"
    with frozen(postgres.pid):
        assert web.read(3) == "away", "a server that stands still"
    assert web.read(3) == "read"
    web.process.kill()


def test_who_reads_waits_where_all_connections_are_in_use(postgres: Postgres) -> None:
    web = Web(postgres.url, "SELECT pg_sleep(0.8)")
    assert web.read(8) == "read", "the last of them after more than three seconds"
    web.process.kill()


LOST = """
import django
django.setup()
from django.db import connection, transaction
try:
    with transaction.atomic(), connection.cursor() as cursor:
        connection.close()
        connection.ensure_connection()
except Exception as error:
    print(type(error).__name__)
"""


def test_a_connection_that_is_lost_within_a_transaction_is_a_server_that_is_away(postgres_url: str) -> None:
    """Django calls it a fault of who asks, for which a run would be paused."""
    environ = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run([sys.executable, "-c", LOST], cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.stdout.strip() == "OperationalError", done.stderr


CUT = """
from contextlib import suppress
import django
django.setup()
import psycopg
from django.db import OperationalError, connection
from games.site.drive.together import together

def asks():
    with connection.cursor() as cursor:
        return cursor.execute("SELECT 1").fetchone()[0]

def is_cut_at_its_end():
    commits = connection.commit
    def commit():
        del connection.commit
        commits()
        pid = connection.connection.info.backend_pid
        with psycopg.connect(connection.settings_dict["URL"], autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        with suppress(psycopg.Error):
            connection.connection.execute("SELECT 1")
    connection.commit = commit
    return asks()

with together.open():
    for work in (asks, is_cut_at_its_end, asks, asks):
        try:
            print(together.begin(work).result(), flush=True)
        except OperationalError:
            print("away", flush=True)
"""


def test_a_connection_that_is_lost_as_a_transaction_ends_blocks_nothing_that_is_stored_later(postgres_url: str) -> None:
    """It was left in a transaction of which Django knew no end, and each later one was refused."""
    environ = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    script = CUT.replace('connection.settings_dict["URL"]', repr(postgres_url))
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.stdout.split()[-2:] == ["1", "1"], (done.stdout, done.stderr)
