"""Money: whole hundredths inside, plain numbers outside."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.core.answers import JSON
from games.core.game import Number

HUNDRED: Final = 100
Cents: TypeAlias = int
"""Whole hundredths, as a field of a record is annotated where `facts` shows it as an amount."""


def hundredths(amount: Number) -> Cents:
    """An amount of at most two decimals as whole hundredths."""
    return amount * HUNDRED if type(amount) is int else round(amount * HUNDRED)


def shown(cents: Cents) -> Number:
    """Hundredths as an amount: a whole number where they make one."""
    return cents / HUNDRED if cents % HUNDRED else cents // HUNDRED


def has_two_decimals(amount: Number) -> bool:
    """Whether an amount is one of whole hundredths; it must be finite."""
    if type(amount) is int:
        return True
    cents = amount * HUNDRED
    return abs(cents - round(cents)) < 1e-6


def facts(record: Any) -> dict[str, JSON]:
    """The fields of a record by name, money as amounts."""
    return {
        name: shown(getattr(record, name)) if is_money else getattr(record, name)
        for name, is_money in money_fields(record.__class__)
    }


@lru_cache(maxsize=64)
def money_fields(record: Any) -> tuple[tuple[str, bool], ...]:
    """A record's fields, and which of them are money."""
    return tuple((field.name, field.type == "Cents") for field in fields(record))
