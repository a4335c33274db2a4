"""The workers' application. Tasks live in `games/site/workers/tasks.py`; queues and beat are settings."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "simsite.settings")
# Django's checks load every address and page, which took half of a worker's start; the web process loads them anyway.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("polity")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["games.site.workers"])


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Celery would replace the handlers by its own; a receiver of this signal, even an empty one, prevents it."""
