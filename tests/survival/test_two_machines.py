"""Two webs and two workers started apart, and one of each killed: who watches through the other misses nothing.

The embedded default does the same on one machine, where the launcher starts what was killed again.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Protocol

import httpx
import psycopg
import pytest

from games.core import codec
from games.core.registry import get, packs
from games.lab.scenarios.scenario import load
from tests.sites import POLITY, ROOT, Site, serve
from tests.survival.battered import Told, undisturbed
from tests.survival.machines import Machine, can_be_elsewhere
from tests.survival.watching import Watcher

PRESET, SEEDS, PACE = "mining/mixed", (21, 22), 8.0
KILL_WORKER_AT, KILL_WEB_AT = 40, 90
PASSWORD = "correct horse battery staple"


class Place(Protocol):
    """Where runs are made, driven and watched, however many machines that takes."""

    def begin(self, preset: str, seed: int) -> str: ...

    def doors(self, run: str) -> list[str]:
        """Addresses to watch the run by, the one first that is farthest from who drives it."""

    def kill_driver(self, run: str) -> None: ...

    def kill_web(self, door: str) -> None: ...

    def rows(self, query: str) -> list[Any]: ...


class Apart:
    """Two machines, each with a web and a live worker; the clock on the first. PostgreSQL and Redis are elsewhere.

    Where the system allows it neither sees the other's processes, so that a lease of the dead is not freed but expires.
    """

    def __init__(self, place: Path, database: str, broker: str) -> None:
        self.database = database
        key = {"POLITY_SECRET_KEY": "of both machines, since a cookie may come to either"}
        shared = {"DATABASE_URL": database, "REDIS_URL": broker, "POLITY_LIVE_THREADS": "4", **key}
        self.machines = [Machine(place / "east", shared), Machine(place / "west", shared, can_be_elsewhere())]

    def start(self) -> None:
        for machine in self.machines:
            machine.start("web", "web", "--port", "0")
        for machine in self.machines:
            machine.start("live", "worker", "--queue", "live")
        self.machines[0].start("beat", "beat")
        self._sign_in()

    def _sign_in(self) -> None:
        """A superuser made as the operator of such a site makes one, signed in at the first web."""
        east = self.machines[0]
        address = east.address
        _, environ = east.command()
        given = {"DJANGO_SETTINGS_MODULE": "simsite.settings", "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
        script = "import sys; from django.core.management import execute_from_command_line as do; do(sys.argv)"
        who = ["createsuperuser", "--noinput", "--username", "ann", "--email", "ann@example.org"]
        subprocess.run([sys.executable, "-c", script, *who], cwd=east.place, env={**environ, **given}, check=True)
        self.client = httpx.Client(base_url=address, follow_redirects=True, timeout=60)
        page = self.client.get("/sign-in")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token
        form = {"csrfmiddlewaretoken": token[1], "username": "ann", "password": PASSWORD, "next": "/api/v1/games"}
        assert self.client.post("/sign-in", data=form, headers={"Referer": address}).status_code == 200

    def begin(self, preset: str, seed: int) -> str:
        headers = {"X-CSRFToken": self.client.cookies["polity_csrf"], "Referer": str(self.client.base_url)}
        body = {"scenario": preset, "seed": seed, "pace": PACE}
        answer = self.client.post("/api/v1/runs", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def driver(self, run: str) -> Machine:
        """The machine whose worker has the run's lease."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            [(owner,)] = self.rows(f"select lease_owner from games_run where id = '{run}'")
            if owner:
                return next(machine for machine in self.machines if machine.holds(owner))
            time.sleep(0.02)
        pytest.fail(f"nobody drives run {run}")

    def doors(self, run: str) -> list[str]:
        near = self.driver(run)
        return [machine.address for machine in sorted(self.machines, key=lambda machine: machine is near)]

    def kill_driver(self, run: str) -> None:
        self.driver(run).kill("live")

    def kill_web(self, door: str) -> None:
        next(machine for machine in self.machines if machine.address == door).kill("web")

    def rows(self, query: str) -> list[Any]:
        with psycopg.connect(self.database) as database:
            return database.execute(query).fetchall()  # type: ignore[arg-type]

    def end(self) -> None:
        for machine in self.machines:
            machine.end()


class Embedded:
    """`polity serve` on SQLite and the Valkey that it brings."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def start(self) -> None:
        self.site: Site = serve([POLITY], ROOT, self.place / "home", self.place / "serve.log", "--no-demo")

    def begin(self, preset: str, seed: int) -> str:
        return str(self.site.post("/runs", {"scenario": preset, "seed": seed, "pace": PACE})["id"])

    def doors(self, run: str) -> list[str]:
        return [self.site.address]

    def kill_driver(self, run: str) -> None:
        os.kill(self.site.children()["live"], signal.SIGKILL)

    def kill_web(self, door: str) -> None:
        os.kill(self.site.children()["web"], signal.SIGKILL)

    def rows(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(self.place / "home" / "polity.sqlite3", timeout=30)) as database:
            return database.execute(query).fetchall()

    def end(self) -> None:
        self.site.end()


@pytest.fixture(params=["two machines on PostgreSQL and Redis", "one machine, all embedded"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    made: Apart | Embedded
    if "PostgreSQL" in request.param:
        made = Apart(tmp_path, request.getfixturevalue("postgres_url"), request.getfixturevalue("redis_url"))
    else:
        made = Embedded(tmp_path)
    try:
        made.start()
        yield made
    finally:
        with suppress(AttributeError):
            made.end()


async def until(true: Callable[[], bool], what: str, watching: list[asyncio.Task[None]]) -> None:
    for _ in range(1800):
        if true():
            return
        for task in watching:
            if task.done():
                task.result()
        await asyncio.sleep(0.1)
    pytest.fail(f"waited in vain until {what}")


@pytest.mark.full  # for every change test_kills.py kills each part, test_standalone.py joins parts that started apart
@pytest.mark.timeout(500)
async def test_a_worker_and_a_web_are_killed_and_who_watches_misses_nothing(place: Place) -> None:
    runs = {await asyncio.to_thread(place.begin, PRESET, seed): seed for seed in SEEDS}
    first = next(iter(runs))
    doors = await asyncio.to_thread(place.doors, first)
    # One comes by the web that will be killed, one by the other (on one machine there is only the one).
    watchers = [Watcher(run, order) for run in runs for order in (doors, doors[::-1])]
    watching = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    try:
        await until(lambda: watchers[0].last >= KILL_WORKER_AT, "the run is well under way", watching)
        assert set(watchers[0].by) == {doors[0]}
        await asyncio.to_thread(place.kill_driver, first)
        await until(lambda: watchers[0].last >= KILL_WEB_AT, "it goes on without the worker", watching)
        await asyncio.to_thread(place.kill_web, doors[0])
        await until(lambda: all(watcher.is_done for watcher in watchers), "every watcher saw the end", watching)
    finally:
        for task in watching:
            task.cancel()
    expected = {run: await asyncio.to_thread(undisturbed, Told(PRESET, seed)) for run, seed in runs.items()}
    for watcher in watchers:
        assert watcher.status == "finished"
        assert watcher.frames == expected[watcher.run], "each frame once, in order, none missing, hashes undisturbed"
    if len(doors) > 1:
        assert watchers[0].by[-1] == doors[1], "who came by the killed web went on by the other"
        assert set(watchers[1].by) == {doors[1]}, "who came by the other noticed nothing"
    for run in runs:
        stored = place.rows(f"select \"index\", hash from games_step where run_id = '{run}' order by id")
        assert stored == expected[run], "each step stored once and in order"
        [(config, told)] = place.rows(f"select config, config_hash from games_run where id = '{run}'")
        assert codec.digest(json.loads(config) if isinstance(config, str) else config) == told


def rehashed(game: str, config: Mapping[str, Any]) -> str:
    rules = get(game).game
    return codec.config_hash(rules, rules.config_type.model_validate(config))


def test_a_column_that_reorders_keys_changes_no_hash(postgres_url: str) -> None:
    """Every preset's settings through jsonb, which keeps keys by length and numbers in a form of its own."""
    compared = reordered = 0
    with psycopg.connect(postgres_url) as database:
        for slug, pack in packs().items():
            for name in pack.scenarios:
                for condition in load(f"{slug}/{name}").conditions:
                    config = condition.config.model_dump(mode="json")
                    row = database.execute("select %s::jsonb", (json.dumps(config),)).fetchone()
                    assert row is not None
                    reordered += list(row[0]) != list(config)
                    assert codec.digest(row[0]) == codec.digest(config)
                    assert rehashed(slug, row[0]) == rehashed(slug, config)
                    compared += 1
    assert compared >= 10
    assert reordered == compared, "a store that keeps the order would prove nothing"
