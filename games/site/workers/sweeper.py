"""The clock: once a second it finds what nobody drives and hands it to the workers.

It runs in a process of its own and in no worker's queue, so that slow models, which may hold every thread of the live
worker, do not delay it. Two clocks at once do no harm: a tick is idempotent.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from django.db import close_old_connections, connection
from django.db.models import Q, QuerySet

from agents_app.providers.litellm import library_prepare
from games.site.accounts.clearing import sessions_clear
from games.site.drive import sweeping
from games.site.drive.batches import batches_continue
from games.site.experiments.running import experiments_continue
from games.site.models import (
    ACTIVE,
    UNDER_WAY,
    Delivery,
    DeliveryStatus,
    Demo,
    Experiment,
    ExperimentStatus,
    Job,
    JobStatus,
    Member,
    Run,
)
from games.site.notify.doorbell import ring
from games.site.notify.queueing import broker_check
from games.site.people.joining import rooms_sweep
from games.site.people.presence import presence_sweep
from games.site.record import pulse
from games.site.record.jobs import jobs_sweep
from games.site.runs.demo import demo_continue
from games.site.runs.visiting import visits_sweep
from games.site.studies.gathering import studies_continue
from games.site.workers.delivering import deliveries_clear, webhooks_sweep

log = logging.getLogger(__name__)

TICK_S = 1.0
QUIET_S = 20.0
"""Where nothing is under way all is looked through so often, for what has run out and what was asked for later."""
CLEARING_S = 3600.0
PREPARING_S = 20.0
"""After its start, when the site's other parts have started too."""


_asked: dict[str, tuple[int, float]] = {}


def _runs_sweep() -> None:
    sweeping.sweep(_asked)


def tick() -> None:
    """One sweep over one connection. What goes wrong is logged, and tried again. None while a part is away: `pulse`."""
    close_old_connections()
    if not _tried(pulse.is_up):
        return
    of_people = (presence_sweep, rooms_sweep, visits_sweep) if _tried(pulse.is_open) else ()
    swept = (_runs_sweep, experiments_continue, studies_continue, demo_continue, jobs_sweep, webhooks_sweep)
    for work in (*of_people, *swept):
        _tried(work)


def is_quiet() -> bool:
    """Whether no match, experiment, session, job or webhook is under way, and no demo that another one follows."""
    with connection.cursor() as cursor:
        cursor.execute(*_under_way(connection.alias))
        return cursor.fetchone() is None


@cache
def _under_way(alias: str) -> tuple[str, tuple[Any, ...]]:
    """The one statement that is asked each second, put together once."""
    runs: QuerySet[Any] = Run.objects.filter(Q(status__in=ACTIVE) | Q(demo=Demo.CURRENT))
    others: tuple[QuerySet[Any], ...] = (
        Experiment.objects.filter(status=ExperimentStatus.RUNNING),
        Member.objects.filter(state__in=UNDER_WAY),
        Job.objects.exclude(status=JobStatus.DONE),
        Delivery.objects.filter(status=DeliveryStatus.WAITING),
    )
    statement, values = runs.union(*others, all=True).query.exists().get_compiler(alias).as_sql()
    return statement, values


def _tried(work: Callable[[], object]) -> object:
    try:
        return work()
    except Exception as error:
        log.warning("clock: %s: %r; again later", work.__name__, error)
        close_old_connections()
        return None


def _beat() -> None:
    broker_check()
    for run_id in pulse.beat():
        ring(run_id)


def _beats(stop: threading.Event, busy: threading.Event) -> None:
    """In a thread of its own: a sweep that takes long is no outage. Each other second while the site is quiet."""
    while not stop.is_set():
        pulse.close_aged_connection()
        _tried(_beat)
        stop.wait(pulse.BEAT_S)
        busy.wait(pulse.BEAT_S)


def _batches(stop: threading.Event, busy: threading.Event) -> None:
    """Batches of models' calls, in a thread of their own: a vendor that is slow delays no tick. Each second while the
    site is busy, as runs are that wait for them."""
    while not stop.wait(TICK_S):
        busy.wait(QUIET_S)
        if stop.is_set():
            return
        pulse.close_aged_connection()
        _tried(batches_continue)


def _prepare(stop: threading.Event) -> None:
    """What would make the first call of a worker slow, done here, where nobody waits."""
    if not stop.wait(PREPARING_S):
        _tried(library_prepare)


def run(stop: threading.Event) -> None:
    """A tick each second until told to stop, or where nothing is under way a look whether that is still so; once an
    hour what has run out is cleared away."""
    busy = threading.Event()
    threading.Thread(target=_beats, args=(stop, busy), name="beats", daemon=True).start()
    threading.Thread(target=_batches, args=(stop, busy), name="batches", daemon=True).start()
    threading.Thread(target=_prepare, args=(stop,), name="prepare", daemon=True).start()
    due = clearing = whole = time.monotonic()
    while not stop.wait(max(0.0, due - time.monotonic())):
        if time.monotonic() >= whole or not _tried(is_quiet):
            busy.set()
            tick()
            whole = time.monotonic() + QUIET_S
        else:
            busy.clear()
        if time.monotonic() >= clearing:
            _tried(sessions_clear)
            _tried(deliveries_clear)
            clearing = time.monotonic() + CLEARING_S
        due = max(due + TICK_S, time.monotonic())
