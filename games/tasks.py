"""What the workers do, in a line or two each."""

from __future__ import annotations

from celery import shared_task

from games import conductor
from games.models import Queue
from games.queueing import STEP_BULK, STEP_LIVE


@shared_task(name=STEP_LIVE)
def step_live(run_id: str) -> None:
    conductor.conduct(run_id, Queue.LIVE)


@shared_task(name=STEP_BULK)
def step_bulk(run_id: str) -> None:
    conductor.conduct(run_id, Queue.BULK)
