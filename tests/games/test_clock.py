"""The clock: it needs no worker to sweep, and nothing that goes wrong stops it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone

from games import clock, conductor
from games.conductor import Lease
from games.models import Run
from games.queueing import STEP_BULK, STEP_LIVE

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_tick_hands_a_run_whose_driver_died_to_its_queue(make_run: Callable[..., Run], queued: Any) -> None:
    run = make_run()
    assert Lease.take(run.pk, "live")
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    queued.clear()
    clock.tick()
    assert queued == [(run.pk, "live")]


def test_a_sweep_that_fails_is_tried_again_and_holds_nothing_else_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ticked: list[str] = []
    stop = threading.Event()

    def sweep() -> None:
        ticked.append("sweep")
        if len(ticked) == 1:
            raise OSError("the database is away")

    def demo_continue() -> None:
        ticked.append("demo")
        if len(ticked) >= 4:
            stop.set()

    monkeypatch.setattr(conductor, "sweep", sweep)
    monkeypatch.setattr(clock, "demo_continue", demo_continue)
    for name in ("presence_sweep", "rooms_sweep"):
        monkeypatch.setattr(clock, name, lambda: None)
    monkeypatch.setattr(clock, "TICK_S", 0.01)
    clock.run(stop)
    assert ticked == ["sweep", "demo", "sweep", "demo"]


def test_no_worker_is_asked_to_sweep_so_that_busy_ones_cannot_delay_it() -> None:
    current_app.loader.import_default_modules()
    assert {name for name in current_app.tasks if name.startswith("games.")} == {STEP_LIVE, STEP_BULK}
