"""Money: whole hundredths inside, plain numbers outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from math import floor
from operator import attrgetter
from typing import Any, Final, TypeAlias

from games.core.game import Number

HUNDRED: Final = 100
Cents: TypeAlias = int
"""Whole hundredths, as a field of a record is annotated where `facts` shows it as an amount."""


def hundredths(amount: Number) -> Cents:
    """An amount of at most two decimals as whole hundredths."""
    return amount * HUNDRED if type(amount) is int else floor(amount * HUNDRED + 0.5)


def shown(cents: Cents) -> Number:
    """Hundredths as an amount: a whole number where they make one."""
    return cents / HUNDRED if cents % HUNDRED else cents // HUNDRED


def has_two_decimals(amount: Number) -> bool:
    """Whether an amount is one of whole hundredths; it must be finite."""
    if type(amount) is int:
        return True
    cents = amount * HUNDRED
    return abs(cents - floor(cents + 0.5)) < 1e-6


def facts(record: Any) -> dict[str, Any]:
    """The fields of a record by name, money as amounts: JSON where they are."""
    names, values_of, money = _columns(record.__class__)
    values = dict(zip(names, values_of(record), strict=True))
    for name in money:
        values[name] = shown(values[name])
    return values


@lru_cache(maxsize=64)
def _columns(record: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]], tuple[str, ...]]:
    names = tuple(field.name for field in fields(record))
    return names, attrgetter(*names), money_of(record)


def money_of(record: Any) -> tuple[str, ...]:
    """The fields of a dataclass that are money."""
    return tuple(field.name for field in fields(record) if field.type == "Cents")
