"""Experiments out of the site as run folders, and run folders into the site."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.errors.faults import BadFolder
from games.errors.requests import BadRequest
from games.lab.folders.folder import stamp
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import labels_of, report_files, result_of
from games.lab.folders.running import run as run_folder
from games.lab.folders.verifying import verify
from games.lab.scenarios.scenario import load_data
from games.site.experiments import declaring, reading, running
from games.site.experiments.exporting import experiment_folder
from games.site.experiments.importing import folder_import
from games.site.models import Cell, Experiment, Run
from games.site.record.verification import verify_run
from tests.games.test_experiments import DOCUMENT, played, started

pytestmark = pytest.mark.django_db
LOGS = ("rounds.jsonl", "events.jsonl", "decisions.jsonl", "aggregates.parquet")
MIXED: dict[str, Any] = {
    "base": "mining/mixed",
    "config": {"rounds": 12},
    "factors": {"cap": {"field": "mine_cap", "levels": [2, 3]}},
    "seeds": [4, 5],
    "hypotheses": {"H1": {"metric": "gini", "of": "*", "direction": "differs"}},
}


@pytest.mark.parametrize("document", [DOCUMENT, MIXED], ids=["dilemma", "mining"])
def test_the_folder_of_an_experiment_is_the_one_that_the_shell_writes(document: Any, tmp_path: Path) -> None:
    experiment = declaring.experiment_create(slug="out", document=document)
    running.experiment_start(experiment=experiment)
    played(experiment)
    assert experiment_folder(experiment=experiment, out=tmp_path / "site") == Run.objects.count()
    run_folder(declaring.loaded_of(document), tmp_path / "shell", jobs=1, is_plain=True)
    for name in LOGS:
        assert (tmp_path / "site" / name).read_bytes() == (tmp_path / "shell" / name).read_bytes(), name
    ours, theirs = (json.loads((tmp_path / one / "run_manifest.json").read_text()) for one in ("site", "shell"))
    for told in (ours, theirs):
        del told["timestamps"], told["seal"]
    assert ours == theirs


@pytest.mark.parametrize("pairing", ["common", "independent"])
def test_what_goes_out_comes_in_and_goes_out_again_is_the_same_report(pairing: str, tmp_path: Path) -> None:
    experiment = _own({**DOCUMENT, "pairing": pairing})
    played(experiment)
    experiment_folder(experiment=experiment, out=tmp_path / "out")
    brought = folder_import(path=tmp_path / "out", slug="brought")
    experiment_folder(experiment=brought, out=tmp_path / "again")
    first, second = RunFolder(tmp_path / "out"), RunFolder(tmp_path / "again")
    assert [verdict.difference for verdict in verify(second)] == [None] * 6
    assert second.manifest == first.manifest
    experiment.refresh_from_db()
    assert experiment.ended is not None
    assert first.manifest["timestamps"]["finished"] == stamp(experiment.ended), "of the run, not of the export"
    for language in ("en", "zh"):
        ours, theirs = (report_files(result_of(one), labels_of(one, language)) for one in (first, second))
        assert ours == theirs


@pytest.mark.parametrize("document", [DOCUMENT, MIXED], ids=["dilemma", "mining"])
def test_a_folder_that_comes_in_says_what_it_said_and_its_runs_hold_their_chain(document: Any, tmp_path: Path) -> None:
    loaded = load_data(document, "file", "")
    run_folder(loaded, tmp_path / "made", jobs=1)
    experiment = folder_import(path=tmp_path / "made", slug="brought")
    assert (experiment.status, experiment.plan_hash) == ("finished", loaded.plan_hash())
    played(started(slug="own") if document is DOCUMENT else _own(document))
    ours, theirs = (reading.result_of(Experiment.objects.get(slug=one)).plain() for one in ("brought", "own"))
    assert ours == theirs
    for run in Run.objects.filter(experiment=experiment):
        assert verify_run(run.pk).difference is None
        twin = Cell.objects.get(experiment__slug="own", condition=run.condition, replicate=run.replicate).run
        assert twin is not None
        assert (run.head_hash, run.metrics, run.tally) == (twin.head_hash, twin.metrics, twin.tally)
    assert experiment_folder(experiment=experiment, out=tmp_path / "again") == len(loaded.seeds) * 2
    again, made = RunFolder(tmp_path / "again"), RunFolder(tmp_path / "made")
    for name in LOGS[:3]:
        assert list(again.lines(name)) == list(made.lines(name)), name
    assert (again.is_packed, made.is_packed) == (False, True)


def _own(document: Any) -> Experiment:
    experiment = declaring.experiment_create(slug="own", document=document)
    running.experiment_start(experiment=experiment)
    return experiment


def test_a_folder_of_models_comes_in_with_its_steps(tmp_path: Path) -> None:
    document = {"base": "dilemma/llm-mock", "config": {"rounds": 4}, "seeds": [1]}
    run_folder(load_data(document, "file", ""), tmp_path / "made", jobs=1)
    experiment = folder_import(path=tmp_path / "made", slug="mocks")
    run = Run.objects.get(experiment=experiment)
    assert verify_run(run.pk).difference is None


def test_an_altered_folder_or_a_bad_name_leaves_nothing_behind(tmp_path: Path) -> None:
    run_folder(load_data(DOCUMENT, "file", ""), tmp_path / "made", jobs=1)
    with pytest.raises(BadRequest, match="small letters"):
        folder_import(path=tmp_path / "made", slug="No Name")
    rounds = tmp_path / "made" / "rounds-00000.jsonl.zst"
    rounds.write_bytes(rounds.read_bytes()[:-1])
    with pytest.raises(BadFolder, match="not the bytes"):
        folder_import(path=tmp_path / "made", slug="altered")
    assert (Experiment.objects.count(), Run.objects.count()) == (0, 0)


def test_an_experiment_without_a_finished_run_has_no_folder_and_one_that_goes_on_says_so(tmp_path: Path) -> None:
    experiment = started()
    with pytest.raises(BadRequest, match="no run is finished"):
        experiment_folder(experiment=experiment, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    from games.site.drive.conductor import conduct

    for run in Run.objects.all()[:2]:
        conduct(run.pk, run.queue)
    assert experiment_folder(experiment=experiment, out=tmp_path / "out") == 2
    told = json.loads((tmp_path / "out" / "run_manifest.json").read_text())
    assert told["unfinished"] == {"why": "running", "runs": 2, "of": 6}
    with pytest.raises(BadRequest, match="not all there"):
        folder_import(path=tmp_path / "out", slug="part")


def zipped(folder: Path, inside: str = "made/") -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, f"{inside}{file.relative_to(folder)}")
    return base64.b64encode(packed.getvalue()).decode()


def test_a_folder_is_sent_to_the_site_as_a_zip_file(
    tmp_path: Path, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_folder(load_data(DOCUMENT, "file", ""), tmp_path / "made", jobs=1)

    def sent(archive: str, slug: str = "brought") -> Any:
        return admin_client.post(
            "/api/v1/experiments/import", {"slug": slug, "archive": archive}, content_type="application/json"
        )

    told = sent(zipped(tmp_path / "made", "../../made/"))
    assert told.status_code == 201, told.content
    assert (told.json()["status"], told.json()["done"]) == ("finished", 6)
    assert sent(zipped(tmp_path / "made")).json()["error"]["code"] == "slug_taken"
    (tmp_path / "made" / "rounds-00000.jsonl.zst").write_text("{}\n")
    altered = sent(zipped(tmp_path / "made"), "altered")
    assert altered.status_code == 422
    assert "polity-import" not in altered.content.decode(), "where the server unpacked it is nobody's business"
    (tmp_path / "made" / "run_manifest.json").unlink()
    assert sent(zipped(tmp_path / "made"), "none").json()["error"]["why"] == "no_folder"
    monkeypatch.setattr("games.site.experiments.uploading.BYTES_MAX", 10)
    run_folder(load_data(DOCUMENT, "file", ""), tmp_path / "again", jobs=1)
    assert sent(zipped(tmp_path / "again"), "big").json()["error"]["why"] == "big"
    assert Experiment.objects.count() == 1
