"""What goes on with runs that are due and that nobody drives, whatever became of who did."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta

from games.site.drive.lease import LEASE, SLACK, is_dead
from games.site.drive.person_seats import wake_answered
from games.site.models import ACTIVE, Run, RunStatus
from games.site.notify.queueing import enqueue
from games.site.record import clock, selectors

log = logging.getLogger(__name__)

AGAIN_S = 5.0
"""How long a run may stand in a worker's line before the sweep asks for it once more."""


def sweep(asked: dict[str, tuple[int, float]] | None = None) -> None:
    """Re-enqueue every active run that is due and that nobody drives, those whose people have all answered among them.

    Idempotent; once a second is enough. ``asked`` remembers from one sweep to the next what was asked for, by the
    lease's generation and when: a run that stands in a worker's line is asked for again after `AGAIN_S`, not before.

    A lease whose holder died on this machine is void at once; one of another machine when it expires.
    """
    now = clock.now()
    _void_beyond(now)
    wake_answered()
    held = Run.objects.filter(status__in=ACTIVE, lease_until__gt=now)
    for run_id, generation, owner in held.values_list("pk", "lease_generation", "lease_owner"):
        if is_dead(owner):
            Run.objects.filter(pk=run_id, lease_generation=generation).update(lease_until=now)
    asked, since = {} if asked is None else asked, time.monotonic()
    before = dict(asked)
    asked.clear()
    for run_id, queue, generation in selectors.due_runs():
        was, at = before.get(run_id, (None, 0.0))
        if was == generation and since - at < AGAIN_S:
            asked[run_id] = generation, at
        elif enqueue(run_id, queue):
            asked[run_id] = generation, since


def _void_beyond(now: datetime) -> None:
    """What no lease and no pace puts so far ahead is due now: a clock was wrong, or was set back."""
    held = Run.objects.filter(status__in=ACTIVE, lease_until__gt=now + LEASE + SLACK)
    for run_id, until in held.values_list("pk", "lease_until"):
        log.warning("run %s: held until %s, which no clock that is right gives it; free now", run_id, until)
        Run.objects.filter(pk=run_id, lease_until=until).update(lease_until=now)
    paced = Run.objects.filter(status__in=ACTIVE, pace__gt=0, wake_at__gt=now + SLACK).exclude(status=RunStatus.WAITING)
    for run_id, wake_at, pace in paced.values_list("pk", "wake_at", "pace"):
        if wake_at is not None and wake_at > now + timedelta(seconds=1 / pace) + SLACK:
            log.warning("run %s: not due before %s, which no pace gives it; due now", run_id, wake_at)
            Run.objects.filter(pk=run_id, wake_at=wake_at).update(wake_at=now)
