"""A site in ordinary use for as long as one likes, and whether its memory grows.

``python -m tests.bench.soak [--minutes N] [--speed N] [--log FILE]``: visitors read pages, watch and leave, somebody
begins matches of policies, of mock models and with a person, checks designs, takes exports; all at a low rate, or so
many times that. Each part's memory is told each half minute, as the sum of what its processes have for themselves:
PSS, in MB.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import aiohttp
import httpx

from tests.sites import POLITY, ROOT, Site, serve
from tests.survival.persons import Person
from tests.survival.servers import children_of

PARTS = ("web", "live", "bulk", "beat", "valkey")
EACH_S = 30.0
PAGES = ("/", "/runs", "/games", "/experiments", "/sources", "/phenomena", "/register", "/docs", "/readyz", "/nosuch")
READS = ("/runs?limit=20", "/runs/table", "/games", "/scenarios", "/experiments", "/sources", "/phenomena", "/nosuch")
DESIGN = {"base": "dilemma/demo", "config": {"rounds": 10}, "seeds": "1..4"}
MOCK = {"model": "mock/GTFT", "profile": {"persona": "generous_tft", "max_tokens": 4, "mock": {"latency_s": 0.1}}}
BEGUN: Sequence[dict[str, Any]] = (
    {"scenario": "mining/mixed", "config": {"rounds": 40}, "pace": 2},
    {"scenario": "dilemma/demo", "config": {"rounds": 30}, "pace": 2},
    {"scenario": "dilemma/llm-mock", "config": {"rounds": 20}, "seats": {"1": MOCK}, "pace": 2},
    {"scenario": "nations/demo", "pace": 2},
    {"scenario": "economist/small-land", "pace": 0},
)


def pss_mb(pid: int) -> float:
    """Of a process and all that it has started."""
    sum_kb = 0
    for one in (pid, *children_of(pid)):
        with suppress(OSError):
            told = Path(f"/proc/{one}/smaps_rollup").read_text()
            sum_kb += next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:"))
    return round(sum_kb / 1024, 1)


def growth(samples: Sequence[float]) -> float:
    """What the last quarter of the samples has more than the second, each by its median: MB."""
    quarter = len(samples) // 4
    return round(statistics.median(samples[-quarter:]) - statistics.median(samples[quarter : 2 * quarter]), 1)


@dataclass
class Soak:
    """Who uses the site, what they were answered, and what its parts needed meanwhile."""

    site: Site
    minutes: float
    speed: float = 1
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    memory: dict[str, list[float]] = field(default_factory=lambda: {part: [] for part in PARTS})
    runs: list[str] = field(default_factory=list)
    moves: int = 0
    done: Counter[str] = field(default_factory=Counter)

    async def lasts(self, log: TextIO) -> None:
        self.until = time.monotonic() + self.minutes * 60
        cookies = dict(self.site.client.cookies)
        headers = {"X-CSRFToken": cookies["polity_csrf"], "Referer": self.site.address}
        base = self.site.address
        async with (
            httpx.AsyncClient(base_url=base, timeout=60, cookies=cookies, headers=headers) as operator,
            httpx.AsyncClient(base_url=base, timeout=60) as stranger,
            aiohttp.ClientSession() as session,
        ):
            self.operator, self.stranger, self.session = operator, stranger, session
            habits: tuple[tuple[float, Callable[[], Awaitable[None]]], ...] = (
                (1.5, self.reads),
                (20, self.begins),
                (4, self.watches),
                (60, self.plays),
                (45, self.designs),
                (90, self.takes),
            )
            await asyncio.gather(self.measures(log), *(self.again(*habit) for habit in habits))

    async def again(self, each_s: float, habit: Callable[[], Awaitable[None]]) -> None:
        while time.monotonic() < self.until:
            try:
                await habit()
                self.done[habit.__name__] += 1
            except (httpx.HTTPError, aiohttp.ClientError, OSError, AssertionError) as error:
                self.faults.append(f"{habit.__name__}: {error!r}"[:300])
            await asyncio.sleep(each_s * self.chance.uniform(0.5, 1.5) / self.speed)

    async def ask(self, who: httpx.AsyncClient, method: str, path: str, body: Any = None) -> httpx.Response:
        answer = await who.request(method, path, json=body)
        self.statuses[answer.status_code] += 1
        if answer.status_code >= 500:
            self.faults.append(f"{answer.status_code}: {method} {path}: {answer.text[:200]}")
        return answer

    async def reads(self) -> None:
        who = self.chance.choice((self.stranger, self.operator))
        way = self.chance.choice((*PAGES, *(f"/api/v1{path}" for path in READS)))
        if self.runs and self.chance.random() < 0.5:
            run = self.chance.choice(self.runs)
            parts = ("", "/frames?limit=20", "/calls", "/meter", "/notices")
            way = self.chance.choice((f"/runs/{run}", *(f"/api/v1/runs/{run}{part}" for part in parts)))
        await self.ask(who, "GET", way)

    async def begins(self) -> None:
        body = {**self.chance.choice(BEGUN), "seed": self.chance.randrange(10**6)}
        answer = await self.ask(self.operator, "POST", "/api/v1/runs", body)
        assert answer.status_code == 201, answer.text
        self.runs.append(answer.json()["id"])
        if len(self.runs) > 30:
            old = self.runs.pop(0)
            await self.ask(self.operator, "POST", f"/api/v1/runs/{old}/control", {"action": "stop"})
            await self.ask(self.operator, "DELETE", f"/api/v1/runs/{old}")

    async def watches(self) -> None:
        """A while, reading; now and then somebody who goes without a word."""
        if not self.runs:
            return
        url = f"{self.site.address.replace('http', 'ws', 1)}/ws/runs/{self.chance.choice(self.runs)}/?after=-1"
        async with self.session.ws_connect(url, max_msg_size=0, headers={"Origin": self.site.address}) as line:
            until = time.monotonic() + self.chance.uniform(1, 12)
            with suppress(TimeoutError):
                while time.monotonic() < until:
                    message = await line.receive(timeout=5)
                    if message.type is not aiohttp.WSMsgType.TEXT:
                        break
                    frame = json.loads(message.data).get("frame") or {}
                    if "n" in frame:
                        await line.send_str(json.dumps({"type": "ack", "n": frame["n"]}))

    async def plays(self) -> None:
        """One person against a policy, to the end."""
        terms = {"deadline_s": 60, "grace_s": 60}
        seats = {"0": {"person": True}}
        body = {"scenario": "dilemma/demo", "config": {"rounds": 10}, "seats": seats, "people": terms, "seed": 1}
        answer = await self.ask(self.operator, "POST", "/api/v1/runs", body)
        assert answer.status_code == 201, answer.text
        run = answer.json()["id"]
        code = (await self.ask(self.operator, "GET", f"/api/v1/runs/{run}/people")).json()["code"]["code"]
        person = Person(0, lambda: self.site.address, code)
        await asyncio.wait_for(person.plays(), 120)
        self.moves += len(person.acknowledged)
        self.faults += person.wrong

    async def designs(self) -> None:
        await self.ask(self.operator, "POST", "/api/v1/experiments/check", {"document": DESIGN})
        slug = f"soaked-{self.done['designs']}"
        body = {"slug": slug, "document": DESIGN, "start": True}
        await self.ask(self.operator, "POST", "/api/v1/experiments", body)
        await asyncio.sleep(20)
        await self.ask(self.operator, "GET", f"/api/v1/experiments/{slug}/result")

    async def takes(self) -> None:
        if self.runs:
            run = self.chance.choice(self.runs)
            await self.ask(self.operator, "GET", f"/api/v1/runs/{run}/export.zip")
            await self.ask(self.stranger, "GET", f"/runs/{run}/preview.png")

    async def measures(self, log: TextIO) -> None:
        while time.monotonic() < self.until:
            parts = self.site.children()
            for part in PARTS:
                if part in parts:
                    self.memory[part].append(pss_mb(parts[part]))
            last = {part: samples[-1] for part, samples in self.memory.items() if samples}
            log.write(json.dumps({"at": round(time.time()), **last, "faults": len(self.faults)}) + "\n")
            log.flush()
            await asyncio.sleep(EACH_S)

    def told(self) -> Mapping[str, Any]:
        return {
            "minutes": self.minutes,
            "statuses": dict(sorted(self.statuses.items())),
            "done": dict(self.done),
            "moves": self.moves,
            "memory_mb": {part: [samples[0], max(samples), samples[-1]] for part, samples in self.memory.items()},
            "growth_mb": {part: growth(samples) for part, samples in self.memory.items() if len(samples) >= 8},
            "faults": self.faults[:20],
        }


def soaked(site: Site, minutes: float, log: TextIO = sys.stderr, speed: float = 1) -> Soak:
    site.client.timeout = 120
    site.operator_get("/runs")
    soak = Soak(site, minutes, speed)
    asyncio.run(soak.lasts(log))
    return soak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--speed", type=float, default=1)
    parser.add_argument("--log", default="/dev/stderr")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polity-soak-") as place, Path(given.log).open("w") as log:
        environ = {"POLITY_RATES": "off"}
        site = serve([POLITY], ROOT, Path(place) / "home", Path(place) / "serve.log", environ=environ)
        try:
            sys.stdout.write(json.dumps(soaked(site, given.minutes, log, given.speed).told(), indent=1) + "\n")
        finally:
            site.end()


if __name__ == "__main__":
    main()
