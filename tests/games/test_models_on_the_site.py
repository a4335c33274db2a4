"""Runs whose seats are models, driven by the conductor: counted, limited, and played again from their recording."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agents_app.profile import Profile
from games.conductor import conduct
from games.lab.faults import BadScenario
from games.lab.form import read_seats
from games.lab.layers import Layer
from games.lab.scenario import load
from games.models import Call, Run, Seat
from games.selectors import playing, steps
from games.services.forks import run_fork
from games.services.recordings import recordings_found
from games.services.runs import run_create, run_limits, run_play
from games.verification import rerun_run, verify_run

pytestmark = pytest.mark.django_db(transaction=True)


IDLE = {"policy": "random"}


def models(rounds: int = 6, seats: dict[str, Any] | None = None, **how: Any) -> Run:
    forms = recordings_found("mining", read_seats({"seats": seats}, "test"), "test") if seats else {}
    few = Layer("test", {"miners": 4, "rows": 5, "cols": 5, "rounds": rounds}, forms)
    return run_create(scenario=load("mining/llm-mock", extra=[few]), **how)


def driven(run: Run) -> Run:
    while Run.objects.get(pk=run.pk).status in ("queued", "running"):
        conduct(run.pk, "live")
    run.refresh_from_db()
    return run


def test_a_run_of_models_ends_verifies_and_plays_again_from_its_recording_without_a_call() -> None:
    run = driven(models())
    assert (run.status, run.head) == ("finished", 6)
    made = Call.objects.count()
    assert made >= 24
    again = rerun_run(run.pk)
    assert (again.identical, again.steps, again.difference, again.calls) == (7, 7, "", 0)
    assert verify_run(run.pk).difference is None
    assert Call.objects.count() == made


def test_what_a_seat_said_can_sit_in_the_same_seat_of_another_run() -> None:
    source = driven(models())
    paid = Call.objects.filter(run=source).count()
    seats = {"0": {"recording": {"run": source.pk, "seat": 0}}}
    run = driven(models(seats=seats))
    assert [seat.kind for seat in run.seats.all()] == ["recording", "model", "model", "model"]
    assert (run.status, run.head_hash) == ("finished", source.head_hash)
    assert Call.objects.filter(run=source).count() == paid
    assert rerun_run(run.pk).difference == ""


def test_a_recording_goes_on_as_it_did_where_others_do_not_and_says_so() -> None:
    source = driven(models())
    fork = run_fork(run_id=source.pk, at=2, seats={"0": {"recording": {"run": source.pk, "seat": 0}}, "1": IDLE})
    fork = driven(fork)
    assert (fork.status, fork.head) == ("finished", 6)
    flags = {stored.step.index: stored.step.flags.get(0, ()) for stored in steps(playing(fork), 2, 6)}
    assert flags[3] == ()
    assert flags[6] == ("off_record",)
    again = driven(models(seats={"0": {"recording": {"run": source.pk, "seat": 0}}, "1": IDLE}))
    assert rerun_run(again.pk).difference == ""


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        ({"run": "nosuchrun", "seat": 0}, "seats.0.recording.run: run 'nosuchrun': there is none of that id"),
        ({"run": None, "seat": 9}, "seats.0.recording.seat: 9; run"),
        ({"run": None, "seat": 3}, "made no calls; take one that a model holds"),
    ],
)
def test_a_recording_that_is_not_there_is_refused_in_one_line(seat: dict[str, Any], told: str) -> None:
    source = driven(models(2, seats={"3": IDLE}))
    with pytest.raises(BadScenario, match=re.escape(told)):
        models(seats={"0": {"recording": {**seat, "run": seat["run"] or source.pk}}})


def test_a_whole_profile_is_stored_and_one_without_its_defaults_is_the_same_agent() -> None:
    run = driven(models(2))
    stored = Seat.objects.get(run=run, index=1)
    assert set(stored.agent["profile"]) == set(Profile.model_fields)
    stored.agent["profile"] = {"model": "mock/guided"}
    stored.save()
    fork = run_fork(run_id=run.pk, at=1)
    assert Seat.objects.get(run=fork, index=1).agent["profile"]["retries"] == Profile().retries
    assert driven(fork).head_hash == run.head_hash


def test_a_reply_that_was_edited_is_named_by_its_step() -> None:
    run = driven(models())
    call = Call.objects.filter(run=run, step=3, failure="").order_by("seat").first()
    assert call is not None
    Call.objects.filter(pk=call.pk).update(reply='{"items": []}')
    again = rerun_run(run.pk)
    assert again.identical == 3
    assert again.difference.startswith("step 3: actions")


def test_a_run_pauses_at_its_limit_and_goes_on_from_the_same_round_when_it_is_raised() -> None:
    run = driven(models(limits={"calls": 10}))
    assert run.status == "paused"
    assert "at most 10 (calls)" in run.error
    stood, made = run.head, Call.objects.count()
    assert made <= 10
    run_limits(run_id=run.pk, limits={"calls": 1000})
    run_play(run_id=run.pk)
    run = driven(run)
    assert (run.status, run.head, run.error) == ("finished", 6, "")
    assert stood < 6
    keys = list(Call.objects.values_list("step", "seat", "purpose", "attempt"))
    assert len(keys) == len(set(keys))
    undisturbed = driven(models())
    assert undisturbed.head_hash == run.head_hash
