"""The match that a fresh site shows."""

from __future__ import annotations

from games.lab.scenario import load
from games.models import ACTIVE, Queue, Run, RunStatus
from games.services.runs import run_create

SCENARIO = "mining/mixed"
PACE = 1.0
"""Rounds a second: slow enough to follow, fast enough to move."""


def demo_ensure() -> str:
    """A match worth watching is under way: the one that was, or a new one with the next seed. Its id."""
    going = Run.objects.filter(
        scenario__game="mining", scenario__name="mixed", queue=Queue.LIVE, status__in=[*ACTIVE, RunStatus.PAUSED]
    )
    run = going.order_by("-created").first()
    if run is not None:
        return run.pk
    seed = Run.objects.filter(scenario__game="mining", scenario__name="mixed").count() + 1
    return run_create(scenario=load(SCENARIO), seed=seed, pace=PACE).pk
