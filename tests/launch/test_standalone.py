"""The parts started apart, each with a home of its own, on PostgreSQL and a Redis that they share."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from simsite.launch import BadStart
from simsite.launch.serve import check_open_bind, is_loopback

from .conftest import Serve, until

PART = "import sys; from simsite.launch import standalone; sys.exit({call})"
Begin = Callable[[str], Serve]


@pytest.fixture
def begin(package: Path, tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[Begin]:
    """Starts a part: `run_web(...)`, `run_worker(...)` or `run_beat()`."""
    started: list[Serve] = []

    def run(call: str) -> Serve:
        home = tmp_path / f"home-{len(started)}"
        log = tmp_path / f"part-{len(started)}.log"
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
        with log.open("w") as out:
            process = subprocess.Popen(
                [sys.executable, "-c", PART.format(call=f"standalone.{call}")],
                cwd=package,
                env={**kept, "POLITY_HOME": str(home), "DATABASE_URL": postgres_url, "REDIS_URL": redis_url},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
            )
        started.append(Serve(process, home, log))
        return started[-1]

    yield run
    for part in started:
        if part.process.poll() is None:
            part.process.kill()
            part.process.wait()
        for pid in part.processes():
            os.kill(pid, signal.SIGKILL)


@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform != "linux", reason="finds left-over processes through /proc")
def test_parts_that_share_a_database_and_a_redis_find_each_other(begin: Begin, redis_url: str) -> None:
    web = begin('run_web(host="127.0.0.1", port=0)')
    live = begin('run_worker(queue="live", concurrency=2)')
    bulk = begin('run_worker(queue="bulk", concurrency=2)')
    beat = begin("run_beat()")

    address = until(lambda: re.search(r"web at (\S+)", web.text()), f"the web process listens: {web.text()}").group(1)
    with urllib.request.urlopen(f"{address}healthz", timeout=60) as answer:
        assert answer.status == 200
    with redis.Redis.from_url(redis_url) as client:
        until(
            lambda: sum(line["cmd"] in ("brpop", "bzmpop", "blmpop") for line in client.client_list()) >= 2,
            f"both workers are at their queues: {live.text()} {bulk.text()}",
        )
    applied = [part for part in (web, live, bulk, beat) if "migrations applied" in part.text()]
    assert len(applied) == 1

    # A worker that dies alone takes its pool along.
    until(lambda: len(bulk.processes()) == 3, "the pool of two is there")
    bulk.process.kill()
    bulk.process.wait()
    until(lambda: not bulk.processes(), "the pool ends with its worker")

    for part in (web, live, beat):
        part.process.terminate()
    for part in (web, live, beat):
        assert part.process.wait(60) == 0, part.text()
        assert part.processes() == {}
    assert "Traceback" not in web.text() + live.text() + beat.text()


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        *((host, True) for host in ("127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost")),
        *((host, False) for host in ("0.0.0.0", "::", "192.0.2.1", "example.org")),
    ],
)
def test_only_loopback_is_not_open(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


def test_an_open_bind_needs_a_password_or_the_operators_word(tmp_path: Path) -> None:
    from simsite.environment import read

    closed = read({"POLITY_HOME": str(tmp_path)})
    open_ = read({"POLITY_HOME": str(tmp_path), "POLITY_OPEN": "1", "POLITY_HOSTS": "a.example"})
    with pytest.raises(BadStart, match="no superuser has a password"):
        check_open_bind("0.0.0.0", closed, has_superuser=lambda: False)
    assert "set POLITY_HOSTS" in check_open_bind("0.0.0.0", closed, has_superuser=lambda: True)
    said = check_open_bind("0.0.0.0", open_, has_superuser=lambda: False)
    assert "POLITY_OPEN=1: no superuser has a password" in said
    assert "a.example" in said


def test_a_web_process_is_ready_with_all_its_routes_and_not_before_its_gate_opens(tmp_path: Path) -> None:
    waits_at, opening = os.pipe()
    told = "print('simsite.urls' in sys.modules, open('opened').read(), flush=True); os._exit(0)"
    script = (
        f"import os, sys; from simsite.launch.part import run_web; run_web(gate={waits_at}, ready=lambda: exec(told))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", f"told = {told!r}; {script}"],
        cwd=tmp_path,
        env={**os.environ, "POLITY_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=(waits_at,),
    ) as web:
        os.close(waits_at)
        (tmp_path / "opened").write_text("opened")  # which it would miss if it did not wait
        os.close(opening)
        assert web.communicate()[0].split() == ["True", "opened"]
