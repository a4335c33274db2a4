"""The audit trail: who did what that others may ask about. Entries are written with what they tell of, and stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.site.models import AuditEntry


def audit(*, who: str, what: str, on: str = "", data: Mapping[str, Any] | None = None) -> None:
    """Note it down: ``what`` in a word, ``on`` what it was done to, such as ``run ID``."""
    AuditEntry.objects.create(who=who[:160], what=what, on=on[:160], data=dict(data or {}))


def note(request: Any, what: str, on: str = "", **data: Any) -> None:
    """As `audit`, of what whoever asks has done."""
    audit(who=who_of(request), what=what, on=on, data=data)


def who_of(request: Any) -> str:
    """The name of whoever asks, with the key where one was used."""
    user = getattr(request, "user", None)
    name = str(user) if user is not None and user.is_authenticated else "somebody"
    bearer = getattr(request, "bearer", "")
    return f"{name} by {bearer}" if bearer else name
