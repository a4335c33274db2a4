"""Other processes to work beside this one: they leave interrupts to it, and end when it does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Final

WORTH_A_POOL_S: Final = 2.0
"""They take about a second to start; below this much remaining work they are not worth it."""


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def processes(workers: int, prepare: Callable[[], object] = int) -> Iterator[ProcessPoolExecutor]:
    """So many, which start now, each prepared so, and end with the block; at once where it is broken off."""
    with _interrupts_held():  # broken off halfway it would leave a semaphore behind
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _serve_the_parent, (prepare,))
    with _interrupts_held():  # the processes inherit this, which the pool's own first process has ended above
        for _ in range(workers):
            pool.submit(int)
    is_done = False
    try:
        yield pool
        pool.shutdown()
        is_done = True
    finally:
        if not is_done:
            for child in multiprocessing.active_children():
                child.terminate()
            pool.shutdown(cancel_futures=True)  # its thread is over then, and has nothing to say at the end


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the block is over; processes that start inside never hear it, not even while they import.

    They inherit the mask. In this process the mask is not enough, since other threads (of numpy) may take the signal.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _serve_the_parent(prepare: Callable[[], object]) -> None:
    """Leave interrupts to the parent, and end when it does, however it dies: nobody would take the result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), name="lifeline", daemon=True).start()
    prepare()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
