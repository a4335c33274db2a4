"""The lobby's list: runs of one experiment share a row, wherever they stand among the others."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.lab.scenarios.scenario import load
from games.site.audience import VISITOR, Viewer
from games.site.experiments.declaring import experiment_create
from games.site.experiments.latest import latest
from games.site.experiments.running import experiment_start
from games.site.models import Experiment, Run
from games.site.runs.creating import run_create

pytestmark = pytest.mark.django_db
OPERATOR = Viewer(operator=True)
DOCUMENT = {
    "title": {"en": "Does noise end it?"},
    "base": "dilemma/noisy",
    "factors": {"noise": {"field": "noise_a", "levels": [0, 0.3]}},
    "seeds": "1..6",
}


def alone() -> str:
    return run_create(scenario=load("dilemma/noisy"), seed=1).pk


def study(slug: str) -> Experiment:
    made = experiment_create(slug=slug, document=DOCUMENT)
    experiment_start(experiment=made)
    return made


def slugs(viewer: Viewer, limit: int = 8) -> list[str]:
    """Of each row its experiment, or the run's id."""
    return [row["experiment"]["slug"] if row["experiment"] else row["run"]["id"] for row in latest(viewer, limit)]


def test_an_experiment_has_one_row_and_what_stands_behind_it_is_still_there() -> None:
    first, _, second, third = alone(), study("noise"), alone(), alone()
    assert slugs(VISITOR) == [third, second, "noise", first]
    study("more-noise")
    assert slugs(VISITOR, 3) == ["more-noise", third, second], "twelve newer runs took the others' places"


def test_a_row_says_how_far_the_experiment_is_and_shows_its_newest_run() -> None:
    made = study("noise")
    runs = Run.objects.filter(experiment=made).order_by("created")
    runs.filter(pk__in=[run.pk for run in runs[:3]]).update(status="finished")
    runs.filter(pk=runs[3].pk).update(status="failed")
    (row,) = latest(VISITOR, 8)
    assert row["run"]["id"] == runs.last().pk  # type: ignore[union-attr]
    assert row["experiment"] == {
        "slug": "noise",
        "title": {"en": "Does noise end it?"},
        "status": "running",
        "conditions": 2,
        "runs": 12,
        "done": 4,
        "failed": 1,
        "cost_usd": None,
    }
    runs.update(cost_usd="0.25")
    assert [latest(viewer, 8)[0]["experiment"]["cost_usd"] for viewer in (VISITOR, OPERATOR)] == [None, 3.0]  # type: ignore[index]


def test_who_is_not_told_of_an_experiment_sees_no_row_of_it() -> None:
    made = study("noise")
    Experiment.objects.filter(pk=made.pk).update(audience={"kind": "omniscient", "to": "link"})
    assert slugs(OPERATOR) == ["noise"]
    assert [row["experiment"] for row in latest(VISITOR, 4)] == [None] * 4, "runs that are for all stay by themselves"
    Run.objects.filter(experiment=made).update(audience={"kind": "omniscient", "to": "link"})
    assert latest(VISITOR, 4) == []


def test_the_list_costs_no_more_queries_for_a_longer_experiment(django_assert_max_num_queries: Any) -> None:
    study("noise")
    with django_assert_max_num_queries(9):
        assert slugs(VISITOR) == ["noise"]


def test_the_lobby_and_the_api_tell_the_same(client: Client) -> None:
    study("noise")
    told = client.get("/api/v1/runs/latest").json()
    assert [row["experiment"]["slug"] for row in told] == ["noise"]
    assert "Does noise end it?" in client.get("/").content.decode()
