"""A watcher who reads server-sent events: in a run's room like any socket; what it was sent counts as acknowledged.

Nothing is held for a stream but what its window allows: the next frame goes out when what its server has for it was
read. Its request's thread and the database's connection in it are let go before the first event.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import re
from collections.abc import AsyncIterator
from typing import Any, Final

from asgiref.sync import SyncToAsync, sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest

from games.site.live.hub import hub
from games.site.live.window import Socket
from games.site.live.wireimage import REPLY
from games.site.models import ENDED
from games.site.web import streams
from games.site.web.access import Access
from games.site.web.doors import doors

FRAME: Final = re.compile(r'\{"type":"frame","frame":\{"n":(\d+),')
UNREAD_MAX: Final = 64 * 1024
"""Bytes that may wait for the reader when the next event is to go there."""
LOOK_S: Final = 0.1
STUCK_S: Final = 60.0
"""Who reads nothing for so long is let go."""


class _Reader:
    """What a room hands out, until it is fetched; `games.site.live.window.Sender`."""

    def __init__(self) -> None:
        self.texts: asyncio.Queue[str | None] = asyncio.Queue()

    async def send(self, text_data: str) -> None:
        self.texts.put_nowait(text_data)

    async def close(self, code: int) -> None:
        """The room is no more, or its audience another: whoever comes again is told which."""
        self.texts.put_nowait(None)


async def events(request: HttpRequest, seen: Access, after: int) -> AsyncIterator[bytes]:
    """The run's messages after a frame, until it is over and all were sent; counted among the sockets."""
    scope: Any = request.scope  # type: ignore[attr-defined]
    await _let_thread_go()
    if doors.enter(scope):
        return
    reader = _Reader()
    socket = Socket(reader, seen.sight, seen.viewer.operator, after)
    line: Any = (scope.get("extensions") or {}).get(REPLY)
    # The room outlives this request, whose context would keep its thread.
    room = contextvars.Context().run(hub.enter, seen.run.pk, socket)
    try:
        yield b"retry: 2000\n\n"
        while (text := await reader.texts.get()) is not None:
            number, is_last = _about(text, socket)
            yield f"{'' if number is None else f'id: {number}{chr(10)}'}data: {text}\n\n".encode()
            if is_last or not await _is_read(line):
                return
            if number is not None:
                socket.acknowledge(number)
                if socket.is_lagging:
                    room.ring()
    finally:
        doors.leave(scope)
        await hub.leave(seen.run.pk, socket)


def _about(text: str, socket: Socket) -> tuple[int | None, bool]:
    """The frame's number, where the message brings one; and whether it is the last of all."""
    if (frame := FRAME.match(text)) is not None:
        return int(frame[1]), False
    message = json.loads(text)
    if message["type"] == "snapshot":
        return message["frame"]["n"], False
    return None, message["status"] in ENDED and message["head"] <= socket.cursor and not socket.is_lagging


async def _is_read(line: Any) -> bool:
    """Wait until the reader has taken most of what its server has for it; False where it takes nothing."""
    waited, before = 0.0, None
    while line is not None and (unread := line.unread()) > UNREAD_MAX:
        waited = waited + LOOK_S if unread == before else 0.0
        before = unread
        if waited > STUCK_S:
            line.abort()
            return False
        await asyncio.sleep(LOOK_S)
    return True


async def _let_thread_go() -> None:
    """End the thread that Django keeps for what is synchronous in this request, and what it holds of the database."""
    await sync_to_async(close_old_connections)()
    context = SyncToAsync.thread_sensitive_context.get(None)
    if context is not None and (pool := SyncToAsync.context_to_thread_executor.pop(context, None)) is not None:
        pool.shutdown(wait=False)


streams.openers.append(events)
