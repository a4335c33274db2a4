"""One clock for all machines of a site: the database's. It says when a run is due, a lease is void, a turn is over.

It is asked at most every ten seconds and carried on between by the process's own steady clock, so that a machine whose
wall clock is wrong, or is set while a run goes on, delays nobody. Where the database's own clock was set, a process
goes by it when the clock's process does, which moves at once all that was to happen: two times at once cost turns.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import connection
from django.utils import timezone

from games.site.models import Worker

ASK_S: Final = 10.0
CLOCK: Final = "clock"
"""When the clock's process said last that database and broker answer: a row among the workers."""
STILL: Final = timedelta(seconds=4)
"""So long it may be silent before it counts as an outage; and so far may two times be apart."""
SQL: Final = {
    "postgresql": "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    "sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')",
}
_known: tuple[datetime, float] | None = None


@dataclass(slots=True)
class Driven:
    """A time that stands until somebody sets it."""

    at: datetime


_driven: Driven | None = None


@contextmanager
def driven(at: datetime) -> Iterator[Driven]:
    """Within, this process goes by a time that its caller sets, and what is stored is stamped with it."""
    global _driven
    stamped = timezone.now
    _driven = told = Driven(at)
    timezone.now = lambda: told.at
    try:
        yield told
    finally:
        _driven, timezone.now = None, stamped


def now(*, anew: bool = False) -> datetime:
    """The time, in UTC. Asks the database where it was not asked for a while: not to be called on an event loop.

    ``anew``: it is asked, since others go by what is written now.
    """
    global _known
    if _driven is not None:
        return _driven.at
    if anew or _known is None or time.monotonic() - _known[1] > ASK_S:
        told, carried, at = _asked()
        _known = carried if abs(told - carried) > STILL and not _is_led(told) else told, at
    return _known[0] + timedelta(seconds=time.monotonic() - _known[1])


def leads() -> tuple[datetime, timedelta]:
    """The time as the clock's process takes it over, and by how much the database's clock was set since it asked."""
    global _known
    told, carried, at = _asked()
    _known = told, at
    return told, told - carried if abs(told - carried) > STILL else timedelta(0)


def _asked() -> tuple[datetime, datetime, float]:
    """What the database says, what was to be expected, and when by the steady clock."""
    with connection.cursor() as cursor:
        cursor.execute(SQL[connection.vendor])
        told, at = datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC), time.monotonic()
    return told, told if _known is None else _known[0] + timedelta(seconds=at - _known[1]), at


def _is_led(told: datetime) -> bool:
    """Whether the clock's process goes by this time, or has never said anything."""
    said = Worker.objects.filter(pk=CLOCK).values_list("seen", flat=True).first()
    return said is None or abs(said - told) <= STILL


def known() -> datetime:
    """The same without asking, for an event loop: as this process was told last; its machine's, where it never was."""
    if _driven is not None:
        return _driven.at
    return datetime.now(UTC) if _known is None else _known[0] + timedelta(seconds=time.monotonic() - _known[1])
