"""What befalls a run from outside its rules, numbered: who came, left, was replaced, what an operator changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from django.db import transaction
from django.db.models import F

from games.site.models import Notice, Run
from games.site.notify.doorbell import ring

Kind: TypeAlias = Literal[
    "joined",
    "ready",
    "started",
    "gone",
    "substituted",
    "back",
    "left",
    "removed",
    "relinked",
    "extended",
    "advanced",
    "handed_over",
    "forgotten",
    "verified",
    "rerun",
    "loading",
    "all_away",
    "not_away",
    "out",
    "commented",
]
LOADING: Final = "loading"
"""The worker loads a library before it asks a model for the first time."""


def notice(run_id: str, kind: Kind, seat: int | None = None, data: Mapping[str, Any] | None = None) -> None:
    """Log it in the transaction under way, and ring when that is committed."""
    with transaction.atomic():
        Run.objects.filter(pk=run_id).update(notices_head=F("notices_head") + 1)
        number, head = Run.objects.values_list("notices_head", "head").get(pk=run_id)
        Notice.objects.create(run_id=run_id, number=number, step=head, kind=kind, seat=seat, data=dict(data or {}))
        transaction.on_commit(lambda: ring(run_id))
