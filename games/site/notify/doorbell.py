"""The doorbell: "run R has something new". It carries no news; whoever hears it reads the record.

A lost ring is healed by the next one, or by the stream's ping.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import threading
import time
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.site.notify.resting import Resting

log = logging.getLogger(__name__)

PATIENCE_S: Final = 5.0
"""How long the broker may take to hear a ring; and how long a process that ends waits for its last ones."""


def group(run_id: str) -> str:
    return f"run.{run_id}"


def ring(run_id: str) -> None:
    """Tell every web process that a run has changed. Never raises, never waits: the record is what counts."""
    layer = get_channel_layer()
    if layer is None or _resting:
        return
    if isinstance(layer, InMemoryChannelLayer):  # its queues are of the loop that listens
        if group(run_id) in layer.groups:
            async_to_sync(layer.group_send)(*_word(run_id))
    else:
        _rope.pull(layer, run_id)


def _word(run_id: str) -> tuple[str, dict[str, str]]:
    return group(run_id), {"type": "run.changed", "run": run_id}


class _Rope:
    """A loop that stays, in a thread of its own, and with it the connection that the layer keeps for each loop.

    A loop for each ring, as a thread without one would have it, connects to the broker at each ring anew. A run that is
    to be rung for and was not yet is rung for once: whoever hears it reads all that is new.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = 0
        self._waiting: dict[str, Any] = {}
        self._under_way: set[asyncio.Task[None]] = set()

    def pull(self, layer: Any, run_id: str) -> None:
        """Ring soon."""
        with self._lock:
            loop = self._running()
            self._waiting[run_id] = layer
            if len(self._waiting) == 1:
                loop.call_soon_threadsafe(self._begin)

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None or self._pid != os.getpid():  # a child that was forked has no threads of its parent
            self._loop, self._pid = asyncio.new_event_loop(), os.getpid()
            self._waiting = {}
            threading.Thread(target=self._loop.run_forever, name="doorbell", daemon=True).start()
            atexit.register(self._end)
        return self._loop

    def _begin(self) -> None:
        task = asyncio.ensure_future(self._ring())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _ring(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for run_id, layer in waiting.items():
            if _resting:
                return
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await layer.group_send(*_word(run_id))
            except Exception as error:
                _resting.failed()
                log.warning("doorbell of run %s: %r; pings will carry it", run_id, error)

    def _end(self) -> None:
        """The process ends: let what was rung for last be heard."""
        if self._loop is not None and self._pid == os.getpid():
            until = time.monotonic() + PATIENCE_S
            while (self._waiting or self._under_way) and time.monotonic() < until:
                time.sleep(0.01)


_rope: Final = _Rope()
_resting: Final = Resting()
