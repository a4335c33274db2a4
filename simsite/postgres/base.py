"""A connection is waited for while the pool is merely busy; where the server is away, a reader is soon told so.

Both are a timeout to whoever asks the pool. So it is asked in short turns: whether it failed to connect meanwhile tells
which it is, and each turn makes it try anew (by itself it waits twice as long after each failure, and outlasts an
outage by a minute). Before a connection is given out it is tried, with a bound: a server that stands still never
answers.
"""

from __future__ import annotations

import select
import time
from typing import Any

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool, PoolTimeout

from simsite.postgres import TURN_S


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own. ``WAITS_S`` of its settings: seconds where the server is away, and where the pool is busy."""

    @property
    def pool(self) -> Any:
        pool: ConnectionPool | None = super().pool
        if pool is not None:
            pool._check = check_answers
        return pool

    def ensure_connection(self) -> None:
        """What was lost within a transaction is a server that is away; Django calls it the asker's fault."""
        if self.connection is None and self.in_atomic_block and self.closed_in_transaction:
            raise OperationalError("the connection was lost within a transaction")
        super().ensure_connection()

    def _set_autocommit(self, autocommit: bool) -> None:
        """Where it fails the connection is lost. Django would keep it, count all that follows as parts of a transaction
        that nobody began, and refuse each of them for good."""
        try:
            super()._set_autocommit(autocommit)  # type: ignore[misc]  # the stubs lack it
        except OperationalError:
            self.close()
            raise

    def get_new_connection(self, conn_params: Any) -> Any:
        away_s, busy_s = self.settings_dict.get("WAITS_S") or (0.0, 0.0)
        began, failed = time.monotonic(), self._failures()
        while True:
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                waited_s = time.monotonic() - began
                if waited_s >= (away_s if self._failures() > failed else busy_s):
                    raise

    def _failures(self) -> int:
        """How often the pool could not connect, or found a connection that does not answer."""
        stats = self.pool.get_stats() if self.pool else {}
        return int(stats.get("connections_errors", 0) + stats.get("connections_lost", 0))


def check_answers(connection: psycopg.Connection[Any]) -> None:
    """Raises `psycopg.OperationalError` where the server does not answer an empty question within `TURN_S`."""
    line, until = connection.pgconn, time.monotonic() + TURN_S
    ready = select.poll()
    ready.register(line.socket, select.POLLIN)
    line.send_query(b"")
    while line.flush() or line.is_busy():
        if not ready.poll(max(0.0, until - time.monotonic()) * 1000):
            connection.close()
            raise psycopg.OperationalError(f"the server did not answer within {TURN_S:g} s")
        line.consume_input()
    while line.get_result() is not None:
        pass
