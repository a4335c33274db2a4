"""Many scripted players in runs of their own: ``python -m tests.bench.players ADDRESS CODE:SEATS ...``.

Each joins by its run's code in a session of its own, presses Start, thinks for a moment in every turn and moves by its
socket, with one client id a turn; each third move is sent twice. Prints one line of JSON: how many moves were made and
acknowledged, how often each, and how long an acknowledgement took.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from typing import Any

import aiohttp

PATIENCE_S = 420.0
THINK_S = 1.0
JOIN_AT_ONCE = 20


class Player:
    """One browser of one person."""

    def __init__(self, number: int, address: str, code: str) -> None:
        self.address, self.code = address, code
        self.chance = random.Random(number)
        self.acknowledged: Counter[str] = Counter()
        self.refused: list[str] = []
        self.sent: dict[str, float] = {}
        self.waits: list[float] = []
        self.ended = ""

    async def plays(self, gate: asyncio.Semaphore) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(cookie_jar=jar, timeout=timeout, headers={"Origin": self.address}) as session:
            async with gate:
                seat = await self._joins(session)
            await self._sits(session, seat)

    async def _sits(self, session: aiohttp.ClientSession, seat: str) -> None:
        url = f"{self.address.replace('http', 'ws')}/ws/play/{seat}/?after=-1&tab=only"
        async with session.ws_connect(url, max_msg_size=0) as socket:
            await self._post(session, f"/play/{seat}/start", {"tab": "only"})
            beating = asyncio.create_task(self._beats(socket))
            try:
                await asyncio.wait_for(self._answers(socket), PATIENCE_S)
            finally:
                beating.cancel()

    async def _joins(self, session: aiohttp.ClientSession) -> str:
        async with session.get(f"{self.address}/join/{self.code}") as page:
            assert page.status == 200, await page.text()
        joined = await self._post(session, f"/join/{self.code}", {"consent": True})
        return str(joined["id"])

    async def _post(self, session: aiohttp.ClientSession, path: str, body: Any) -> Any:
        cookies = session.cookie_jar.filter_cookies(self.address)  # type: ignore[arg-type]
        headers = {"X-CSRFToken": cookies["polity_csrf"].value, "Referer": self.address}
        async with session.post(f"{self.address}/api/v1{path}", json=body, headers=headers) as answer:
            told = await answer.json()
            assert answer.status in (200, 201), told
            return told

    async def _beats(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            await asyncio.sleep(4)
            await socket.send_str('{"type":"beat","active":true}')

    async def _answers(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        thinking: set[asyncio.Task[None]] = set()
        async for message in socket:
            told = json.loads(message.data)
            self.heard(told)
            match told["type"]:
                case "frame" | "snapshot":
                    await socket.send_str(f'{{"type":"ack","n":{told["frame"]["n"]}}}')
                case "seat":
                    self.ended = told["state"]
                    turn = told["turn"]
                    if turn is not None and f"step-{turn['step']}-of-a-player" not in self.sent:
                        id_ = f"step-{turn['step']}-of-a-player"
                        self.sent[id_] = 0.0
                        thinking.add(asyncio.create_task(self._moves(socket, id_, turn["step"])))
                    if self.ended == "ended":
                        return
                case "moved":
                    self.acknowledged[told["id"]] += 1
                    if self.acknowledged[told["id"]] == 1:
                        self.waits.append(time.perf_counter() - self.sent[told["id"]])
                case "refused":
                    self.refused.append(f"{told['code']}: {told['message']}")

    def heard(self, told: Any) -> None:
        """Whatever comes, for whoever notes it."""

    async def _moves(self, socket: aiohttp.ClientWebSocketResponse, id_: str, step: int) -> None:
        await asyncio.sleep(self.chance.random() * THINK_S)
        self.sent[id_] = time.perf_counter()
        move = json.dumps({"type": "move", "id": id_, "step": step, "pass": True})
        for _ in range(2 if step % 3 == 0 else 1):
            await socket.send_str(move)


async def crowd(address: str, runs: dict[str, int]) -> dict[str, Any]:
    players = [
        Player(number, address, code)
        for number, code in enumerate(code for code, seats in runs.items() for _ in range(seats))
    ]
    gate = asyncio.Semaphore(JOIN_AT_ONCE)
    await asyncio.gather(*(player.plays(gate) for player in players))
    waits = sorted(wait for player in players for wait in player.waits)
    return {
        "players": len(players),
        "moves": sum(len(player.sent) for player in players),
        "acknowledged": sum(len(player.acknowledged) for player in players),
        "refused": [text for player in players for text in player.refused],
        "ended": Counter(player.ended for player in players),
        "p50_ms": round(waits[len(waits) // 2] * 1000, 1),
        "p99_ms": round(waits[int(len(waits) * 0.99)] * 1000, 1),
        "max_ms": round(waits[-1] * 1000, 1),
    }


if __name__ == "__main__":
    named = dict(word.split(":") for word in sys.argv[2:])
    print(json.dumps(asyncio.run(crowd(sys.argv[1], {code: int(seats) for code, seats in named.items()}))))  # noqa: T201
