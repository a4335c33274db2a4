"""Runs whose seats are models, driven by the conductor: counted, limited, and played again from their recording."""

from __future__ import annotations

from typing import Any

import pytest

from games.conductor import conduct
from games.lab.layers import Layer
from games.lab.scenario import load
from games.models import Call, Run
from games.services.runs import run_create, run_limits, run_play
from games.verification import rerun_run, verify_run

pytestmark = pytest.mark.django_db(transaction=True)


def models(rounds: int = 6, **how: Any) -> Run:
    few = Layer("test", {"miners": 4, "rows": 5, "cols": 5, "rounds": rounds})
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
