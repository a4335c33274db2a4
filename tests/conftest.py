"""What tests of the whole site share: the real servers that they use, and the rule for where one is missing.

A test that cannot run on this machine skips with a reason that begins with "needs" and names the remedy. With
POLITY_CI=1 such a skip is a failure: `.ci/run` installs what is needed, so that nothing is left out unseen.
"""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management.color import no_style
from django.db import connections
from django.test import TransactionTestCase
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from games.core import registry
from tests.plugging import installed  # noqa: F401 - for the tests of every room
from tests.sites import find_chromium

BROWSERS = "tests/e2e"
WAITING = (BROWSERS, "tests/bench", "tests/launch", "tests/survival")
#: Browser tests that start what they look at themselves.
OWN_SITES = ("experiments", "first_minute", "folder", "planted_key")
#: Those that share the site without a demo; all others share the one with it.
QUIET = ("bad_model", "derived", "design", "economist", "form", "nations", "people")

settings.register_profile("polity", deadline=None)
settings.load_profile("polity")

POSTGRES = os.environ.get("POLITY_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")


#: What migrating fills and no test changes: the permissions of each table, and the groups that have them.
FILLED = {"django_migrations", "django_content_type", "auth_permission", "auth_group", "auth_group_permissions"}


def empty(case: TransactionTestCase) -> None:
    """After a test that commits, every table is emptied but those; Django's own way makes them anew each time."""
    for alias in case._databases_names(include_mirrors=False):
        connection = connections[alias]
        tables = sorted({*connection.introspection.django_table_names(only_existing=True)} - FILLED)
        connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), tables))


TransactionTestCase._fixture_teardown = empty


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if report.skipped and os.environ.get("POLITY_CI") == "1" and isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2]).removeprefix("Skipped: ")
        if reason.startswith("needs"):
            report.outcome = "failed"
            report.longrepr = f"skipped under POLITY_CI=1, where nothing may be missing: {reason}"
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """What failed is named at once, not after all the others."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid}", file=sys.__stderr__, flush=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """With ``-n auto`` two more than there are cores: two drive browsers, and of the others one often waits."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The two sites that browsers share first, for they take longest; then the laws, and last the rest, of which no
    part is long. After each three that compute comes one that waits for processes, so that the cores are always busy.
    """
    scopes = list(dict.fromkeys(scope_of(item.nodeid) for item in items))
    waiting = [scope for scope in scopes if waits(scope)]
    computing = sorted((scope for scope in scopes if not waits(scope)), key=lambda scope: "::" not in scope)
    place = {scope: n for n, scope in enumerate(computing)} | {scope: 3 * n + 2.5 for n, scope in enumerate(waiting)}
    place |= {scope: -1.0 for scope in scopes if scope.startswith(f"{BROWSERS}::")}
    items.sort(key=lambda item: (place[scope_of(item.nodeid)], scope_of(item.nodeid)))
    if shard := os.environ.pop("POLITY_TEST_SHARD", ""):  # tests that run tests of their own run all of these
        kept = sharded(list(dict.fromkeys(scope_of(item.nodeid) for item in items)), shard)
        config.hook.pytest_deselected(items=[item for item in items if scope_of(item.nodeid) not in kept])
        items[:] = [item for item in items if scope_of(item.nodeid) in kept]


def sharded(scopes: Sequence[str], shard: str) -> set[str]:
    """The scopes, in their order, that one of several machines runs: ``2/3`` is every third, from the second on."""
    number, _, of = shard.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise pytest.UsageError(f"POLITY_TEST_SHARD={shard!r}; such as 1/2: the first of two parts")
    return set(scopes[int(number) - 1 :: int(of)])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """What is made here stands for the whole run, some 900 000 objects: no search for dead cycles goes through it."""
    gc.disable()
    collected = yield
    gc.enable()
    gc.freeze()
    return collected


def scope_of(nodeid: str) -> str:
    """What one worker runs whole: a file, of the laws a game, of the browser tests all that share a site."""
    file, _, test = nodeid.partition("::")
    name = file.removeprefix(f"{BROWSERS}/test_").removesuffix(".py")
    if file.endswith("test_conformance.py"):
        return f"{file}::{re.split(r'[][-]', test)[1]}"
    if not file.startswith(f"{BROWSERS}/") or name in OWN_SITES:
        return file
    return f"{BROWSERS}::{'quiet' if name in QUIET else 'site'}"


def waits(scope: str) -> bool:
    """Whether the tests start processes and wait for them most of the time."""
    return scope.startswith(WAITING)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """Whole files for each worker, as ``--dist loadfile`` deals them, but for the laws and for browser tests."""
    return _DealtByScope(config, log)


class _DealtByScope(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


@pytest.fixture(autouse=True)
def games_as_before() -> Iterator[None]:
    """A command that a test calls in this process lets it look for more games: no later test may find them."""
    before = registry.looked_in()
    yield
    registry.look_in(before)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a real Chromium."""
    found = find_chromium()
    if not found:
        pytest.skip("needs Chromium: apt-get install chromium, or name one in POLITY_TEST_CHROMIUM")
    return found


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of an empty PostgreSQL database, dropped afterwards; the server is POLITY_TEST_POSTGRES."""
    name = f"polity_test_{uuid.uuid4().hex[:12]}"
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError as error:
        pytest.skip(f"needs PostgreSQL: apt-get install postgresql, or its address in POLITY_TEST_POSTGRES ({error})")
    with server:
        server.execute(f'CREATE DATABASE "{name}"')  # type: ignore[arg-type]
    try:
        yield f"{POSTGRES.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(POSTGRES, autocommit=True) as server:
            server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')  # type: ignore[arg-type]


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The address of a Redis or Valkey of this test's own, on a socket, ended afterwards."""
    from simsite.launch import BadStart, valkey

    try:
        program = valkey.find()
    except BadStart as error:
        pytest.skip(f"needs a Redis or Valkey server: {error}")
    with tempfile.TemporaryDirectory(prefix="polity-r-") as folder:
        socket = Path(folder) / "r.sock"
        words = [
            "--port",
            "0",
            "--unixsocket",
            str(socket),
            "--save",
            "",
            "--dir",
            folder,
            "--logfile",
            f"{folder}/log",
        ]
        with subprocess.Popen([program, *words]) as server:
            try:
                valkey.await_ready(socket)
                yield f"unix://{socket}"
            finally:
                server.terminate()
