"""Where a list was left: a signed mark that opens the next page of the very same list, and of no other."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet

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


def older(rows: QuerySet[T], last: Any) -> QuerySet[T]:
    """Of rows from the newest to the oldest, those after one whose time and key are ``last``."""
    return rows.filter(Q(created__lt=last[0]) | Q(created=last[0], pk__lt=last[1]))
