"""Children end with their parent, however it dies.

The launcher holds the writing end of a pipe and never writes. A child reads its end in a thread: the end of file means
that the launcher is gone, killed without a chance to say so included. Linux can also send a signal at a parent's
death; it reaches a child whose threads are stuck.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

#: Names the inherited end of the pipe.
VARIABLE = "POLITY_LIFELINE"
#: Seconds between the polite signal and the killing one, for a child whose launcher is gone.
GRACE_S = 2.0
_PR_SET_PDEATHSIG = 1


@contextlib.contextmanager
def pipe() -> Iterator[tuple[int, dict[str, str]]]:
    """A lifeline for as long as the context lasts: the end that a child inherits, and the variable that names it."""
    reading, writing = os.pipe()
    try:
        yield reading, {VARIABLE: str(reading)}
    finally:
        os.close(writing)
        os.close(reading)


def hold() -> None:
    """From now on this process, and the process group that it leads, ends with the launcher. Nothing without one."""
    if VARIABLE in os.environ:
        die_with_parent(signal.SIGTERM)
        _watch(int(os.environ[VARIABLE]), _end_the_group)


def for_forks() -> Callable[[], None]:
    """What each process that is forked from this one shall call, so that it ends with it: at once, whatever it does.

    A lifeline of this process's own: a worker that runs without a launcher leaves nobody behind either.
    """
    reading, writing = os.pipe()

    def hold_in_fork() -> None:
        os.close(writing)
        die_with_parent(signal.SIGKILL)
        _watch(reading, lambda: os._exit(0))

    return hold_in_fork


def die_with_parent(number: int) -> None:
    """Asks Linux for signal `number` at the death of the thread that started this process. Elsewhere nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


def _watch(end: int, at_the_end: Callable[[], object]) -> None:
    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(end, 1):
                pass
        at_the_end()

    threading.Thread(target=wait, name="lifeline", daemon=True).start()


def _end_the_group() -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
