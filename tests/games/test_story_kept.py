"""The story of a run of the site: kept when it ends, told so far while it goes on, and to whom."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.lab.scenarios.scenario import load
from games.lab.story import Headline
from games.site.audience import Viewer
from games.site.drive.conductor import conduct
from games.site.models import Cell, Run, Tag
from games.site.runs.creating import run_create
from games.site.runs.gallery import gallery

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played() -> Run:
    """A match of the dilemma, whole."""
    run = run_create(scenario=load("dilemma/tft-vs-alld"), seed=1)
    for _ in range(20):
        conduct(run.pk, "live")
        run.refresh_from_db()
        if run.status == "finished":
            break
    assert run.status == "finished"
    return run


def test_a_finished_run_keeps_its_story_and_every_door_tells_the_same(client: Client, played: Run) -> None:
    kept = played.story
    assert kept is not None
    assert client.get(f"/api/v1/runs/{played.pk}/story").json() == kept
    summary = client.get(f"/api/v1/runs/{played.pk}").json()
    assert summary["outcome"]["en"] == "B (ALLD) wins by 5 points and is ahead from round 1 to the end"
    page = client.get(f"/m/{played.pk}").content.decode()
    assert "B (ALLD) wins by 5 points" in page.split('property="og:title"')[1][:200]


def test_a_run_from_before_stories_were_kept_is_told_from_its_log(client: Client, played: Run) -> None:
    kept = dict(played.story or {})
    Run.objects.filter(pk=played.pk).update(story=None)
    assert client.get(f"/api/v1/runs/{played.pk}/story").json() == kept


def test_a_bulk_run_keeps_what_came_of_it_and_tells_the_rest_when_it_is_read(client: Client, played: Run) -> None:
    bulk = run_create(scenario=load("dilemma/tft-vs-alld"), seed=1, queue="bulk")
    conduct(bulk.pk, "bulk")
    bulk.refresh_from_db()
    kept = played.story or {}
    assert bulk.story == {key: kept[key] for key in kept if key in Headline.__annotations__}
    assert client.get(f"/api/v1/runs/{bulk.pk}/story").json() == kept
    assert client.get(f"/api/v1/runs/{bulk.pk}").json()["outcome"]["en"].startswith("B (ALLD) wins by 5 points")
    Tag.objects.create(run=bulk, name="gallery")
    assert [one["run"]["id"] for one in gallery(Viewer(operator=True))] == [bulk.pk]


def test_who_does_not_see_everything_is_told_nothing(client: Client, played: Run) -> None:
    assert client.get(f"/api/v1/runs/{played.pk}/story?as=0").json() is None
    Run.objects.filter(pk=played.pk).update(audience={"kind": "public"})
    assert client.get(f"/api/v1/runs/{played.pk}/story").json() is None
    assert "wins by" not in client.get(f"/m/{played.pk}").content.decode()


def test_runs_are_sorted_by_who_won_and_by_how_much(admin_client: Client, played: Run) -> None:
    other = run_create(scenario=load("dilemma/tft-vs-alld"), seed=2)
    told = {**(played.story or {}), "first": [0], "relative": 0.5}
    Run.objects.filter(pk=other.pk).update(status="finished", story=json.loads(json.dumps(told)))
    for sort, ids in (("outcome", [other.pk, played.pk]), ("-outcome", [played.pk, other.pk])):
        rows = admin_client.get(f"/api/v1/runs/table?sort={sort}").json()["rows"]
        assert [row["id"] for row in rows] == ids


def test_a_run_of_an_experiment_leads_to_its_neighbours(client: Client, played: Run) -> None:
    from games.site.models import Experiment
    from games.site.runs.siblings import siblings

    scenario = load("dilemma/tft-vs-alld")
    runs = [played, *(run_create(scenario=scenario, seed=seed) for seed in (2, 3, 4))]
    of = Experiment.objects.create(slug="near", game="dilemma", declared={})
    places = [("a", 1), ("a", 2), ("a", 3), ("b", 2)]
    for order, (run, (condition, replicate)) in enumerate(zip(runs, places, strict=True)):
        Cell.objects.create(
            experiment=of, order=order, condition=condition, replicate=replicate, seed=run.seed, run=run
        )
    near = siblings(runs[1], Viewer(operator=True))
    assert near is not None

    def names(one: Any) -> Any:
        return one and one["id"]

    assert (names(near["previous"]), names(near["next"])) == (runs[0].pk, runs[2].pk)
    assert [one["id"] for one in near["beside"]] == [runs[3].pk]
    assert siblings(run_create(scenario=scenario, seed=9), Viewer(operator=True)) is None
