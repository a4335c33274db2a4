"""A site whose parts are killed, what was stored of its runs, and the same runs as nobody disturbs them."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from agents_app.budget import MemoryLedger
from agents_app.deciders import seated_agent
from agents_app.deciders.hosting import play_seated, steps_of
from agents_app.ports import CallRecord
from games.core import codec
from games.core.agents import Decider, deciding
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from tests.sites import POLITY, ROOT, SOON_S, Site, serve

PARTS = ("web", "live", "bulk", "beat", "valkey", "launcher")
DATABASE = "database"
"""Of PostgreSQL alone: every connection to it is cut at once, as when its server is restarted."""


@dataclass(frozen=True)
class Told:
    """What a run is started with."""

    preset: str
    seed: int
    config: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, Any] = field(default_factory=dict)
    people: Mapping[str, Any] = field(default_factory=dict)

    def body(self, pace: float) -> dict[str, Any]:
        plain = {"config": dict(self.config), "seats": dict(self.seats), "people": dict(self.people)}
        return {"scenario": self.preset, "seed": self.seed, "pace": pace, **plain}


def undisturbed(told: Told, people: Mapping[int, Decider] | None = None) -> list[tuple[int, str]]:
    """Number and chained hash of every step, played in this process, models too; ``people`` answer for their seats."""
    seats = read_seats({"seats": dict(told.seats)}, "form") if told.seats else {}
    scenario = load(told.preset, extra=[Layer("form", told.config, seats, people=told.people)])
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
        if agent.kind == "policy"
    } | dict(people or {})
    kept: list[CallRecord] = []
    steps = play_seated(
        pack.game,
        condition.config,
        told.seed,
        deciders,
        agents,
        lambda seat, step: MemoryLedger(seat, step, kept),
        controller=pack.controller,
    )
    previous, hashes = codec.GENESIS, []
    for step in steps_of(steps):
        previous = codec.chain(pack.game, previous, step)
        hashes.append((step.index, previous))
    return hashes


class Battered:
    """A site that is started again whenever its launcher has been killed."""

    def __init__(self, place: Path, postgres_url: str | None = None, environ: Mapping[str, str] | None = None) -> None:
        self.place, self.starts, self.postgres_url = place, 0, postgres_url
        self.environ = {**({"DATABASE_URL": postgres_url} if postgres_url else {}), **(environ or {})}
        self.parts = (*PARTS, DATABASE) if postgres_url else PARTS
        self.site = self._start()
        self.address = self.site.address

    def _start(self) -> Site:
        self.starts += 1
        log = self.place / f"serve-{self.starts}.log"
        site = serve([POLITY], ROOT, self.place / "home", log, "--no-demo", environ=self.environ)
        site.client.timeout = httpx.Timeout(SOON_S)
        return site

    def kill(self, part: str) -> bool:
        """Kill a part and what it forked; True if there was one to kill."""
        if part == DATABASE:
            return self._cut()
        pid = self.site.process.pid if part == "launcher" else self.site.children().get(part)
        if pid is None:
            return False
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        if part == "launcher":
            self.site.process.wait()
            self.site = self._start()
            self.address = self.site.address
        return True

    def _cut(self) -> bool:
        ours = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
        return len(self.rows(f"{ours} and pid <> pg_backend_pid()")) > 0

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """What the database beside the site answers."""
        if self.postgres_url:
            with psycopg.connect(self.postgres_url, connect_timeout=30) as server:
                return server.execute(select).fetchall()  # type: ignore[call-overload,no-any-return]
        with closing(sqlite3.connect(self.place / "home" / "polity.sqlite3", timeout=30)) as database:
            return list(database.execute(select))

    def runs(self) -> dict[str, tuple[str, int, str]]:
        """Status, head and error of every run."""
        rows = self.rows("select id, status, head, error from games_run")
        return {run: (status, head, error) for run, status, head, error in rows}

    def await_progress(self) -> None:
        """Until some run has stored a step."""
        before, deadline = sum(head for _, head, _ in self.runs().values()), time.monotonic() + 120
        while sum(head for _, head, _ in self.runs().values()) == before:
            assert time.monotonic() < deadline, f"nothing moves any more: {self.runs()}"
            time.sleep(0.05)

    def steps(self, run: str) -> list[tuple[int, str]]:
        rows = self.rows(f"select \"index\", hash from games_step where run_id = '{run}' order by id")
        return [(index, hash_) for index, hash_ in rows]

    def begin(self, runs: Sequence[Told], pace: float) -> dict[str, Told]:
        return {self.site.post("/runs", told.body(pace))["id"]: told for told in runs}

    def hurry(self) -> None:
        """Every run that is not over goes as fast as it can."""
        for run, (status, _, _) in self.runs().items():
            if status not in ("finished", "failed"):
                self._patiently(lambda run=run: self.site.post(f"/runs/{run}/control", {"action": "pace", "pace": 0}))

    def _patiently(self, do: Callable[[], Any]) -> None:
        """Until the web process is there again."""
        deadline = time.monotonic() + 60
        while True:
            try:
                do()
                return
            except httpx.TransportError:
                assert time.monotonic() < deadline, "the web process does not come back"
                time.sleep(0.2)

    def finish(self, patience_s: float) -> None:
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            runs = self.runs()
            if all(status == "finished" for status, _, _ in runs.values()):
                return
            assert not any(status == "failed" for status, _, _ in runs.values()), runs
            time.sleep(0.5)
        pytest.fail(f"not finished: {self.runs()}")

    def end(self) -> None:
        with suppress(Exception):
            self.site.end()


def batter(site: Battered, kills: int, seed: int, parts: Iterable[str] = ()) -> dict[str, int]:
    """So many kills of random parts at random moments, each while the runs are moving; how often each part was hit."""
    chance = random.Random(seed)
    hits = dict.fromkeys(parts or site.parts, 0)
    while sum(hits.values()) < kills:
        site.await_progress()
        time.sleep(chance.uniform(0.0, 1.0))
        part = chance.choice(list(hits))
        hits[part] += site.kill(part)
    return hits


def no_call_is_stored_twice(site: Battered) -> None:
    keys = "run_id||' '||step||' '||seat||' '||purpose||' '||attempt"
    ((made, distinct),) = site.rows(f"select count(*), count(distinct {keys}) from games_call")
    assert made == distinct > 0, "a call was stored twice, or no model was asked"
