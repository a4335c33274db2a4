"""Asks the workers by name, so that whoever asks need not know what they do."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from celery import current_app
from django.conf import settings

from agents_app.tracing import carried
from games.site.models import Queue
from games.site.notify.resting import Resting

log = logging.getLogger(__name__)

STEP_LIVE = "games.step_live"
STEP_BULK = "games.step_bulk"
JOB = "games.job"
WEBHOOK = "games.webhook"
AFTER_JOBS = 6
"""Priority of runs in bulk, of 0 to 9, where 0 comes first: somebody waits for a job's answer."""

_resting = Resting()
DELAY_MAX_S = 15.0
"""A wait longer than this is left to the sweep alone: a broker's long delays are not to be relied on."""


def broker_check() -> None:
    """Raises what Redis' client raises where the broker does not answer within two seconds."""
    _redis(settings.POLITY_REDIS_URL).ping()
    _resting.over()


@cache
def _redis(url: str) -> Any:
    """A client that is asked each second; it connects anew where a connection was lost."""
    from redis import Redis

    return Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)


def enqueue(run_id: str, queue: str, delay_s: float = 0.0) -> bool:
    """Ask a worker to drive a run, now or in a few seconds; whether the broker took it.

    Lost or doubled requests do no harm: the sweep finds it, the lease is one.
    """
    if delay_s > DELAY_MAX_S:
        return False
    task = STEP_LIVE if queue == Queue.LIVE else STEP_BULK
    later = {"countdown": delay_s or None, "expires": 30 + delay_s}
    return _send(task, run_id, queue=queue, priority=0 if queue == Queue.LIVE else AFTER_JOBS, **later)


def enqueue_job(job_id: str) -> None:
    """Ask a bulk worker to carry a job out, before the runs that wait there; the sweep repeats what is lost."""
    _send(JOB, job_id, queue=Queue.BULK, priority=0, expires=30)


def enqueue_webhook(pk: int) -> None:
    """Ask a live worker to send what is due for a webhook; the sweep repeats what is lost."""
    _send(WEBHOOK, pk, queue=Queue.LIVE, priority=AFTER_JOBS, expires=5)


def _send(task: str, of: str | int, **how: Any) -> bool:
    if _resting:
        return False
    try:
        current_app.send_task(task, (of,), retry=False, headers=carried(), **how)
    except Exception as error:
        _resting.failed()
        log.warning("%s %s could not be queued: %r; the sweep will", task, of, error)
        return False
    return True
