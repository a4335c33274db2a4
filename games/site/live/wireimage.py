"""A message to a browser as it goes over the wire, built once for all who get it (RFC 6455, section 5.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from games.lab.wire.plainjson import encoded

EXTENSION: Final = "polity.line"
"""Under which a server that has such a line puts it among its scope's ``extensions``."""
REPLY: Final = "polity.reply"
"""The same of an answer to a request: how much of it is unread, and a way to end it."""
ACK: Final = re.compile(rb'\{"type":"ack","n":(\d{1,9})\}')
"""An acknowledgement as the page writes it; written otherwise, it is heard like any other message."""


class Line(Protocol):
    """A socket as its server holds it, past ASGI."""

    early: Callable[[bytes], bool] | None
    """Hears a message before it is handed to the application, and says whether that was all there is to do."""

    def write_wire(self, wire: bytes) -> bool:
        """Write a whole frame; False where the application has to send it, since this line cannot."""


def encode(message: Mapping[str, Any]) -> str:
    """A message as text; the same whoever gets it."""
    return encoded(message).decode()


def text_frame(text: str) -> bytes:
    """One unmasked, unfragmented text frame."""
    payload = text.encode()
    length = len(payload)
    if length < 126:
        head = bytes((0x81, length))
    elif length < 1 << 16:
        head = b"\x81\x7e" + length.to_bytes(2, "big")
    else:
        head = b"\x81\x7f" + length.to_bytes(8, "big")
    return head + payload
