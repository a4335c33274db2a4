"""Processes that play runs for another end with it, even where it was killed without a chance to say so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes through /proc")
def test_the_workers_of_a_killed_run_end_with_it(tmp_path: Path) -> None:
    call = ["run", "mining/baseline-20", "--set", "rounds=10000", "--seeds", "1..4", "--jobs", "2"]
    command = [sys.executable, "-c", "from simsite.cli import main; main()", *call, "--out", str(tmp_path / "out")]
    with subprocess.Popen(command, start_new_session=True) as parent:
        workers: set[int] = set()
        while len(workers) < 3:  # two that play, and the one that tracks what they share
            assert parent.poll() is None, "it ended before its workers were there"
            workers = set(children(parent.pid))
            time.sleep(0.05)
        time.sleep(2)  # they import and play
        parent.kill()
        parent.wait()
        try:
            for _ in range(1200):  # they may still be importing
                if not any(map(is_alive, workers)):
                    return
                time.sleep(0.05)
            raise AssertionError(f"still there: {[pid for pid in workers if is_alive(pid)]}")
        finally:
            for pid in filter(is_alive, workers):
                os.kill(pid, signal.SIGKILL)
