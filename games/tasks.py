"""What the workers do, in a line or two each."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings

from games import conductor, selectors
from games.lane import Lane
from games.models import Queue
from games.queueing import STEP_BULK, STEP_LIVE


@cache
def models_lane() -> Lane:
    """This process's lane for runs of models."""
    return Lane(partial(conductor.conduct, queue=Queue.LIVE), settings.POLITY_MODEL_THREADS)


@shared_task(name=STEP_LIVE)
def step_live(run_id: str) -> None:
    if selectors.waits_for_models_alone(run_id):
        models_lane().take(run_id)
    else:
        conductor.conduct(run_id, Queue.LIVE)


@shared_task(name=STEP_BULK)
def step_bulk(run_id: str) -> None:
    conductor.conduct(run_id, Queue.BULK)


@worker_shutting_down.connect
def close_lane(**_: Any) -> None:
    if models_lane.cache_info().currsize:
        models_lane().close()


def has_left_lane(within_s: float) -> bool:
    """Whether this process, which is ending, drives no run of models any more, or will not within so many seconds."""
    close_lane()
    return not models_lane.cache_info().currsize or models_lane().is_empty(within_s)
