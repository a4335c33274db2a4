"""Where a list was left: a signed mark that opens the next page of the very same list, and of no other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Final, TypeAlias, TypeVar

from django.core import signing
from django.db.models import F, Model, Q, QuerySet

from games.errors.requests import BadRequest

SALT: Final = "polity.cursor"
T = TypeVar("T", bound=Model)


def cursor_of(listed: str, last: Any) -> str:
    """The mark after ``last`` in a list; ``listed`` names the list with its filters."""
    return signing.dumps([listed, last], salt=SALT, compress=True)


def last_of(listed: str, cursor: str | None) -> Any:
    """What the page before ended with; None for the first page. Raises `BadRequest` for another list's mark."""
    if cursor is None:
        return None
    try:
        whose, last = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        whose, last = None, None
    if whose != listed:
        raise BadRequest("bad_cursor", "cursor: it is not of this list with these filters; begin without one", "cursor")
    return last


Order: TypeAlias = Sequence[tuple[str, bool]]
"""Fields, and whether each goes downwards; the last of them differs in every row. What has no value comes last."""
NEWEST: Final[Order] = (("created", True), ("pk", True))


def ordered(rows: QuerySet[T], order: Order) -> QuerySet[T]:
    return rows.order_by(
        *(F(name).desc(nulls_last=True) if down else F(name).asc(nulls_last=True) for name, down in order)
    )


def place_of(row: Any, order: Order) -> list[Any]:
    """Where a row stands, as a mark may hold it."""
    return [_plain(reduce(getattr, name.split("__"), row)) for name, _ in order]


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, int | float | str) else str(value)


def after(rows: QuerySet[T], order: Order, place: Sequence[Any]) -> QuerySet[T]:
    """Of rows in that order, those after the one that stood at ``place``."""
    later, equal = Q(), Q()
    for (name, down), value in zip(order, place, strict=True):
        if value is not None:
            later |= equal & (Q(**{f"{name}__{'lt' if down else 'gt'}": value}) | Q(**{f"{name}__isnull": True}))
        equal &= Q(**{f"{name}__isnull": True}) if value is None else Q(**{name: value})
    return rows.filter(later)
