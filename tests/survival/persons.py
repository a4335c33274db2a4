"""People and programs who play on while the site is killed under them: they keep their place and come back."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import aiohttp

from games.core.agents import Decider, Decision, Request
from games.core.game import PASSED

SILENCE_S = 9.0
"""Seconds without a word after which the line counts as lost, as in the browser."""
SEATED_S = 60.0
AWAY = (502, 503)
"""What may be said while a part of the site is away."""
LOST = (aiohttp.ClientError, OSError, TimeoutError)


class Lost(OSError):
    """The site is away for a moment."""


class Person:
    """A browser in a seat: it plays what can be played, one after the other, or passes; by socket and by post."""

    tab: ClassVar = {"tab": "only"}

    def __init__(self, number: int, address: Callable[[], str], code: str) -> None:
        """``address``: where the site is now; another one after its launcher was killed."""
        self.number, self.code = number, code
        self.chance = random.Random(number)
        self.address = address
        self.think_s = 0.5
        self.seat, self.id = -1, ""
        self.sent: dict[int, dict[str, Any]] = {}
        self.acknowledged: dict[int, dict[str, Any]] = {}
        self.wrong: list[str] = []
        self.returns = 0
        self.is_over = False
        self.last = ""

    def __repr__(self) -> str:
        lost = sorted(set(self.sent) - set(self.acknowledged))
        state = "over" if self.is_over else f"at step {max(self.sent, default=None)}"
        fault = f"not acknowledged {lost}, wrong {self.wrong[:3]}, last {self.last}"
        return f"person {self.number} {state}, {self.returns} lines lost, {fault}"

    def move(self, step: int) -> dict[str, Any]:
        """The move of a step that was decided; the same however often it is sent."""
        return {"id": f"move-of-{self.number}-at-{step}", "step": step, **self.sent[step]}

    def decides(self, step: int, options: Sequence[Any] | None) -> None:
        if step not in self.sent:
            choice = step * 7 // 3 % (len(options) + 1) if options else 0
            self.sent[step] = {"action": options[choice - 1]} if options and choice else {"pass": True}

    async def plays(self) -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        timeout = aiohttp.ClientTimeout(total=20, connect=5)
        async with aiohttp.ClientSession(cookie_jar=jar, timeout=timeout) as session:
            await self._joins(session)
            while not self.is_over:
                try:
                    await self._watches(session)
                except LOST as error:
                    self.returns += 1
                    self.last = repr(error)
                    await asyncio.sleep(0.2)

    async def _joins(self, session: aiohttp.ClientSession) -> None:
        """Before anything is killed."""
        await self._read(session, f"/join/{self.code}")
        joined = await self._post(session, f"/api/v1/join/{self.code}", {"consent": True})
        self.id, self.seat = joined["id"], joined["seat"]
        await self._post(session, f"/api/v1/play/{self.id}/start", {"tab": "only"})

    async def _read(self, session: aiohttp.ClientSession, path: str) -> None:
        async with session.get(f"{self.address()}{path}") as answer:
            self._heard(answer.status, path, await answer.text())

    def _signed(self, session: aiohttp.ClientSession, door: str) -> dict[str, str]:
        token = next(cookie.value for cookie in session.cookie_jar if cookie.key == "polity_csrf")
        return {"X-CSRFToken": token, "Referer": door, "Origin": door}

    async def _post(self, session: aiohttp.ClientSession, path: str, body: Any) -> Any:
        door = self.address()
        async with session.post(f"{door}{path}", json=body, headers=self._signed(session, door)) as answer:
            self._heard(answer.status, path, await answer.text())
            return await answer.json()

    def _heard(self, status: int, path: str, text: str) -> None:
        if status in AWAY:
            raise Lost(f"{status}: {path}")
        if status >= 400:
            self.wrong.append(f"{status}: {path}: {text[:300]}")
            raise Lost(self.wrong[-1])

    async def _watches(self, session: aiohttp.ClientSession) -> None:
        door = self.address()
        url = f"{door.replace('http', 'ws', 1)}/ws/play/{self.id}/?after=-1&tab=only"
        async with session.ws_connect(url, max_msg_size=0, headers={"Origin": door}) as socket:
            beating = asyncio.create_task(self._beats(socket))
            try:
                await self._asks_again(session)
                while not self.is_over:
                    message = await socket.receive(timeout=SILENCE_S)
                    if message.type is not aiohttp.WSMsgType.TEXT:
                        raise Lost(f"the line was closed: {socket.close_code}")
                    await self._hears(session, socket, json.loads(message.data))
            finally:
                beating.cancel()

    async def _asks_again(self, session: aiohttp.ClientSession) -> None:
        """What was sent when the line was lost is sent once more, by the same name."""
        for step in sorted(set(self.sent) - set(self.acknowledged)):
            await self._posts(session, step)

    async def _posts(self, session: aiohttp.ClientSession, step: int) -> None:
        path = f"/api/v1/play/{self.id}/moves"
        self.acknowledged[step] = await self._post(session, path, {**self.tab, **self.move(step)})

    async def _beats(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            await asyncio.sleep(4)
            await socket.send_str('{"type":"beat","active":true}')

    async def _hears(
        self, session: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse, told: dict[str, Any]
    ) -> None:
        match told:
            case {"type": "frame" | "snapshot", "frame": {"n": int(n)}}:
                await socket.send_str(f'{{"type":"ack","n":{n}}}')
            case {"type": "seat", "state": str(state), "turn": turn}:
                if state not in ("room", "playing", "ended"):
                    self.wrong.append(f"the seat is {state}")
                self.is_over = state not in ("room", "playing")
                if turn is not None and turn["step"] not in self.acknowledged:
                    await self._moves(session, socket, turn["step"], turn["options"])
            case {"type": "moved", "step": int(step)}:
                self.acknowledged[step] = told
            case {"type": "error", "code": "unavailable"}:
                raise Lost(str(told))
            case {"type": "refused" | "error"}:
                self.wrong.append(str(told))

    async def _moves(
        self, session: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse, step: int, options: Any
    ) -> None:
        await asyncio.sleep(self.chance.random() * self.think_s)
        self.decides(step, options)
        if step % 3:
            await socket.send_str(json.dumps({"type": "move", **self.move(step)}))
        else:
            await self._posts(session, step)

    def decider(self) -> Decider:
        """Who answers in this seat what this person was told is kept."""

        def decide(request: Request[Any, Any]) -> Decision[Any]:
            assert request.actions is not None
            told = self.acknowledged[request.index]
            if told["passed"]:
                return Decision(None, request.memory, None, (PASSED,))
            return Decision(request.actions.read(told["action"]), request.memory)

        return decide


class Program(Person):
    """A program in a seat: it comes with a token, waits for its turn by asking for it, and posts its moves."""

    tab: ClassVar = {}
    token = ""

    def _signed(self, session: aiohttp.ClientSession, door: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def _joins(self, session: aiohttp.ClientSession) -> None:
        joined = await self._post(session, f"/api/v1/join/{self.code}/token", {"label": f"bot {self.number}"})
        self.id, self.seat, self.token = joined["id"], joined["seat"], joined["token"]
        await self._post(session, f"/api/v1/play/{self.id}/start", {})

    async def _watches(self, session: aiohttp.ClientSession) -> None:
        await self._asks_again(session)
        while not self.is_over:
            door, path = self.address(), f"/api/v1/play/{self.id}/turn?wait=5"
            async with session.get(f"{door}{path}", headers=self._signed(session, door)) as answer:
                self._heard(answer.status, path, await answer.text())
                page = await answer.json()
            if page["state"] not in ("room", "playing", "ended"):
                self.wrong.append(f"the seat is {page['state']}")
            self.is_over = page["state"] not in ("room", "playing")
            turn = page["turn"]
            if turn is not None and turn["step"] not in self.acknowledged:
                await asyncio.sleep(self.chance.random() * self.think_s)
                self.decides(turn["step"], turn["options"])
                await self._posts(session, turn["step"])


@contextmanager
def playing(persons: Sequence[Person]) -> Iterator[threading.Thread]:
    """They play in a thread of their own, until their matches are over or the block is left; all have moved before."""
    loop = asyncio.new_event_loop()

    async def everybody() -> None:
        await asyncio.gather(*(person.plays() for person in persons))

    def run() -> None:
        asyncio.set_event_loop(loop)
        task = loop.create_task(everybody())
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError:
            pass
        except Exception as error:
            for person in persons:
                person.wrong.append(repr(error))
        finally:
            loop.close()

    thread = threading.Thread(target=run, name="persons")
    thread.start()
    try:
        deadline = time.monotonic() + SEATED_S
        while not all(person.acknowledged for person in persons):
            assert thread.is_alive(), [person.wrong for person in persons]
            assert time.monotonic() < deadline, "they were not seated, or not asked"
            time.sleep(0.1)
        yield thread
    finally:
        if thread.is_alive():
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
        thread.join(30)
