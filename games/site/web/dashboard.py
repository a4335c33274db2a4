"""What the admin's first page tells: runs under way and what they wait for, and money and tokens by day, model and
experiment.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.http import HttpRequest
from django.utils import timezone

from games.site.audience import Viewer, sight
from games.site.models import ACTIVE, ENDED, AuditEntry, Call, Run
from games.site.record import summary
from games.site.web.adminwords import deed, place

DAYS: Final = 14
ROWS: Final = 20


def told(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The page's context, with all that it tells."""
    since = timezone.now() - timedelta(days=DAYS)
    calls = Call.objects.filter(created__gte=since)
    under_way = Run.objects.filter(status__in=[*ACTIVE, "paused"]).select_related("scenario").prefetch_related("seats")
    context |= {
        "days": DAYS,
        "under_way": [_run(run) for run in under_way.order_by("-created")[:ROWS]],
        "spent": {
            "day": _spent(calls.annotate(of=TruncDate("created")), "-of"),
            "model": _spent(calls.values("model"), "-usd", of="model"),
            "experiment": _spent(calls.filter(run__experiment__isnull=False), "-usd", of="run__experiment__slug"),
        },
        "kept": {"ended": Run.objects.filter(status__in=ENDED).count(), "calls": Call.objects.count()},
        "acts": [(one, deed(one.what), place(one.on)) for one in AuditEntry.objects.all()[:ROWS]],
    }
    return context


def _run(run: Run) -> dict[str, Any]:
    viewer = Viewer(operator=True, member=True)
    said = summary.run_summary(run, sight(run, viewer), control=True)
    waits = said["waiting_for"]
    return {
        "id": run.pk,
        "game": run.game,
        "scenario": run.scenario.name,
        "status_said": run.get_status_display(),
        "head": max(run.head, 0),
        "undriven": said["undriven"],
        "waits": waits,
        "cost": said["cost_usd"],
    }


def _spent(calls: QuerySet[Call, Any], order: str, of: str = "of") -> list[dict[str, Any]]:
    sums = calls.values(of).annotate(
        calls=Count("pk"), tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"), usd=Sum("cost_usd")
    )
    return [{**row, "name": row[of]} for row in sums.order_by(order)[:ROWS]]
