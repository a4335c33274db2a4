"""The doorbell: "run R has something new". It carries no news; whoever hears it reads the record.

A lost ring is healed by the next one, or by the stream's ping.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.site.notify.resting import Resting

log = logging.getLogger(__name__)

PATIENCE_S: Final = 5.0
"""How long whoever rings waits for the broker to have heard it."""


def group(run_id: str) -> str:
    return f"run.{run_id}"


def ring(run_id: str) -> None:
    """Tell every web process that a run has changed. Never raises: the record is what counts."""
    layer = get_channel_layer()
    if layer is None or _resting:
        return
    word = group(run_id), {"type": "run.changed", "run": run_id}
    try:
        if isinstance(layer, InMemoryChannelLayer):  # its queues are of the loop that listens
            async_to_sync(layer.group_send)(*word)
        else:
            _rope.pull(layer, *word)
    except Exception as error:
        _resting.failed()
        log.warning("doorbell of run %s: %r; pings will carry it", run_id, error)


class _Rope:
    """A loop that stays, in a thread of its own, and with it the connection that the layer keeps for each loop.

    A loop for each ring, as a thread without one would have it, connects to the broker at each ring anew.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = 0

    def pull(self, layer: Any, to: str, message: dict[str, str]) -> None:
        """Send it, and wait until it is sent; raises what the layer raises, and `TimeoutError`."""
        sent = asyncio.run_coroutine_threadsafe(layer.group_send(to, message), self._running())
        try:
            sent.result(PATIENCE_S)
        except TimeoutError:
            sent.cancel()
            raise

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._pid != os.getpid():  # a child that was forked has no threads of its parent
                self._loop, self._pid = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="doorbell", daemon=True).start()
            return self._loop


_rope: Final = _Rope()
_resting: Final = Resting()
