"""A declared rule stops an experiment at its look; looking besides leaves a mark."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.lab.analysis.result import analyse
from games.site.drive.conductor import conduct
from games.site.experiments import declaring, reading, reporting, running
from games.site.experiments.provenance import provenance_of
from games.site.experiments.running import experiments_continue
from games.site.models import Cell, Experiment, RegisterEntry, Run, RunStatus

pytestmark = pytest.mark.django_db
NOISE: dict[str, Any] = {
    "game": "dilemma",
    "config": {"rounds": 30, "noise_a": 0.05},
    "seats": {"default": {"policy": "TFT"}},
    "factors": {"noise": {"field": "noise_b", "levels": [0.0, 0.3]}},
    "seeds": list(range(1, 16)),
    "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "*"}},
}


def sweep(experiment: Experiment, times: int = 1) -> Experiment:
    """As the workers and the sweep would, so often."""
    for _ in range(times):
        for run in Run.objects.filter(cell__experiment=experiment, status=RunStatus.QUEUED):
            conduct(run.pk, run.queue)
        experiments_continue()
    experiment.refresh_from_db()
    return experiment


def started(at_once: int | None = None, **document: Any) -> Experiment:
    experiment = declaring.experiment_create(slug="slips", document={**NOISE, **document}, at_once=at_once)
    running.experiment_start(experiment=experiment)
    experiment.refresh_from_db()
    return experiment


def highest(experiment: Experiment) -> int:
    """The last seed of which a run has begun."""
    begun = Cell.objects.filter(experiment=experiment, run__isnull=False).order_by("-replicate").first()
    return 0 if begun is None else begun.replicate


def test_a_clear_effect_stops_it_at_a_look_and_the_report_says_which_and_when() -> None:
    experiment = sweep(started(stopping={"rule": "obrien_fleming", "looks": [6, 10, 15]}), 20)
    assert experiment.status == "finished"
    assert (experiment.reason["why"], experiment.reason["planned"]) == ("rule", 15)
    assert experiment.reason["seeds"] in (6, 10)
    result = reading.result_of(experiment)
    assert {run.replicate for run in result.runs} == set(range(1, experiment.reason["seeds"] + 1))
    assert result.comparisons[0].verdict == "shown"
    sentences = reporting.labels_of(experiment, "en").came_about()
    assert any("looked at after 6, 10 and 15 of 15 seeds" in line for line in sentences), sentences
    assert any(f"stopped it after {experiment.reason['seeds']} of 15 seeds" in line for line in sentences), sentences
    assert not provenance_of(experiment).is_marked
    assert RegisterEntry.objects.order_by("number").last().document["reason"] == experiment.reason  # type: ignore[union-attr]


def test_nothing_beyond_a_look_begins_before_it_was_taken() -> None:
    experiment = started(stopping={"rule": "pocock", "looks": [3, 15]})
    assert highest(experiment) == 3


def test_no_effect_is_played_to_the_end() -> None:
    experiment = started(
        factors={"noise": {"field": "collapse_k", "levels": [10, 11]}},
        seeds=[1, 2, 3, 4],
        stopping={"rule": "pocock", "looks": [3, 4]},
    )
    sweep(experiment, 12)
    assert (experiment.status, experiment.reason) == ("finished", {})
    assert provenance_of(experiment).played == 8


def test_an_always_valid_rule_stops_at_any_seed() -> None:
    experiment = sweep(started(2, stopping={"rule": "always_valid"}), 40)
    assert (experiment.status, experiment.reason["rule"]) == ("finished", "always_valid")
    assert 3 <= experiment.reason["seeds"] < 15


def test_tests_are_held_back_while_it_runs_and_asking_for_them_is_marked() -> None:
    experiment = sweep(
        started(report={"multiverse": {"slips": ["both_cooperate_rate"]}, "leave_out": {"not_own": 0}}), 1
    )
    if experiment.status != "running":
        Experiment.objects.filter(pk=experiment.pk).update(status="running")
    client = Client()
    held = client.get("/api/v1/experiments/slips/result").json()
    assert (held["held"], held["comparisons"]) == (True, [])
    assert '"p":' not in json.dumps(held)
    experiment.refresh_from_db()
    assert experiment.peeked == {}
    told = client.get("/api/v1/experiments/slips/result?peek=true").json()
    assert len(told["comparisons"]) == 1
    experiment.refresh_from_db()
    assert experiment.peeked["runs"] > 0
    assert any("before it was over" in line for line in reporting.labels_of(experiment, "en").came_about())
    assert provenance_of(experiment).is_marked


def test_a_look_that_the_rule_allows_is_no_peek() -> None:
    started(stopping={"rule": "always_valid"}, seeds=list(range(1, 16)))
    client = Client()
    assert "held" not in client.get("/api/v1/experiments/slips/result").json()
    assert Experiment.objects.get(slug="slips").peeked == {}


def test_the_plan_that_was_registered_holds_the_rule() -> None:
    experiment = started(stopping={"rule": "pocock"})
    entry = RegisterEntry.objects.get(kind="declared")
    assert entry.document["declared"]["stopping"] == {
        "rule": "pocock", "looks": [3, 6, 9, 12, 15], "planned": 15, "on": [],
    }  # fmt: skip
    assert analyse(reading.plan_of(experiment), []).plan.stopping.looks == (3, 6, 9, 12, 15)


def test_a_family_of_experiments_is_corrected_together_where_it_says_so() -> None:
    """The same question asked of a clone again: one of three looks."""
    once = {"seeds": [1, 2, 3, 4], "families": {"main": {"across": True}}}
    first = sweep(started(**once), 12)
    alone = reading.result_of(first).comparisons[0]
    assert (alone.family_size, alone.p_adjusted) == (1, alone.outcome.p)
    for slug in ("again", "once-more"):
        clone = declaring.experiment_clone(experiment=first, slug=slug)
        running.experiment_start(experiment=clone)
        sweep(clone, 12)
    result = reading.result_of(Experiment.objects.get(slug="slips"))
    assert result.comparisons[0].family_size == 3
    assert (result.comparisons[0].p_adjusted or 0) >= (alone.p_adjusted or 1)
    page = reporting.report_page(first, result, "en")
    assert "together with 2 tests of the other experiments on the same question" in page


def test_each_rule_is_simulated_before_the_start(admin_client: Client) -> None:
    told = admin_client.post("/api/v1/experiments/check", {"document": NOISE}, content_type="application/json")
    assert told.status_code == 200, told.content
    rules = {one["rule"]: one for one in told.json()["rules"]}
    assert list(rules) == ["fixed", "obrien_fleming", "pocock", "always_valid"]
    assert all(one["false_share"] < 0.075 for one in rules.values())
    assert rules["fixed"]["seeds"] == 15 > rules["pocock"]["seeds"]
