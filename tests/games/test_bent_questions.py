"""Ten ways to bend an answer by the API and the command line: each leaves its mark before the verdict is told."""

from __future__ import annotations

import copy
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from games.core.registry import Registry
from games.errors.faults import BadFolder
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import labels_of, report_files, result_of
from games.lab.folders.running import run as run_folder
from games.lab.scenarios.scenario import load
from games.site.experiments import running
from games.site.experiments.running import experiments_continue
from games.site.models import Experiment
from tests.games.test_experiments import played

pytestmark = pytest.mark.django_db
DOCUMENT: dict[str, Any] = {
    "game": "dilemma",
    "config": {"rounds": 8, "noise_a": 0.05},
    "seats": {"default": {"policy": "TFT"}},
    "factors": {"noise": {"field": "noise_b", "levels": [0.0, 0.2, 0.3]}},
    "seeds": [1, 2, 3],
    "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "noise-0.3", "direction": "differs"}},
}
Bend = Callable[[dict[str, Any]], None]


def _late(plan: dict[str, Any]) -> None:
    plan["hypotheses"]["more"] = {"metric": "both_cooperate_rate", "of": "noise-0.2"}


def _metric(plan: dict[str, Any]) -> None:
    plan["hypotheses"]["slips"]["metric"] = "both_cooperate_rate"


def _one_sided(plan: dict[str, Any]) -> None:
    plan["hypotheses"]["slips"]["direction"] = "lower"


def _subgroup(plan: dict[str, Any]) -> None:
    plan["factors"]["noise"]["levels"] = [0.0, 0.3]


def _outliers(plan: dict[str, Any]) -> None:
    plan["report"] = {"leave_out": {"cleaned": 0.1}}


def _merged(plan: dict[str, Any]) -> None:
    plan["hypotheses"]["slips"] = {
        "metric": "cooperation_rate",
        "weights": {"noise-0.2": 0.5, "noise-0.3": 0.5, "noise-0.0": -1},
    }


def _nothing(plan: dict[str, Any]) -> None:
    pass


BENDS: dict[str, tuple[Bend, str]] = {
    "late hypothesis": (_late, "more: – → both_cooperate_rate differs"),
    "changed metric": (_metric, "slips.metric: cooperation_rate → both_cooperate_rate"),
    "one-sided after the look": (_one_sided, "slips.direction: differs → lower"),
    "subgroup": (_subgroup, "conditions.noise-0.2: played → –"),
    "outlier rule": (_outliers, "leave_out.cleaned: – → 0.1"),
    "merged arms": (_merged, "slips.weights.noise-0.2: – → 0.5"),
}


def begun(client: Client, slug: str, document: dict[str, Any]) -> Experiment:
    posted = client.post("/api/v1/experiments", {"slug": slug, "document": document}, content_type="application/json")
    assert posted.status_code == 201, posted.content
    assert client.post(f"/api/v1/experiments/{slug}/start").status_code == 200
    return Experiment.objects.get(slug=slug)


def head(page: str) -> str:
    """What stands before the hypotheses: all that the first screen shows."""
    return html.unescape(re.split(r"<h2", page, maxsplit=1)[0].rpartition("<header>")[2])


def told(client: Client, slug: str) -> tuple[str, list[str]]:
    """The report's head, and the first lines of the experiment's page as the API gives them."""
    report = head(client.get(f"/api/v1/experiments/{slug}/report.html").content.decode())
    lines = client.get(f"/api/v1/experiments/{slug}").json()["provenance"]["sentences"]["en"]
    for line in lines:
        assert line in report
        assert report.index(line) < report.index("shown in every test")
    return report, lines


@pytest.mark.parametrize(("how", "is_clone"), [*((how, True) for how in BENDS), ("one-sided after the look", False)])
def test_a_question_that_was_changed_after_its_answer_says_what_was_changed(
    how: str, is_clone: bool, admin_client: Client
) -> None:
    played(begun(admin_client, "first", DOCUMENT))
    document = copy.deepcopy(DOCUMENT)
    bend, mark = BENDS[how]
    if is_clone:
        made = admin_client.post("/api/v1/experiments/first/clone", {"slug": "second"}, content_type="application/json")
        assert made.status_code == 201, made.content
        document = copy.deepcopy(made.json()["document"])
        assert document["seeds"] == [4, 5, 6]
        bend(document)
        changed = admin_client.patch(
            "/api/v1/experiments/second", {"document": document}, content_type="application/json"
        )
        assert changed.status_code == 200, changed.content
        running.experiment_start(experiment=Experiment.objects.get(slug="second"))
    else:
        bend(document)
        begun(admin_client, "second", {**document, "seeds": [7, 8, 9]})
    played(Experiment.objects.get(slug="second"))
    _, lines = told(admin_client, "second")
    assert any(line.startswith("One of 2 experiments on the same question: first") for line in lines), lines
    assert any(line.startswith("first asked first") and mark in line for line in lines), lines


def test_cloned_seeds_and_another_name_are_told(admin_client: Client) -> None:
    played(begun(admin_client, "first", DOCUMENT))
    played(begun(admin_client, "better-name", DOCUMENT))
    _, lines = told(admin_client, "better-name")
    assert "9 of the 9 planned runs had been played before, with the same settings and seed, in first." in lines
    assert "One of 2 experiments on the same question: first." in lines
    assert lines[-1].startswith("What follows is exploratory")


def test_another_question_is_no_relative(admin_client: Client) -> None:
    begun(admin_client, "first", DOCUMENT)
    begun(admin_client, "other", {**DOCUMENT, "config": {"rounds": 9, "noise_a": 0.1}})
    _, lines = told(admin_client, "other")
    assert not [line for line in lines if "same question" in line or "asked first" in line]


def test_who_stops_when_it_is_significant_is_told_with_the_look_and_what_was_not_played(admin_client: Client) -> None:
    document = {**DOCUMENT, "seeds": list(range(1, 30))}
    made = admin_client.post(
        "/api/v1/experiments", {"slug": "long", "document": document, "at_once": 6}, content_type="application/json"
    )
    assert made.status_code == 201, made.content
    admin_client.post("/api/v1/experiments/long/start")
    experiments_continue()
    assert admin_client.get("/api/v1/experiments/long/result?peek=true").status_code == 200
    assert admin_client.post("/api/v1/experiments/long/cancel").status_code == 200
    report, lines = told(admin_client, "long")
    assert any("of 87 planned runs were played; the rest was cancelled by admin (" in line for line in lines), lines
    assert "before it was over: p does not hold what it promises" in report


def test_a_run_cannot_be_dropped(admin_client: Client) -> None:
    """Runs of an experiment have no door by which they go; a row that is gone from the database is counted."""
    experiment = played(begun(admin_client, "first", DOCUMENT))
    run = experiment.runs.order_by("seed").first()
    assert run is not None
    assert admin_client.delete(f"/api/v1/runs/{run.pk}").status_code in (403, 404, 405, 409)
    experiment.cells.filter(run=run).update(run=None)
    _, lines = told(admin_client, "first")
    assert any(line.startswith("8 of 9 planned runs were played") for line in lines), lines


# --- by the command line: no register there, which stands first --------------------------------------------


def written(place: Path, name: str, document: dict[str, Any]) -> Path:
    (place / f"{name}.yaml").write_text(yaml.safe_dump(document), "utf-8")
    run_folder(load(str(place / f"{name}.yaml")), place / name, jobs=1)
    return place / name


def page_of(folder: Path) -> str:
    opened = RunFolder(folder, Registry())
    return head(report_files(result_of(opened), labels_of(opened, "en"))["report.html"])


@pytest.mark.parametrize("how", [*BENDS, "cloned seeds", "renamed"])
def test_a_folder_of_the_command_line_says_first_that_nobody_registered_it(how: str, tmp_path: Path) -> None:
    document = copy.deepcopy(DOCUMENT)
    BENDS.get(how, (_nothing, ""))[0](document)
    report = page_of(written(tmp_path, "again", {**document, "written": "2020-01-01"}))
    assert "Not registered: no register says when this was declared." in report
    assert "gives the date 2020-01-01; nobody has checked it" in report
    assert "What follows is exploratory" in report


def test_a_folder_whose_plan_was_bent_after_its_runs_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, "first", DOCUMENT)
    manifest = json.loads((folder / "run_manifest.json").read_text("utf-8"))
    manifest["experiment"]["comparisons"][0]["direction"] = "lower"
    (folder / "run_manifest.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(BadFolder, match=r"run_manifest\.json: not the bytes that were written"):
        page_of(folder)
