"""What is deleted: ended runs, whole, with a trace; nothing else, and nothing in the admin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client, RequestFactory

from games.site.drive.conductor import conduct
from games.site.models import Call, Experiment, Run, Scenario, Session, Step, Study
from games.site.runs.forks import run_fork

MakeRun = Callable[..., Run]


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


@pytest.fixture
def finished(make_run: MakeRun) -> Run:
    run = make_run(days=2)
    conduct(run.pk, "live")
    Call.objects.create(run=run, step=1, seat=0, attempt=1, model="mock", prompt_hash="h")
    return Run.objects.get(pk=run.pk)


def deleted(client: Client, run: Run) -> Any:
    return client.delete(f"/api/v1/runs/{run.pk}")


def test_an_ended_run_goes_with_all_that_was_kept_of_it_and_leaves_a_trace(operator: Client, finished: Run) -> None:
    assert deleted(operator, finished).status_code == 204
    assert not Run.objects.filter(pk=finished.pk).exists()
    assert not Step.objects.exists()
    assert not Call.objects.exists()
    trace = LogEntry.objects.get(object_id=finished.pk)
    assert (trace.user.username, trace.is_deletion()) == ("op", True)
    for what in (finished.head_hash, str(finished.head), finished.game, '"calls": 1'):
        assert what in trace.change_message
    assert operator.get("/admin/").status_code == 200, "where the trace is shown"
    assert deleted(operator, finished).status_code == 404


@pytest.mark.parametrize("status", ["queued", "running", "waiting", "paused"])
def test_a_run_that_is_not_over_stays(operator: Client, finished: Run, status: str) -> None:
    Run.objects.filter(pk=finished.pk).update(status=status)
    answer = deleted(operator, finished)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "wrong_status")
    assert Step.objects.filter(run=finished).exists()
    assert not LogEntry.objects.exists()


def test_a_run_of_which_a_fork_is_left_stays_and_the_fork_is_named(operator: Client, finished: Run) -> None:
    fork = run_fork(run_id=finished.pk, at=2, start=False)
    answer = deleted(operator, finished)
    assert (answer.status_code, answer.json()["error"]["forks"]) == (409, [fork.pk])
    assert Step.objects.filter(run=finished).exists()


def test_only_an_operator_deletes(client: Client, finished: Run) -> None:
    assert deleted(client, finished).status_code == 403
    assert Run.objects.filter(pk=finished.pk).exists()


WRITTEN = (Scenario, Experiment, Session, Study)


def test_the_admin_adds_changes_and_deletes_nothing_of_the_log(operator: Client, finished: Run) -> None:
    request = RequestFactory().get("/admin/")
    request.user = get_user_model().objects.get()
    tables = [model for model in apps.get_app_config("games").get_models() if admin.site.is_registered(model)]
    assert Run in tables
    for model in tables:
        may = admin.site.get_model_admin(model).get_model_perms(request)
        assert not may["change"] or model is Experiment, "a draft is changed there"
        assert not may["delete"]
        assert not may["add"] or model in WRITTEN, "and what is added is written on the site's own form"
    page = f"/admin/games/run/{finished.pk}/delete/"
    assert operator.post(page, {"post": "yes"}).status_code == 403
    assert Run.objects.filter(pk=finished.pk).exists()
