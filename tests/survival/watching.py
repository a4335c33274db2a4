"""Somebody who watches a run over the websocket and goes to another door when the one it came by is shut."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from itertools import cycle

import aiohttp

ENDED = ("finished", "stopped", "failed")
#: Seconds without a word after which the line counts as lost, as in the browser.
SILENCE_S = 9.0


class Watcher:
    """Every frame in the order of arrival, and by which door it came."""

    def __init__(self, run: str, doors: Sequence[str]) -> None:
        """``doors``: addresses of web processes, tried in turn, the first one first."""
        self.run = run
        self.frames: list[tuple[int, str]] = []
        self.by: list[str] = []
        self.status = ""
        self._doors = cycle(doors)

    @property
    def last(self) -> int:
        return self.frames[-1][0] if self.frames else -1

    @property
    def is_done(self) -> bool:
        return self.status in ENDED

    async def watch(self) -> None:
        """Until the run has ended and its last frame is here; endless where neither comes."""
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None, connect=5)) as session:
            while not self.is_done:
                door = next(self._doors)
                try:
                    await self._through(session, door)
                except (aiohttp.ClientError, OSError, TimeoutError):
                    await asyncio.sleep(0.2)

    async def _through(self, session: aiohttp.ClientSession, door: str) -> None:
        address = f"{door.replace('http', 'ws', 1)}/ws/runs/{self.run}/?after={self.last}"
        async with session.ws_connect(address, max_msg_size=0, headers={"Origin": door}) as socket:
            while not self.is_done:
                message = await socket.receive(timeout=SILENCE_S)
                if message.type is not aiohttp.WSMsgType.TEXT:
                    return
                await self._hear(session, socket, json.loads(message.data), door)

    def _keep(self, n: int, hash_: str, door: str) -> None:
        self.frames.append((n, hash_))
        self.by.append(door)

    async def _fetch(self, session: aiohttp.ClientSession, door: str, until: int) -> None:
        """What lies between, as the browser asks for it: who lagged was sent a snapshot in place of it."""
        while self.last + 1 < until:
            address = f"{door}/api/v1/runs/{self.run}/frames?after={self.last}&limit={min(200, until - self.last - 1)}"
            async with session.get(address) as answer:
                answer.raise_for_status()
                for frame in (await answer.json())["frames"]:
                    self._keep(frame["n"], frame["hash"], door)

    async def _hear(
        self,
        session: aiohttp.ClientSession,
        socket: aiohttp.ClientWebSocketResponse,
        told: dict[str, object],
        door: str,
    ) -> None:
        match told:
            case {"type": "frame" | "snapshot", "frame": {"n": int(n), "hash": str(hash_)}}:
                assert told["type"] == "snapshot" or n > self.last, f"frame {n} came twice"
                if n > self.last + 1:
                    await self._fetch(session, door, n)
                if n == self.last + 1:
                    self._keep(n, hash_, door)
                await socket.send_str(f'{{"type":"ack","n":{n}}}')
            case {"type": "ping", "head": int(head), "status": str(status)} if self.last >= head:
                self.status = status
            case {"type": "error"}:
                raise AssertionError(told)
