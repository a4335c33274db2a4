"""Runs of the site whose models are asked through the vendor's batch interface: nobody waits, nothing is paid twice."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.errors.requests import BadRequest
from games.lab.scenarios.scenario import load_data
from games.site.drive import batches
from games.site.drive.batches import batches_continue
from games.site.drive.conductor import conduct
from games.site.experiments.declaring import experiment_create
from games.site.experiments.running import experiment_continue, experiment_start
from games.site.models import Batch, Call, Experiment, Letter, Run
from games.site.record import clock
from games.site.record.verification import rerun_run
from games.site.runs.creating import run_create, run_limits, run_pause, run_play, run_stop
from games.site.runs.forks import run_fork
from simsite import keeping
from tests.agents.batches import BatchVendor
from tests.agents.server import IDLE, threaded

pytestmark = pytest.mark.django_db(transaction=True)

BATCH = {"poll_s": 0.1, "gather_s": 0.1}
CONFIG = {"miners": 3, "rows": 4, "cols": 4, "rounds": 2}


def document(vendor: BatchVendor, seeds: int = 2, **profile: Any) -> dict[str, Any]:
    how = {"base_url": vendor.url, "output": "json", "batch": BATCH, **profile}
    return {
        "game": "mining",
        "config": CONFIG,
        "seats": {"default": {"model": "openai/local", "profile": how}},
        "seeds": list(range(1, seeds + 1)),
    }


def begun(vendor: BatchVendor, **how: Any) -> Experiment:
    experiment = experiment_create(slug="by-batch", document=document(vendor, **how))
    experiment_start(experiment=experiment)
    return experiment


def drive(*statuses: str, most: int = 200) -> None:
    """What workers and clock do, until every run has one of the statuses."""
    for _ in range(most):
        for run_id, queue in Run.objects.filter(wake_at=None).values_list("pk", "queue"):
            conduct(run_id, queue)
        if set(Run.objects.values_list("status", flat=True)) <= set(statuses):
            return
        batches_continue()
        time.sleep(0.02)
    raise AssertionError(list(Run.objects.values_list("status", "error")))


def test_runs_of_an_experiment_share_batches_let_go_of_their_worker_and_play_again_without_a_call() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        experiment = begun(vendor)
        assert experiment.queue == "bulk"
        for run in Run.objects.all():
            conduct(run.pk, "bulk")
            run.refresh_from_db()
            assert run.wake_at is not None
            assert (run.status, run.lease_until) == ("running", None)
        drive("finished")
        experiment_continue(experiment.pk)
    experiment.refresh_from_db()
    assert experiment.status == "finished"
    assert (len(vendor.batches), vendor.singles, len(vendor.answered)) == (2, 0, 12)
    assert set(Call.objects.values_list("batch", "failure", "rate")) == {("batch_0", "", ""), ("batch_1", "", "")}
    assert not Letter.objects.exclude(line="").exists()
    for run in Run.objects.all():
        again = rerun_run(run.pk)
        assert (again.identical, again.steps, again.calls) == (3, 3, 0)


def test_an_order_whose_id_was_lost_with_its_process_is_taken_up_by_another() -> None:
    with threaded(BatchVendor(content=IDLE, away=1)) as vendor:
        begun(vendor, seeds=1)
        drive("finished")
    assert (len(vendor.batches), len(vendor.answered)) == (2, 6)


def test_two_clocks_order_a_batch_once_and_a_killed_one_is_followed() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        begun(vendor, seeds=1)
        conduct(Run.objects.get().pk, "bulk")
        time.sleep(0.15)
        batches._gather()
        held = Batch.objects.get()
        assert batches._is_taken(held)
        assert not batches._is_taken(held)  # another clock, which read the row at the same time
        batches_continue()
        assert not vendor.batches
        Batch.objects.update(look_at=held.look_at)  # the first one was killed, and its hold is over
        drive("finished")
    assert (len(vendor.batches), len(vendor.answered)) == (2, 6)


def test_a_batch_whose_holder_died_on_this_machine_is_due_again_at_once() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        begun(vendor, seeds=1)
        conduct(Run.objects.get().pk, "bulk")
        time.sleep(0.15)
        batches._gather()
        held = Batch.objects.get()
        assert batches._is_taken(held)
        held.refresh_from_db()
        machine, _, thread = held.holder.split("|")
        for alive in (held.holder, f"elsewhere|1|{thread}"):
            Batch.objects.update(holder=alive)
            batches_continue()
            assert not vendor.batches
        Batch.objects.update(holder=f"{machine}|{2**22 + 1}|{thread}")  # Linux numbers no process so high
        batches_continue()
        assert len(vendor.batches) == 1
        assert Batch.objects.get().holder == ""
        drive("finished")
    assert (len(vendor.batches), len(vendor.answered)) == (2, 6)


def test_batches_go_on_where_the_time_has_to_be_asked_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "ASK_S", -1.0)
    with threaded(BatchVendor(content=IDLE, looks=3)) as vendor:
        begun(vendor, seeds=1)
        drive("finished")
    assert (len(vendor.batches), len(vendor.answered)) == (2, 6)
    assert set(Batch.objects.values_list("over", "holder")) == {(True, "")}


def test_a_batch_of_runs_that_were_deleted_is_not_sent() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        begun(vendor, seeds=1)
        conduct(Run.objects.get().pk, "bulk")
        time.sleep(0.15)
        batches._gather()
        Letter.objects.all().delete()
        batches_continue()
    assert not vendor.batches
    assert Batch.objects.get().over


def looked_at_until_over(most: int = 50) -> None:
    for _ in range(most):
        batches_continue()
        if not Batch.objects.filter(over=False).exists():
            return
        time.sleep(0.02)
    raise AssertionError(list(Batch.objects.values()))


@pytest.mark.parametrize("ending", ["stopped", "deleted"])
def test_a_batch_that_nobody_waits_for_any_more_is_cancelled_at_its_vendor(ending: str) -> None:
    with threaded(BatchVendor(content=IDLE, looks=10**6)) as vendor:
        begun(vendor, seeds=2)
        one, other = Run.objects.order_by("pk")
        for run in (one, other):
            conduct(run.pk, "bulk")
        time.sleep(0.15)
        for _ in range(2):
            batches_continue()
        run_stop(run_id=one.pk)
        time.sleep(0.15)
        batches_continue()
        assert [batch["status"] for batch in vendor.batches.values()] == ["in_progress"], "the other run waits for it"
        run_stop(run_id=other.pk)
        if ending == "deleted":
            Letter.objects.all().delete()
        looked_at_until_over()
        assert [batch["status"] for batch in vendor.batches.values()] == ["cancelled"]
    assert Batch.objects.get().cancelled
    assert not vendor.answered


def test_who_waits_for_a_batch_is_told_since_when_how_far_it_is_and_when_its_time_is_over() -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    with threaded(BatchVendor(content=IDLE, ends="")) as vendor:
        begun(vendor, seeds=1, batch={**BATCH, "deadline_s": 7200})
        run = Run.objects.get()

        def told() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
            waits = Client().get(f"/api/v1/runs/{run.pk}").json()["waiting_for"]
            return waits, operator.get(f"/api/v1/runs/{run.pk}/meter").json()["seats"]

        assert told()[0] == []
        conduct(run.pk, "bulk")
        Letter.objects.update(posted=clock.now() - timedelta(minutes=5))
        waits, seats = told()
        assert [(one["seat"], one["batch"], one["then"]) for one in waits] == [
            (seat, "gathered", "default") for seat in range(3)
        ]
        whole = 7200 + BATCH["gather_s"]
        assert all(one["since_s"] >= 300 for one in waits), waits
        assert all(one["since_s"] + one["left_s"] == pytest.approx(whole) for one in waits), waits
        assert [one["batch"]["vendor_id"] for one in seats] == [""] * 3

        batches_continue()
        waits, seats = told()
        assert {(one["batch"], one["loading"]) for one in waits} == {("sent", False)}
        assert all(one["since_s"] >= 300 and 0 < one["left_s"] <= 7200 for one in waits), waits
        assert all(one["since_s"] + one["left_s"] > whole + 1 for one in waits), "counted since it was gathered"
        assert [one["batch"]["vendor_id"] for one in seats] == ["batch_0"] * 3
        assert {one["batch"]["calls"] for one in seats} == {1}

        Run.objects.update(status="paused")
        waits, seats = told()
        assert (waits, [one["batch"]["vendor_id"] for one in seats]) == ([], ["batch_0"] * 3), "what is sent is sent"
        Batch.objects.update(error="503 from it: overloaded")
        assert {one["batch"]["error"] for one in told()[1]} == {"503 from it: overloaded"}
        Run.objects.update(status="running")
        vendor.ends = "completed"
        Batch.objects.update(look_at=clock.now())
        batches_continue()
        waits, seats = told()
        assert (waits, {one["batch"] for one in seats}) == ([], {None})


def test_purge_lets_go_of_batches_of_ended_runs_and_of_nothing_that_a_run_still_needs() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        begun(vendor, seeds=3)
        done, stopped, going = Run.objects.order_by("pk")
        for run in (done, stopped, going):
            conduct(run.pk, "bulk")
        time.sleep(0.15)
        batches_continue()
        assert len(vendor.batches) == 1
        run_stop(run_id=stopped.pk)
        purge(do=True)
        assert Letter.objects.filter(run=stopped).count() == 3, "its vendor has them, and is not done"
        drive("finished", "stopped")
        assert len(vendor.answered) == 15
        Run.objects.filter(pk=going.pk).update(status="paused")  # as if it were to go on
        said = purge(do=False)
        assert Letter.objects.count() == 15
        assert purge(do=True) == [line.replace("would be deleted", "deleted") for line in said]
    assert set(Letter.objects.values_list("run", flat=True)) == {going.pk}
    assert Letter.objects.count() == 6
    assert Batch.objects.count() == 2
    Run.objects.update(status="finished")
    purge(do=True)
    assert (Letter.objects.count(), Batch.objects.count()) == (0, 0)
    again = rerun_run(done.pk)
    assert (again.identical, again.steps, again.calls) == (3, 3, 0), "what came is kept with the calls"


def purge(do: bool) -> list[str]:
    """What `polity purge` says of letters and batches."""
    told = keeping.purged(older_than=None, prompts=None, participant="", do=do)
    return [line for line in told if "batch" in line]


def test_a_paused_run_sends_nothing_more_and_finds_its_answers_when_it_goes_on() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        begun(vendor, seeds=2)
        one, other = Run.objects.order_by("pk")
        conduct(one.pk, "bulk")
        run_pause(run_id=one.pk)
        run_stop(run_id=other.pk)
        time.sleep(0.15)
        batches_continue()
        assert (len(vendor.batches), Letter.objects.count()) == (0, 3)
        run_play(run_id=one.pk)
        drive("finished", "stopped")
    assert len(vendor.answered) == 6


def test_a_refused_batch_pauses_its_run_with_the_vendors_sentence() -> None:
    with threaded(BatchVendor(ends="failed")) as vendor:
        begun(vendor, seeds=1)
        drive("paused")
    assert "no such model here" in Run.objects.get().error
    assert set(Call.objects.values_list("failure", "batch")) == {("refused", "batch_0")}


def test_what_is_in_a_batch_is_waited_for_before_a_limit_pauses_the_run() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        begun(vendor, seeds=1)
        Run.objects.update(limits={"calls": 4})
        drive("paused")
        assert (Call.objects.count(), len(vendor.answered)) == (4, 4)
        assert "at most 4 (calls)" in Run.objects.get().error
        run_limits(run_id=Run.objects.get().pk, limits={})
        run_play(run_id=Run.objects.get().pk)
        drive("finished")
    assert len(vendor.answered) == 6


def test_live_runs_people_a_pace_and_models_that_are_called_one_by_one_refuse_batches_by_name() -> None:
    told = document(BatchVendor())
    loaded = load_data(told, "test", "mining")
    with pytest.raises(BadRequest, match="openai/local is asked through the vendor's batch interface"):
        run_create(scenario=loaded)
    with pytest.raises(BadRequest, match="batch"):
        experiment_create(slug="paced", document=told, pace=1)
    other = {"model": "openai/local", "profile": {"base_url": "http://127.0.0.1:9/v1"}}
    for seat in ({"person": True}, other):
        with pytest.raises(BadRequest, match="batch"):
            experiment_create(slug="mixed", document={**told, "seats": {**told["seats"], "1": seat}})


def test_a_fork_of_a_run_by_batch_is_asked_by_batch() -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        begun(vendor, seeds=1)
        drive("finished")
        fork = run_fork(run_id=Run.objects.get().pk, at=1)
        assert fork.queue == "bulk"
        drive("finished")
    assert (len(vendor.batches), vendor.singles) == (3, 0)
    with pytest.raises(BadRequest, match="batch"):
        run_fork(run_id=fork.pk, at=1, pace=2.0)
