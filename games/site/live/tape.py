"""The latest frames of a run as one sight sees them, encoded once for everybody who has that sight."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from games.lab.wire.frames import Frame
from games.site.live.wireimage import encode, text_frame

KEPT = 256
"""Encoded frames that a room keeps for each sight."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A frame's message, and the same as it goes over the wire; its number and its length in characters."""

    text: str
    wire: bytes
    size: tuple[int, int]


@dataclass(eq=False, slots=True)
class Tape:
    """The latest frames as one sight sees them, encoded."""

    frames: OrderedDict[int, Kept] = field(default_factory=OrderedDict)

    def keep(self, frames: Sequence[Frame]) -> None:
        """What of them is not here yet, in order; the oldest go where there are too many."""
        for frame in frames:
            if frame["n"] not in self.frames:
                text = encode({"type": "frame", "frame": frame})
                self.frames[frame["n"]] = Kept(text, text_frame(text), (frame["n"], len(text)))
        self.frames = OrderedDict(sorted(self.frames.items())[-KEPT:])
