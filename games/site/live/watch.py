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
from django.db import InterfaceError, OperationalError

from games.errors.jsonshape import check_json
from games.errors.plaintext import check_text
from games.errors.requests import BadRequest, NotFound, Refusal
from games.site.audience import VISITOR, Sight, sight
from games.site.live.hub import RunFeed, hub
from games.site.live.window import Socket
from games.site.live.wireimage import ACK, EXTENSION, Line, encode
from games.site.record import selectors
from games.site.web.access import viewer_of
from games.site.web.bodies import STRANGER
from games.site.web.doors import doors
from games.site.web.queries import check_names

MESSAGE_MAX = 4096
"""Bytes of one message from a browser."""
RATE_MAX = 200
"""Messages of one socket in ten seconds."""
WANTS_MAX = 10
"""Of these, how often frames may be asked for again: a page does so every two seconds at the most."""

BAD_MESSAGE, TOO_FAST, NOT_FOUND, REFUSED, TOO_BIG = 4400, 4429, 4404, 4403, 4413
TOO_MANY = 4503
"""No refusal for good: the page tries again, later and later."""


class WatchConsumer(AsyncWebsocketConsumer):
    """One browser that watches one run: ``/ws/runs/ID/?after=N&as=SEAT``."""

    channel_layer_alias = "none"
    """A socket hears through its room; a subscription of its own would be one more of thousands."""
    message_max = MESSAGE_MAX
    asked: tuple[str, ...] = ("after", "as")
    """What its address may ask."""
    understood = 'send {"type": "ack", "n": N} or {"type": "want", "after": N}'
    is_inside = False
    """Whether it is counted among the sockets that are held."""
    room: RunFeed | None = None
    socket: Socket | None = None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As the base does, without a thread for the database at each message: what reads it takes care of it."""
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        await self.accept()
        self.is_inside = not doors.enter(self.scope)
        if not self.is_inside:
            await self._refuse(TOO_MANY, "too_many", "there are too many lines; close some, or try again later")
            return
        self._window, self._count, self._wants = time.monotonic(), 0, 0
        query = {key: values[-1] for key, values in parse_qs(self.scope["query_string"].decode("latin-1")).items()}
        after, seat = _whole(query.get("after", "-1")), _whole(query["as"]) if query.get("as") else None
        if after is None or (seat is None and query.get("as")):
            await self._refuse(BAD_MESSAGE, "bad_query", "after and as: whole numbers")
            return
        try:
            check_text([self.scope["path"], query])
            check_names(query, self.asked)
        except BadRequest as error:
            await self._refuse(BAD_MESSAGE, error.code, str(error), **error.more)
            return
        try:
            run_id, seen, control = self.known(seat) or await database_sync_to_async(self.admitted)(query, seat)
        except (OperationalError, InterfaceError):
            await self._refuse(TOO_MANY, "unavailable", "the database is away for a moment; try again")
            return
        except Refusal as error:
            way_out = NOT_FOUND if isinstance(error, NotFound) else REFUSED
            await self._refuse(way_out, error.code, str(error), **error.more)
            return
        line: Line | None = (self.scope.get("extensions") or {}).get(EXTENSION)
        self.socket = self.seated(Socket(self, seen, control, after, line), query)
        self.room = hub.enter(run_id, self.socket)
        if line is not None:
            line.early = self.hear_early

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
        if self.is_inside:
            self.is_inside = False
            doors.leave(self.scope)
        if self.socket is not None and self.socket.line is not None:
            self.socket.line.early = None
        if self.room is not None and self.socket is not None:
            await hub.leave(self.room.run_id, self.socket)

    def hear_early(self, payload: bytes) -> bool:
        """Take an acknowledgement as it comes in: they come in herds, since all got the same frame at once.

        It counts as any message; one too many is left to `receive`, which refuses it.
        """
        found = ACK.fullmatch(payload)
        if found is None or self.socket is None or self.room is None or self._count >= RATE_MAX:
            return False
        if time.monotonic() - self._window > 10:
            return False
        self._count += 1
        self._acknowledged(self.socket, self.room, int(found[1]))
        return True

    def _acknowledged(self, socket: Socket, room: RunFeed, n: int) -> None:
        socket.acknowledge(n)
        if socket.is_lagging:
            room.ring()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.socket is None or self.room is None:
            return
        now = time.monotonic()
        if now - self._window > 10:
            self._window, self._count, self._wants = now, 0, 0
        self._count += 1
        if self._count > RATE_MAX:
            await self._refuse(TOO_FAST, "too_fast", f"more than {RATE_MAX} messages in ten seconds", most=RATE_MAX)
            return
        if text_data is not None and len(text_data) > self.message_max > MESSAGE_MAX:
            await self._refuse(TOO_BIG, "too_big", f"more than {self.message_max} characters", most=self.message_max)
            return
        try:
            message = _message(text_data, self.message_max)
        except BadRequest as error:
            await self._refuse(TOO_BIG, error.code, str(error), **error.more)
            return
        if not await self.hear(message):
            await self._refuse(BAD_MESSAGE, "bad_message", self.understood)

    async def hear(self, message: Any) -> bool:
        """What a browser says of what it has; False where it cannot be understood."""
        assert self.socket is not None
        assert self.room is not None
        match message:
            case {"type": "ack", "n": int(n)}:
                self._acknowledged(self.socket, self.room, n)
            case {"type": "want", "after": int(n)} if -1 <= n < 2**31:
                self._wants += 1
                if self._wants > WANTS_MAX:
                    told = f"more than {WANTS_MAX} times want in ten seconds"
                    await self._refuse(TOO_FAST, "too_fast", told, most=WANTS_MAX)
                    return True
                self.socket.cursor = min(n, self.socket.cursor)
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
    check_json(text, STRANGER.values)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
