"""The log's blobs: JSON under zstd, records and positions against the last snapshot.

A position is nearly the same as the one before it, so the snapshot serves as the dictionary: what changed since takes a
few dozen bytes, and any frame is read by two reads and no re-resolution. Records say much the same from step to step,
so the snapshot holds its own step's record too. What was written without the snapshot (records, before they were) is a
plain zstd frame that needs no dictionary: the one decoder reads both.
"""

from __future__ import annotations

import threading
from typing import Any

from games.core.codec import SNAPSHOT_EVERY
from games.lab.wire import zst
from games.lab.wire.plainjson import decoded, encoded

LEVEL = 3


def snapshot_index(index: int) -> int:
    """The step whose snapshot serves this one."""
    return index - index % SNAPSHOT_EVERY


def pack(value: Any) -> bytes:
    return zst.pack(encoded(value), zst.compressor(LEVEL))


def unpack(body: bytes | memoryview) -> Any:
    return decoded(zst.unpack(body))


class Base:
    """A snapshot as the base of the records and positions after it.

    Safe between threads: bases are cached for all threads of a process, and each takes its turn at the compressor.
    """

    __slots__ = ("_compressor", "_dictionary", "_lock", "index")

    def __init__(self, index: int, text: bytes) -> None:
        self.index = index
        self._lock = threading.Lock()
        self._dictionary = zst.dictionary_of(text)
        self._compressor: Any = None

    @classmethod
    def of(cls, index: int, position: Any) -> Base:
        return cls(index, encoded(position))

    @classmethod
    def read(cls, index: int, body: bytes | memoryview) -> Base:
        return cls(index, zst.unpack(body))

    def pack(self, position: Any) -> bytes:
        text = encoded(position)
        with self._lock:
            if self._compressor is None:
                self._compressor = zst.compressor(LEVEL, self._dictionary)
            return zst.pack(text, self._compressor)

    def unpack(self, body: bytes | memoryview) -> Any:
        return decoded(self.text(body))

    def text(self, body: bytes | memoryview) -> bytes:
        """What was packed, as the JSON that it is."""
        with self._lock:
            return zst.unpack(body, self._dictionary)
