"""The world between two steps, what a seat may do, and what it sees. Frozen: a step makes a new state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Stage: TypeAlias = Literal["offer", "reply"]


@dataclass(frozen=True, slots=True)
class BlankSlateState:
    """``rounds`` are over; then ``stage`` comes. ``offers`` and ``reserves`` are by pair, ``gained`` is by seat."""

    rounds: int
    stage: Stage
    reserves: tuple[int, ...]
    gained: tuple[int, ...]
    offers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What a proposer does: offer so many units of the pie, 0 to all of it."""

    units: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a responder does: accept the offer, or decline it."""

    accepts: bool


Action: TypeAlias = Offer | Reply


class Sight(NamedTuple):
    """All that a seat sees. ``reserve`` is a responder's own, ``offer`` its pair's; None where there is none to see."""

    seat: int
    partner: int
    role: str
    round: int
    rounds: int
    pie: int
    highest_reserve: int
    reserve: int | None
    offer: int | None
    gained: tuple[int, ...]
