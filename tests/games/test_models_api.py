"""Named models over the API: saved, shown what they would be told, tried, probed, and refused in one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from agents_app.site.models import AgentProfile
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load, load_data
from games.lab.scenarios.seating import ModelSeat
from games.site.drive.conductor import conduct
from games.site.models import Run
from games.site.runs.creating import run_create
from tests.agents.server import Vendor, threaded

pytestmark = pytest.mark.django_db


def test_a_model_is_saved_previewed_and_tried_before_a_run() -> None:
    client = Client()
    client.force_login(User.objects.create_user("op", is_superuser=True))

    def send(way: str, path: str, body: Any) -> Any:
        return getattr(client, way)(f"/api/v1/models/{path}", json.dumps(body), content_type="application/json")

    saved = send("put", "own", {"profile": {"model": "mock/guided"}}).json()
    assert (saved["name"], saved["runs"], saved["key"]) == ("own", 0, "none")
    moment = {"profile": saved["profile"], "scenario": "mining/baseline", "seat": 2, "step": 3}
    shown = send("post", "preview", moment).json()
    assert (shown["step"], shown["messages"][0]["role"]) == (3, "system")
    tried = send("post", "try", moment).json()
    assert (tried["usable"], tried["stop"], [call["failure"] for call in tried["calls"]]) == (True, "", [""])
    refused = send("put", "own", {"profile": {"model": "nothing"}})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_profile")
    assert refused.json()["error"]["field"] == "profile.model"
    refused = send("put", "own", {"profile": {"model": "mock/guided", "batch": {"poll_s": 0}}})
    assert refused.json()["error"]["field"] == "profile.batch.poll_s"


@pytest.mark.parametrize(("said", "memory"), [({}, "summary"), ({"memory": "none"}, "none")])
def test_the_memory_of_a_named_model_is_the_games_own_unless_it_says_otherwise(
    said: dict[str, str], memory: str
) -> None:
    client = Client()
    client.force_login(User.objects.create_user("op", is_superuser=True))
    profile = {"model": "mock/default", **said}
    for _ in range(2):  # as it was written, and as the page sends back what it was told
        kept = client.put("/api/v1/models/own", {"profile": profile}, content_type="application/json").json()
        profile = kept["profile"]
    assert profile.get("memory") == said.get("memory")
    loaded = load_data({"seats": {"default": AgentProfile.objects.get().seat()}, "seeds": [1]}, "own", "nations")
    agent = loaded.conditions[0].seats[0]
    assert isinstance(agent, ModelSeat)
    assert agent.profile.memory == memory
    moment = {"profile": profile, "scenario": "nations/baseline", "seat": 0, "step": 4}
    shown = client.post("/api/v1/models/preview", moment, content_type="application/json").json()
    told = "\n".join(message["content"] for message in shown["messages"])
    assert ("Your summary so far" in told) == (memory == "summary")


ITEMS = ({"type": "claim", "cell": [0, 0]}, {"type": "raid", "cell": [0, 0]}, {"type": "mine", "cell": [9, 9], "s": 2})
ABLE = json.dumps({"items": ITEMS})


def test_a_trial_tells_what_the_rules_made_of_the_answer_and_what_a_run_would_take() -> None:
    client = Client()
    client.force_login(User.objects.create_user("op", is_superuser=True))

    def post(path: str, body: Any) -> Any:
        answer = client.post(f"/api/v1/models/{path}", json.dumps(body), content_type="application/json")
        assert answer.status_code == 200, answer.content
        return answer.json()

    with threaded(Vendor(content=ABLE)) as server:
        price = {"input_usd": 1, "output_usd": 10}
        profile = {"model": "openai/local", "base_url": server.url, "concurrency": 4, "price": price}
        told = post("try", {"profile": profile, "scenario": "mining/baseline", "seat": 2, "step": 1})
        assert [item["type"] for item in told["asked"]["items"]] == ["claim", "raid", "mine"]
        kept = told["action"]["items"]
        assert len(kept) < 3
        assert len(told["notes"]) == 3 - len(kept)
        assert told["spent"] == {"kind": "stamina_spent", "data": {"cost": len(kept), "stamina": 10}}
        assert (told["seats"][2], told["clock"][0][1]) == ("miner-03", 1)
        measured = told["measured"]
        assert (measured["tokens_in"], measured["tokens_out"]) == (900, 20)

        run = {"profile": profile, "scenario": "mining/baseline"}
        guessed, likely = post("estimate", run), post("estimate", {**run, "measured": measured})
        calls = likely["seats"] * likely["rounds"]
        assert (guessed["calls"], likely["calls"], guessed["seconds"]) == (calls, calls, None)
        assert likely["tokens_out"] == 20 * calls
        waves = -(-likely["seats"] // 4) * likely["rounds"]
        assert likely["seconds"] == pytest.approx(waves * measured["latency_ms"] / 1000)
        assert likely["usd"] == pytest.approx((likely["tokens_in"] + 10 * likely["tokens_out"]) / 1e6)
        unpriced = post("estimate", {**run, "profile": {**profile, "price": None}})
        assert (unpriced["usd"], unpriced["unpriced"]) == (None, ["openai/local"])

        asked = len(server.seen)
        most = post("probe/cost", {"profile": profile, "abilities": ["usage", "seed"]})
        assert (most["calls"], len(server.seen)) == (4, asked)
        found = post("probe", {"profile": profile, "abilities": ["usage", "seed"]})
        assert [(one["ability"], one["verdict"]) for one in found] == [("usage", "accepted"), ("seed", "unknown")]
        assert len(server.seen) == asked + most["calls"]


@pytest.mark.django_db(transaction=True)
def test_a_named_model_tells_its_runs_and_the_share_of_its_answers_that_could_not_be_used() -> None:
    client = Client()
    client.force_login(User.objects.create_user("op", is_superuser=True))
    for name in ("shaky", "idle"):
        AgentProfile.objects.create(name=name, profile={"model": "mock/guided"})
    faults = {"mock": {"faults": {"prose": 0.5}}, "retries": 0}
    default = {"model": "mock/guided", "label": "shaky", "profile": faults}
    few = Layer(
        "test", {"miners": 3, "rows": 4, "cols": 4, "rounds": 8}, read_seats({"seats": {"default": default}}, "test")
    )
    run = run_create(scenario=load("mining/baseline", extra=[few]))
    while Run.objects.get(pk=run.pk).status in ("queued", "running"):
        conduct(run.pk, "live")
    run.refresh_from_db()
    told = run.tally or {}
    assert 0 < told["fallbacks"] < told["decisions"] == 24
    with CaptureQueriesContext(connection) as asked:
        listed = {one["name"]: one for one in client.get("/api/v1/models").json()}
    assert (listed["shaky"]["runs"], listed["shaky"]["fallback"]) == (1, told["fallbacks"] / 24)
    assert (listed["idle"]["runs"], listed["idle"]["fallback"]) == (0, None)
    assert sum("games_seat" in query["sql"] for query in asked.captured_queries) == 1
