"""What the workers do, three lines each."""

from __future__ import annotations

import logging

from celery import shared_task

from games.models import Queue

log = logging.getLogger(__name__)


@shared_task(name="games.step_live")
def step_live(run_id: str) -> None:
    from games.conductor import conduct

    conduct(run_id, Queue.LIVE)


@shared_task(name="games.step_bulk")
def step_bulk(run_id: str) -> None:
    from games.conductor import conduct

    conduct(run_id, Queue.BULK)


@shared_task(name="games.sweep")
def sweep() -> None:
    from games.conductor import sweep
    from games.services.demo import demo_continue

    sweep()
    demo_continue()


def enqueue(run_id: str, queue: str) -> None:
    """Ask a worker to drive a run. Lost or doubled requests do no harm: the sweep finds it, the lease is one."""
    task = step_live if queue == Queue.LIVE else step_bulk
    try:
        task.apply_async((run_id,), queue=queue, expires=30, retry=False)
    except Exception as error:
        log.warning("run %s: could not be queued: %r; the sweep will", run_id, error)
