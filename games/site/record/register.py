"""What is appended to the site's register, whoever appends it; what stands there is `games.site.experiments`'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.core.codec import GENESIS, digest
from games.site.models import RegisterEntry, RegisterKind

TRIES: Final = 20
"""Appends that may come between two looks at the head; then something else is wrong."""


def register(*, kind: RegisterKind, subject: str, document: Mapping[str, Any]) -> RegisterEntry:
    """Append an entry. Two that come at once get two numbers."""
    written = digest(document)
    for _ in range(TRIES):
        last = RegisterEntry.objects.order_by("-number").first()
        number, previous = (1, GENESIS) if last is None else (last.number + 1, last.hash)
        at = timezone.now()
        entry = RegisterEntry(
            number=number, at=at, kind=kind, subject=subject, document=dict(document), digest=written,
            hash=hash_of(number, at.isoformat(), kind, subject, written, previous),
        )  # fmt: skip
        try:
            with transaction.atomic():
                entry.save(force_insert=True)
        except IntegrityError:
            continue
        return entry
    raise RuntimeError(f"register: {TRIES} others were first each time")


def hash_of(number: int, at: str, kind: str, subject: str, written: str, previous: str) -> str:
    return digest([number, at, str(kind), subject, written, previous])
