"""What the workers do, in a line or two each."""

from __future__ import annotations

from functools import partial
from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings

from games import conductor, selectors
from games.lane import Lane
from games.models import Queue
from games.queueing import STEP_BULK, STEP_LIVE

MODELS = Lane(partial(conductor.conduct, queue=Queue.LIVE), settings.POLITY_MODEL_THREADS)
"""Runs of models that this process drives; it has no thread before the first."""


@shared_task(name=STEP_LIVE)
def step_live(run_id: str) -> None:
    if selectors.waits_for_models_alone(run_id):
        MODELS.take(run_id)
    else:
        conductor.conduct(run_id, Queue.LIVE)


@shared_task(name=STEP_BULK)
def step_bulk(run_id: str) -> None:
    conductor.conduct(run_id, Queue.BULK)


@worker_shutting_down.connect
def close_lane(**_: Any) -> None:
    MODELS.close()


def has_left_lane(within_s: float) -> bool:
    """Whether this process, which is ending, drives no run of models any more, or will not within so many seconds."""
    MODELS.close()
    return MODELS.is_empty(within_s)
