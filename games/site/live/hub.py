"""The stream's hand-out in one web process: one subscription and one room a run, however many sockets watch it.

A room hears the doorbell (or its own clock), reads what is new from the record once for each distinct sight, encodes it
once, and hands the same bytes to every socket by that socket's own cursor. Daphne does not push back, so sockets
acknowledge frame numbers: one that lags gets nothing more until half of what is under way to it has arrived, and then
one fresh snapshot where it has fallen far behind. What is under way stays so until it is acknowledged, whatever else a
browser asks for. What a room keeps is bounded by `tape.KEPT` frames a sight, whatever the sockets do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import InterfaceError, OperationalError

from games.lab.wire.seat import SeatMessage
from games.site.live import news
from games.site.live.reading import reader
from games.site.live.tape import Tape
from games.site.live.window import Socket
from games.site.live.wireimage import encode
from games.site.models import ACTIVE, Run
from games.site.notify.doorbell import group
from games.site.people.presence import Beat
from games.site.record import selectors, summary

log = logging.getLogger(__name__)

PING_S = 2.5
AWAY = (OperationalError, InterfaceError)
MERGED_S = 0.01
"""Rings within so many seconds of the first are one."""
COME_AGAIN, DELETED = 4000, 4404
"""Closing codes: the first is no refusal, the page opens a new line at once; the run is no more."""
AT_ONCE = 256
"""Sockets that are served before others of this process have their turn."""


def _next_ping(loop: asyncio.AbstractEventLoop) -> float:
    """All rooms of a process ping at once, because they are read together."""
    return (loop.time() // PING_S + 1) * PING_S


class RunFeed:
    """All sockets of one process that watch one run."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.sockets: set[Socket] = set()
        self.run: Run | None = None
        """As it was at the last hand-out, which is seldom longer ago than a ping."""
        self._tapes: dict[str, Tape] = {}
        self._metas: dict[tuple[str, bool], tuple[tuple[Any, ...], str]] = {}
        self._bell = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._pump())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def ring(self) -> None:
        self._bell.set()

    async def _listen(self) -> None:
        """One subscription for the room; lost connections are taken up again, pings bridge the time between."""
        while True:
            layer = get_channel_layer()
            try:
                channel = await layer.new_channel("stream")
                await layer.group_add(group(self.run_id), channel)
                try:
                    self.ring()
                    while True:
                        await layer.receive(channel)
                        self.ring()
                finally:
                    with contextlib.suppress(Exception):
                        await layer.group_discard(group(self.run_id), channel)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.warning("stream of run %s: %r; listening again", self.run_id, error)
                await asyncio.sleep(1)

    async def _pump(self) -> None:
        loop = asyncio.get_running_loop()
        next_ping = _next_ping(loop)
        while True:
            with contextlib.suppress(TimeoutError):  # `wait_for` of 3.11 loses a cancellation that comes as it rings
                async with asyncio.timeout(max(0.01, next_ping - loop.time())):
                    await self._bell.wait()
            await asyncio.sleep(MERGED_S)  # rings come in twos and threes
            self._bell.clear()
            try:
                is_ping = loop.time() >= next_ping
                await self._hand_out(is_ping)
                if is_ping:
                    next_ping = _next_ping(loop)
            except selectors.NotFound:
                await self._let_go(DELETED)
            except AWAY as error:
                log.warning("stream of run %s: %r", self.run_id, error)
                await self._tell_away()
                next_ping = _next_ping(loop)
            except Exception as error:
                log.warning("stream of run %s: %r", self.run_id, error)
                await asyncio.sleep(0.5)

    async def _tell_away(self) -> None:
        """The database is away: who watches learns that the run waits for it, and hears the rest when it is back."""
        for socket in list(self.sockets):
            if self.run is not None and self.run.status in ACTIVE:
                status = summary.status_of(self.run, socket.sight)
                ping = {"type": "ping", "head": socket.cursor, "status": status, "run": {"away": True}}
                await self._send(socket, encode(ping))
                socket.told = ""

    async def _hand_out(self, is_ping: bool) -> None:
        """Everything new to everyone, sight by sight; then the ping. What is read is read in one go."""
        asked = self._asked(is_ping)
        read = await reader().read(asked)
        before, run = self.run, read.run
        self.run = run
        if before is not None and before.audience != run.audience:
            await self._let_go(COME_AGAIN, everybody=False)
        for meta_key, row, meta in read.metas:
            self._metas[meta_key] = (row, meta)
        for key in [key for key in self._tapes if key not in asked.sights]:
            del self._tapes[key]
        for key, frames in read.frames.items():
            self._tapes.setdefault(key, Tape()).keep(frames)
        for number, socket in enumerate(list(self.sockets), 1):
            if number % AT_ONCE == 0:  # frames that are written at once hold the process as long
                await asyncio.sleep(0)
            key = socket.sight.key
            told = self._metas.get((key, socket.control))
            if key not in read.heads or told is None:
                self.ring()  # it came while this was read
                continue
            self._tapes.setdefault(key, Tape())
            head = read.heads[key]
            await self._serve(socket, key, head)
            await self._ping(socket, head, summary.status_of(run, socket.sight), told[1], is_ping)
        await self._tell_seats(read.seats)

    def _asked(self, is_ping: bool) -> news.Asked:
        """What the sockets that are here need read."""
        sights = {socket.sight.key: socket.sight for socket in self.sockets}
        wanted: dict[str, list[int]] = {key: [] for key in sights}
        for socket in self.sockets:
            if not socket.is_lagging:
                wanted[socket.sight.key].append(socket.cursor)
        ends = {}
        for key in sights:
            frames = self._tapes[key].frames if key in self._tapes else {}
            ends[key] = (next(iter(frames), None), next(reversed(frames), -1)) if frames else (None, -1)
        metas = {(socket.sight.key, socket.control) for socket in self.sockets}
        holders = [socket.holder for socket in self.sockets if socket.holder is not None]
        known = {key: told[0] for key, told in self._metas.items()}
        beats = self._beats() if is_ping else []
        return news.Asked(self.run_id, sights, wanted, ends, sorted(metas), known, holders, beats)

    def _beats(self) -> list[Beat]:
        """Signs of life that are to be booked now."""
        beats = [socket.beat for socket in self.sockets if socket.beat is not None]
        for socket in self.sockets:
            socket.beat = None
        return beats

    async def _let_go(self, code: int, *, everybody: bool = True) -> None:
        """Close the lines of those who watch by an audience that is no more, and come again; or of all, for good."""
        for socket in list(self.sockets):
            if everybody or (socket.holder is None and not socket.control):
                self.sockets.discard(socket)
                with contextlib.suppress(Exception):
                    await socket.sender.close(code=code)

    async def _tell_seats(self, told: Mapping[tuple[str, str], SeatMessage]) -> None:
        """To those who play: whatever has changed of their turn, and of who is there."""
        for socket in list(self.sockets):
            message = told.get(socket.holder) if socket.holder is not None else None
            if message is None:
                continue
            key = news.lasting(message)
            if socket.seat_told != key and await self._send(socket, encode({"type": "seat", **message})):
                socket.seat_told = key

    async def _serve(self, socket: Socket, key: str, head: int) -> None:
        """What one socket lacks: the frames after its cursor, or one snapshot where it lags or lacks too many."""
        tape = self._tapes[key].frames
        if socket.cursor > head:
            socket.cursor = head
        if socket.is_lagging:
            if len(socket.under_way) > socket.window // 2:
                return
            socket.is_lagging = False
            if socket.is_far_from(head):
                await self._fresh(socket, head)
                return
        while socket.cursor < head:
            kept = tape.get(socket.cursor + 1)
            if kept is None:
                await self._fresh(socket, head)
                return
            if not socket.has_room(len(kept.text)):
                socket.is_lagging, socket.window = True, len(socket.under_way)
                return
            if not (self._write(socket, kept.wire) or await self._send(socket, kept.text)):
                return
            socket.handed(kept.size)
            socket.is_served = True

    async def _fresh(self, socket: Socket, head: int) -> None:
        if not socket.has_room(0):
            socket.is_lagging, socket.window = True, len(socket.under_way)
            return
        message = await database_sync_to_async(news.snapshot)(self.run_id, socket.sight, socket.control)
        text = encode({"type": "snapshot", **message})
        if message["frame"] is not None and await self._send(socket, text):
            socket.handed((message["frame"]["n"], len(text)))

    async def _ping(self, socket: Socket, head: int, status: str, meta: str, is_ping: bool) -> None:
        """The run's description where it has changed; each 2.5 s, to whom no frame came since, head and status."""
        if socket.told != meta:
            text = f'{{"type":"ping","head":{head},"status":"{status}","run":{meta}}}'
            if await self._send(socket, text):
                socket.told = meta
        elif is_ping and not socket.is_served:
            await self._send(socket, f'{{"type":"ping","head":{head},"status":"{status}"}}')
        if is_ping:
            socket.is_served = False

    def _write(self, socket: Socket, wire: bytes) -> bool:
        """Write a frame past the application; False where that cannot be."""
        if socket.line is None:
            return False
        try:
            return socket.line.write_wire(wire)
        except Exception as error:
            log.warning("a line of run %s takes no whole frames: %r", self.run_id, error)
            socket.line = None
            return False

    async def _send(self, socket: Socket, text: str) -> bool:
        try:
            await socket.sender.send(text_data=text)
        except Exception as error:
            log.debug("a socket of run %s is gone: %r", self.run_id, error)
            self.sockets.discard(socket)
            return False
        return True


class FeedHub:
    """The rooms of this process. A room opens with its first socket and closes with its last."""

    def __init__(self) -> None:
        self.rooms: dict[str, RunFeed] = {}

    def run(self, run_id: str) -> Run | None:
        """The run of a room that is open, as it was a moment ago."""
        room = self.rooms.get(run_id)
        return room.run if room else None

    def enter(self, run_id: str, socket: Socket) -> RunFeed:
        room = self.rooms.get(run_id)
        if room is None:
            room = self.rooms[run_id] = RunFeed(run_id)
            room.open()
        room.sockets.add(socket)
        room.ring()
        return room

    async def leave(self, run_id: str, socket: Socket) -> None:
        room = self.rooms.get(run_id)
        if room is None:
            return
        room.sockets.discard(socket)
        if not room.sockets:
            del self.rooms[run_id]
            await room.close()


hub = FeedHub()
