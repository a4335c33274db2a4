"""Whether the site is well, said each second: by the clock's process as long as database and broker answer it, and by
every web process as long as its loop goes on.

While nobody says it, nobody's time runs. Afterwards naps and leases end as much later as that lasted, and so do turns,
which no web process that answers is needed for less; whoever was there is taken to be there: an outage costs no person
a turn, and no driver the answers that it holds. Where the database's clock is set forth or back all of it moves by as
much, and so do the signs.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from typing import Final

from django.db import close_old_connections, connection, transaction
from django.db.models import F

from games.site.models import ACTIVE, HOLDING, UNDER_WAY, Member, Participant, Run, RunStatus, Worker
from games.site.record import clock
from games.site.record.clock import CLOCK, STILL

log = logging.getLogger(__name__)
DOOR: Final = "door"
"""When a web process, whichever, said last that it takes requests. A row among the workers, as `CLOCK` is."""
PEOPLE: Final = "people"
"""Until when people's time ran, which is when a web process said last that it takes requests, if the rest is well."""
SIGNS: Final = (CLOCK, DOOR, PEOPLE)
BEAT_S: Final = 1.0
KEPT_S: Final = 60.0


def is_up(*signs: str) -> bool:
    """Whether each sign, the clock's if none is named, is of a moment ago, or never was, as in a test without one."""
    said = Worker.objects.filter(pk__in=signs or (CLOCK,)).values_list("seen", flat=True)
    return all(_is_fresh(seen, clock.now()) for seen in said)


def is_open() -> bool:
    """Whether people's time runs: all is well, and a web process takes requests."""
    return is_up(CLOCK, PEOPLE)


def is_past(deadline: datetime | None) -> bool:
    """Whether somebody's time is over: it ran until then, and none of it may have to be given back."""
    if deadline is None or clock.now() < deadline or not is_open():
        return False
    ran = Worker.objects.filter(pk=PEOPLE).values_list("seen", flat=True).first()
    return ran is None or ran >= deadline


def close_aged_connection() -> None:
    """What `close_old_connections` does, for a thread that asks each second: to open SQLite costs it several times what
    it asks, so that such a connection stays for a minute."""
    opened_at = connection.close_at  # as no connection outlives what it was opened for
    is_young = opened_at is not None and time.monotonic() < opened_at + KEPT_S
    if connection.vendor != "sqlite" or connection.errors_occurred or not is_young:
        close_old_connections()


def door_beat() -> None:
    """A web process takes requests."""
    _say(DOOR, clock.now(anew=True))


def _say(sign: str, seen: datetime) -> None:
    """One statement but for the first time."""
    if not Worker.objects.filter(pk=sign).update(seen=seen):
        Worker.objects.update_or_create(name=sign, defaults={"threads": 0, "seen": seen})


def beat() -> list[str]:
    """Database and broker answer. The runs to which time was given back, because nobody had said so for too long."""
    now, was_set = clock.leads()
    with transaction.atomic():
        signs = Worker.objects.select_for_update().filter(pk__in=SIGNS).order_by("pk")
        moved: list[str] = []
        if was_set:
            list(signs)  # locked in one order
            Worker.objects.filter(pk__in=SIGNS).update(seen=F("seen") + was_set)
            _put_off(now - was_set, now)
            moved = _give_back(now - was_set, now)
        seen = dict(signs.values_list("name", "seen"))
        if not _is_fresh(seen.get(CLOCK), now):
            _put_off(seen[CLOCK], now)
        _say(CLOCK, now)
        if not _is_fresh(seen.get(DOOR), now):
            return moved
        since = seen.get(PEOPLE) or seen.get(CLOCK)
        given = [] if since is None or _is_fresh(since, now) else _give_back(since, now)
        _say(PEOPLE, seen.get(DOOR) or now)
        return sorted({*moved, *given})


def _is_fresh(seen: datetime | None, now: datetime) -> bool:
    return seen is None or abs(now - seen) <= STILL


def _put_off(since: datetime, now: datetime) -> None:
    """What holds a run for its driver, or wakes one that waits, ends as much later as a moment is ago."""
    lost, going = now - since, Run.objects.filter(status__in=ACTIVE)
    log.warning("the site, or a part that it needs, was away for %.1f s", lost.total_seconds())
    held, waiting = going.filter(lease_until__isnull=False), going.filter(status=RunStatus.WAITING)
    if lost > timedelta(0):  # what a clock that was set back leaves ahead was over for none
        held, waiting = held.filter(lease_until__gt=since), waiting.filter(wake_at__gt=since)
    held.update(lease_until=F("lease_until") + lost)
    waiting.filter(wake_at__isnull=False).update(wake_at=F("wake_at") + lost)


def _give_back(since: datetime, now: datetime) -> list[str]:
    """Turns end as much later as a moment is ago, and whoever was there is there. The runs with an open turn."""
    lost, going = now - since, Run.objects.filter(status__in=ACTIVE)
    turns = dict(going.select_for_update(no_key=True).order_by("pk").values_list("pk", "open_turn"))
    given = []
    for run_id, turn in turns.items():
        if turn is None or not turn.get("deadline"):
            continue
        deadline = datetime.fromisoformat(turn["deadline"])
        if deadline > since or lost < timedelta(0):
            until = deadline + lost
            Run.objects.filter(pk=run_id).update(open_turn={**turn, "deadline": until.isoformat()})
            going.filter(pk=run_id, status=RunStatus.WAITING, wake_at__lt=until).update(wake_at=until)
            given.append(run_id)
    there = Participant.objects.filter(state__in=HOLDING, run__status__in=ACTIVE)
    there.filter(gone_at=None).update(seen=now)
    there.filter(gone_at__isnull=False).update(gone_at=now)
    Member.objects.filter(state__in=UNDER_WAY, away=None).update(seen=now)
    return given
