"""`polity serve` as real processes: who is refused, who comes back, and that nobody stays behind."""

from __future__ import annotations

import os
import signal
import socket
import stat
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from simsite.environment import read, socket_path
from simsite.launch import serve as launching

from .conftest import Serve, until

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="finds left-over processes through /proc"),
]
Start = Callable[..., Serve]
PARTS = {"valkey", "web", "live", "bulk", "beat"}


def status_of(address: str) -> int:
    with urllib.request.urlopen(f"{address}/healthz", timeout=60) as answer:
        return int(answer.status)


def waiting_workers(home: Path) -> int:
    """How many connections wait for a task: two, when both workers are at their queues."""
    client = redis.Redis(unix_socket_path=str(socket_path(home)))
    try:
        return sum(line["cmd"] in ("brpop", "bzmpop", "blmpop") for line in client.client_list())
    except redis.RedisError:
        return 0
    finally:
        client.close()


def test_a_site_lives_through_the_death_of_each_part_and_ends_with_its_launcher(start: Start) -> None:
    serve = start()
    serve.await_ready()
    assert status_of(serve.address) == 200
    assert set(serve.told["children"]) == PARTS
    until(lambda: waiting_workers(serve.home) >= 2, "both workers are at their queues")

    # The same home a second time.
    second = start(serve.home)
    assert second.process.wait(60) == 2
    (line,) = [line for line in second.text().splitlines() if line.startswith("polity serve:")]
    assert f"{serve.home} is served already at {serve.address} (pid {serve.process.pid})" in line
    assert serve.told["pid"] == serve.process.pid

    # Each part is killed, and started again.
    for name in sorted(PARTS):
        old = serve.told["children"][name]
        os.killpg(old, signal.SIGKILL)
        until(lambda name=name, old=old: serve.told["children"].get(name, old) != old, f"{name} is started again")
    assert serve.text().count("with SIGKILL; started again") == len(PARTS)
    assert status_of(serve.address) == 200
    until(lambda: waiting_workers(serve.home) >= 2, "both workers are at their queues again")

    # SIGKILL: nothing is left, although nobody could say goodbye.
    serve.process.kill()
    serve.process.wait()
    until(lambda: not serve.processes(), "every process of a killed launcher ends")

    # The next start knows that the last one was killed, and its pid does not stand in the way.
    third = start(serve.home)
    third.await_ready()
    assert f"the last serve (pid {serve.process.pid}) was killed" in third.text()
    assert "up to date" in third.text()

    # SIGTERM: an orderly end. Until the last child is gone, nobody else serves this home.
    slow = third.told["children"]["web"]
    os.kill(slow, signal.SIGSTOP)
    third.process.terminate()
    until(lambda: "SIGTERM: ending" in third.text(), "it has begun to end")
    third.process.send_signal(signal.SIGSTOP)  # its patience with the part would end while the fourth begins
    fourth = start(third.home)
    assert fourth.process.wait(60) == 2
    assert "is served already" in fourth.text()
    third.process.send_signal(signal.SIGCONT)
    with suppress(ProcessLookupError):
        os.kill(slow, signal.SIGCONT)
    assert third.process.wait(60) == 0
    assert third.processes() == {}
    assert not (third.home / "serve.json").exists()
    assert not socket_path(third.home).parent.exists()
    assert "SIGTERM: ending 5 processes." in third.text()


def test_ctrl_c_ends_a_site_while_it_is_being_prepared(start: Start) -> None:
    serve = start()
    until(lambda: "broker" in serve.text(), "the broker is started")
    serve.process.send_signal(signal.SIGINT)
    assert serve.process.wait(60) == 0
    assert serve.processes() == {}


def test_ctrl_c_that_an_import_makes_a_fault_of_its_own_ends_the_site_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def importing(*_: Any, **__: Any) -> None:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt as error:
            raise RuntimeError("Error calling __set_name__") from error

    monkeypatch.setattr(launching, "_run", importing)
    assert launching.serve(host="127.0.0.1", port=0) == 0


def test_a_busy_port_is_refused_with_its_remedy(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        serve = start(port=port)
        assert serve.process.wait(60) == 2
    assert f"127.0.0.1:{port}: Address already in use. Give another one (--port {port + 1})" in serve.text()
    assert len(serve.text().splitlines()) == 1
    assert serve.processes() == {}


def test_an_address_of_another_machine_is_refused(start: Start) -> None:
    serve = start(host="192.0.2.1")
    assert serve.process.wait(60) == 2
    assert "192.0.2.1:0: " in serve.text()


def test_an_open_bind_without_a_password_is_refused(start: Start) -> None:
    serve = start(host="0.0.0.0")
    assert serve.process.wait(60) == 2
    (line,) = [line for line in serve.text().splitlines() if line.startswith("polity serve:")]
    assert "no superuser has a password" in line
    assert "createsuperuser" in line
    assert "POLITY_OPEN=1" in line
    assert serve.processes() == {}


def test_debugging_on_an_open_address_is_refused(start: Start) -> None:
    serve = start(host="0.0.0.0", POLITY_DEBUG="1", POLITY_OPEN="1")
    assert serve.process.wait(60) == 2
    (line,) = [line for line in serve.text().splitlines() if line.startswith("polity serve:")]
    assert "--host 0.0.0.0 with POLITY_DEBUG=1 opens tracebacks" in line


def test_a_broker_that_does_not_answer_is_refused_before_anything_runs(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    serve = start(REDIS_URL=f"redis://:hidden@127.0.0.1:{port}/0")
    assert serve.process.wait(60) == 2
    (line,) = [line for line in serve.text().splitlines() if line.startswith("polity serve:")]
    assert f"REDIS_URL=redis://127.0.0.1:{port}/0: " in line
    assert "hidden" not in serve.text()


def test_a_home_that_was_open_to_others_is_closed_and_so_is_what_is_made_in_it(start: Start, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    serve = start(home)
    serve.await_ready()
    assert "it was open to other users of this machine and is closed now" in serve.text()
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "polity.sqlite3").stat().st_mode) == 0o600


def test_an_unknown_setting_is_refused_before_anything_is_made(start: Start) -> None:
    serve = start(POLITY_PROT="8001")
    assert serve.process.wait(60) == 2
    assert serve.text().startswith("polity serve: POLITY_PROT: no such setting")
    assert not serve.home.exists()


def test_a_damaged_database_is_said_and_left_alone(start: Start, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    junk = b"SQLite format 3\0" + bytes(range(256)) * 32
    (home / "polity.sqlite3").write_bytes(junk)
    serve = start(home)
    assert serve.process.wait(60) == 2
    assert "polity.sqlite3 cannot be read as a database" in serve.text()
    assert "Move it away" in serve.text()
    assert (home / "polity.sqlite3").read_bytes() == junk
    assert serve.processes() == {}


def test_a_home_that_cannot_be_written_is_refused(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    serve = start(tmp_path / "file")
    assert serve.process.wait(60) == 2
    assert "this is a file" in serve.text()


def test_a_site_has_as_many_webs_and_live_workers_as_are_set_each_by_a_name_of_its_own(tmp_path: Path) -> None:
    env = read({"POLITY_HOME": str(tmp_path), "POLITY_LIVE_PROCESSES": "3", "POLITY_WEB_PROCESSES": "2"})
    with launching.listen("127.0.0.1", 0) as listener:
        made = launching.parts(env, listener, gate=0)
    assert [child.name for child in made] == ["web", "live", "bulk", "beat", "live-2", "live-3", "web-2"]
    assert {child.name: child.command[-3] for child in made if "live" in child.name} == {
        "live": "live", "live-2": "live", "live-3": "live",
    }  # fmt: skip
    assert len({child.heartbeat for child in made}) == len(made)
