"""Signs of life of a part, for the launcher or a cluster: a file that is touched while the part, and its loop, go on.

A part that hangs does not die; by its silence it is found all the same.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Final

BEAT_S: Final = 5.0
LOOP_S: Final = 10.0
"""A loop that was not heard of for so long hangs, and its part falls silent."""
VARIABLE: Final = "POLITY_HEARTBEAT"


class Heartbeat:
    """Touches the file that POLITY_HEARTBEAT names, from a thread; nothing where it names none."""

    def __init__(self) -> None:
        self._path = os.environ.get(VARIABLE, "")
        self._loop: float | None = None

    def start(self) -> None:
        if self._path:
            threading.Thread(target=self._beat, daemon=True, name="heartbeat").start()

    def loop(self) -> None:
        """The part's own loop goes on. From the first time on it is listened for."""
        self._loop = time.monotonic()

    def _beat(self) -> None:
        while True:
            if self._loop is None or time.monotonic() - self._loop < LOOP_S:
                Path(self._path).touch()
            time.sleep(BEAT_S)
