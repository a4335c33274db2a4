"""The world between two steps, what a seat may do, and what it sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Stage: TypeAlias = Literal["contribute", "punish"]


@dataclass(frozen=True, slots=True)
class CommonsFundState:
    """``rounds`` are over; then ``stage`` comes. ``gained`` in hundredths by seat; ``gifts`` of the last contributions.

    ``points`` are those of the last punishment, by who gave them and to whom: a seat knows its own row alone.
    """

    rounds: int
    stage: Stage
    gained: tuple[int, ...]
    gifts: tuple[int, ...] = ()
    points: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Give:
    """Give so many units to the fund."""

    units: int


@dataclass(frozen=True, slots=True)
class Fine:
    """Give so many points to a seat."""

    to: int
    points: int


@dataclass(frozen=True, slots=True)
class Punish:
    """Give points to others, each named once, in seat order."""

    fines: tuple[Fine, ...] = ()


Action: TypeAlias = Give | Punish


class Sight(NamedTuple):
    """All that a seat sees. ``given`` is its own row of the last points."""

    seat: int
    players: int
    round: int
    rounds: int
    endowment: int
    multiplier: float
    budget: int
    fine: int
    gained: tuple[int, ...]
    gifts: tuple[int, ...]
    given: tuple[int, ...]
