"""What the workers do, in a line or two each."""

from __future__ import annotations

from celery import shared_task

from games import conductor
from games.models import Queue
from games.queueing import STEP_BULK, STEP_LIVE, SWEEP
from games.services.demo import demo_continue
from games.services.joining import rooms_sweep
from games.services.presence import presence_sweep


@shared_task(name=STEP_LIVE)
def step_live(run_id: str) -> None:
    conductor.conduct(run_id, Queue.LIVE)


@shared_task(name=STEP_BULK)
def step_bulk(run_id: str) -> None:
    conductor.conduct(run_id, Queue.BULK)


@shared_task(name=SWEEP)
def sweep() -> None:
    presence_sweep()
    rooms_sweep()
    conductor.sweep()
    demo_continue()
