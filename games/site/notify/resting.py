"""A broker that did not answer is not asked again for a moment; what is not sent meanwhile the sweep repeats."""

from __future__ import annotations

import time
from typing import Final

REST_S: Final = 5.0


class Resting:
    """Whether it is worth while to ask; one a process for each way to the broker."""

    def __init__(self) -> None:
        self._until = 0.0

    def __bool__(self) -> bool:
        return time.monotonic() < self._until

    def failed(self) -> None:
        self._until = time.monotonic() + REST_S

    def over(self) -> None:
        """It answers."""
        self._until = 0.0
