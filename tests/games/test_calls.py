"""What models were asked, answered and cost, by the API: to whom it is told, and what is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from agents_app.site.models import AgentProfile
from games.core.game import All, SeatEyes
from games.errors.requests import BadRequest
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.audience import Forbidden, Sight, Viewer, check_prompts
from games.site.drive.conductor import conduct
from games.site.models import Call, Decision, Run
from games.site.runs.creating import run_create

pytestmark = pytest.mark.django_db(transaction=True)


def models(faults: float = 0.0, **how: Any) -> Run:
    mock = {"faults": {"prose": faults}}
    settings = {"miners": 3, "rows": 4, "cols": 4, "rounds": 3}
    run = run_create(scenario=load("mining/llm-mock", extra=[Layer("test", settings, seats_of({"mock": mock}))]), **how)
    while Run.objects.get(pk=run.pk).status in ("queued", "running"):
        conduct(run.pk, "live")
    run.refresh_from_db()
    return run


def seats_of(profile: dict[str, Any]) -> dict[str, Any]:
    from games.lab.scenarios.form import read_seats

    return read_seats({"default": {"model": "mock/guided", "profile": profile}}, "test")


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def test_an_operator_reads_prompt_reply_tokens_and_the_parsed_action_of_one_seat_and_step(operator: Client) -> None:
    run = models()
    told = operator.get(f"/api/v1/runs/{run.pk}/calls?step=2&seat=1").json()
    (call,) = told["calls"]
    stored = Call.objects.get(run=run, step=2, seat=1)
    assert (call["reply"], call["tokens_in"], call["cost_usd"]) == (stored.reply, stored.tokens_in, 0.0)
    assert [message["role"] for message in call["prompt"]["messages"]] == ["system", "user"]
    assert "You are miner 1" in call["prompt"]["messages"][0]["content"]
    assert call["prompt"]["answer_schema"]["type"] == "object"
    (decision,) = told["decisions"]
    assert (decision["step"], decision["seat"], decision["flags"]) == (2, 1, [])
    assert decision["action"]["items"]
    assert decision["attempts"] == [{"attempt": 1, "failure": "", "why": "", "says": None}]
    assert told["next"] is None


def test_failures_are_labelled_in_calls_and_counted_in_the_meter(operator: Client) -> None:
    run = models(faults=1.0)
    told = operator.get(f"/api/v1/runs/{run.pk}/calls?step=1&seat=0").json()
    assert [(call["attempt"], call["failure"]) for call in told["calls"]] == [(n, "unparseable") for n in (1, 2, 3)]
    assert told["decisions"][0]["action"] is None
    assert told["decisions"][0]["flags"] == ["fallback", "unparseable"]
    says = {"en": "there is no JSON in the reply", "zh": "回复中没有 JSON"}
    assert [made["says"] for made in told["decisions"][0]["attempts"]] == [says] * 3
    meter = operator.get(f"/api/v1/runs/{run.pk}/meter").json()
    assert meter["spent"]["calls"] == Call.objects.filter(run=run).count() == 27
    assert [seat["failures"] for seat in meter["seats"]] == [{"unparseable": 9}] * 3
    assert meter["spent"]["tokens_in"] == sum(seat["spent"]["tokens_in"] for seat in meter["seats"]) > 0


def test_an_attempt_of_before_reasons_had_kinds_is_told_as_it_was_kept(operator: Client) -> None:
    run = models(faults=1.0)
    row = Decision.objects.get(run=run, step=1, seat=0, purpose="act")
    answer = json.loads(row.answer)
    answer["trace"]["attempts"] = [{"attempt": 1, "failure": "unparseable", "why": "the reply is empty"}]
    Decision.objects.filter(pk=row.pk).update(answer=json.dumps(answer))
    told = operator.get(f"/api/v1/runs/{run.pk}/calls?step=1&seat=0").json()
    (made,) = told["decisions"][0]["attempts"]
    assert (made["why"], made["says"]) == ("the reply is empty", None)


def test_calls_are_read_page_by_page(operator: Client) -> None:
    run = models()
    seen: list[int] = []
    after: int | None = 0
    while after is not None:
        told = operator.get(f"/api/v1/runs/{run.pk}/calls?after={after}&limit=4").json()
        seen += [call["id"] for call in told["calls"]]
        after = told["next"]
    assert seen == list(Call.objects.filter(run=run).order_by("id").values_list("id", flat=True))


@pytest.mark.parametrize("door", ["calls", "meter"])
def test_a_visitor_reads_none_of_it_unless_the_audience_says_so(client: Client, door: str) -> None:
    run = models()
    refused = client.get(f"/api/v1/runs/{run.pk}/{door}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "prompts_are_private")
    shown = models(audience={"kind": "omniscient", "prompts": True})
    assert client.get(f"/api/v1/runs/{shown.pk}/{door}").status_code == 200


def test_a_public_audience_with_prompts_shows_no_call_of_anybody(client: Client) -> None:
    run = models(audience={"kind": "public", "prompts": True})
    assert client.get(f"/api/v1/runs/{run.pk}/calls").json()["calls"] == []


def test_a_seats_eyes_read_that_seat_alone(operator: Client) -> None:
    run = models()
    told = operator.get(f"/api/v1/runs/{run.pk}/calls?as=1").json()
    assert {call["seat"] for call in told["calls"]} == {1}
    meter = operator.get(f"/api/v1/runs/{run.pk}/meter?as=1").json()
    assert (meter["spent"], [seat["seat"] for seat in meter["seats"]]) == (None, [1])


def test_the_holder_of_a_seat_reads_its_own_and_no_other() -> None:
    run = models()
    holder = Viewer(seats=frozenset({1}))
    check_prompts(run, holder, Sight(SeatEyes(1)))
    for eyes in (SeatEyes(0), All()):
        with pytest.raises(Forbidden):
            check_prompts(run, holder, Sight(eyes))


def test_an_audiences_word_on_prompts_is_yes_or_no(make_run: Callable[..., Run]) -> None:
    with pytest.raises(BadRequest, match=r"audience\.prompts: 'yes'; true or false"):
        make_run(audience={"kind": "omniscient", "prompts": "yes"})


def test_a_named_model_of_the_site_can_be_put_into_a_seat(operator: Client, client: Client) -> None:
    AgentProfile.objects.create(name="cautious", about="Slow.", profile={"model": "mock/guided", "retries": 1})
    assert client.get("/api/v1/agents").status_code == 403
    (agent,) = operator.get("/api/v1/agents").json()
    assert (agent["name"], agent["seat"]["model"], agent["seat"]["profile"]["retries"]) == (
        "cautious",
        "mock/guided",
        1,
    )
    body = {"scenario": "mining/baseline", "seats": {"2": agent["seat"]}, "start": False}
    made = operator.post("/api/v1/runs", body, content_type="application/json").json()
    assert (made["seats"][2]["kind"], made["seats"][2]["agent"]) == ("model", "cautious")


def test_what_a_run_would_cost_is_told_before_it_is_made(operator: Client) -> None:
    model = {"model": "openai/gpt-4o-mini", "profile": {"max_tokens": 400}}
    body = {"scenario": "mining/baseline", "seats": {"0": model}, "config": {"rounds": 50}, "limits": {"calls": 40}}
    told = operator.post("/api/v1/estimate", body, content_type="application/json").json()
    assert (told["calls"], told["at_most"], told["tokens_out"]) == (50, 350, 50 * 100)
    assert told["usd"] == pytest.approx(told["tokens_in"] * 0.15e-6 + told["tokens_out"] * 0.6e-6)
    assert (told["unpriced"], told["exceeds"]) == ([], ["calls"])
    assert not Run.objects.exists()


def test_bad_numbers_are_refused_in_one_line(operator: Client) -> None:
    run = models()
    assert operator.get(f"/api/v1/runs/{run.pk}/calls?limit=100000").json()["error"]["field"] == "limit"
    assert operator.get("/api/v1/runs/nothing/calls").status_code == 404
