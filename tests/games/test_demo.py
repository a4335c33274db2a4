"""The match that a fresh site shows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.core.registry import packs
from games.site.models import Demo, Run
from games.site.runs import demo

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
    assert Run.objects.get(pk=second).pk != first


def shown_next() -> Run:
    """The match that follows the one that is on show."""
    end(demo.demo_ensure(), demo.PAUSE * 2)
    following = demo.demo_continue()
    assert following is not None
    return Run.objects.get(pk=following)


def test_the_games_that_offer_a_demo_take_turns_each_at_its_own_pace_and_from_seed_to_seed() -> None:
    names = demo.offered()
    assert names[0] == "mining/mixed"
    assert "nations/demo" in names
    demo.demo_ensure()
    turns = [shown_next() for _ in range(2 * len(names) - 1)]
    assert [f"{run.game}/{run.scenario.name}" for run in turns] == [*names[1:], *names]
    assert [run.seed for run in turns] == [1] * (len(names) - 1) + [2] * len(names)
    assert {run.game: run.pace for run in turns} == {run.game: packs()[run.game].demo_pace for run in turns}


def test_a_demo_that_cannot_be_played_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(demo, "offered", lambda: ["mining/mixed", "mining/nothing-of-the-kind", "nations/demo"])
    demo.demo_ensure()
    assert shown_next().game == "nations"
    assert "demo mining/nothing-of-the-kind is left out" in caplog.text


def test_a_site_without_the_demo_starts_none() -> None:
    assert demo.demo_continue() is None
    assert not Run.objects.exists()


def test_old_demo_matches_are_let_go_and_other_runs_are_not(monkeypatch: Any) -> None:
    monkeypatch.setattr(demo, "KEPT", 2)
    from games.lab.scenarios.scenario import load
    from games.site.runs.creating import run_create

    own = run_create(scenario=load(demo.FIRST), start=False)
    for _ in range(5):
        end(demo.demo_ensure(), demo.PAUSE * 2)
        demo.demo_continue()
    assert Run.objects.filter(demo=Demo.PAST).count() == 2
    assert Run.objects.filter(pk=own.pk).exists()
