"""Daphne within bounds: a body that is too long is refused while it arrives, and who does not read is let go.

Daphne takes bodies of any length into memory and files before anybody has looked at them, waits for a request for as
long as it trickles, and holds whatever a socket's peer leaves unread. Here the first is answered by 413 in the API's
shape as soon as the bound is known to be passed, or by 503 where the bodies of all are too much; the others end the
connection. The bound is lower for visitors who bring neither a session nor a token.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import reactor

from games.lab.wire.errors import PROBLEM, ErrorOut, error_out
from games.site.live.wireimage import EXTENSION, REPLY

UNREAD_MAX: Final = 256 * 1024
"""Bytes that may wait for a socket's peer to read them when another message is to go there."""
BODIES_MAX: Final = 64 * 2**20
"""Bytes of the bodies of all requests that are here at once."""
ARRIVAL_S: Final = 60.0
"""So long a request may take to come, however steadily it trickles: the longest body at 50 kB a second."""
PATIENCE_S: Final = 2.0
"""How long what still arrives of a refused body is taken in and thrown away, so that its sender reads the answer."""


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """A request whose body is refused beyond its sender's bound, whether its length was announced or not, and which
    must have come whole in `ARRIVAL_S`.
    """

    is_refused = False
    is_whole = False
    most = 0
    taken = 0

    def __init__(self, *given: Any, **more: Any) -> None:
        self.begun = time.monotonic()
        super().__init__(*given, **more)

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        is_known = self.requestHeaders.hasHeader(b"authorization") or self.server.cookie in self.received_cookies
        self.most = self.server.body_max if is_known else self.server.stranger_max
        if length is not None and length > self.most:
            super().gotLength(0)
            self._refuse(_too_big(self.most))
        else:
            super().gotLength(length)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        if self.is_refused:
            return
        self.taken += len(data)
        self.server.bodies += len(data)
        if self.taken > self.most:
            self._refuse(_too_big(self.most))
        elif self.server.bodies > BODIES_MAX:
            self._refuse(BUSY)
        else:
            super().handleContentChunk(data)

    def process(self) -> Any:
        self.is_whole = True
        if self.is_refused:  # the whole body came within the time that it was given
            return self.channel.loseConnection()
        return super().process()

    def check_timeouts(self) -> None:
        """Called every two seconds while the request is there."""
        if not self.is_whole and time.monotonic() - self.begun > ARRIVAL_S:
            self.channel.transport.abortConnection()
        else:
            super().check_timeouts()

    def unread(self) -> int:
        """Bytes of its answer that wait in this process for its peer."""
        return _unread(self.channel.transport) if self.channel is not None else 0

    def abort(self) -> None:
        """End the connection, whatever waits for its peer."""
        if self.channel is not None:
            self.channel.transport.abortConnection()

    def let_go(self) -> None:
        """Its body is held no longer."""
        if self.taken:
            self.server.bodies -= self.taken
            self.taken = 0

    def _refuse(self, answer: bytes) -> None:
        self.is_refused = True
        self.content.close()
        self.let_go()
        self.requestHeaders.removeHeader(b"Expect")  # else the channel asks for the body that it must not send
        self.channel.transport.write(answer)
        loop: Any = reactor
        ending = loop.callLater(PATIENCE_S, self.channel.transport.abortConnection)
        self.notifyFinish().addErrback(lambda _: ending.cancel() if ending.active() else None)


def _too_big(most: int) -> bytes:
    told = f"the body is longer than {most} bytes; send less"
    return _refusal("413 Content Too Large", error_out(413, "too_big", told, {"most": most}))


def _refusal(status: str, told: ErrorOut, *headers: str) -> bytes:
    body = json.dumps(told).encode()
    head = (
        f"HTTP/1.1 {status}",
        *headers,
        f"Content-Type: {PROBLEM}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join([*head, "", ""]).encode() + body


BUSY: Final = _refusal(
    "503 Service Unavailable",
    error_out(503, "unavailable", "too much is being sent here; try again in a moment", {"retry_s": 2}),
    "Retry-After: 2",
)


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]
    """A websocket whose peer may leave `UNREAD_MAX` bytes unread and one message more; then it is cut off."""

    early: Callable[[bytes], bool] | None = None
    """See `games.site.live.wireimage.Line`, which this is."""

    def write_wire(self, wire: bytes) -> bool:
        """Write a frame that is built already: at once where nothing waits before it, else behind what waits.

        Through the reactor, each frame costs two calls of epoll and a turn of the loop; what the system takes at once
        costs one `send`. What it does not take goes Twisted's way, so that order and bounds stay.
        """
        if self.state != self.STATE_OPEN or self._perMessageCompress is not None or self.send_queue:
            return False
        transport = self.transport
        if (unread := _unread(transport)) > UNREAD_MAX:
            transport.abortConnection()
            return True
        write_some = getattr(transport, "writeSomeData", None)
        if unread or write_some is None or not transport.connected or transport.disconnecting:
            transport.write(wire)
            return True
        sent = write_some(wire)
        if not isinstance(sent, int):  # the connection is lost: Twisted finds out by itself
            transport.write(wire)
        elif sent < len(wire):
            transport.write(wire[sent:])
        return True

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 - Autobahn's names
        if self.early is not None and not isBinary and not self.muted and self.early(payload):
            self.last_ping = time.time()
            return
        super().onMessage(payload, isBinary)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802 - Daphne's name
        if self.state == self.STATE_OPEN and _unread(self.transport) > UNREAD_MAX:
            self.transport.abortConnection()
            return
        super().serverSend(content, binary)


def _unread(transport: Any) -> int:
    """Bytes that wait in this process because the peer's side and the system's buffers are full.

    Twisted tells a producer that there are too many, not how many there are.
    """
    waiting = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
    return int(waiting)


class _Requests(HTTPFactory):  # type: ignore[misc]
    def buildProtocol(self, address: Any) -> Any:  # noqa: N802 - Twisted's name
        protocol = super().buildProtocol(address)
        protocol.requestFactory = BoundedRequest
        return protocol


class _Sockets(WebSocketFactory):  # type: ignore[misc]
    protocol = BoundedSocket


class BoundedServer(daphne.server.Server):  # type: ignore[misc]
    """Daphne's server with these requests and sockets. Bytes of the longest body: `body_max`, and `stranger_max` of who
    brings neither a token nor the `cookie` of a session.
    """

    bodies = 0
    """Bytes of bodies that are here."""

    sockets = 0
    """How many are open."""
    on_closed: Callable[[], None] | None = None
    """Called for each socket that has closed."""

    def __init__(self, *, body_max: int, stranger_max: int, cookie: str, **options: Any) -> None:
        self.body_max, self.stranger_max, self.cookie = body_max, stranger_max, cookie.encode()
        super().__init__(**options)

    def protocol_connected(self, protocol: Any) -> None:
        super().protocol_connected(protocol)
        self.sockets += isinstance(protocol, BoundedSocket)

    def protocol_disconnected(self, protocol: Any) -> None:
        is_first = "disconnected" not in self.connections[protocol]
        super().protocol_disconnected(protocol)
        if isinstance(protocol, BoundedRequest):
            protocol.let_go()
            if protocol.transport is None and protocol.channel is not None:
                protocol.channel.requests.clear()  # a websocket goes on: what asked for it is needed no longer
        if is_first and isinstance(protocol, BoundedSocket):
            self.sockets -= 1
            if self.on_closed is not None:
                self.on_closed()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        name = EXTENSION if isinstance(protocol, BoundedSocket) else REPLY
        scope.setdefault("extensions", {})[name] = protocol
        return super().create_application(protocol, scope)

    def run(self) -> None:
        # Daphne takes no factories; this is where it looks for them.
        daphne.server.HTTPFactory, daphne.server.WebSocketFactory = _Requests, _Sockets
        super().run()
