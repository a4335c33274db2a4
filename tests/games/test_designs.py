"""A design before it starts: who sits where, what a run takes, what its seeds would show, what its models are told."""

from __future__ import annotations

import math
from datetime import timedelta
from statistics import variance
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.lab.analysis.power import smallest_difference
from games.lab.scenarios.scenario import load
from games.site.models import Call, Run
from games.site.runs.creating import run_create

pytestmark = pytest.mark.django_db
NOISE = {
    "base": "dilemma/noisy",
    "factors": {"noise": {"field": "noise_a", "levels": [0.05, 0.3]}},
    "seeds": "1..20",
    "hypotheses": {"H1": {"metric": "cooperation_rate", "factor": "noise", "of": "noise-0.3", "direction": "lower"}},
}
MODELS = {
    "base": "mining/baseline",
    "config": {"rounds": 4, "miners": 3},
    "seats": {"*": {"model": "openai/nobody-knows-it"}},
    "conditions": {"alone": {}, "among": {"seats": {"miner-02": {"policy": "random"}}}},
    "seeds": [1, 2],
}


def checked(client: Client, document: dict[str, Any], **more: Any) -> dict[str, Any]:
    sent = {"document": document, **more}
    answer = client.post("/api/v1/experiments/check", sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


def played(values: list[float], *, seconds: float = 30) -> None:
    """Finished runs of the base, a seed each."""
    now = timezone.now()
    for seed, value in enumerate(values, 1):
        run = run_create(scenario=load("dilemma/noisy"), seed=seed)
        Run.objects.filter(pk=run.pk).update(
            status="finished",
            metrics={"cooperation_rate": value},
            started=now - timedelta(seconds=seconds),
            ended=now,
            pace=0,
        )


def test_a_condition_says_who_sits_where_and_what_a_run_of_it_takes(admin_client: Client) -> None:
    alone, among = checked(admin_client, MODELS)["expected"]
    assert [(one["agent"], one["kind"], one["seats"]) for one in among["seated"]] == [
        ("openai/nobody-knows-it", "model", [0, 2]),
        ("random", "policy", [1]),
    ]
    assert (alone["runs"], alone["calls"], among["calls"]) == (2, 12, 8)
    assert (alone["usd"], alone["unpriced"]) == (None, ["openai/nobody-knows-it"]), "an unknown price is not nothing"
    policies = checked(admin_client, NOISE)
    assert [(one["calls"], one["usd"]) for one in policies["expected"]] == [(0, 0.0), (0, 0.0)]
    assert policies["estimate"] is None


def test_time_is_told_of_runs_alike_else_of_calls_that_were_measured_else_not_at_all(admin_client: Client) -> None:
    played([0.5, 0.6, 0.7], seconds=30)
    control, other = checked(admin_client, NOISE)["expected"]
    assert (control["seconds"], control["seconds_by"], control["seconds_of"]) == (30.0, "runs", 3)
    assert (other["seconds"], other["seconds_by"]) == (None, None), "no run had that noise"

    assert checked(admin_client, MODELS)["expected"][0]["seconds"] is None
    run = Run.objects.first()
    assert run is not None
    made = {"run": run, "seat": 0, "attempt": 1, "model": "openai/nobody-knows-it", "prompt_hash": "x"}
    for step, (latency, failure) in enumerate(((1000, ""), (3000, ""), (2000, ""), (90_000, "timeout"))):
        Call.objects.create(step=step, latency_ms=latency, failure=failure, **made)
    told = checked(admin_client, MODELS)["expected"][0]
    # four rounds, each a wave of three calls that go out together
    assert (told["seconds"], told["seconds_by"], told["seconds_of"]) == (8.0, "calls", 3)


def test_what_seeds_would_show_rests_on_runs_alike_on_an_assumption_or_on_nothing(admin_client: Client) -> None:
    (nothing,) = checked(admin_client, NOISE)["power"]
    assert (nothing["spread"], nothing["spread_by"], nothing["smallest"]) == (None, None, None)
    assert nothing["curve"] == []

    values = [0.5, 0.6, 0.7, 0.4]
    played(values)
    (found,) = checked(admin_client, NOISE)["power"]
    sd = math.sqrt(variance(values))
    assert (found["spread_by"], found["spread_of"]) == ("runs", 4)
    assert found["spread"] == pytest.approx(sd)
    assert found["smallest"] == pytest.approx(smallest_difference(sd * math.sqrt(2), 20, "lower"))
    (here,) = [point["share"] for point in found["curve"] if point["seeds"] == 20]
    assert here == pytest.approx(0.8, abs=1e-6)

    (assumed,) = checked(admin_client, NOISE, spread={"cooperation_rate": 0.2})["power"]
    assert (assumed["spread"], assumed["spread_by"]) == (0.2, "assumed")
    (apart,) = checked(admin_client, {**NOISE, "pairing": "independent"}, spread={"cooperation_rate": 0.2})["power"]
    assert apart["smallest"] == pytest.approx(smallest_difference(0.2, 20, "lower", is_paired=False))


def test_the_same_seed_played_twice_tells_nothing_more_of_the_spread(admin_client: Client) -> None:
    played([0.5, 0.9])
    played([0.5, 0.9])
    (found,) = checked(admin_client, NOISE)["power"]
    assert found["spread_of"] == 2


def test_a_prompt_is_that_of_the_condition_that_is_looked_at(admin_client: Client) -> None:
    document = {**MODELS, "conditions": {"en": {}, "zh": {"profile": {"language": "zh"}, "config": {"rounds": 7}}}}

    def shown(condition: str, **more: Any) -> dict[str, Any]:
        sent = {"document": document, "condition": condition, **more}
        answer = admin_client.post("/api/v1/experiments/prompt", sent, content_type="application/json")
        assert answer.status_code == 200, answer.content
        told: dict[str, Any] = answer.json()
        return told

    english, chinese = shown("en"), shown("zh", seat=2)
    assert (english["seat"], chinese["seat"], english["seats"]) == (0, 2, [0, 1, 2])
    assert english["names"][2] == "miner-03"
    texts = ["\n".join(part["content"] for part in one["messages"]) for one in (english, chinese)]
    assert "4 rounds" in texts[0] or "of 4" in texts[0]
    assert "回合" in texts[1]
    assert (Run.objects.count(), Call.objects.count()) == (0, 0), "nothing is made and nobody is called"
