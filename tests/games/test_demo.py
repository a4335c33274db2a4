"""The match that a fresh site shows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Demo, Run
from games.services import demo

pytestmark = pytest.mark.django_db


def end(run_id: str, ago: timedelta) -> None:
    Run.objects.filter(pk=run_id).update(status="finished", ended=timezone.now() - ago)


def test_a_second_start_resumes_the_match_that_was_under_way() -> None:
    assert demo.demo_ensure() == demo.demo_ensure()
    run = Run.objects.get()
    assert (run.scenario.name, run.pace, run.seed) == ("mixed", 1.0, 1)


def test_the_next_match_begins_some_time_after_the_last_has_ended_and_only_once() -> None:
    first = demo.demo_ensure()
    assert demo.demo_continue() is None
    end(first, timedelta(seconds=1))
    assert demo.demo_continue() is None
    end(first, demo.PAUSE + timedelta(seconds=1))
    second = demo.demo_continue()
    assert second is not None
    assert demo.demo_continue() is None
    assert Run.objects.get(pk=second).seed == 2


def test_a_site_without_the_demo_starts_none() -> None:
    assert demo.demo_continue() is None
    assert not Run.objects.exists()


def test_old_demo_matches_are_let_go_and_other_runs_are_not(monkeypatch: Any) -> None:
    monkeypatch.setattr(demo, "KEPT", 2)
    from games.lab.scenario import load
    from games.services.runs import run_create

    own = run_create(scenario=load(demo.SCENARIO), start=False)
    for _ in range(5):
        end(demo.demo_ensure(), demo.PAUSE * 2)
        demo.demo_continue()
    assert Run.objects.filter(demo=Demo.PAST).count() == 2
    assert Run.objects.filter(pk=own.pk).exists()
