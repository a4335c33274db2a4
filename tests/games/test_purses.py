"""A key's purse: what is made with the key is charged to it, held within it, and refused beyond it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.test import Client

from agents_app.site.models import AgentProfile
from games.site.accounts.keys import key_create
from games.site.drive.conductor import conduct
from games.site.experiments.running import experiments_continue
from games.site.models import ACTIVE, ApiKey, AuditEntry, Call, Experiment, Run
from games.site.runs.deleting import run_delete
from tests.sites import ROOT

pytestmark = pytest.mark.django_db(transaction=True)
PRICED: dict[str, Any] = {"model": "mock/TFT", "profile": {"price": {"input_usd": 1, "output_usd": 1}}}
DOCUMENT: dict[str, Any] = {
    "game": "dilemma",
    "config": {"rounds": 3},
    "seats": {"default": PRICED},
    "seeds": "1..4",
    "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "*", "direction": "lower"}},
    "factors": {"noise": {"field": "noise_b", "levels": [0.0, 0.3]}},
}


@pytest.fixture
def user() -> User:
    return get_user_model().objects.create_superuser("researcher")


class Agent:
    """Who comes with a key of a purse of its own."""

    def __init__(self, user: User, budget: str | None, name: str = "agent", scopes: tuple[str, ...] = ("read", "run")):
        self.key, text = key_create(
            user=user, name=name, scopes=scopes, days=1, budget_usd=None if budget is None else Decimal(budget)
        )
        self.client = Client(headers={"Authorization": f"Bearer {text}"})

    def asks(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        answer = self.client.generic(method, f"/api/v1/{path}", json.dumps(body or {}), content_type="application/json")
        told: Any = answer.json() if answer.content else None
        return answer.status_code, told["error"]["code"] if answer.status_code >= 400 else told

    def purse(self) -> dict[str, Any]:
        (told,) = self.asks("GET", "keys")[1]
        return dict(told)


def run_of(usd: float | None, agent: dict[str, Any] = PRICED) -> dict[str, Any]:
    limits = {} if usd is None else {"limits": {"usd": usd}}
    return {"scenario": "dilemma/demo", "config": {"rounds": 3}, "seats": {"0": agent, "1": agent}, **limits}


def played() -> None:
    for _ in range(30):
        experiments_continue()
        for pk, queue in Run.objects.filter(status__in=ACTIVE).values_list("pk", "queue"):
            conduct(pk, queue)


def test_a_run_is_charged_to_the_key_and_what_it_may_still_spend_is_held_until_it_is_over(user: User) -> None:
    agent = Agent(user, "0.05")
    assert agent.asks("POST", "runs", run_of(0.04))[0] == 201
    assert (agent.purse()["held_usd"], agent.purse()["left_usd"]) == (0.04, 0.01)
    assert agent.asks("POST", "runs", run_of(0.04)) == (403, "beyond_purse")
    assert Run.objects.count() == 1, "what is refused is not made"
    played()
    purse = agent.purse()
    assert 0 < purse["spent_usd"] < 0.04
    assert purse["spent_usd"] == pytest.approx(float(sum(call.cost_usd or 0 for call in Call.objects.all())))
    assert (purse["held_usd"], purse["left_usd"]) == (0, pytest.approx(0.05 - purse["spent_usd"]))


def test_who_comes_with_a_purse_names_a_budget_where_models_sit_and_none_for_policies(user: User) -> None:
    agent = Agent(user, "1")
    assert agent.asks("POST", "runs", run_of(None)) == (403, "no_budget")
    assert agent.asks("POST", "runs", run_of(None, {"policy": "TFT"}))[0] == 201


def test_a_model_costs_what_the_list_or_the_site_says_and_not_what_its_asker_says(user: User) -> None:
    agent, cheap = Agent(user, "1"), {"input_usd": 0, "output_usd": 0}
    own: dict[str, Any] = {"model": "openai/gpt-4o", "profile": {"price": cheap}}
    assert agent.asks("POST", "runs", run_of(0.5, own)) == (403, "own_price")
    AgentProfile.objects.create(name="ours", profile={"model": "openai/gpt-4o", "price": cheap})
    assert agent.asks("POST", "runs", {**run_of(0.5, own), "start": False})[0] == 201


def test_an_experiments_runs_share_its_budget_so_that_all_at_once_stay_within_it(user: User) -> None:
    agent = Agent(user, "0.2")
    body = {"slug": "shared", "document": DOCUMENT, "limits": {"usd": 0.16}, "freeze": True}
    assert agent.asks("POST", "experiments", body)[0] == 201
    assert agent.purse()["held_usd"] == 0, "registered, and not started"
    assert agent.asks("POST", "experiments/shared/start")[0] == 200
    assert {run.limits["usd"] for run in Run.objects.all()} == {"0.02000000"}, "eight runs"
    assert agent.purse()["held_usd"] == pytest.approx(0.16)
    assert agent.asks("PATCH", f"runs/{Run.objects.all()[0].pk}", {"limits": {"usd": 0.1}}) == (403, "shared")
    played()
    assert Experiment.objects.get().status == "finished"
    purse = agent.purse()
    assert 0 < purse["spent_usd"] <= 0.16
    assert purse["held_usd"] == 0


TWO_PROCESSES = """
import json, threading, django
django.setup()
from decimal import Decimal
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from games.site.accounts.keys import key_create
from games.site.experiments import running
from games.site.experiments.declaring import experiment_create
from games.site.models import Experiment, Run

call_command("migrate", verbosity=0)
user = get_user_model().objects.create_superuser("researcher")
key, _ = key_create(user=user, name="agent", scopes=("read", "run"), days=1, budget_usd=Decimal("0.2"))
experiment = experiment_create(slug="shared", document=DOCUMENT, limits={"usd": Decimal("0.16")}, key=key)
running.experiment_freeze(experiment)
Experiment.objects.update(status="running")

real, met, over = running.unspent, threading.Barrier(2), threading.Event()


def unspent(*told):
    if threading.current_thread() is slow:  # it reckons while the other one begins all there is, unless that waits
        over.wait(1)
    return real(*told)


def continues():
    met.wait()
    running.experiment_continue(experiment.pk)
    over.set()
    connection.close()


running.unspent = unspent
slow, quick = [threading.Thread(target=continues) for _ in "ab"]
for one in (slow, quick):
    one.start()
for one in (slow, quick):
    one.join()
experiment.refresh_from_db()
limits = sorted(Run.objects.values_list("limits__usd", flat=True))
print(json.dumps([experiment.status, experiment.reason, limits, Run.objects.exclude(cell=None).count()]))
"""


def test_two_processes_that_begin_an_experiments_runs_give_the_shares_that_one_would_give(postgres_url: str) -> None:
    environ = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    script = f"DOCUMENT = {DOCUMENT!r}\n{TWO_PROCESSES}"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == ["running", {}, ["0.02000000"] * 8, 8]


def test_an_experiment_whose_shares_are_too_small_stands_still_and_goes_on_with_more(user: User) -> None:
    agent = Agent(user, "0.2")
    agent.asks("POST", "experiments", {"slug": "poor", "document": DOCUMENT, "limits": {"usd": 0.006}, "start": True})
    played()
    assert Experiment.objects.get().status == "paused"
    assert agent.purse()["spent_usd"] <= 0.006 + 8 * 0.001, "beyond by the call in flight of each at most"
    assert agent.asks("PATCH", "experiments/poor", {"limits": {"usd": 0.3}}) == (403, "beyond_purse")
    assert agent.asks("PATCH", "experiments/poor", {"limits": {"usd": 0.19}})[0] == 200
    assert agent.asks("POST", "experiments/poor/start")[0] == 200
    played()
    assert Experiment.objects.get().status == "finished"


def test_a_key_with_a_purse_leaves_alone_what_was_not_made_with_it_and_what_spends_past_it(user: User) -> None:
    rich, agent = Agent(user, None, "rich"), Agent(user, "1")
    run = rich.asks("POST", "runs", {**run_of(None), "start": False})[1]["id"]
    rich.asks("POST", "experiments", {"slug": "theirs", "document": DOCUMENT})
    played()
    refused = {
        ("POST", f"runs/{run}/start"): "not_the_keys",
        ("PATCH", f"runs/{run}"): "not_the_keys",
        ("POST", "experiments/theirs/start"): "not_the_keys",
        ("DELETE", f"runs/{run}"): "not_by_purse",
        ("POST", "models/try"): "not_by_purse",
        ("POST", f"runs/{run}/comments"): "not_by_purse",
        ("PUT", "models/mine"): "not_by_purse",
        ("POST", "experiments/import"): "not_by_purse",
    }
    assert {(method, path): agent.asks(method, path) for method, path in refused} == {
        asked: (403, code) for asked, code in refused.items()
    }
    noted = AuditEntry.objects.filter(what="key_refused", who=f"researcher by key:{agent.key.prefix}")
    assert {entry.data["code"] for entry in noted} == {"not_the_keys", "not_by_purse"}
    assert rich.purse()["budget_usd"] is None


def test_what_a_key_is_not_for_stands_in_the_audit_trail_as_its_act(user: User) -> None:
    reader = Agent(user, None, scopes=("read",))
    assert reader.asks("POST", "runs", run_of(None)) == (403, "wrong_scope")
    entry = AuditEntry.objects.get(what="key_refused")
    assert (entry.who, entry.on) == (f"researcher by key:{reader.key.prefix}", "/api/v1/runs")
    assert entry.data == {"code": "wrong_scope", "method": "POST"}


def test_a_fork_is_paid_for_by_who_made_it(user: User) -> None:
    rich, agent = Agent(user, None, "rich"), Agent(user, "0.01")
    run = rich.asks("POST", "runs", run_of(None))[1]["id"]
    played()
    assert agent.asks("POST", f"runs/{run}/fork", {"at": 1}) == (403, "no_budget")
    assert agent.asks("POST", f"runs/{run}/fork", {"at": 1, "limits": {"usd": 1}}) == (403, "beyond_purse")
    assert agent.asks("POST", f"runs/{run}/fork", {"at": 1, "limits": {"usd": 0.01}})[0] == 201
    played()
    assert agent.purse()["spent_usd"] > 0
    assert rich.purse()["spent_usd"] > agent.purse()["spent_usd"]


def test_deleting_a_run_gives_nothing_back(user: User) -> None:
    agent = Agent(user, "0.05")
    agent.asks("POST", "runs", run_of(0.04))
    played()
    before = agent.purse()
    run_delete(run_id=Run.objects.get().pk, by=user)
    assert agent.purse() == before


def test_an_account_makes_a_key_with_a_purse_and_sees_what_it_has_spent(user: User) -> None:
    client = Client()
    client.force_login(user)
    wish = {"do": "make", "name": "agent", "scopes": ["read", "run"], "days": "30"}
    assert client.post("/account", {**wish, "budget": "much"}).status_code == 422
    assert "pk_" in client.post("/account", {**wish, "budget": "2.5"}).content.decode()
    assert ApiKey.objects.get().budget_usd == Decimal("2.5")
    assert "0.0000 / 2.5" in client.get("/account").content.decode()
    (told,) = client.get("/api/v1/keys").json()
    assert (told["budget_usd"], told["left_usd"]) == (2.5, 2.5)
