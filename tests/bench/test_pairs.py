"""A hundred people in fifty pairs, ten rounds each, on each database: every move is played; what it takes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites import POLITY, ROOT, Site, serve

PERSON = {"person": True}


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    environ = {}
    if request.param == "postgresql":
        environ["DATABASE_URL"] = request.getfixturevalue("postgres_url")
    running = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo", environ=environ)
    yield running
    running.end()


def memory_mb(site: Site) -> float:
    """What the site's processes hold in all, shared pages counted by their share."""
    held = 0.0
    for pid in (site.process.pid, *site.children().values()):
        try:
            told = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        held += next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) / 1024
    return held


def measured(site: Site, pairs: int, rounds: int, think_s: float) -> dict[str, Any]:
    codes = []
    for seed in range(pairs):
        body = {
            "scenario": "dilemma/tft-vs-alld", "config": {"rounds": rounds}, "seats": {"A": PERSON, "B": PERSON},
            "people": {"deadline_s": 120}, "seed": seed,
        }  # fmt: skip
        run = site.post("/runs", body)["id"]
        codes.append(site.operator_get(f"/runs/{run}/people")["code"]["code"])
    rest = memory_mb(site)
    command = [sys.executable, "-m", "tests.bench.pairs", site.address, str(think_s), *codes]
    crowd = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert crowd.returncode == 0
    told: dict[str, Any] = {**json.loads(crowd.stdout), "rest_mb": round(rest), "after_mb": round(memory_mb(site))}
    print(json.dumps(told))  # noqa: T201 - figures
    return told


@pytest.mark.full
@pytest.mark.timeout(600)
def test_every_move_of_fifty_pairs_is_played_and_comes_back_to_both(site: Site) -> None:
    told = measured(site, pairs=50, rounds=10, think_s=2)
    assert told["refused"] == []
    assert told["moves"] == told["rounds"] == 50 * 2 * 10
