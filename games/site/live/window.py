"""What is under way to one watching browser, and how much more may be.

Daphne does not push back, so a browser acknowledges the numbers of what has arrived.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from games.site.audience import Sight
from games.site.live.wireimage import Line
from games.site.people.presence import Beat

UNACKED_MAX = 64
"""Frames that may be under way to one socket."""
UNACKED_BYTES = 128 * 1024
"""And characters of them: what Daphne holds for a browser that reads slowly, times the number of such browsers."""


class Sender(Protocol):
    async def send(self, text_data: str) -> None: ...

    async def close(self, code: int) -> None: ...


@dataclass(eq=False, slots=True)
class Socket:
    """One watching browser: its sight, the last frame handed to it, and what of that it has not acknowledged."""

    sender: Sender
    sight: Sight
    control: bool
    cursor: int
    line: Line | None = None
    """Its server's line, where it has one that takes whole frames; else frames go through the sender."""
    under_way: list[tuple[int, int]] = field(default_factory=list)
    """Number and characters of each frame and snapshot that was handed to it and not acknowledged, as it was sent."""
    top: int = -1
    """The highest number that it was ever handed."""
    is_lagging: bool = False
    window: int = 0
    """How many frames were under way when it was found to lag."""
    is_served: bool = False
    """Whether it was handed something since the last ping."""
    told: str = ""
    holder: tuple[str, str] | None = None
    """Participant and tab, where a seat is played from here."""
    seat_told: str = ""
    beat: Beat | None = None
    """The last sign of life that is not yet booked."""

    @property
    def length(self) -> int:
        """Characters that are under way to it."""
        return sum(length for _, length in self.under_way)

    def has_room(self, length: int) -> bool:
        """Whether so many characters more may be under way; one message always may, however long it is."""
        if not self.under_way:
            return True
        return len(self.under_way) < UNACKED_MAX and self.length + length <= UNACKED_BYTES

    def handed(self, size: tuple[int, int]) -> None:
        """A frame by its number and length; one pair serves all who were handed it."""
        self.under_way.append(size)
        self.cursor, self.top = size[0], max(self.top, size[0])

    def acknowledge(self, n: int) -> None:
        """Everything up to a number has arrived; a number that was never sent acknowledges nothing."""
        if n <= self.top:
            self.under_way = [one for one in self.under_way if one[0] > n]

    def is_far_from(self, head: int) -> bool:
        """Whether it lacks more than may be under way."""
        return head - self.cursor > UNACKED_MAX
