"""Exact numbers: whole numbers and fractions inside, money in whole hundredths, rounded once.

A whole number stays an ``int``, everything else is a ``Fraction``. What a stage pays is rounded to a hundredth, a half
to the even one, and nothing else is ever rounded. A ``float`` (two whole numbers divided, or what `math` gives) is
taken at nine decimals first, where all machines agree.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

CENTS: Final = 100
FLOAT_DECIMALS: Final = 9
Exact: TypeAlias = int | Fraction
Money: TypeAlias = Annotated[Fraction, "money"]
"""The type of a setting in money: a number with two decimals at the most."""


def exact(value: int | float | Fraction) -> Exact:
    """The number as it is written in decimals: 1.6 is eight fifths. ValueError for NaN and infinity."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value}: no finite number")
        value = Fraction(repr(round(value, FLOAT_DECIMALS)))
    return value.numerator if value.denominator == 1 else value


def hundredths(value: int | float | Fraction) -> int:
    """The number in whole hundredths: the nearest, a half to the even one. ValueError for NaN and infinity."""
    if type(value) is int:
        return value * CENTS
    exactly = exact(value)
    if isinstance(exactly, int):
        return exactly * CENTS
    over, rest = divmod(exactly.numerator * CENTS, exactly.denominator)
    twice = 2 * rest
    return over + (twice > exactly.denominator or (twice == exactly.denominator and over % 2 == 1))


def number(cents: int) -> int | float:
    """Hundredths as a number to show: whole where it is whole."""
    return cents // CENTS if cents % CENTS == 0 else cents / CENTS


def plain(value: int | float | Fraction) -> int | float:
    """Any number as JSON has it: whole where it is whole."""
    if isinstance(value, Fraction):
        value = float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
