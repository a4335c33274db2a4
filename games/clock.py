"""The clock: once a second it finds what nobody drives and hands it to the workers.

It runs in a process of its own and in no worker's queue, so that slow models, which may hold every thread of the live
worker, do not delay it. Two clocks at once do no harm: a tick is idempotent.
"""

from __future__ import annotations

import logging
import threading
import time

from django.db import close_old_connections

from games import conductor
from games.services.demo import demo_continue
from games.services.joining import rooms_sweep
from games.services.presence import presence_sweep

log = logging.getLogger(__name__)

TICK_S = 1.0


def tick() -> None:
    """One sweep. What goes wrong is logged, and the next one tries again."""
    for work in (presence_sweep, rooms_sweep, conductor.sweep, demo_continue):
        close_old_connections()
        try:
            work()
        except Exception as error:
            log.warning("clock: %s: %r; again in a second", work.__name__, error)


def run(stop: threading.Event) -> None:
    """A tick each second until told to stop."""
    due = time.monotonic()
    while not stop.wait(max(0.0, due - time.monotonic())):
        tick()
        due = max(due + TICK_S, time.monotonic())
