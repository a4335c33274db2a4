"""Forks: identical where nothing is changed, another run from the fork on where something is; verified either way."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.errors.faults import BadScenario
from games.errors.requests import BadRequest
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Run, Step
from games.site.record.verification import verify_run
from games.site.runs.creating import run_create
from games.site.runs.forks import run_fork

pytestmark = pytest.mark.django_db


def played(run: Run) -> Run:
    while Run.objects.get(pk=run.pk).status != "finished":
        conduct(run.pk, "live")
    return run


@pytest.fixture
def parent(db: None) -> Run:
    return played(run_create(scenario=load("mining/mixed"), seed=3))


def hashes(run: Run) -> list[str]:
    return list(Step.objects.filter(run=run).order_by("index").values_list("hash", flat=True))


@pytest.mark.parametrize("at", [0, 137, 200])
def test_an_unchanged_fork_is_the_same_run(parent: Run, at: int) -> None:
    fork = played(run_fork(run_id=parent.pk, at=at))
    assert hashes(fork) == hashes(parent)
    assert verify_run(fork.pk).difference is None


def test_another_agent_makes_another_run_from_the_fork_on(parent: Run) -> None:
    fork = played(run_fork(run_id=parent.pk, at=50, seats={"4": {"policy": "random"}}))
    ours, theirs = hashes(fork), hashes(parent)
    assert ours[:51] == theirs[:51]
    assert ours[51] != theirs[51]
    assert fork.seats.get(index=4).agent["policy"] == "random"
    assert parent.seats.get(index=4).agent["policy"] == "tit-for-tat-raid"
    verdict = verify_run(fork.pk)
    assert (verdict.difference, verdict.identical) == (None, 200)


def test_another_rule_holds_from_the_fork_on_and_both_parts_verify(parent: Run) -> None:
    fork = played(run_fork(run_id=parent.pk, at=40, config={"raid_tax": 3}))
    assert hashes(fork)[:41] == hashes(parent)[:41]
    assert hashes(fork)[-1] != hashes(parent)[-1]
    assert verify_run(fork.pk).difference is None
    again = played(run_fork(run_id=fork.pk, at=100))
    assert hashes(again) == hashes(fork)
    assert verify_run(again.pk).difference is None


def test_a_byte_that_was_changed_in_the_store_is_named_by_its_step(parent: Run) -> None:
    rows = Step.objects.filter(run=parent)
    other = rows.get(index=60)
    rows.filter(index=61).update(record=other.record)
    verdict = verify_run(parent.pk)
    assert verdict.difference is not None
    assert verdict.identical < 200


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"at": 201}, "at: 201; a stored step, 0 to 200"),
        ({"at": -1}, "at: -1"),
        ({"at": 9, "config": {"miners": 13}}, "stamina_each: 12 budgets for 13 miners"),
        ({"at": 9, "config": {"rows": 11}}, "does not fit these rules"),
        ({"at": 9, "config": {"typo": 1}}, "typo"),
        ({"at": 9, "seats": {"4": {"policy": "nosuch"}}}, "nosuch"),
        ({"at": 9, "seats": {"44": {"policy": "random"}}}, "there is no such seat"),
    ],
)
def test_a_fork_that_cannot_be_is_refused_and_nothing_is_created(parent: Run, change: Any, told: str) -> None:
    with pytest.raises((BadRequest, BadScenario), match=told):
        run_fork(run_id=parent.pk, **change)
    assert Run.objects.count() == 1


PERSON = {"person": True, "substitute": "guided"}


def test_a_fork_with_people_draws_a_seed_that_nobody_knows_and_leaves_their_views_private(
    parent: Run, client: Client
) -> None:
    fork = run_fork(run_id=parent.pk, at=5, seats={"0": PERSON, "1": PERSON})
    assert fork.seed != parent.seed
    assert fork.audience == {"kind": "public"}
    assert client.get(f"/api/v1/runs/{fork.pk}/snapshot?as=1").status_code == 403
    assert client.get(f"/api/v1/runs/{fork.pk}").json()["seed"] is None
    said = run_fork(run_id=parent.pk, at=5, seats={"0": PERSON}, audience={"kind": "after_end"})
    assert said.audience == {"kind": "after_end"}
    Run.objects.filter(pk=fork.pk).update(begun=True, status="queued", wake_at=None)
    assert verify_run(played(fork).pk).difference is None, "substitutes played on, by the new seed"


def test_a_fork_without_people_does_not_give_away_the_seed_by_which_people_still_play(
    parent: Run, client: Client
) -> None:
    people = run_fork(run_id=parent.pk, at=5, seats={"0": PERSON})
    fork = run_fork(run_id=people.pk, at=5, seats={"0": {"policy": "guided"}}, start=False)
    assert fork.seed == people.seed
    assert client.get(f"/api/v1/runs/{fork.pk}").json()["seed"] is None
    Run.objects.filter(pk=people.pk).update(status="stopped")
    assert client.get(f"/api/v1/runs/{fork.pk}").json()["seed"] is not None
