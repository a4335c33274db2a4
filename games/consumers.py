"""Websockets of those who watch. They check what comes in and hand out what the room gives; they decide nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from games import selectors
from games.access import viewer_of
from games.audience import VISITOR, Refused, Sight, sight
from games.stream import Room, Socket, encode, hub

MESSAGE_MAX = 4096
"""Bytes of one message from a browser."""
RATE_MAX = 200
"""Messages of one socket in ten seconds."""

BAD_MESSAGE, TOO_FAST, NOT_FOUND, REFUSED, TOO_BIG = 4400, 4429, 4404, 4403, 4413


class WatchConsumer(AsyncWebsocketConsumer):
    """One browser that watches one run: ``/ws/runs/ID/?after=N&as=SEAT``."""

    channel_layer_alias = "none"
    """A socket hears through its room; a subscription of its own would be one more of thousands."""
    message_max = MESSAGE_MAX
    understood = 'send {"type": "ack", "n": N} or {"type": "want", "after": N}'
    room: Room | None = None
    socket: Socket | None = None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As the base does, without a thread for the database at each message: what reads it takes care of it."""
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        await self.accept()
        self._window, self._count = time.monotonic(), 0
        query = {key: values[-1] for key, values in parse_qs(self.scope["query_string"].decode("latin-1")).items()}
        after, seat = _whole(query.get("after", "-1")), _whole(query["as"]) if query.get("as") else None
        if after is None or (seat is None and query.get("as")):
            await self._refuse(BAD_MESSAGE, "bad_query", "after and as: whole numbers")
            return
        try:
            run_id, seen, control = self.known(seat) or await database_sync_to_async(self.admitted)(query, seat)
        except selectors.NotFound as error:
            await self._refuse(NOT_FOUND, "not_found", str(error), **error.more)
            return
        except Refused as error:
            await self._refuse(REFUSED, error.code, str(error), **error.more)
            return
        self.socket = self.seated(Socket(self, seen, control, after, after), query)
        self.room = hub.enter(run_id, self.socket)

    def known(self, seat: int | None) -> tuple[str, Sight, bool] | None:
        """The answer of `admitted` to a visitor without any session, from a room that is open: nothing is read."""
        run = hub.run(self.scope["url_route"]["kwargs"]["run_id"])
        if run is None or seat is not None or self.scope["session"].session_key is not None:
            return None
        return run.pk, sight(run, VISITOR), False

    def admitted(self, query: Mapping[str, str], seat: int | None) -> tuple[str, Sight, bool]:
        """Which run, with what sight, and whether it may be steered; raises `NotFound` or `Refused`."""
        run = selectors.run_get(self.scope["url_route"]["kwargs"]["run_id"])
        viewer = viewer_of(self.scope.get("user"), self.scope.get("session"), run.pk)
        return run.pk, sight(run, viewer, seat), viewer.operator

    def seated(self, socket: Socket, query: Mapping[str, str]) -> Socket:
        """The socket as it enters the room."""
        return socket

    async def disconnect(self, code: int) -> None:
        if self.room is not None and self.socket is not None:
            await hub.leave(self.room.run_id, self.socket)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.socket is None or self.room is None:
            return
        now = time.monotonic()
        if now - self._window > 10:
            self._window, self._count = now, 0
        self._count += 1
        if self._count > RATE_MAX:
            await self._refuse(TOO_FAST, "too_fast", f"more than {RATE_MAX} messages in ten seconds", most=RATE_MAX)
            return
        if text_data is not None and len(text_data) > self.message_max > MESSAGE_MAX:
            await self._refuse(TOO_BIG, "too_big", f"more than {self.message_max} characters", most=self.message_max)
            return
        if not await self.hear(_message(text_data, self.message_max)):
            await self._refuse(BAD_MESSAGE, "bad_message", self.understood)

    async def hear(self, message: Any) -> bool:
        """What a browser says of what it has; False where it cannot be understood."""
        assert self.socket is not None
        assert self.room is not None
        match message:
            case {"type": "ack", "n": int(n)} if -1 <= n <= self.socket.cursor:
                self.socket.acked = max(self.socket.acked, n)
                if self.socket.is_lagging:
                    self.room.ring()
            case {"type": "ack", "n": int()}:
                pass  # a number that was never sent acknowledges nothing
            case {"type": "want", "after": int(n)} if -1 <= n < 2**31:
                self.socket.cursor = self.socket.acked = min(n, self.socket.cursor)
                self.socket.is_lagging = False
                self.room.ring()
            case _:
                return False
        return True

    async def _refuse(self, code: int, name: str, text: str, **more: Any) -> None:
        """Say why, then close."""
        await self.send(text_data=encode({"type": "error", "code": name, "message": text, **more}))
        await self.close(code=code)
        await self.disconnect(code)


def _whole(text: str) -> int | None:
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 10 and text.isascii() else None


def _message(text: str | None, longest: int) -> Any:
    if text is None or len(text) > longest:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
