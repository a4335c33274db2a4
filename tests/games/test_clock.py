"""The clock: it needs no worker to sweep, and nothing that goes wrong stops it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.site.drive import conductor, sweeping
from games.site.drive.conductor import Lease
from games.site.models import Delivery, Experiment, Job, Member, Run, Study, Webhook
from games.site.models import Session as StudySession
from games.site.notify.queueing import JOB, STEP_BULK, STEP_LIVE, WEBHOOK
from games.site.record import clock
from games.site.workers import sweeper

pytestmark = pytest.mark.django_db(transaction=True)
sweeper_is_quiet = sweeper.is_quiet
HOUR = timedelta(hours=1)


def test_a_tick_hands_a_run_whose_driver_died_to_its_queue(make_run: Callable[..., Run], queued: Any) -> None:
    run = make_run()
    assert Lease.take(run.pk, "live")
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    queued.clear()
    sweeper.tick()
    assert queued == [(run.pk, "live")]


def test_a_sweep_that_fails_is_tried_again_and_holds_nothing_else_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ticked: list[str] = []
    stop = threading.Event()

    def sweep(_: object) -> None:
        ticked.append("sweep")
        if len(ticked) == 1:
            raise OSError("the database is away")

    def demo_continue() -> None:
        ticked.append("demo")
        if len(ticked) >= 4:
            stop.set()

    monkeypatch.setattr(sweeping, "sweep", sweep)
    monkeypatch.setattr(sweeper, "demo_continue", demo_continue)
    for name in ("presence_sweep", "rooms_sweep"):
        monkeypatch.setattr(sweeper, name, lambda: None)
    monkeypatch.setattr(sweeper, "TICK_S", 0.01)
    monkeypatch.setattr(sweeper, "is_quiet", lambda: False)
    sweeper.run(stop)
    assert ticked == ["sweep", "demo", "sweep", "demo"]


@pytest.mark.parametrize("kind", ["nothing", "match", "demo", "experiment", "session", "job", "webhook"])
def test_only_where_nothing_is_under_way_the_clock_sweeps_seldom(
    make_run: Callable[..., Run], django_user_model: Any, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    over = make_run()
    Run.objects.filter(pk=over.pk).update(status="finished", demo="past")
    Job.objects.create(mark="x", request={}, status="done", queued=timezone.now(), expires=timezone.now() + HOUR)
    match kind:
        case "match":
            make_run()
        case "demo":
            Run.objects.filter(pk=over.pk).update(demo="current")
        case "experiment":
            Experiment.objects.create(slug="one", game="mining", plan_hash="0", status="running")
        case "session":
            study = Study.objects.create(slug="one", document={}, document_hash="0")
            session = StudySession.objects.create(study=study, code="one", seed=1)
            Member.objects.create(session=session, number=0, since=timezone.now(), seen=timezone.now())
        case "job":
            Job.objects.create(mark="y", request={}, queued=timezone.now(), expires=timezone.now() + HOUR)
        case "webhook":
            hook = Webhook.objects.create(
                user=django_user_model.objects.create_user("ada"), address="https://x.example/"
            )
            Delivery.objects.create(webhook=hook, kind="run.ended", created=timezone.now(), due=timezone.now() + HOUR)
    stop, looks, ticks = threading.Event(), [], []

    def is_quiet() -> bool:
        looks.append(sweeper_is_quiet())
        if len(looks) == 3:
            stop.set()
        return looks[-1]

    monkeypatch.setattr(sweeper, "TICK_S", 0.01)
    monkeypatch.setattr(sweeper, "tick", lambda: ticks.append("tick"))
    monkeypatch.setattr(sweeper, "is_quiet", is_quiet)
    sweeper.run(stop)
    assert len(ticks) == (1 if kind == "nothing" else 4)


@pytest.mark.parametrize("quiet", [True, False])
def test_only_where_nothing_is_under_way_batches_are_looked_at_seldom(
    monkeypatch: pytest.MonkeyPatch, quiet: bool
) -> None:
    stop, looks, batches = threading.Event(), [], []

    def is_quiet() -> bool:
        looks.append(quiet)
        if len(looks) == 100 if quiet else len(batches) >= 5:
            stop.set()
        return quiet

    monkeypatch.setattr(sweeper, "TICK_S", 0.01)
    monkeypatch.setattr(sweeper, "tick", lambda: None)
    monkeypatch.setattr(sweeper, "is_quiet", is_quiet)
    monkeypatch.setattr(sweeper, "batches_continue", lambda: batches.append("look"))
    sweeper.run(stop)
    assert not quiet or len(batches) < 50


def test_the_clock_clears_sessions_that_have_run_out_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, days in (("old", -1), ("new", 1)):
        expires = timezone.now() + timedelta(days=days)
        Session.objects.create(session_key=name, session_data="", expire_date=expires)
    stop = threading.Event()
    monkeypatch.setattr(sweeper, "tick", stop.set)
    sweeper.run(stop)
    assert [one.session_key for one in Session.objects.all()] == ["new"]


def test_no_worker_is_asked_to_sweep_so_that_busy_ones_cannot_delay_it() -> None:
    current_app.loader.import_default_modules()
    assert {name for name in current_app.tasks if name.startswith("games.")} == {JOB, STEP_LIVE, STEP_BULK, WEBHOOK}


@pytest.fixture
def an_hour_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is on a machine whose clock is wrong."""
    real = timezone.now
    monkeypatch.setattr("django.utils.timezone.now", lambda: real() + HOUR)


def test_a_machine_whose_clock_is_wrong_leaves_a_paced_run_due_for_the_others(
    make_run: Callable[..., Run], an_hour_ahead: None
) -> None:
    run = make_run(pace=0.1)
    conductor.conduct(run.pk, "live")
    lease = Lease.take(run.pk, "live")
    run.refresh_from_db()
    soon = datetime.now(UTC) + timedelta(minutes=1)
    assert run.wake_at is not None
    assert run.wake_at < soon
    assert lease is None or (run.lease_until is not None and run.lease_until < soon)


def test_what_a_wrong_clock_left_behind_is_due_at_the_next_sweep(make_run: Callable[..., Run], queued: Any) -> None:
    paced, held = make_run(pace=0.1), make_run()
    Run.objects.filter(pk=paced.pk).update(wake_at=timezone.now() + HOUR, status="running")
    Run.objects.filter(pk=held.pk).update(lease_until=timezone.now() + HOUR, lease_owner="elsewhere|1|1")
    queued.clear()
    sweeper.tick()
    assert sorted(queued) == sorted([(paced.pk, "live"), (held.pk, "live")])


def test_what_a_pace_a_lease_and_a_deadline_put_ahead_is_left_alone(make_run: Callable[..., Run], queued: Any) -> None:
    paced, held, waiting = make_run(pace=0.1), make_run(), make_run(people=(0,))
    ahead = timezone.now() + timedelta(seconds=9)
    Run.objects.filter(pk=paced.pk).update(wake_at=ahead, status="running")
    Run.objects.filter(pk=held.pk).update(lease_until=ahead, lease_owner="elsewhere|1|1")
    Run.objects.filter(pk=waiting.pk).update(wake_at=timezone.now() + HOUR, begun=True, pace=2)
    queued.clear()
    sweeper.tick()
    assert queued == []


def test_the_clock_is_the_databases_and_is_asked_once_in_a_while(
    make_run: Callable[..., Run], an_hour_ahead: None, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "_known", None)
    with django_assert_num_queries(1):
        moments = [clock.now() for _ in range(100)]
    assert moments == sorted(moments)
    assert abs(moments[0] - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("ago_s", "how", "said"),
    [
        (60, {"status": "running", "lease_until": True}, True),
        (60, {"status": "running", "wake_at": True}, True),
        (1, {"status": "running", "lease_until": True}, False),
        (-9, {"status": "running", "lease_until": True}, False),
        (60, {"status": "paused", "lease_until": True}, False),
        (60, {"status": "waiting", "wake_at": True}, False),
        (60, {"status": "queued", "created": True}, True),
    ],
)
def test_that_nobody_drives_a_run_is_said(
    make_run: Callable[..., Run], client: Any, ago_s: float, how: dict[str, Any], said: bool
) -> None:
    run = make_run()
    then = timezone.now() - timedelta(seconds=ago_s)
    Run.objects.filter(pk=run.pk).update(**{name: then if value is True else value for name, value in how.items()})
    assert client.get(f"/api/v1/runs/{run.pk}").json()["undriven"] is said
