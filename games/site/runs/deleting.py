"""Deletes a run that is over, with everything that was kept of it. What stays is one line that says so."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, ProtectedError

from games.errors.requests import BadRequest
from games.site.accounts.purse import cost_of
from games.site.models import ENDED, ApiKey, Call, Participant, Run
from games.site.notify.doorbell import ring
from games.site.record import selectors


def run_delete(*, run_id: str, by: Any) -> None:
    """Delete an ended run; ``by`` is the account of whoever wants it. Raises `BadRequest` and `NotFound`.

    The trace stands in Django's own log of the admin: who, when, which run, how far it went, the last link of its chain
    of hashes, and what it had cost. A run that is under way, or of which forks are left, is refused.
    """
    run = selectors.run_get(run_id)
    told = {
        "game": run.game,
        "scenario": run.scenario.name,
        "condition": run.condition,
        "status": run.status,
        "head": run.head,
        "head_hash": run.head_hash,
        "cost_usd": str(run.cost_usd),
        "calls": Call.objects.filter(run=run).count(),
        "people": Participant.objects.filter(run=run).count(),
    }
    cost = cost_of(Run.objects.filter(pk=run.pk))
    try:
        with transaction.atomic():
            if not Run.objects.filter(pk=run.pk, status__in=ENDED).delete()[0]:
                told_why = f"delete: the run is {run.status}; it must be over"
                raise BadRequest("wrong_status", told_why, why="delete", status=str(run.status))
            if run.key is not None:
                ApiKey.objects.filter(pk=run.key.pk).update(deleted_usd=F("deleted_usd") + cost)
            LogEntry.objects.create(
                user=by,
                content_type=ContentType.objects.get_for_model(Run),
                object_id=run_id,
                object_repr=f"run {run_id}",
                action_flag=DELETION,
                change_message=json.dumps([{"deleted": {"name": "run", "object": run_id, **told}}]),
            )
            transaction.on_commit(lambda: ring(run_id))
    except ProtectedError:
        of = Run.objects.filter(pk=run.pk, cell__isnull=False).values_list("cell__experiment__slug", flat=True).first()
        if of is not None:
            told_why = f"delete: the run is a cell of experiment {of}, whose figures rest on it"
            raise BadRequest("in_experiment", told_why, experiment=of) from None
        forks = list(Run.objects.filter(parent=run).values_list("pk", flat=True))
        raise BadRequest(
            "has_forks", f"delete: {', '.join(forks)} began in this run; delete those first", forks=forks
        ) from None
