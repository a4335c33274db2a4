"""What mostly waits for others has threads of its own in a live worker, first come, first served: runs of models, and
webhooks.

Among the worker's other threads a few dozen of them would hold up every match that somebody plays and every demo that
somebody watches.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import Generic, TypeVar

from django.db import close_old_connections

log = logging.getLogger(__name__)


T = TypeVar("T", str, int)


class Pool(Generic[T]):
    """Does one work for many, so many at once. Who stands in line already is not taken a second time."""

    def __init__(self, name: str, work: Callable[[T], None], threads: int) -> None:
        self._name = name
        self._work: Callable[[T], None] = work
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"{name}s")
        self._lock = threading.Lock()
        self._in_line: set[T] = set()
        self._open: set[Future[None]] = set()

    def take(self, one: T) -> None:
        """Put it in line; after `close` nothing is taken, and the sweep gives it to another worker."""
        with self._lock:
            if one in self._in_line:
                return
            self._in_line.add(one)
        try:
            served = self._pool.submit(copy_context().run, self._serve, one)
        except RuntimeError:
            log.info("%s %s: not taken, this worker is ending", self._name, one)
            return
        self._open.add(served)
        served.add_done_callback(self._open.discard)

    def close(self) -> None:
        """Take no more, and forget who stands in line; what is being driven ends its slice."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def is_empty(self, within_s: float) -> bool:
        """Whether nothing is driven any more, or will not be within so many seconds."""
        return not wait(set(self._open), within_s).not_done

    def _serve(self, one: T) -> None:
        # Out of line before it begins: who asks for its next slice at the end of this one is taken again.
        with self._lock:
            self._in_line.discard(one)
        close_old_connections()
        try:
            self._work(one)
        except Exception:
            log.exception("%s %s: broke off", self._name, one)
        finally:
            close_old_connections()
