"""Which workers live, and how many runs of models they drive at once: each says so in the database, now and then."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Count, QuerySet, Sum

from games.site.models import Queue, Worker
from games.site.record import clock
from games.site.record.pulse import SIGNS, close_aged_connection

log = logging.getLogger(__name__)
SAID_S: Final = 10.0
LIVES: Final = timedelta(seconds=35)
"""A worker that has not said so for longer is gone."""


class Capacity(NamedTuple):
    workers: int
    threads: int


def capacity() -> Capacity:
    """Of the workers that live; of one, where none has said so yet."""
    said = alive().filter(threads__gt=0).aggregate(workers=Count("pk"), threads=Sum("threads"))
    if not said["workers"]:
        return Capacity(1, settings.POLITY_MODEL_THREADS)
    return Capacity(said["workers"], said["threads"])


def has_bulk() -> bool:
    """Whether a bulk worker lives."""
    return alive().filter(name__startswith=Queue.BULK).exists()


def bulk_processes() -> int:
    """Processes in which bulk runs are driven, were all bulk workers as this one."""
    workers = alive().filter(name__startswith=Queue.BULK).count()
    return max(1, workers) * int(settings.POLITY_BULK_PROCESSES)


def alive() -> QuerySet[Worker]:
    """Who has said so lately: workers, and the signs of clock and door."""
    return Worker.objects.filter(seen__gt=clock.now() - LIVES)


def say(name: str) -> None:
    """This process lives now, and drives so many runs of models at once: a bulk worker none."""
    now = clock.now()
    threads = 0 if name.startswith(Queue.BULK) else settings.POLITY_MODEL_THREADS
    if not Worker.objects.filter(pk=name).update(threads=threads, seen=now):
        Worker.objects.update_or_create(name=name, defaults={"threads": threads, "seen": now})
    Worker.objects.filter(seen__lt=now - 10 * LIVES).exclude(pk__in=SIGNS).delete()


def keep_saying(name: str) -> None:
    """Say it from a thread of its own until the process ends."""

    def saying() -> None:
        while True:
            try:
                say(name)
            except Exception as error:  # a database that is away: it is said again
                log.warning("worker %s: it could not say that it lives: %r", name, error)
            finally:
                close_aged_connection()
            pause.wait(SAID_S)

    pause = threading.Event()
    threading.Thread(target=saying, name="capacity", daemon=True).start()
