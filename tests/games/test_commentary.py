"""A model comments on a round by order of whoever runs the match: from what, for whom, and on whose account."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from agents_app.site.models import AgentProfile
from games.lab.scenarios.scenario import load
from games.site.drive.accounts import Accounts
from games.site.drive.conductor import conduct
from games.site.experiments.declaring import experiment_create
from games.site.models import Comment, Notice, Run
from games.site.record import selectors
from games.site.runs.commenting import public_facts
from games.site.runs.creating import run_create

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner() -> Client:
    user = User.objects.create_user("owner")
    user.groups.set(Group.objects.filter(name="experimenter"))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def run() -> Run:
    made = run_create(scenario=load("dilemma/demo"), seed=1, start=False)
    Run.objects.filter(pk=made.pk).update(status="queued", pause_at=6)
    conduct(made.pk, "live")
    return Run.objects.get(pk=made.pk)


@pytest.fixture(autouse=True)
def models() -> None:
    price = {"input_usd": 1000, "output_usd": 1000}
    AgentProfile.objects.create(name="speaker", profile={"model": "mock/TFT", "price": price})
    bounded = {"model": "mock/ALLC", "price": price, "limits": {"calls": 1}}
    AgentProfile.objects.create(name="bounded", profile=bounded)
    AgentProfile.objects.create(name="mute", profile={"model": "mock/TFT", "mock": {"faults": {"empty": 1}}})


def orders(client: Client, run: Run, step: int = 2, model: str = "speaker", language: str = "en") -> Any:
    body = {"step": step, "model": model, "language": language}
    return client.post(f"/api/v1/runs/{run.pk}/comments", body, content_type="application/json")


def read(run: Run, client: Client | None = None) -> Any:
    return (client or Client()).get(f"/api/v1/runs/{run.pk}/comments").json()


def test_nothing_is_written_until_it_is_ordered_and_then_it_says_which_model_wrote_it(owner: Client, run: Run) -> None:
    assert read(run) == []
    assert orders(Client(), run).status_code in (401, 403)
    told = orders(owner, run).json()
    assert read(run) == [told]
    assert (told["step"], told["model"], told["language"]) == (2, "mock/TFT", "en")
    assert "Round 2" in told["text"]
    assert orders(owner, run, language="zh").json()["text"] == read(run)[0]["text"] != told["text"]
    assert Notice.objects.filter(run=run, kind="commented").count() == 2


def test_the_model_is_told_what_everybody_may_know_and_nothing_else(run: Run) -> None:
    play = selectors.playing(run)
    assert any(event.to == (1,) for event in selectors.step(play, 2).step.events), (
        "a hand slipped, which one seat knows"
    )
    facts = list(public_facts(play, 2, "en"))
    assert [fact.partition(":")[0] for fact in facts] == ["", "round 1", "round 2"]
    assert "B broke mutual cooperation" in facts[-1]
    assert "slip" not in " ".join(facts)


def test_it_is_told_no_sooner_than_the_step_itself(owner: Client, run: Run) -> None:
    orders(owner, run, step=2)
    orders(owner, run, step=6)
    Run.objects.filter(pk=run.pk).update(audience={"kind": "delayed", "delay": 3})
    assert [one["step"] for one in read(run)] == [2]
    assert [one["step"] for one in read(run, owner)] == [2, 6]


def test_what_it_costs_counts_against_the_runs_limits_and_the_profiles(owner: Client, run: Run) -> None:
    orders(owner, run)
    cost = Comment.objects.get().cost_usd
    assert cost
    run.refresh_from_db()
    assert run.cost_usd == cost
    assert Accounts.of(run).run.spent.usd == cost, "whoever drives it on knows of it"
    assert orders(owner, run, model="bounded").status_code == 200
    assert "(calls)" in orders(owner, run, step=3, model="bounded").json()["error"]["message"]
    Run.objects.filter(pk=run.pk).update(limits={"usd": str(cost + Decimal("0.000001"))})
    assert "(usd)" in orders(owner, run, step=3).json()["error"]["message"]
    assert Comment.objects.count() == 2


def test_what_a_model_has_written_on_a_step_is_not_paid_for_again(owner: Client, run: Run) -> None:
    first = orders(owner, run).json()
    assert orders(owner, run).json() == first
    assert Comment.objects.count() == 1


def test_what_came_to_nothing_is_paid_for_and_shown_to_nobody(owner: Client, run: Run) -> None:
    assert orders(owner, run, model="mute").json()["error"]["why"] == "model"
    assert read(run) == []
    assert Comment.objects.get().tokens_in


def test_where_people_play_in_experiments_and_of_what_was_not_played_no_model_comments(owner: Client, run: Run) -> None:
    assert orders(owner, run, step=7).json()["error"]["why"] == "step"
    assert orders(owner, run, model="nobody").json()["error"]["why"] == "model"
    Run.objects.filter(pk=run.pk).update(people={"deadline_s": 60})
    assert orders(owner, run).json()["error"]["why"] == "people"
    document = {"base": "dilemma/demo", "seeds": [1]}
    one = experiment_create(slug="bill", document=document, pace=0, limits=None, stop=None, audience=None)
    Run.objects.filter(pk=run.pk).update(people={}, experiment=one)
    assert orders(owner, run).json()["error"]["why"] == "experiment"
    assert Comment.objects.count() == 0
