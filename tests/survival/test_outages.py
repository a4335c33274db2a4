"""What a site rests on is away for a while: no move lost or doubled, no seat defaulted, no run failed, every run whole.

The servers are stopped, frozen and emptied; workers are frozen past their lease. Policies, models behind a server,
programs and people with little time for each turn play on through it. What became of it is printed (``pytest -s``) and
noted; `tests.survival.campaign` goes through all of it, many times, and counts.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.agents.server import threaded
from tests.survival.battered import Battered, Told, no_call_is_stored_twice, undisturbed
from tests.survival.persons import playing
from tests.survival.servers import FalseClock, Postgres, Redis, frozen, full, mounted, unmounted
from tests.survival.test_kills import PROGRAM, acknowledged, ended, every_move_was_kept_once, people_of
from tests.survival.test_model_kills import Logging
from tests.survival.test_model_kills import undisturbed as by_models

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]

DEADLINE_S = 12.0
"""Seconds for a turn, and until a substitute sits in: less than most of the outages last."""
ROUNDS = 150
WAYS = ("/", "/runs", "/api/v1/runs", "/readyz")


class Reader(threading.Thread):
    """Somebody who asks for pages all the time: how each was answered, and how long the longest took."""

    def __init__(self, address: Callable[[], str]) -> None:
        super().__init__(name="reader")
        self.address, self.is_over = address, threading.Event()
        self.answers: Counter[str] = Counter()
        self.slowest: dict[str, float] = {}
        self.unsaid = 0
        """Answers of 503 that do not say when to try again."""

    def run(self) -> None:
        with httpx.Client(timeout=180) as client:
            number = 0
            while not self.is_over.wait(0.3):
                way, number = WAYS[number % len(WAYS)], number + 1
                began = time.monotonic()
                try:
                    answer = client.get(f"{self.address()}{way}")
                    said = str(answer.status_code)
                    self.unsaid += answer.status_code == 503 and "Retry-After" not in answer.headers
                except httpx.HTTPError as error:
                    said = type(error).__name__
                self.answers[said] += 1
                self.slowest[said] = max(self.slowest.get(said, 0.0), time.monotonic() - began)

    def told(self) -> dict[str, Any]:
        return {said: (count, f"{self.slowest[said]:.2f} s") for said, count in sorted(self.answers.items())}


@contextmanager
def reading(site: Battered) -> Iterator[Reader]:
    reader = Reader(lambda: site.address)
    reader.start()
    try:
        yield reader
    finally:
        reader.is_over.set()
        reader.join(200)


@dataclass
class Place:
    """A site on servers of its own, with runs of every kind of player under way; on SQLite it has brought them."""

    site: Battered
    vendor: Logging
    disk: Path
    """Where its database lies."""
    clock: FalseClock | None = None
    own_postgres: Postgres | None = None
    own_redis: Redis | None = None

    @property
    def postgres(self) -> Postgres:
        assert self.own_postgres is not None
        return self.own_postgres

    @property
    def redis(self) -> Redis:
        assert self.own_redis is not None
        return self.own_redis

    def begin(self, deadline_s: float) -> dict[str, Told]:
        terms = {"deadline_s": deadline_s, "grace_s": deadline_s}
        short, person = {"rounds": ROUNDS}, {"person": True}
        by_model = {"model": "openai/local", "profile": {"base_url": self.vendor.url, "max_tokens": 200}}
        mock = {
            "model": "mock/GTFT",
            "profile": {"persona": "generous_tft", "max_tokens": 4, "mock": {"latency_s": 0.3}},
        }
        land = {"miners": 3, "rows": 6, "cols": 6, **short}
        runs = [
            Told("mining/mixed", 1, short),
            Told("mining/baseline", 2, short),
            Told("mining/baseline", 3, land, {"default": by_model}),
            Told("dilemma/llm-mock", 4, short, {"0": person, "1": person}, terms),
            Told("dilemma/llm-mock", 5, short, {"0": person, "1": mock}, terms),
            Told("mining/baseline", 6, land, {"0": person, "default": {"policy": "guided"}}, terms),
            Told("dilemma/llm-mock", 7, short, {"0": person, "1": PROGRAM}, terms),
        ]
        return self.site.begin(runs, pace=1)


@pytest.fixture
def vendor() -> Iterator[Logging]:
    with threaded(Logging()) as log:
        yield log


@pytest.fixture
def place(tmp_path: Path, vendor: Logging, kind: str) -> Iterator[Place]:
    """``kind`` says what is tried: on a database of the site's own where it begins so."""
    clock = FalseClock() if "clock" in kind else None
    room_mb = 300 if "disk" in kind else 0
    environ = {"POLITY_LIVE_PROCESSES": "2", "POLITY_RATES": "off"}
    everywhere = clock.environ if clock and "the clock" in kind else {}
    with ExitStack() as ended:
        if kind.startswith("sqlite"):
            if room_mb:
                mounted(tmp_path, room_mb)
                ended.callback(unmounted, tmp_path)
            site = Battered(tmp_path, None, {**environ, **everywhere})
            ended.callback(site.end)
            yield Place(site, vendor, tmp_path, clock)
            return
        postgres = Postgres(room_mb, clock.environ if clock else None)
        ended.callback(postgres.end)
        redis = Redis(tmp_path / "redis")
        ended.callback(redis.stop)
        site = Battered(tmp_path, postgres.url, {"REDIS_URL": redis.url, **environ, **everywhere})
        ended.callback(site.end)
        yield Place(site, vendor, postgres.place, clock, postgres, redis)


def goes_on(site: Battered, runs: Mapping[str, Told], within_s: float = 120) -> float:
    """Until each run that is not over has stored a step; the seconds that it took."""
    before, began = site.runs(), time.monotonic()
    while time.monotonic() - began < within_s:
        now = site.runs()
        assert not any(status in ("failed", "paused", "stopped") for status, _, _ in now.values()), now
        if all(now[run][1] > before[run][1] or now[run][0] == "finished" for run in runs):
            return round(time.monotonic() - began, 1)
        time.sleep(0.2)
    pytest.fail(f"it does not go on: {before} {site.runs()}")


def flags(site: Battered) -> Counter[str]:
    rows = site.rows("select answer from games_decision where purpose = 'act'")
    return Counter(flag for (answer,) in rows for flag in json.loads(answer)["flags"])


Outage = tuple[str, Callable[[Place], None]]


def stopped(seconds: float) -> Outage:
    def happens(place: Place) -> None:
        place.postgres.stop()
        time.sleep(seconds)
        place.postgres.start()

    return f"PostgreSQL stopped for {seconds:g} s", happens


def standing(seconds: float) -> Outage:
    def happens(place: Place) -> None:
        with frozen(place.postgres.pid):
            time.sleep(seconds)

    return f"PostgreSQL frozen for {seconds:g} s", happens


def emptied(seconds: float) -> Outage:
    def happens(place: Place) -> None:
        place.redis.stop()
        time.sleep(seconds)
        place.redis.start()

    return f"Redis ended, and empty after {seconds:g} s", happens


def flushed() -> Outage:
    def happens(place: Place) -> None:
        with place.redis.client() as client:
            client.flushall()
        time.sleep(5)

    return "Redis flushed", happens


def unheard(seconds: float) -> Outage:
    """The broker that the site brought."""

    def happens(place: Place) -> None:
        with frozen(place.site.site.children()["valkey"]):
            time.sleep(seconds)

    return f"the embedded broker frozen for {seconds:g} s", happens


def silent(seconds: float) -> Outage:
    def happens(place: Place) -> None:
        with frozen(place.redis.pid):
            time.sleep(seconds)

    return f"Redis frozen for {seconds:g} s", happens


def asleep(seconds: float) -> Outage:
    """Past its lease (15 s), not so long that the launcher gives it up (30 s)."""

    def happens(place: Place) -> None:
        for part in ("live", "live-2"):
            pid = place.site.site.children().get(part)
            if pid is not None:
                with frozen(pid):
                    time.sleep(seconds)
                time.sleep(5)

    return f"each live worker frozen for {seconds:g} s", happens


def killed(*parts: str) -> Outage:
    def happens(place: Place) -> None:
        for part in parts:
            if (pid := place.site.site.children().get(part)) is not None:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(3)

    return f"killed: {', '.join(parts)}", happens


def standing_web(seconds: float) -> Outage:
    def happens(place: Place) -> None:
        with frozen(place.site.site.children()["web"]):
            time.sleep(seconds)

    return f"the web process frozen for {seconds:g} s", happens


def set_to(seconds: int) -> Outage:
    """The one clock that all go by."""

    def happens(place: Place) -> None:
        assert place.clock is not None
        place.clock.set(seconds)
        time.sleep(20)

    return f"the clock set to {seconds:+d} s", happens


def filled(seconds: float) -> Outage:
    def happens(place: Place) -> None:
        with full(place.disk):
            time.sleep(seconds)
        if place.own_postgres and not place.own_postgres.is_there():
            place.own_postgres.start()

    return f"the database's disk full for {seconds:g} s", happens


CLOCK = (set_to(3600), set_to(0), set_to(-3600), set_to(0))
"""Of the database's server alone (which all go by), or of every process of the site as well."""
KINDS: Mapping[str, tuple[Outage, ...]] = {
    "try": (stopped(20), stopped(20), stopped(5)),
    "postgres stopped": (stopped(5), stopped(20), stopped(90), stopped(300)),
    "postgres frozen": (standing(5), standing(20), standing(90)),
    "redis": (emptied(5), flushed(), emptied(30), silent(20)),
    "parts": (asleep(20), killed("live", "live-2", "beat"), stopped(20), killed("web", "live")),
    "web": (killed("web"), killed("web"), standing_web(10), killed("web", "beat")),
    "its clock": CLOCK,
    "the clock": CLOCK,
    "disk": (filled(20), filled(60)),
    "sqlite, parts": (
        asleep(20),
        killed("live", "live-2", "beat"),
        killed("valkey"),
        unheard(20),
        killed("web", "live"),
    ),
    "sqlite, the clock": CLOCK,
    "sqlite, disk": (filled(20), filled(60)),
}


def plays_through(place: Place, outages: Sequence[Outage]) -> dict[str, Any]:
    """Runs of every kind go on through all of them; whatever is to be seen of them afterwards is looked at."""
    site = place.site
    runs = place.begin(DEADLINE_S)
    people = people_of(site, runs)
    everybody = [person for persons in people.values() for person in persons]
    told: dict[str, Any] = {}
    for person in everybody:
        person.think_s = 1.0
    with playing(everybody), reading(site) as reader:
        for name, happens in outages:
            site.await_progress()
            happens(place)
            told[name] = f"all go on {goes_on(site, runs)} s later"
            wrong = {person.number: person.wrong for person in everybody if person.wrong}
            assert not wrong, (name, wrong)
        for person in everybody:
            person.think_s = 0.0
        site.hurry()
        site.finish(900)
        ended(people)
    told |= {**acknowledged(people), "outages": len(outages), "pages": reader.told()}
    print(json.dumps(told, indent=1))  # noqa: T201
    every_move_was_kept_once(site, people)
    for run, one in runs.items():
        answers = {person.seat: person.decider() for person in people.get(run, ())}
        by_server = "openai" in json.dumps(dict(one.seats))
        expected = by_models(one.config, one.seed) if by_server else undisturbed(one, answers)
        assert site.steps(run) == expected, f"{one}: another run than undisturbed"
    no_call_is_stored_twice(site)
    assert set(flags(site)) <= {"passed"}, flags(site)
    assert reader.unsaid == 0
    assert not set(reader.answers) - {"200", "503", "ConnectError", "ReadError", "RemoteProtocolError"}, reader.told()
    return told


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_doubled_or_defaulted_while_a_part_is_away(
    place: Place, kind: str, record_property: Callable[[str, Any], None]
) -> None:
    record_property("tally", json.dumps(plays_through(place, KINDS[kind])))
