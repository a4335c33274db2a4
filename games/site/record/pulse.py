"""Whether the site is well: the clock's process says so each second, as long as database and broker answer it.

While it cannot, nobody's time runs. Afterwards deadlines, naps and leases are put off by as long as that lasted, and
whoever was there is taken to be there: an outage costs no person a turn, and no driver the answers that it holds.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from games.site.models import ACTIVE, HOLDING, Participant, Run, RunStatus, Worker
from games.site.record import clock

log = logging.getLogger(__name__)
CLOCK: Final = "clock"
"""Its row among the workers: it drives no runs."""
BEAT_S: Final = 1.0
STILL: Final = timedelta(seconds=4)
"""So long it may be silent before it counts as an outage."""


def is_up() -> bool:
    """Whether the clock said a moment ago that all is well; True where it never has, as in a test without one."""
    seen = Worker.objects.filter(pk=CLOCK).values_list("seen", flat=True).first()
    return seen is None or clock.now() - seen <= STILL


def is_past(deadline: datetime | None) -> bool:
    """Whether somebody's time is over; not as long as some of it may have to be given back."""
    return deadline is not None and clock.now() >= deadline and is_up()


def beat() -> list[str]:
    """Say that all is well. The runs to which time was given back, because nobody had said so for too long."""
    now = clock.now()
    with transaction.atomic():
        seen = Worker.objects.select_for_update().filter(pk=CLOCK).values_list("seen", flat=True).first()
        Worker.objects.update_or_create(name=CLOCK, defaults={"threads": 0, "seen": now})
        if seen is None or now - seen <= STILL:
            return []
        log.warning("the site, or a part that it needs, was away for %.1f s", (now - seen).total_seconds())
        return _give_back(seen, now)


def _give_back(since: datetime, now: datetime) -> list[str]:
    """What was to end after a moment ends as much later as that is ago. The runs with an open turn."""
    lost = now - since
    going = Run.objects.filter(status__in=ACTIVE)
    turns = dict(going.select_for_update(no_key=True).order_by("pk").values_list("pk", "open_turn"))
    going.filter(lease_until__gt=since).update(lease_until=F("lease_until") + lost)
    going.filter(status=RunStatus.WAITING, wake_at__gt=since).update(wake_at=F("wake_at") + lost)
    given = []
    for run_id, turn in turns.items():
        if turn is None or not turn.get("deadline"):
            continue
        deadline = datetime.fromisoformat(turn["deadline"])
        if deadline > since:
            Run.objects.filter(pk=run_id).update(open_turn={**turn, "deadline": (deadline + lost).isoformat()})
            given.append(run_id)
    there = Participant.objects.filter(state__in=HOLDING, run__status__in=ACTIVE)
    there.filter(gone_at=None).update(seen=now)
    there.filter(gone_at__isnull=False).update(gone_at=now)
    return given
