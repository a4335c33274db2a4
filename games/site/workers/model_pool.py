"""Runs of models have threads of their own in a live worker: first come, first served.

Their drivers mostly wait, seconds for each answer. Among the worker's other threads a few dozen of them would hold up
every match that somebody plays and every demo that somebody watches.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context

from django.db import close_old_connections

log = logging.getLogger(__name__)


class ModelPool:
    """Does one work for many runs, so many at once. A run that stands in line already is not taken a second time."""

    def __init__(self, work: Callable[[str], None], threads: int) -> None:
        self._work = work
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="models")
        self._lock = threading.Lock()
        self._in_line: set[str] = set()
        self._open: set[Future[None]] = set()

    def take(self, run_id: str) -> None:
        """Put the run in line; after `close` nothing is taken, and the sweep gives it to another worker."""
        with self._lock:
            if run_id in self._in_line:
                return
            self._in_line.add(run_id)
        try:
            served = self._pool.submit(copy_context().run, self._serve, run_id)
        except RuntimeError:
            log.info("run %s: not taken, this worker is ending", run_id)
            return
        self._open.add(served)
        served.add_done_callback(self._open.discard)

    def close(self) -> None:
        """Take no more, and forget who stands in line; what is being driven ends its slice."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def is_empty(self, within_s: float) -> bool:
        """Whether nothing is driven any more, or will not be within so many seconds."""
        return not wait(set(self._open), within_s).not_done

    def _serve(self, run_id: str) -> None:
        # Out of line before it begins: a run that asks for its next slice at the end of this one is taken again.
        with self._lock:
            self._in_line.discard(run_id)
        close_old_connections()
        try:
            self._work(run_id)
        except Exception:
            log.exception("run %s: its driver broke off", run_id)
        finally:
            close_old_connections()
