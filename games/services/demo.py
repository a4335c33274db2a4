"""The match that a fresh site shows: always one under way, the next when it has ended, and no heap of old ones."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games.lab.scenario import load
from games.models import ENDED, Demo, Run
from games.services.runs import run_create

SCENARIO = "mining/mixed"
PACE = 1.0
"""Rounds a second: slow enough to follow, fast enough to move."""
PAUSE = timedelta(seconds=15)
"""How long an ended match is left on show before the next begins."""
KEPT = 10
"""Ended demo matches that are kept."""


def demo_ensure() -> str:
    """A match worth watching is under way: the one that was, or a new one. Its id."""
    current = Run.objects.filter(demo=Demo.CURRENT).exclude(status__in=ENDED).order_by("-created").first()
    if current is not None:
        return current.pk
    Run.objects.filter(demo=Demo.CURRENT).update(demo=Demo.PAST)
    return _begin()


def demo_continue() -> str | None:
    """The next demo match, if the current one ended a while ago; its id. Idempotent, from whichever process."""
    ended = Run.objects.filter(demo=Demo.CURRENT, status__in=ENDED, ended__lt=timezone.now() - PAUSE)
    for run_id in ended.values_list("pk", flat=True):
        with transaction.atomic():
            if ended.filter(pk=run_id).update(demo=Demo.PAST):
                return _begin()
    return None


def _begin() -> str:
    past = Run.objects.filter(demo=Demo.PAST).order_by("-created")
    last = past.first()
    for run_id in list(past.values_list("pk", flat=True)[KEPT:]):
        Run.objects.filter(pk=run_id).delete()
    seed = 1 if last is None else last.seed + 1
    return run_create(scenario=load(SCENARIO), seed=seed, pace=PACE, demo=Demo.CURRENT).pk
