"""Money: whole hundredths inside, plain numbers outside."""

from __future__ import annotations

from typing import Final

from games.core.game import Number

HUNDRED: Final = 100


def hundredths(amount: Number) -> int:
    """An amount of at most two decimals as whole hundredths."""
    return amount * HUNDRED if type(amount) is int else round(amount * HUNDRED)


def shown(cents: int) -> Number:
    """Hundredths as an amount: a whole number where they make one."""
    return cents / HUNDRED if cents % HUNDRED else cents // HUNDRED


def has_two_decimals(amount: Number) -> bool:
    """Whether an amount is one of whole hundredths; it must be finite."""
    if type(amount) is int:
        return True
    cents = amount * HUNDRED
    return abs(cents - round(cents)) < 1e-6
