"""SIGKILL at random moments: every run ends as if nothing had happened, and no step is lost or doubled."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from agents_app.budget import MemoryLedger
from agents_app.deciders import seated_agent
from agents_app.deciders.contract import CallRecord
from agents_app.deciders.hosting import play_seated, steps_of
from games.core import codec
from games.core.agents import deciding
from games.lab.scenario import load
from tests.sites import POLITY, ROOT, Site, serve

RUNS = [("mining/mixed", 1), ("mining/mixed", 2), ("mining/baseline", 3), ("mining/window-0", 4)]
RUNS += [("mining/llm-mock", 5)]
PARTS = ("web", "live", "bulk", "beat", "valkey", "launcher")


def undisturbed(preset: str, seed: int) -> list[tuple[int, str]]:
    """Number and chained hash of every step, played in this process, models too."""
    scenario = load(preset)
    condition, pack = scenario.conditions[0], scenario.pack
    specs = pack.game.seats(condition.config)
    agents = {
        seat: seated_agent(pack, condition.config, specs[seat], agent.plain())
        for seat, agent in enumerate(condition.seats)
        if agent.kind == "model"
    }
    deciders = {
        seat: deciding(pack.policies[agent.policy].bind(agent.params))
        for seat, agent in enumerate(condition.seats)
        if seat not in agents
    }
    kept: list[CallRecord] = []
    steps = play_seated(
        pack.game, condition.config, seed, deciders, agents, lambda seat, step: MemoryLedger(seat, step, kept)
    )
    previous, hashes = codec.GENESIS, []
    for step in steps_of(steps):
        previous = codec.chain(pack.game, previous, step)
        hashes.append((step.index, previous))
    return hashes


class Battered:
    """A site that is started again whenever its launcher has been killed."""

    def __init__(self, place: Path) -> None:
        self.place, self.starts = place, 0
        self.site = self.start()

    def start(self) -> Site:
        self.starts += 1
        log = self.place / f"serve-{self.starts}.log"
        return serve([POLITY], ROOT, self.place / "home", log, "--no-demo")

    def kill(self, part: str) -> bool:
        """Kill a part and what it forked; True if there was one to kill."""
        pid = self.site.process.pid if part == "launcher" else self.site.children().get(part)
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        if part == "launcher":
            self.site.process.wait()
            self.site = self.start()
        return True

    def runs(self) -> dict[str, tuple[str, int, str]]:
        """Status, head and error of every run, read from the database beside the site."""
        with closing(sqlite3.connect(self.place / "home" / "polity.sqlite3", timeout=30)) as database:
            rows = database.execute("select id, status, head, error from games_run")
            return {run: (status, head, error) for run, status, head, error in rows}

    def await_progress(self) -> None:
        """Until some run has stored a step."""
        before, deadline = sum(head for _, head, _ in self.runs().values()), time.monotonic() + 120
        while sum(head for _, head, _ in self.runs().values()) == before:
            assert time.monotonic() < deadline, f"nothing moves any more: {self.runs()}"
            time.sleep(0.05)

    def steps(self, run: str) -> list[tuple[int, str]]:
        with closing(sqlite3.connect(self.place / "home" / "polity.sqlite3", timeout=30)) as database:
            return list(database.execute('select "index", hash from games_step where run_id = ? order by id', (run,)))


@pytest.fixture
def battered(tmp_path: Path) -> Iterator[Battered]:
    site = Battered(tmp_path)
    yield site
    site.site.end()


def begin(battered: Battered, pace: float) -> dict[str, tuple[str, int]]:
    return {
        battered.site.post("/runs", {"scenario": preset, "seed": seed, "pace": pace})["id"]: (preset, seed)
        for preset, seed in RUNS
    }


def batter(battered: Battered, kills: int, seed: int) -> dict[str, int]:
    """So many kills of random parts at random moments, each while the runs are moving; how often each part was hit."""
    chance = random.Random(seed)
    hits = dict.fromkeys(PARTS, 0)
    while sum(hits.values()) < kills:
        battered.await_progress()
        time.sleep(chance.uniform(0.0, 1.0))
        part = chance.choice(PARTS)
        hits[part] += battered.kill(part)
    return hits


def finish(battered: Battered, patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        runs = battered.runs()
        if all(status == "finished" for status, _, _ in runs.values()):
            return
        assert not any(status == "failed" for status, _, _ in runs.values()), runs
        time.sleep(0.5)
    pytest.fail(f"not finished: {battered.runs()}")


def compare(battered: Battered, runs: dict[str, tuple[str, int]]) -> None:
    for run, (preset, seed) in runs.items():
        assert battered.steps(run) == undisturbed(preset, seed), f"{preset}, seed {seed}: another run than undisturbed"
    with closing(sqlite3.connect(battered.place / "home" / "polity.sqlite3", timeout=30)) as database:
        keys = "run_id||' '||step||' '||seat||' '||purpose||' '||attempt"
        calls = f"select count(*), count(distinct {keys}) from games_call"
        made, distinct = database.execute(calls).fetchone()
    assert made == distinct > 0, "a call was stored twice, or no model was asked"


@pytest.mark.timeout(300)
def test_killing_each_part_once_changes_nothing(battered: Battered) -> None:
    runs = begin(battered, pace=20)
    for part in PARTS:
        time.sleep(0.5)
        assert battered.kill(part), f"{part} was not there to kill"
    finish(battered, 120)
    compare(battered, runs)


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_a_hundred_kills_change_nothing(battered: Battered, record_property: Any) -> None:
    runs = begin(battered, pace=1)
    hits = batter(battered, 100, seed=11)
    standing = {run: head for run, (_, head, _) in battered.runs().items()}
    for run, (status, _, _) in battered.runs().items():
        if status != "finished":
            battered.site.post(f"/runs/{run}/control", {"action": "pace", "pace": 0})
    finish(battered, 300)
    compare(battered, runs)
    record_property("kills", hits)
    print(f"kills {hits}, launcher starts {battered.starts}, heads at the last kill {standing}")  # noqa: T201
