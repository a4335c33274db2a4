"""Money: whole hundredths inside, plain numbers outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, TypeAlias

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


def facts(record: Any) -> dict[str, Any]:
    """All of a record by name, money as amounts: JSON where its fields are."""
    return row(record.__class__)(record)


@lru_cache(maxsize=64)
def row(record: Any, columns: str = "") -> Callable[[Any], dict[str, Any]]:
    """How records of a class are shown: the named fields, or all, money as amounts. ``amount=paid`` renames a field."""
    money = money_of(record)
    names = columns.split() or dict.fromkeys([*(field.name for field in fields(record)), *money])
    pairs = []
    for name, _, source in (column.partition("=") for column in names):
        value = f"record.{source or name}"
        pairs.append(f"{name!r}: " + (f"shown({value})" if (source or name) in money else value))
    # As dataclasses does: records are shown by the hundred thousand. The text is made of fields' names alone.
    compiled: Callable[[Any], dict[str, Any]] = eval(f"lambda record: {{{', '.join(pairs)}}}", {"shown": shown})  # noqa: S307
    return compiled


def money_of(record: Any) -> tuple[str, ...]:
    """The fields of a dataclass that are money, and its properties that are."""
    properties = ((name, member.fget) for name, member in vars(record).items() if isinstance(member, property))
    sums = [name for name, getter in properties if getter and getter.__annotations__.get("return") == "Cents"]
    return (*(field.name for field in fields(record) if field.type == "Cents"), *sums)
