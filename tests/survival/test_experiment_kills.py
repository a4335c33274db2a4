"""Workers killed while an experiment goes on: its cells, its numbers and its answer are those of an undisturbed one."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.sites import POLITY, ROOT, Site, serve

DOCUMENT: dict[str, Any] = {
    "base": "mining/mixed",
    "config": {"rounds": 60},
    "factors": {"cap": {"field": "mine_cap", "levels": [2, 3]}},
    "seeds": "1..6",
    "hypotheses": {"H1": {"metric": "gini", "of": "*", "direction": "differs"}},
}


def finished(site: Site, slug: str) -> dict[str, Any]:
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        told: dict[str, Any] = site.get(f"/experiments/{slug}")
        if told["status"] == "finished":
            return told
        time.sleep(0.3)
    pytest.fail(f"not finished: {told['status']}, {told['done']} of {told['runs']}")


def numbers(site: Site, slug: str) -> tuple[Any, Any]:
    """Measures by cell, and the whole answer."""
    told = finished(site, slug)
    cells = {(one["condition"], one["replicate"], one["seed"]): one["metrics"] for one in told["cells"]}
    while (answer := site.client.get(f"/api/v1/experiments/{slug}/result")).status_code == 202:
        time.sleep(0.3)  # a busy machine answers by a job
    assert answer.status_code == 200, answer.text
    return cells, json.dumps(answer.json(), sort_keys=True)


def drivers(site: Site) -> list[int]:
    """The processes that hold a run's lease now."""
    held = "select distinct lease_owner from games_run where lease_owner <> '' and status = 'running'"
    with closing(sqlite3.connect(site.home / "polity.sqlite3", timeout=30)) as database:
        pids = [int(owner.split("|")[1]) for (owner,) in database.execute(held)]
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.full
@pytest.mark.timeout(600)
def test_an_experiment_whose_workers_are_killed_says_what_an_undisturbed_one_says(
    tmp_path: Path, record_property: Any
) -> None:
    site = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    try:
        site.post("/experiments", {"slug": "calm", "document": DOCUMENT, "start": True})
        calm = numbers(site, "calm")
        chance, kills = random.Random(5), 0
        site.post("/experiments", {"slug": "battered", "document": DOCUMENT, "start": True})
        while kills < 8 and site.get("/experiments/battered")["status"] == "running":
            for pid in drivers(site):
                time.sleep(chance.uniform(0.0, 0.1))
                with suppress(ProcessLookupError, KeyError):
                    os.kill(pid if kills % 2 else site.children()["bulk"], signal.SIGKILL)
                    kills += 1
            time.sleep(0.02)
        assert kills, "nothing was killed while it went on"
        record_property("kills", kills)
        print(f"kills while a run was driven: {kills}")  # noqa: T201
        battered = numbers(site, "battered")
        assert battered == calm
    finally:
        site.end()
