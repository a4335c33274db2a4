"""When the web process looks for dead cycles among what it holds, so that no page waits long for it.

Python's own rule goes through everything that has lived for a while, over and over: with 3000 open sockets each time
held up every page for 0.4 s. Here what was searched once is set aside (`gc.freeze`), and the next search goes through
what is new since. When as many sockets have closed as are open, all of it is searched: what they left may hold on to
itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final

TEND_S: Final = 1.0
"""Seconds between two looks at whether a search is due."""
MIDDLE_SEARCHES: Final = 10
"""A search is due after so many of Python's of the middle generation, as by its own rule."""
NEVER: Final = 2**30
CLOSED_MIN: Final = 1000
"""Sockets that must have closed before all is searched: an open one holds 34 kB, a search without any takes 0.1 s."""


class Searching:
    """`still_open`: how many sockets are. Whoever makes one calls `tend` every `TEND_S`, `closed` for each socket."""

    def __init__(self, still_open: Callable[[], int], closed_min: int = CLOSED_MIN) -> None:
        self._still_open = still_open
        self._closed_min = closed_min
        self._closed = 0
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, NEVER)
        self.whole()

    def closed(self) -> None:
        self._closed += 1

    def tend(self) -> None:
        """Search what is new, or everything, where that is due."""
        if gc.get_count()[2] < MIDDLE_SEARCHES:
            return
        if self._closed >= max(self._closed_min, self._still_open()):
            self.whole()
        else:
            _search()

    def whole(self) -> None:
        """Search all there is, and set it aside."""
        self._closed = 0
        gc.unfreeze()
        _search()


def _search() -> None:
    gc.collect()
    gc.freeze()
