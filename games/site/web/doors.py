"""How many sockets and requests this process holds: in all, and of one address, so that no stranger takes what is there
for all. Requests are worked on a few at a time; the others wait before anything of them is read.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any, Final

from django.conf import settings

from games.lab.wire.errors import PROBLEM, error_out
from games.site.web.peers import address_of_scope, is_own

AT_ONCE: Final = 16
"""Requests that are worked on at once, each in a thread with a connection of its own; in one interpreter more are no
faster."""
RETRY_S: Final = 2
UNCOUNTED: Final = ("/healthz", "/static/")
"""Served without a thread, or by the loader of files."""
WAITING: Final = ("/turn", "/stream", "/models/try", "/models/probe")
"""Ends of addresses that wait for somebody else most of their time: they hold nobody up."""


class Doors:
    """Counts what is held by the address that it comes from. This machine's own is not counted apart."""

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()

    def enter(self, scope: Any) -> int:
        """Let one in, by its ASGI scope: 0. Where there are too many nothing is counted: 429 for those of its address,
        503 for all.
        """
        address = address_of_scope(scope)
        if self.held.total() >= settings.POLITY_SOCKETS:
            return 503
        if not is_own(address) and self.held[address] >= settings.POLITY_SOCKETS_PER_ADDRESS:
            return 429
        self.held[address] += 1
        return 0

    def leave(self, scope: Any) -> None:
        address = address_of_scope(scope)
        self.held[address] -= 1
        if self.held[address] <= 0:
            del self.held[address]


doors = Doors()
"""Of sockets."""


class Requests:
    """The ASGI application for requests, with this door before it."""

    def __init__(self, application: Any, at_once: int = AT_ONCE) -> None:
        self.application, self.doors, self.at_once = application, Doors(), asyncio.Semaphore(at_once)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        path = scope["path"]
        if path.startswith(UNCOUNTED):
            return await self.application(scope, receive, send)
        if status := self.doors.enter(scope):
            return await _come_again(status, path, send)
        try:
            if path.endswith(WAITING):
                return await self.application(scope, receive, send)
            async with self.at_once:
                return await self.application(scope, receive, send)
        finally:
            self.doors.leave(scope)


async def _come_again(status: int, path: str, send: Any) -> None:
    code = "too_many_requests" if status == 429 else "unavailable"
    told = "too many requests are under way; try again in a moment"
    body, kind = f"{told}\n请求太多，请稍后再试。\n", "text/plain"
    if path.startswith("/api/"):
        body, kind = json.dumps(error_out(status, code, told, {"retry_s": RETRY_S})), PROBLEM
    headers = [(b"content-type", f"{kind}; charset=utf-8".encode()), (b"retry-after", str(RETRY_S).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
