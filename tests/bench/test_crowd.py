"""A crowd of spectators in a second process: each gets every step in order, and the badly behaved cost nothing."""

from __future__ import annotations

import json
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.sites import POLITY, ROOT, Site, cpu_s, serve

ROUNDS = 60


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[Site]:
    running = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    yield running
    running.end()


def resident_mb(pid: int) -> float:
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize() / 2**20


def watched_by(site: Site, count: int, pace: float) -> dict[str, Any]:
    """What a crowd sees of a run of 200 rounds, from the crowd's arrival to `ROUNDS` rounds after it."""
    run = site.post("/runs", {"scenario": "mining/baseline", "pace": pace})
    web = site.children()["web"]
    before, busy, began = resident_mb(web), cpu_s(web), time.monotonic()
    crowd = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.crowd", site.address, run["id"], str(count), str(ROUNDS)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    out, _ = crowd.communicate()
    assert crowd.returncode == 0
    told: dict[str, Any] = json.loads(out)
    with closing(sqlite3.connect(site.home / "polity.sqlite3", timeout=30)) as database:
        rows = database.execute('select "index", created from games_step where run_id = ?', (run["id"],))
        stored = {n: datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() for n, at in rows}
    # Only steps that were made while all were there: those before are history that each was sent on arrival.
    arrived = min(told["last"].values())
    waits = sorted(at - stored[int(n)] for n, at in told["last"].items() if stored[int(n)] > arrived)
    return {
        **{name: told[name] for name in ("spectators", "in_order", "snapshots", "frames", "crowd_cpu")},
        "steps_timed": len(waits),
        "p50_ms": round(waits[len(waits) // 2] * 1000) if waits else None,
        "p99_ms": round(waits[min(len(waits) - 1, int(len(waits) * 0.99))] * 1000) if waits else None,
        "web_cpu": round((cpu_s(web) - busy) / (time.monotonic() - began), 2),
        "web_mb_before": round(before),
        "web_mb_after": round(resident_mb(web)),
    }


@pytest.mark.timeout(300)
def test_spectators_each_get_every_step_in_order(quiet: Site) -> None:
    seen = watched_by(quiet, 30, pace=4)
    assert seen["in_order"] == 30
    assert seen["web_mb_after"] < seen["web_mb_before"] + 300


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("count", "pace"), [(100, 4), (500, 2), (1000, 2), (3000, 2)])
def test_many_spectators_each_get_every_step_in_order(quiet: Site, count: int, pace: float) -> None:
    seen = watched_by(quiet, count, pace)
    print(json.dumps(seen))  # noqa: T201
    assert seen["in_order"] == count
    assert seen["web_mb_after"] < seen["web_mb_before"] + 600
