"""A study's session with many people at once: ``python -m tests.bench.session [PEOPLE] [--postgres ADDRESS]``.

They come within a minute, each a client that is sent the pages of its way as a browser is, is seated in pairs and moves
by the socket. Told are how long the door took and each page, when a decision was acknowledged, how long a round stood
past the slower move, and how everybody ended; with the load of the machine. Asserts no duration.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import aiohttp
import yaml

from simsite.environment import by_cores
from tests.bench.players import Player
from tests.sites import POLITY, ROOT, serve

COME_S = 60.0
POLL_S = 2.0
"""What the page of who waits asks by."""
STUDY = {
    "study": "many-at-once",
    "minutes": 10,
    "label": {"from": ["PROLIFIC_PID"]},
    "steps": {
        "consent": {"agree": True, "text": {"en": "A study of decisions."}},
        "play": {
            "scenario": "dilemma/tft-vs-alld", "config": {"rounds": 10},
            "seats": {"A": {"person": True}, "B": {"person": True}},
            "people": {"deadline_s": 60, "grace_s": 60}, "gather": {"wait_s": 300},
        },
        "survey": {"ask": {"trust": {"title": {"en": "Did you trust the other?"}, "type": "integer", "as": "likert",
                                     "minimum": 1, "maximum": 5}}},
    },
}  # fmt: skip
TOLD: dict[str, list[float]] = defaultdict(list)
MOVED: dict[tuple[str, int], float] = {}
"""When the slower of a pair moved, by match and step."""


class Member(Player):
    """One who comes by the door and goes the whole way."""

    def __init__(self, number: int, address: str, door: str) -> None:
        super().__init__(number, address, "")
        self.door, self.number, self.run = door, number, ""

    async def plays(self, gate: asyncio.Semaphore) -> None:
        await asyncio.sleep(self.chance.random() * COME_S)
        timeout = aiohttp.ClientTimeout(total=None)
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar, timeout=timeout, headers={"Origin": self.address}) as session:
            began = time.perf_counter()
            page, url = await self._page(session, self.door)
            page, url = await self._page(session, url, {**_hidden(page), "lang": "en"})
            TOLD["join"].append(time.perf_counter() - began)
            while "/play/" not in url:
                page, url = await self._goes_on(session, page, url)
            await self._sits(session, url.rstrip("/").rpartition("/")[2])
            while 'value="leave"' not in page and "part-body end" not in page:
                page, url = await self._page(session, re.sub(r"/play/.*", self.me, url))
                page, url = await self._goes_on(session, page, url)
            self.ended = "done"

    async def _page(
        self, session: aiohttp.ClientSession, url: str, sent: dict[str, str] | None = None
    ) -> tuple[str, str]:
        began = time.perf_counter()
        method = session.post(url, data=sent, headers={"Referer": url}) if sent else session.get(url)
        async with method as answer:
            text = await answer.text()
            assert answer.status == 200, f"{answer.status} {answer.url}"
        TOLD["page"].append(time.perf_counter() - began)
        if "/me/" in str(answer.url):
            self.me = answer.url.path
        return text, str(answer.url)

    async def _goes_on(self, session: aiohttp.ClientSession, page: str, url: str) -> tuple[str, str]:
        if 'name="at"' in page:
            await asyncio.sleep(1 + 3 * self.chance.random())
            return await self._page(session, url, {**_hidden(page), "agree": "yes", "trust": "3"})
        await asyncio.sleep(POLL_S)
        return await self._page(session, url)

    def heard(self, told: Any) -> None:
        now = time.perf_counter()
        if told["type"] == "snapshot":
            self.run = told["run"]["id"]
        elif told["type"] == "frame" and (since := MOVED.get((self.run, told["frame"]["n"]))) is not None:
            TOLD["past the slower"].append(now - since)
        elif told["type"] == "moved" and not self.acknowledged[told["id"]]:
            TOLD["acknowledged"].append(now - self.sent[told["id"]])

    async def _moves(self, socket: aiohttp.ClientWebSocketResponse, id_: str, step: int) -> None:
        await asyncio.sleep(self.chance.random() * 4)
        self.sent[id_] = MOVED[self.run, step] = time.perf_counter()
        action = {"move": "C" if self.chance.random() < 0.6 else "D"}
        await socket.send_str(json.dumps({"type": "move", "id": id_, "step": step, "action": action}))


def _hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


async def _walk(address: str, door: str, people: int) -> list[Member]:
    members = [Member(number, address, f"{door}?PROLIFIC_PID=p{number}") for number in range(people)]
    gate = asyncio.Semaphore(people)
    for one in await asyncio.gather(*(member.plays(gate) for member in members), return_exceptions=True):
        if one is not None:
            sys.stdout.write(f"fault: {one!r}\n")
    return members


def tell() -> None:
    for name, seconds in TOLD.items():
        ordered = sorted(seconds)
        p99 = ordered[int(len(ordered) * 0.99)]
        sys.stdout.write(
            f"{name:20} n {len(ordered):6} median {statistics.median(ordered) * 1e3:7.0f} ms  p99 {p99 * 1e3:7.0f} ms"
            f"  most {ordered[-1] * 1e3:7.0f} ms\n"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("people", type=int, nargs="?", default=300)
    parser.add_argument("--postgres", default="", help="the address of an empty database; SQLite if left out")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="polity-session-") as place:
        environ = {"POLITY_WEB_PROCESSES": str(by_cores(os.cpu_count() or 1))}
        if wanted.postgres:
            environ["DATABASE_URL"] = wanted.postgres
        site = serve([POLITY], ROOT, Path(place) / "home", Path(place) / "log", "--no-demo", environ=environ)
        try:
            door = site.post("/sessions", {"file": yaml.safe_dump(STUDY)})["door"]
            members = asyncio.run(_walk(site.address, door, wanted.people))
        finally:
            site.end()
    tell()
    ends, refused = Counter(one.ended for one in members), [text for one in members for text in one.refused]
    sys.stdout.write(f"ends {dict(ends)}; refused {refused[:3]}; load {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main()
