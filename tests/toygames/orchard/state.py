"""The world between two rounds, what a seat may do, and what it sees. Frozen: a round makes a new state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class OrchardState:
    """``round`` rounds are over, ``apples`` hang on the trees, ``picked`` is each seat's total so far."""

    round: int
    apples: int
    picked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """The one action: ask for so many apples, 0 to the basket's size."""

    apples: int


class Sight(NamedTuple):
    """All that a seat sees. Nothing here is private, so every seat sees the same but for its own number."""

    seat: int
    seats: int
    apples: int
    room: int
    basket: int
    growth: int
    picked: tuple[int, ...]
