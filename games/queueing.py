"""Asks the workers by name, so that whoever asks need not know what they do."""

from __future__ import annotations

import logging

from celery import current_app

from games.models import Queue

log = logging.getLogger(__name__)

STEP_LIVE = "games.step_live"
STEP_BULK = "games.step_bulk"
SWEEP = "games.sweep"


def enqueue(run_id: str, queue: str) -> None:
    """Ask a worker to drive a run. Lost or doubled requests do no harm: the sweep finds it, the lease is one."""
    task = STEP_LIVE if queue == Queue.LIVE else STEP_BULK
    try:
        current_app.send_task(task, (run_id,), queue=queue, expires=30, retry=False)
    except Exception as error:
        log.warning("run %s: could not be queued: %r; the sweep will", run_id, error)
