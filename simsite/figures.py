"""The site's figures for Prometheus: what the database, this machine and this web process know.

`docs/deploy` has the board that draws them and the rules that call somebody.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import Case, Count, Min, Q, Sum, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from games.site.accounts.roles import Role, role_of
from games.site.web.bearer import SCRAPER
from games.site.web.rates import buckets
from simsite.health import backup_ages, free_bytes

KEPT_S: Final = 10.0
"""The figures of the database are asked for at most so often."""
CALL_S: Final = (0.5, 1, 2, 5, 10, 20, 60, 120)
"""Bounds of the times of calls."""


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures in Prometheus' form: by POLITY_METRICS_KEY, which opens nothing else, or for an operator."""
    if getattr(request, "bearer", "") != SCRAPER and role_of(request.user) is not Role.OPERATOR:
        told = "POLITY_METRICS_KEY or an operator's key is needed: Authorization: Bearer ...\n"
        return HttpResponse(told, "text/plain", status=403)
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


class Site(Collector):
    """Runs, steps, queues, workers, calls, money, backups, disks, sockets."""

    def __init__(self) -> None:
        self._at, self._kept = 0.0, list[Metric]()

    def describe(self) -> list[Metric]:
        return []  # nothing is asked of the database when it is registered

    def collect(self) -> Iterator[Metric]:
        from games.site.web.doors import doors

        yield GaugeMetricFamily("polity_sockets", "Websockets of this web process.", value=doors.held.total())
        unlimited = "Requests that no bucket was asked for, since Redis was away."
        yield CounterMetricFamily("polity_unlimited_requests", unlimited, value=buckets.unlimited)
        yield _gauge("polity_free_bytes", "Free on this machine's disks.", "folder", free_bytes())
        if time.monotonic() - self._at > KEPT_S or not self._kept:
            self._kept, self._at = list(_of_the_database()), time.monotonic()
        yield from self._kept


def _gauge(name: str, text: str, label: str, values: dict[str, Any]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _of_the_database() -> Iterator[Metric]:
    from games.site.models import Participant, ParticipantState, Run
    from games.site.record import clock

    of_status = list(Run.objects.values_list("status").annotate(Count("pk"), Sum("head")).order_by())
    yield _gauge("polity_runs", "Runs that are kept.", "status", {status: count for status, count, _ in of_status})
    yield GaugeMetricFamily("polity_steps", "Steps of all runs that are kept.", value=sum(of[2] for of in of_status))
    now = clock.now()
    yield from _queues(now)
    yield from _workers(now)
    yield from _calls()
    playing = Participant.objects.filter(state=ParticipantState.PLAYING).count()
    yield GaugeMetricFamily("polity_people", "People who sit in a seat of a match under way.", value=playing)
    told = "Since the last good archive, and the last drill in which one was restored and verified."
    yield _gauge("polity_backup_age_seconds", told, "what", backup_ages())


def _queues(now: datetime) -> Iterator[Metric]:
    """Runs that a worker could drive now: not those that wait for people, for a batch or for their pace."""
    from games.site.models import Seat, SeatKind
    from games.site.record.selectors import idle_runs

    since = Coalesce("lease_until", "wake_at", Case(When(head__lt=0, then="created")))
    names = "polity_queue_runs", "Runs that wait for a worker."
    names_of_age = "polity_queue_age_seconds", "How long the oldest of them waits that has not begun, or was given up."
    idle = idle_runs()
    of_queue = idle.values_list("queue").annotate(Count("pk"), since=Min(since)).order_by()
    waiting = {queue: (count, (now - at).total_seconds() if at else 0.0) for queue, count, at in of_queue}
    both = {queue: waiting.get(queue, (0, 0.0)) for queue in ("live", "bulk")}
    yield _gauge(*names, "queue", {queue: count for queue, (count, _) in both.items()})
    yield _gauge(*names_of_age, "queue", {queue: age for queue, (_, age) in both.items()})
    asked = Seat.objects.filter(run__in=idle, kind=SeatKind.MODEL).values_list("agent__profile__model")
    of_model = asked.annotate(Count("run", distinct=True)).order_by()
    told = "Of those that wait, the ones in which the model sits."
    yield _gauge("polity_queue_runs_of_model", told, "model", {str(model): count for model, count in of_model})


def _workers(now: datetime) -> Iterator[Metric]:
    """What each kind of part last said in the database, as all machines' parts do."""
    from games.site.models import Worker
    from games.site.record.capacity import LIVES
    from games.site.record.clock import CLOCK
    from games.site.record.pulse import DOOR, PEOPLE

    signs = {CLOCK: "beat", DOOR: "web"}
    said: dict[str, list[datetime]] = {"live": [], "bulk": []}
    for name, seen in Worker.objects.exclude(pk=PEOPLE).values_list("name", "seen"):
        said.setdefault(signs.get(name) or name.partition("-")[0], []).append(seen)
    ages = {kind: (now - max(seen)).total_seconds() for kind, seen in said.items() if seen}
    told = "Since any web process, the beat, or any worker of a queue last said that it lives."
    yield _gauge("polity_heartbeat_age_seconds", told, "part", ages)
    alive = {kind: sum(now - at < LIVES for at in seen) for kind, seen in said.items() if kind not in signs.values()}
    yield _gauge("polity_workers", "Workers that live.", "queue", alive)


def _calls() -> Iterator[Metric]:
    """A run asks for whole answers, so what is known of its calls is how long the whole took. The time to the first
    token is seen where a model is tried, on the page of models: `games.site.web.trials`.
    """
    from games.site.models import Call

    timed = Q(from_cache=False, batch="", latency_ms__isnull=False)
    within = {f"le_{n}": Count("pk", filter=timed & Q(latency_ms__lte=s * 1000)) for n, s in enumerate(CALL_S)}
    rows: Any = Call.objects.values("model").annotate(
        calls=Count("pk"), bad=Count("pk", filter=~Q(failure="")), into=Sum("tokens_in"), out=Sum("tokens_out"),
        usd=Sum("cost_usd"), timed=Count("pk", filter=timed), ms=Sum("latency_ms", filter=timed), **within,
    ).order_by()  # fmt: skip
    names = {
        "calls": "Calls of models.", "failed_calls": "Calls without a usable answer.", "tokens": "Tokens of them.",
        "usd": "Their money.",
    }  # fmt: skip
    families = [CounterMetricFamily(f"polity_{name}", text, labels=["model"]) for name, text in names.items()]
    told = "From sending a call to its whole answer; without batches and stored answers."
    seconds = HistogramMetricFamily("polity_model_call_seconds", told, labels=["model"])
    for row in rows:
        values = row["calls"], row["bad"], (row["into"] or 0) + (row["out"] or 0), float(row["usd"] or 0)
        for family, value in zip(families, values, strict=True):
            family.add_metric([row["model"]], value)
        buckets_of = [(str(float(bound)), row[f"le_{n}"]) for n, bound in enumerate(CALL_S)]
        seconds.add_metric([row["model"]], [*buckets_of, ("+Inf", row["timed"])], (row["ms"] or 0) / 1000)
    yield from (*families, seconds)


REGISTRY.register(Site())
