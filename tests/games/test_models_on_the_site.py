"""Runs whose seats are models, driven by the conductor: counted, limited, and played again from their recording."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from agents_app.profile import Profile
from games.errors.faults import BadScenario
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Call, Run, Seat
from games.site.record.recordings import recordings_found
from games.site.record.selectors import playing, steps
from games.site.record.verification import rerun_run, verify_run
from games.site.runs.creating import run_create, run_limits, run_play
from games.site.runs.forks import run_fork
from tests.agents.server import IDLE as VENDOR_IDLE
from tests.agents.server import Vendor, threaded
from tests.games.persons import Person, again, over

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


def test_a_run_with_every_kind_of_fault_a_person_and_a_recording_plays_again_without_a_call(client: Client) -> None:
    source = driven(models(4))
    faults = dict.fromkeys(("prose", "empty", "truncated", "illegal", "429", "500", "hang", "reset"), 0.09)
    with threaded(Vendor(faults=faults, content=VENDOR_IDLE, hang_s=3)) as vendor:
        local = {"base_url": vendor.url, "timeout_s": 0.2, "budget_s": 0.5, "retries": 1, "fallback_limit": 1}
        local["options"] = {"hints": True}
        seats = {
            "0": {"model": "openai/local", "profile": {**local, "memory": "rounds"}},
            "1": {"recording": {"run": source.pk, "seat": 1}},
            "2": {"person": True},
            "3": {"model": "mock/guided", "profile": {"memory": "summary", "mock": {"faults": {"prose": 0.3}}}},
        }
        run, person = models(10, seats=seats), Person()
        assert person.joins(run.code).status_code == 201
        person.starts()
        conduct(run.pk, "live")
        while (run := again(run)).status not in ("finished", "paused", "failed"):
            if run.head % 3:  # the others' turns are left to the default of the game
                person.moves(run.head + 1, action={"items": []})
            else:
                over(run)
            conduct(run.pk, "live")
        asked = sum(vendor.served.values())
        assert (run.status, run.head, {*faults} <= {*vendor.served}) == ("finished", 10, True)
        stored = Call.objects.filter(run=run)
        assert stored.filter(failure="unasked").exists()
        made = stored.count()
        verdict = rerun_run(run.pk)
        assert (str(verdict), verdict.calls) == ("identical 11/11", 0)
        client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
        answer = client.post(f"/api/v1/runs/{run.pk}/rerun")
        assert answer.json() == {"steps": 11, "identical": 11, "difference": "", "calls": 0}
        assert (Call.objects.filter(run=run).count(), sum(vendor.served.values())) == (made, asked)


def test_a_reply_that_another_run_had_is_given_again_at_no_cost_and_says_so() -> None:
    with threaded(Vendor(content=VENDOR_IDLE)) as vendor:
        profile = {"base_url": vendor.url, "price": {"input_usd": 1, "output_usd": 2}}
        seats = {"0": {"model": "openai/local", "profile": {**profile, "cache": True}}}
        first = driven(models(3, seats={**seats, **dict.fromkeys("123", IDLE)}))
        asked = sum(vendor.served.values())
        again = driven(models(3, seats={**seats, **dict.fromkeys("123", IDLE)}))
        assert (again.status, again.head_hash, sum(vendor.served.values())) == ("finished", first.head_hash, asked)
        plain = {"0": {"model": "openai/local", "profile": profile}}
        driven(models(3, seats={**plain, **dict.fromkeys("123", IDLE)}))
        assert sum(vendor.served.values()) == 2 * asked  # off by default
    reused = Call.objects.filter(run=again)
    assert {(call.from_cache, call.cost_usd) for call in reused} == {(True, 0)}
    flags = [stored.step.flags.get(0) for stored in steps(playing(again), 0, 3)][-3:]
    assert flags == [("cached",)] * 3
    assert rerun_run(again.pk).difference == ""


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
