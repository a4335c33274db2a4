"""Coin, goods, income and rates as whole millionths, so that sums are exact on every machine.

Settings and answers are decimal; what the rules keep and add up is an `int` of millionths of a unit.
"""

from __future__ import annotations

from typing import Final, TypeAlias

MICRO: Final = 1_000_000
"""Millionths in one coin, one unit of a good, or a rate of 1."""
Micro: TypeAlias = int


def micro(value: float) -> Micro:
    """A decimal as whole millionths, to the nearest."""
    return round(value * MICRO)


def decimal(value: Micro) -> float:
    """Millionths as a decimal, for eyes and files; nothing is reckoned with it."""
    return value / MICRO


def portion(value: Micro, rate: Micro) -> Micro:
    """``value`` times a rate, both in millionths, rounded down."""
    return value * rate // MICRO
