"""Who a run waits for is told with the time that is left and what comes then; a run can be played once more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Decision, Run, Step
from games.site.record import selectors, waiting
from games.site.runs.creating import run_create

pytestmark = pytest.mark.django_db(transaction=True)
API = "/api/v1/runs"


def models(**profile: Any) -> Run:
    """Three rounds of three mock models, played to their end."""
    settings = {"miners": 3, "rows": 4, "cols": 4, "rounds": 3}
    seats = read_seats({"default": {"model": "mock/guided", "profile": profile}}, "test")
    run = run_create(scenario=load("mining/llm-mock", extra=[Layer("test", settings, seats)]))
    while Run.objects.get(pk=run.pk).status in ("queued", "running"):
        conduct(run.pk, "live")
    return Run.objects.get(pk=run.pk)


def asked_since(run: Run, seconds: float) -> None:
    """As it stood while its last round was being asked for, so many seconds after the round before."""
    Decision.objects.filter(run=run, step=3, seat__in=(0, 2)).delete()
    Step.objects.filter(run=run, index=3).delete()
    Step.objects.filter(run=run, index=2).update(created=timezone.now() - timedelta(seconds=seconds))
    later = timezone.now() + timedelta(seconds=30)
    Run.objects.filter(pk=run.pk).update(status="running", head=2, ended=None, lease_until=later)


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def test_models_that_are_asked_are_waited_for_until_their_time_is_over() -> None:
    run = models(budget_s=180)
    asked_since(run, 17)
    waits = Client().get(f"{API}/{run.pk}").json()["waiting_for"]
    assert [one["seat"] for one in waits] == [0, 2], "seat 1 has answered"
    assert all(one["since_s"] >= 17 and one["since_s"] + one["left_s"] == pytest.approx(180) for one in waits), waits
    assert {(one["then"], one["loading"]) for one in waits} == {("default", False)}


def test_where_spectators_are_behind_nobody_tells_who_is_asked_now() -> None:
    run = models()
    asked_since(run, 1)
    Run.objects.filter(pk=run.pk).update(audience={"kind": "delayed", "delay": 1})
    assert Client().get(f"{API}/{run.pk}").json()["waiting_for"] == []


def test_who_decides_is_read_once_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    run = models()
    asked_since(run, 1)
    run.refresh_from_db()
    assert set(waiting.thinking(run)) == {0, 2}
    monkeypatch.setattr(selectors, "step", lambda *_: pytest.fail("read again"))
    assert set(waiting.thinking(run)) == {0, 2}


def test_a_verdict_is_given_and_stays_with_the_run(operator: Client) -> None:
    run = models()
    same = {"identical": 3, "steps": 3, "difference": ""}
    assert operator.post(f"{API}/{run.pk}/verify").json() == {**same, "calls": 0}
    again = operator.post(f"{API}/{run.pk}/rerun").json()
    assert (again["identical"], again["difference"], again.pop("calls")) == (again["steps"], "", 0)
    told = [(one["kind"], one["data"]) for one in Client().get(f"{API}/{run.pk}").json()["notices"]]
    assert told == [("verified", same), ("rerun", again)]
    assert Client().post(f"{API}/{run.pk}/verify").status_code == 403


def test_answers_are_counted_by_seat_as_corrected_and_as_fallbacks(operator: Client) -> None:
    run = models(mock={"faults": {"prose": 1}}, retries=0)
    meter = operator.get(f"{API}/{run.pk}/meter").json()
    assert [one["answers"] for one in meter["seats"]] == [{"given": 3, "corrected": 0, "fallbacks": 3}] * 3
