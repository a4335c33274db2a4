"""The stream's hand-out in one web process: one subscription and one room a run, however many sockets watch it.

A room hears the doorbell (or its own clock), reads what is new from the record once for each distinct sight, encodes it
once, and hands the same bytes to every socket by that socket's own cursor. Daphne does not push back, so sockets
acknowledge frame numbers: one that lags gets nothing more until half of what is under way to it has arrived, and then
one fresh snapshot where it has fallen far behind. What a room keeps is bounded by `KEPT` frames a sight, whatever the
sockets do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Protocol

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from games import describing, selectors
from games.audience import Sight
from games.doorbell import group
from games.lab.plainjson import encoded
from games.models import Run
from games.services.presence import Beat, beats_keep
from games.sitting import seat_messages

log = logging.getLogger(__name__)

PING_S = 2.5
KEPT = 256
"""Encoded frames that a room keeps for each sight."""
UNACKED_MAX = 64
"""Frames that may be under way to one socket."""
UNACKED_BYTES = 128 * 1024
"""And characters of them: what Daphne holds for a browser that reads slowly, times the number of such browsers."""
GAP_MAX = 200
"""A gap longer than this is closed by a snapshot."""


class Sender(Protocol):
    async def send(self, text_data: str) -> None: ...


@dataclass(eq=False, slots=True)
class Socket:
    """One watching browser: its sight, the last frame handed to it, and the last one that it acknowledged."""

    sender: Sender
    sight: Sight
    control: bool
    cursor: int
    acked: int
    is_lagging: bool = False
    window: int = 0
    """How many frames were under way when it was found to lag."""
    is_served: bool = False
    """Whether it was handed something since the last ping."""
    told: str = ""
    holder: tuple[str, str] | None = None
    """Participant and tab, where a seat is played from here."""
    seat_told: str = ""
    beat: Beat | None = None
    """The last sign of life that is not yet booked."""

    @property
    def unacked(self) -> int:
        """Frames that are under way to it."""
        return self.cursor - self.acked


@dataclass(eq=False, slots=True)
class _Tape:
    """The latest frames as one sight sees them, encoded."""

    frames: OrderedDict[int, str] = field(default_factory=OrderedDict)

    def keep(self, n: int, text: str) -> None:
        self.frames[n] = text
        while len(self.frames) > KEPT:
            self.frames.popitem(last=False)


def _lasting(message: dict[str, Any]) -> str:
    """A seat's message without the clocks in it, which run on the page by themselves."""
    turn = {**message["turn"], "left_s": None} if message["turn"] else None
    room = {**message["room"], "starts_in_s": message["room"]["starts_in_s"] is None}
    presence = [{**one, "returns_in_s": None} for one in message["presence"]]
    return encode({**message, "turn": turn, "room": room, "presence": presence})


def encode(message: dict[str, Any]) -> str:
    return encoded(message).decode()


class Room:
    """All sockets of one process that watch one run."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.sockets: set[Socket] = set()
        self.run: Run | None = None
        """As it was at the last hand-out, which is seldom longer ago than a ping."""
        self._tapes: dict[str, _Tape] = {}
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
        next_ping = loop.time() + PING_S
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), max(0.01, next_ping - loop.time()))
            self._bell.clear()
            try:
                is_ping = loop.time() >= next_ping
                await self._hand_out(is_ping)
                if is_ping:
                    next_ping = loop.time() + PING_S
            except Exception as error:
                log.warning("stream of run %s: %r", self.run_id, error)
                await asyncio.sleep(0.5)

    async def _hand_out(self, is_ping: bool) -> None:
        """Everything new to everyone, sight by sight; then the ping."""
        run = self.run = await database_sync_to_async(selectors.run_get)(self.run_id)
        awaited = await database_sync_to_async(describing.missing_seats)(run) if run.open_turn else []
        by_sight: dict[str, list[Socket]] = {}
        for socket in self.sockets:
            by_sight.setdefault(socket.sight.key, []).append(socket)
        for key in [key for key in self._tapes if key not in by_sight]:
            del self._tapes[key]
        for key, sockets in by_sight.items():
            sight = sockets[0].sight
            head = sight.head(run)
            await self._fill(run, sight, key, sockets, head)
            for socket in sockets:
                await self._serve(socket, key, head)
                meta = await self._meta(run, socket, awaited)
                await self._ping(socket, head, run.status, meta, is_ping)
        await self._hand_out_seats(run, is_ping)

    async def _hand_out_seats(self, run: Run, is_ping: bool) -> None:
        """To those who play: whatever has changed of their turn, and of who is there. Signs of life are booked."""
        players = [socket for socket in self.sockets if socket.holder is not None]
        if not players:
            return
        if is_ping:
            beats = [socket.beat for socket in players if socket.beat is not None]
            for socket in players:
                socket.beat = None
            if beats:
                await database_sync_to_async(beats_keep)(beats)
        holders = [socket.holder for socket in players if socket.holder is not None]
        told = await database_sync_to_async(seat_messages)(run, holders)
        for socket in players:
            message = told.get(socket.holder) if socket.holder is not None else None
            if message is None:
                continue
            key = _lasting(message)
            if socket.seat_told != key and await self._send(socket, encode({"type": "seat", **message})):
                socket.seat_told = key

    async def _fill(self, run: Run, sight: Sight, key: str, sockets: list[Socket], head: int) -> None:
        """Read and encode what the tape lacks of the frames that its sockets need next."""
        tape = self._tapes.setdefault(key, _Tape())
        wanted = [socket.cursor for socket in sockets if not socket.is_lagging and head - socket.cursor <= GAP_MAX]
        newest = next(reversed(tape.frames), -1)
        oldest = next(iter(tape.frames), head + 1)
        after = max(min(wanted, default=head), head - KEPT)
        if after >= head or (after + 1 >= oldest and newest >= head):
            return
        start = newest if after + 1 >= oldest else after
        for frame in await database_sync_to_async(_frames)(run, sight, start, head):
            if frame["n"] not in tape.frames:
                tape.keep(frame["n"], encode({"type": "frame", "frame": frame}))
        tape.frames = OrderedDict(sorted(tape.frames.items()))

    async def _serve(self, socket: Socket, key: str, head: int) -> None:
        """What one socket lacks: the frames after its cursor, or one snapshot where it lags or lacks too many."""
        tape = self._tapes[key].frames
        if socket.cursor > head:
            socket.cursor = head
        if socket.is_lagging:
            if socket.unacked > socket.window // 2:
                return
            socket.is_lagging = False
            if head - socket.cursor > UNACKED_MAX:
                await self._fresh(socket, head)
                return
        while socket.cursor < head:
            text = tape.get(socket.cursor + 1)
            if text is None:
                await self._fresh(socket, head)
                return
            if socket.unacked >= max(1, min(UNACKED_MAX, UNACKED_BYTES // len(text))):
                socket.is_lagging, socket.window = True, socket.unacked
                return
            if not await self._send(socket, text):
                return
            socket.cursor += 1
            socket.is_served = True

    async def _fresh(self, socket: Socket, head: int) -> None:
        message = await database_sync_to_async(_snapshot)(self.run_id, socket.sight, socket.control)
        if message["frame"] is not None and await self._send(socket, encode({"type": "snapshot", **message})):
            socket.cursor = socket.acked = message["frame"]["n"]

    async def _meta(self, run: Run, socket: Socket, awaited: list[int]) -> str:
        """The run's description, read again where its row has changed; the head stands beside it."""
        key = (socket.sight.key, socket.control)
        known = self._metas.get(key)
        row = (run.status, run.pace, run.error, run.cost_usd, run.notices_head, run.open_turn, awaited)
        if known is None or known[0] != row:
            meta = await database_sync_to_async(describing.run_meta)(run, socket.sight, control=socket.control)
            del meta["head"]
            known = self._metas[key] = (row, encode(meta))
        return known[1]

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

    async def _send(self, socket: Socket, text: str) -> bool:
        try:
            await socket.sender.send(text_data=text)
        except Exception as error:
            log.debug("a socket of run %s is gone: %r", self.run_id, error)
            self.sockets.discard(socket)
            return False
        return True


def _frames(run: Run, sight: Sight, after: int, until: int) -> list[dict[str, Any]]:
    return selectors.frames(selectors.playing(run), sight, after, until - after)


def _snapshot(run_id: str, sight: Sight, control: bool) -> dict[str, Any]:
    run = selectors.run_get(run_id)
    return {
        "run": describing.run_meta(run, sight, control=control),
        "frame": selectors.snapshot(selectors.playing(run), sight),
    }


class Hub:
    """The rooms of this process. A room opens with its first socket and closes with its last."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}

    def run(self, run_id: str) -> Run | None:
        """The run of a room that is open, as it was a moment ago."""
        room = self.rooms.get(run_id)
        return room.run if room else None

    def enter(self, run_id: str, socket: Socket) -> Room:
        room = self.rooms.get(run_id)
        if room is None:
            room = self.rooms[run_id] = Room(run_id)
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


hub = Hub()
