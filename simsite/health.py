"""Whether this process lives and can serve, and the site's figures for Prometheus."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from games.site.accounts.roles import Role, role_of
from games.site.notify.queueing import broker_check
from games.site.web.errors import RETRY_S
from games.site.web.rates import buckets

KEPT_S: Final = 10.0
"""The figures of the database are asked for at most so often."""
ROOM: Final = 32 * 2**20
"""Bytes below which a disk counts as full: what a database writes before it can tidy up has no room any more."""


@require_safe
@never_cache
async def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked, so that a database that is away restarts no web process."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether requests should come here: the database and Redis answer, disks have room, and the bundle is built.

    Beside that, the bytes that are free in each folder that is written to, and how many seconds ago each part of this
    machine that the launcher watches gave its last sign of life; a worker that is silent turns no reader away.
    """
    found = {name: _does(check) for name, check in CHECKS.items()}
    told = {"ready": all(found.values()), **found, "free_bytes": _free(), "last_beat_s": _beats()}
    response = JsonResponse(told, status=200 if told["ready"] else 503)
    if not told["ready"]:
        response.headers["Retry-After"] = str(RETRY_S)
    return response


def _does(check: Callable[[], Any]) -> bool:
    try:
        return check() is not False
    except Exception:  # whatever it is, this process cannot serve now
        return False


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM games_run WHERE 1 = 0")


def _free() -> dict[str, int]:
    """Bytes that are free: in the home, and in the folder of the database where that is a file elsewhere."""
    folders = {"home": Path(settings.POLITY_HOME)}
    if connection.vendor == "sqlite" and Path(settings.DATABASES["default"]["NAME"]).is_absolute():
        folders["database"] = Path(settings.DATABASES["default"]["NAME"]).parent
    return {name: shutil.disk_usage(folder).free for name, folder in folders.items() if folder.is_dir()}


def _has_room() -> bool:
    return all(free >= ROOM for free in _free().values())


def _beats() -> dict[str, float]:
    """Seconds since each part's last sign of life; empty where no launcher watches them from this home."""
    now = time.time()
    files = sorted(Path(settings.POLITY_HOME).glob("*.beat"))
    return {file.stem: round(max(0.0, now - file.stat().st_mtime), 1) for file in files}


CHECKS: Final[dict[str, Callable[[], Any]]] = {
    "database": _database,
    "redis": broker_check,
    "disk": _has_room,
    "bundle": lambda: settings.BUNDLE_MANIFEST.is_file(),
}


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures in Prometheus' form, for an operator or by an operator's key that reads."""
    if role_of(request.user) is not Role.OPERATOR:
        return HttpResponse("an operator's key is needed: Authorization: Bearer pk_...\n", "text/plain", status=403)
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


class Site(Collector):
    """What the database and this process know: runs, steps, the age of the queue, calls, money, sockets."""

    def __init__(self) -> None:
        self._at, self._kept = 0.0, list[Metric]()

    def describe(self) -> list[Metric]:
        return []  # nothing is asked of the database when it is registered

    def collect(self) -> Iterator[Metric]:
        from games.site.web.doors import doors

        yield GaugeMetricFamily("polity_sockets", "Websockets of this web process.", value=doors.held.total())
        unlimited = "Requests that no bucket was asked for, since Redis was away."
        yield CounterMetricFamily("polity_unlimited_requests", unlimited, value=buckets.unlimited)
        if time.monotonic() - self._at > KEPT_S or not self._kept:
            self._kept, self._at = list(_of_the_database()), time.monotonic()
        yield from self._kept


def _of_the_database() -> Iterator[Metric]:
    from django.db.models import Count, Min, Sum
    from django.utils import timezone

    from games.site.models import ACTIVE, Call, Participant, ParticipantState, Run

    runs = GaugeMetricFamily("polity_runs", "Runs that are kept.", labels=["status"])
    steps = 0
    of_status = Run.objects.values_list("status").annotate(Count("pk"), Sum("head")).order_by()
    for status, count, heads in of_status:
        runs.add_metric([status], count)
        steps += heads
    yield runs
    yield GaugeMetricFamily("polity_steps", "Steps of all runs that are kept.", value=steps)
    now = timezone.now()
    due = Run.objects.filter(status__in=ACTIVE).exclude(lease_until__gte=now).exclude(wake_at__gt=now)
    age = GaugeMetricFamily("polity_queue_age_seconds", "How long the oldest run waits for a worker.", labels=["queue"])
    of_queue = due.values_list("queue").annotate(Count("pk"), Min("created")).order_by()
    waiting = {queue: (count, (now - since).total_seconds()) for queue, count, since in of_queue}
    length = GaugeMetricFamily("polity_queue_runs", "Runs that wait for a worker.", labels=["queue"])
    for queue in ("live", "bulk"):
        count, seconds = waiting.get(queue, (0, 0.0))
        age.add_metric([queue], seconds)
        length.add_metric([queue], count)
    yield from (age, length)
    names = ("polity_calls", "Calls of models."), ("polity_tokens", "Tokens of them."), ("polity_usd", "Their money.")
    calls, tokens, usd = (CounterMetricFamily(name, text, labels=["model"]) for name, text in names)
    sums = Call.objects.values_list("model").annotate(Count("pk"), Sum("tokens_in"), Sum("tokens_out"), Sum("cost_usd"))
    for model, count, tokens_in, tokens_out, cost in sums.order_by():
        calls.add_metric([model], count)
        tokens.add_metric([model], (tokens_in or 0) + (tokens_out or 0))
        usd.add_metric([model], float(cost or 0))
    yield from (calls, tokens, usd)
    playing = Participant.objects.filter(state=ParticipantState.PLAYING).count()
    yield GaugeMetricFamily("polity_people", "People who sit in a seat of a match under way.", value=playing)


REGISTRY.register(Site())
