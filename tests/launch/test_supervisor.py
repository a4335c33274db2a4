"""Children are started again, not for ever, and taken along with their descendants."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from simsite.launch import Failed
from simsite.launch.heartbeat import Heartbeat
from simsite.launch.supervisor import RAPID_DEATHS, Child, Supervisor, delay_s, python

from .conftest import until


def script(name: str, code: str) -> Child:
    return Child(name, [sys.executable, "-c", code])


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def supervisor(lines: list[str]) -> Supervisor:
    return Supervisor(lines.append)


@pytest.mark.parametrize(("rapid", "seconds"), [(0, 0.0), (1, 0.2), (2, 0.4), (3, 0.8), (5, 3.2), (6, 5.0), (40, 5.0)])
def test_the_pause_before_a_new_start_doubles_up_to_five_seconds(rapid: int, seconds: float) -> None:
    assert delay_s(rapid) == pytest.approx(seconds)


def test_a_child_that_cannot_live_is_given_up(
    supervisor: Supervisor, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simsite.launch.supervisor.delay_s", lambda rapid: 0.0)
    with supervisor.signals():
        supervisor.start(script("broken", "raise SystemExit(3)"))
        with pytest.raises(Failed, match=f"broken ended {RAPID_DEATHS} times in a row .* with status 3"):
            supervisor.watch()
        supervisor.stop()
    assert len(lines) == RAPID_DEATHS - 1
    assert "started again (death 1)" in lines[0]
    supervisor.close()


def test_one_that_is_killed_from_outside_is_never_given_up(
    supervisor: Supervisor, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simsite.launch.supervisor.delay_s", lambda rapid: 0.0)
    with supervisor.signals():
        supervisor.start(script("victim", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
        supervisor.watch(until=lambda: len(lines) > 2 * RAPID_DEATHS)
        supervisor.stop()
    supervisor.close()


def test_a_child_that_ignores_the_polite_signal_is_killed_with_its_descendants(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simsite.launch.supervisor.STOP_S", 0.3)
    note = tmp_path / "pids"
    code = (
        "import os, signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "deaf = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        f"open({str(note)!r} + '.new', 'w').write(f'{{os.getpid()}} {{deaf.pid}}');"
        f"os.rename({str(note)!r} + '.new', {str(note)!r}); time.sleep(600)"
    )
    supervisor.start(script("deaf", code))
    until(note.exists, "the child runs")
    pids = [int(word) for word in note.read_text().split()]
    supervisor.stop()
    supervisor.close()
    until(lambda: not any(alive(pid) for pid in pids), "child and grandchild are gone")


def test_a_signal_ends_the_watch(supervisor: Supervisor) -> None:
    with supervisor.signals():
        supervisor.start(script("calm", "import time; time.sleep(600)"))
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
        supervisor.watch()
        assert supervisor.stopping == "SIGTERM"
        supervisor.stop()
    supervisor.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("victim", ["launcher", "guard"])
def test_a_guarded_program_ends_with_whoever_started_it(tmp_path: Path, victim: str) -> None:
    note = tmp_path / "pid"
    program = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    launcher = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from simsite.launch.supervisor import *\n"
            "s = Supervisor(print); s.start(Child('x', sys.argv[1:])); print(s.children[0].pid, flush=True)\n"
            "time.sleep(600)",
            *python("simsite.launch.guard", sys.executable, "-c", program),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert launcher.stdout is not None
    try:
        guard = int(launcher.stdout.readline())
        until(lambda: note.exists() and note.read_text(), "the program runs")
        os.kill(launcher.pid if victim == "launcher" else guard, signal.SIGKILL)
        until(lambda: not alive(int(note.read_text())), "the program is gone")
    finally:
        launcher.kill()
        launcher.wait()
        launcher.stdout.close()


BEATS = "from simsite.launch import heartbeat; import time; heartbeat.BEAT_S = 0.5; heartbeat.Heartbeat().start(); "


def test_a_part_that_hangs_is_noticed_by_its_silence_and_started_again(
    supervisor: Supervisor, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simsite.launch.supervisor.SILENT_S", 3.0)
    child = script("live", f"{BEATS} time.sleep(600)")
    child.heartbeat = tmp_path / "live.beat"
    with supervisor.signals():
        supervisor.start(child)
        supervisor.watch(until=child.heartbeat.exists, pause_s=0.1)
        first, began = child.pid, time.monotonic()
        supervisor.watch(until=lambda: time.monotonic() - began > 4, pause_s=0.1)
        assert (child.pid, lines) == (first, []), "who gives signs of life is left alone"
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        supervisor.watch(until=lambda: child.deaths == 1 and child.pid is not None, pause_s=0.1)
        assert not alive(first)
        supervisor.stop()
    assert "live hangs: no sign of life for 3 s; killed." in lines[0]
    assert "with SIGKILL; started again" in lines[1]
    assert not (tmp_path / "live.beat").exists()


def test_a_loop_that_hangs_silences_its_part_though_its_thread_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLITY_HEARTBEAT", str(tmp_path / "beat"))
    monkeypatch.setattr("simsite.launch.heartbeat.BEAT_S", 0.05)
    monkeypatch.setattr("simsite.launch.heartbeat.LOOP_S", 0.5)
    part = Heartbeat()
    part.start()
    until((tmp_path / "beat").exists, "it beats before its loop begins")
    part.loop()
    until(lambda: time.time() - (tmp_path / "beat").stat().st_mtime > 1, "it falls silent with its loop")
    part.loop()
    until(lambda: time.time() - (tmp_path / "beat").stat().st_mtime < 0.3, "and speaks again with it")
