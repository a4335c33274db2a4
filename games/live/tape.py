"""The latest frames of a run as one sight sees them, encoded once for everybody who has that sight."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from games.live.wireimage import text_frame

KEPT = 256
"""Encoded frames that a room keeps for each sight."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A frame's message, and the same as it goes over the wire."""

    text: str
    wire: bytes


@dataclass(eq=False, slots=True)
class Tape:
    """The latest frames as one sight sees them, encoded."""

    frames: OrderedDict[int, Kept] = field(default_factory=OrderedDict)

    def keep(self, n: int, text: str) -> None:
        self.frames[n] = Kept(text, text_frame(text))
        while len(self.frames) > KEPT:
            self.frames.popitem(last=False)
