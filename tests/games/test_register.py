"""Declared before the first run, chained, and said first: how an experiment's answer came about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.core.codec import digest
from games.site.experiments import declaring, running
from games.site.experiments.exporting import experiment_folder
from games.site.experiments.importing import folder_import
from games.site.experiments.provenance import provenance_of
from games.site.experiments.registering import faults
from games.site.models import Experiment, RegisterEntry, RegisterKind
from tests.games.test_experiments import DOCUMENT, declared, played, started

pytestmark = pytest.mark.django_db


def first_lines(experiment: Experiment) -> list[str]:
    from games.lab.analysis.report.labels import Labels

    return Labels("en", "", "", provenance=provenance_of(experiment)).came_about()


def test_a_declaration_is_registered_before_its_first_run_and_its_end_after_the_last() -> None:
    experiment = played(started())
    before, after = RegisterEntry.objects.order_by("number")
    assert (before.kind, after.kind) == (RegisterKind.DECLARED, RegisterKind.ENDED)
    assert before.at < min(run.created for run in experiment.runs.all())
    assert before.document["declared"]["comparisons"][0]["hypothesis"] == "slips"
    assert before.document["planned"] == 6
    assert after.document == {"experiment": "slips", "status": "finished", "reason": {}, "planned": 6, "played": 6}
    assert list(faults()) == []
    lines = first_lines(experiment)
    assert lines[0].startswith("Registered before the first run: entry 1 of this site’s register, ")
    assert lines[1] == "All 6 planned runs were played."
    assert not provenance_of(experiment).is_exploratory


def test_the_digest_covers_the_hypotheses() -> None:
    started(slug="one")
    other = {**DOCUMENT, "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "*", "direction": "higher"}}}
    running.experiment_start(experiment=declaring.experiment_create(slug="other", document=other))
    one, two = RegisterEntry.objects.filter(kind=RegisterKind.DECLARED).order_by("number")
    assert one.document["plan_hash"] == two.document["plan_hash"]
    assert one.document["declared"] != two.document["declared"]
    assert digest({**two.document, "declared": one.document["declared"]}) != two.digest


@pytest.mark.parametrize("how", ["document", "time", "gone"])
def test_a_changed_or_missing_entry_breaks_the_chain(how: str) -> None:
    played(started())
    played(started(slug="again"))
    second = RegisterEntry.objects.get(number=2)
    if how == "document":
        RegisterEntry.objects.filter(number=2).update(document={**second.document, "played": 5})
    elif how == "time":
        RegisterEntry.objects.filter(number=2).update(at=second.at.replace(year=2020))
    else:
        second.delete()
    assert any("entry 2" in line or "entry 3" in line for line in faults())


def test_the_same_seeds_again_are_said_first_and_make_the_answer_exploratory() -> None:
    played(started())
    clone = declaring.experiment_clone(experiment=Experiment.objects.get(slug="slips"), slug="late", fresh_seeds=False)
    changed = {**clone.document, "hypotheses": {"slips": {**DOCUMENT["hypotheses"]["slips"], "direction": "higher"}}}
    declaring.experiment_change(experiment=clone, document=changed)
    running.experiment_start(experiment=clone)
    played(clone)
    lines = first_lines(clone)
    assert "6 of the 6 planned runs had been played before, with the same settings and seed, in slips." in lines
    assert "One of 2 experiments on the same question: slips." in lines
    assert lines[-1].startswith("What follows is exploratory")
    assert provenance_of(clone).is_exploratory


def test_a_hypothesis_that_came_later_is_one_change_and_not_one_of_each_of_its_parts() -> None:
    played(started())
    clone = declaring.experiment_clone(experiment=Experiment.objects.get(slug="slips"), slug="late")
    late = {"metric": "both_cooperate_rate", "of": "noise-0.3", "direction": "lower"}
    declaring.experiment_change(
        experiment=clone, document={**clone.document, "hypotheses": {**clone.document["hypotheses"], "late": late}}
    )
    running.experiment_start(experiment=clone)
    assert "slips asked first; since then it was changed in: late: – → both_cooperate_rate lower t." in first_lines(
        clone
    )


def test_a_clone_has_as_many_seeds_that_none_of_its_family_has() -> None:
    first = declared()
    second = declaring.experiment_clone(experiment=first, slug="second")
    third = declaring.experiment_clone(experiment=first, slug="third")
    assert second.document["seeds"] == [4, 5, 6]
    assert third.document["seeds"] == [7, 8, 9]
    running.experiment_start(experiment=second)
    assert provenance_of(second).seen == 0


def test_who_stopped_it_after_how_many_runs_is_said_first(admin_client: Client) -> None:
    experiment = started()
    assert "0 of 6 planned runs were played so far; the rest is still running." in first_lines(experiment)
    admin_client.post("/api/v1/experiments/slips/cancel")
    experiment.refresh_from_db()
    lines = first_lines(experiment)
    assert any(line.startswith("0 of 6 planned runs were played; the rest was cancelled by admin (") for line in lines)
    report = admin_client.get("/api/v1/experiments/slips/report.html").content.decode()
    assert report.index("cancelled by admin") < report.index("in every test asked for")
    told = admin_client.get("/api/v1/experiments/slips").json()["provenance"]
    assert (told["registered"], told["planned"], told["played"]) == ("before", 6, 0)
    assert told["sentences"]["zh"]


def test_a_posted_date_is_a_claim() -> None:
    document = {**DOCUMENT, "written": "2020-01-01"}
    experiment = declaring.experiment_create(slug="old", document=document)
    running.experiment_start(experiment=experiment)
    experiment.refresh_from_db()
    assert "The declaration itself gives the date 2020-01-01; nobody has checked it." in first_lines(experiment)


def test_what_came_in_with_its_runs_is_not_registered_here(tmp_path: Path) -> None:
    experiment_folder(experiment=played(started()), out=tmp_path / "out")
    made = folder_import(path=tmp_path / "out", slug="came-in")
    lines = first_lines(made)
    assert lines[0].startswith("Not registered here: it was imported on ")
    assert lines[-1].startswith("What follows is exploratory")


def test_an_experiment_of_before_the_register_says_that_it_is_not_registered() -> None:
    experiment = played(started())
    RegisterEntry.objects.all().delete()
    assert first_lines(experiment)[0].startswith("Not registered: ")


def test_strangers_see_numbers_and_hashes_and_no_document_of_what_is_not_theirs(
    client: Client, admin_client: Client
) -> None:
    started(audience={"to": "members", "kind": "omniscient"})
    started(slug="open")
    rows: list[dict[str, Any]] = client.get("/api/v1/register").json()
    assert [row["experiment"] for row in rows] == [None, "open"]
    assert rows[0]["document"] is None
    assert len(rows[0]["hash"]) == 32
    assert [row["experiment"] for row in admin_client.get("/api/v1/register").json()] == ["slips", "open"]
    page = client.get("/register").content.decode()
    assert rows[1]["hash"] in page
    assert "/e/slips" not in page


@pytest.mark.parametrize(("model", "is_said"), [("mock/TFT", True), ("openai/local", False)])
def test_an_answer_of_mocks_alone_says_so_and_one_of_a_real_model_does_not(model: str, is_said: bool) -> None:
    seats = {"0": {"model": "mock/ALLD"}, "1": {"model": model}}
    experiment = declaring.experiment_create(slug="mocks", document={**DOCUMENT, "seats": seats})
    running.experiment_start(experiment=experiment)
    assert any("mocks" in line for line in first_lines(experiment)) == is_said
    assert provenance_of(experiment).mocked == is_said
