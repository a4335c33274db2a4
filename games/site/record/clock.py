"""One clock for all machines of a site: the database's. It says when a run is due, a lease is void, a turn is over.

It is asked at most every ten seconds and carried on between by the process's own steady clock, so that a machine whose
wall clock is wrong, or is set while a run goes on, delays nobody.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import connection

ASK_S: Final = 10.0
SQL: Final = {
    "postgresql": "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    "sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')",
}
_known: tuple[datetime, float] | None = None


def now() -> datetime:
    """The time, in UTC. Asks the database where it was not asked for a while: not to be called on an event loop."""
    global _known
    known = _known
    if known is None or time.monotonic() - known[1] > ASK_S:
        with connection.cursor() as cursor:
            cursor.execute(SQL[connection.vendor])
            known = _known = datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC), time.monotonic()
    return known[0] + timedelta(seconds=time.monotonic() - known[1])


def known() -> datetime:
    """The same without asking, for an event loop: as this process was told last; its machine's, where it never was."""
    return datetime.now(UTC) if _known is None else _known[0] + timedelta(seconds=time.monotonic() - _known[1])
