"""What the workers do, in a line or two each."""

from __future__ import annotations

import gc
import logging
import threading
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from celery import current_task, shared_task
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.db import close_old_connections

from agents_app.providers.compatible import is_compatible
from agents_app.providers.litellm import library
from agents_app.site.models import AgentProfile
from agents_app.tracing import within
from games.site.drive import conductor
from games.site.models import Queue
from games.site.notify.queueing import JOB, STEP_BULK, STEP_LIVE, WEBHOOK
from games.site.record import selectors
from games.site.record.capacity import keep_saying
from games.site.workers.delivering import webhook_deliver
from games.site.workers.pool import Pool

log = logging.getLogger(__name__)

_drive = partial(conductor.conduct, queue=Queue.LIVE, slice_s=conductor.MODELS_SLICE_S)
MODELS = Pool[str]("run", _drive, settings.POLITY_MODEL_THREADS)
"""Runs of models that this process drives; it has no thread before the first."""
WEBHOOKS = Pool[int]("webhook", webhook_deliver, 8)
"""Webhooks that this process serves: receivers that are slow hold up none but one another."""


def _asked() -> AbstractContextManager[None]:
    """Inside the request, or whatever else, that asked for the task."""
    return within(current_task.request.headers)


@shared_task(name=STEP_LIVE)
def step_live(run_id: str) -> None:
    with _asked():
        if selectors.waits_for_models_alone(run_id):
            MODELS.take(run_id)
        else:
            conductor.conduct(run_id, Queue.LIVE)


@shared_task(name=STEP_BULK)
def step_bulk(run_id: str) -> None:
    with _asked():
        conductor.conduct(run_id, Queue.BULK)


@shared_task(name=JOB)
def job(job_id: str) -> None:
    from games.site.web.jobs import carry_out  # all routes, which a worker that has no such job does without

    with _asked():
        carry_out(job_id)


@shared_task(name=WEBHOOK)
def webhook(pk: int) -> None:
    WEBHOOKS.take(pk)


@worker_ready.connect
def load_ahead(sender: Any = None, **_: Any) -> None:
    """Load what takes seconds while nobody waits for it, where the site has a named model that will need it; set apart
    what is loaded, so that no later search for cycles goes through it while runs are driven; and say what is there.
    """
    gc.collect()
    gc.freeze()
    threading.Thread(target=_load, name="load-ahead", daemon=True).start()
    keep_saying(str(getattr(sender, "hostname", "")))


def _load() -> None:
    try:
        named = [one.resolved() for one in AgentProfile.objects.all()]
        if any(not one.is_mock and not is_compatible(one) for one in named):
            library()
    except Exception as error:  # a profile that cannot be read, a database that is away: a run will say so
        log.warning("nothing is loaded ahead: %r", error)
    finally:
        close_old_connections()


@worker_shutting_down.connect
def close_lane(**_: Any) -> None:
    conductor.ENDING.set()
    MODELS.close()
    WEBHOOKS.close()


def has_left_lane(within_s: float) -> bool:
    """Whether this process, which is ending, drives no run of models any more, or will not within so many seconds."""
    MODELS.close()
    return MODELS.is_empty(within_s)
