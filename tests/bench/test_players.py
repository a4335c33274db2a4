"""Scripted players in many runs at once, on each database: every move is acknowledged, and played once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites import POLITY, ROOT, Site, serve

ROUNDS = 8
SEATS = 10


@pytest.fixture(params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    environ = {}
    if request.param == "postgresql":
        environ["DATABASE_URL"] = request.getfixturevalue("postgres_url")
    running = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo", environ=environ)
    yield running
    running.end()


def played(site: Site, runs: int) -> dict[str, Any]:
    """What comes of so many runs of ten people each."""
    made = []
    for seed in range(runs):
        body = {
            "scenario": "mining/baseline",
            "config": {"rounds": ROUNDS},
            "seats": {"default": {"person": True}},
            "people": {"deadline_s": 120},
            "seed": seed,
        }
        made.append(site.post("/runs", body)["id"])
    codes = {site.operator_get(f"/runs/{run}/people")["code"]["code"]: SEATS for run in made}
    crowd = subprocess.run(
        [sys.executable, "-m", "tests.bench.players", site.address, *(f"{code}:{n}" for code, n in codes.items())],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    assert crowd.returncode == 0
    told: dict[str, Any] = json.loads(crowd.stdout)
    told["runs"] = [site.get(f"/runs/{run}") for run in made]
    told["flags"] = [
        flag
        for run in made
        for frame in site.operator_get(f"/runs/{run}/frames?limit=200")["frames"]
        for _, flags in frame["flags"]
        for flag in flags
    ]
    return told


def holds(told: dict[str, Any], runs: int) -> None:
    print(json.dumps({key: told[key] for key in told if key not in ("runs", "flags")}))  # noqa: T201 - figures
    assert told["refused"] == []
    assert told["ended"] == {"ended": runs * SEATS}
    assert told["moves"] == told["acknowledged"] == runs * SEATS * ROUNDS
    assert [run["status"] for run in told["runs"]] == ["finished"] * runs
    assert told["flags"] == ["passed"] * (runs * SEATS * ROUNDS), "every move was played, once, and no default"


@pytest.mark.full
@pytest.mark.parametrize("site", ["sqlite"], indirect=True)
@pytest.mark.timeout(500)
def test_every_move_of_twenty_players_in_two_runs_is_acknowledged_and_played_once(site: Site) -> None:
    holds(played(site, 2), 2)


@pytest.mark.full
@pytest.mark.timeout(900)
def test_every_move_of_two_hundred_players_in_twenty_runs_is_acknowledged_and_played_once(site: Site) -> None:
    holds(played(site, 20), 20)
