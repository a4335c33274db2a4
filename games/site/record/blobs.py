"""The log's blobs: JSON under zstd, records and positions with their snapshot.

A snapshot holds the record and the position of its own step, and of those after it that are stored together with it:
one text a line, under one frame, and their rows name their lines. A step that comes later is a frame of its own, with
the snapshot as its dictionary, since a position is nearly the same as the one before it: what changed since takes a few
dozen bytes. Either way any frame is read by two reads and no re-resolution. What was written without the snapshot, or
against one of other lines, is read by the same decoder.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any, Final

from games.core.codec import SNAPSHOT_EVERY
from games.lab.wire import zst
from games.lab.wire.plainjson import decoded, encoded

LEVEL: Final = 3
ROOM: Final = 2**18
"""Bytes of text from which on a snapshot takes no more steps in."""


def snapshot_index(index: int) -> int:
    """The step whose snapshot serves this one."""
    return index - index % SNAPSHOT_EVERY


def pack(value: Any) -> bytes:
    return packed(encoded(value))


def packed(text: bytes) -> bytes:
    return zst.pack(text, zst.compressor(LEVEL))


def named(line: int) -> bytes:
    """What a row holds of a text that is a line of its snapshot: no frame is that short."""
    return bytes([line])


def unpack(body: bytes | memoryview) -> Any:
    return decoded(zst.unpack(body))


class Base:
    """A snapshot as the base of the records and positions after it.

    Safe between threads: bases are cached for all threads of a process, and each takes its turn at the compressor.
    """

    def __init__(self, index: int, text: bytes) -> None:
        self.index = index
        self._text = text
        self._lock = threading.Lock()
        self._compressor: Any = None

    @classmethod
    def read(cls, index: int, body: bytes | memoryview) -> Base:
        return cls(index, zst.unpack(body))

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._text.split(b"\n")

    @cached_property
    def _dictionary(self) -> zst.Dictionary | None:
        return zst.dictionary_of(self._text)

    def pack(self, text: bytes) -> bytes:
        with self._lock:
            if self._compressor is None:
                self._compressor = zst.compressor(LEVEL, self._dictionary)
            return zst.pack(text, self._compressor)

    def unpack(self, body: bytes | memoryview) -> Any:
        return decoded(self.text(body))

    def text(self, body: bytes | memoryview) -> bytes:
        """What was packed, as the JSON that it is."""
        if len(body) == 1:
            return self._lines[body[0]]
        with self._lock:
            return zst.unpack(body, self._dictionary)
