"""The event loop in which a process's runs await their answers: one for all, in a thread of its own.

A loop for each run costs a thread's turn for each byte that comes, and connects to each vendor anew; in one loop
connections stay, and what is stored at the same time is told at the same time. Python lets one thread reckon at a
time, and dozens that want to cost it half as much again: of those whose answers have come, one goes on at a time.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")
PATIENCE_S: Final = 2.0
"""How long the process waits at its end."""


class Lane:
    """Runs coroutines for threads that wait for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = 0
        self._turn, self._mine = threading.Lock(), threading.local()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What it returns or raises; it is cancelled where this thread is interrupted. As `wait`."""
        told = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return self.wait(told.result)
        finally:
            told.cancel()

    def wait(self, until: Callable[[], T]) -> T:
        """Wait while others have the turn; this thread has it afterwards, until it waits again or leaves."""
        self.leave()
        try:
            return until()
        finally:
            self._turn.acquire()
            self._mine.has_turn = True

    def leave(self) -> None:
        """Let others go on; before each wait for anything else, and at the end."""
        if getattr(self._mine, "has_turn", False):
            self._mine.has_turn = False
            self._turn.release()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._pid != os.getpid():  # a child that was forked has no threads of its parent
                self._loop, self._pid = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=_serve, args=(self._loop,), name="lane", daemon=True).start()
                atexit.register(self._end, self._loop)
            return self._loop

    def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        """The process ends: close the connections."""
        if self._pid == os.getpid():
            with suppress(TimeoutError):
                asyncio.run_coroutine_threadsafe(loop.shutdown_asyncgens(), loop).result(PATIENCE_S)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            return loop.run_forever()
        except BaseException:  # an agent that asks the process to end ends its own run alone, whose driver is told
            log.exception("what a run awaited would have ended all")


lane: Final = Lane()
