"""An experiment of the site as a publication, with its entry of the register."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from games.core.codec import digest
from games.core.registry import Registry
from games.lab.folders.bundle import Bundle
from games.lab.folders.packing import lines_in
from games.lab.folders.reproducing import opened, reproduce
from games.site.drive.conductor import conduct
from games.site.experiments.running import experiments_continue
from games.site.models import Run
from simsite.commands.publish import publish
from tests.games.persons import Person
from tests.games.test_experiments import played, started

pytestmark = pytest.mark.django_db


def test_an_experiment_of_the_site_is_published_with_its_entry_and_made_again(tmp_path: Path) -> None:
    experiment = started()
    played(experiment)
    assert publish(experiment.slug, tmp_path / "crate", yes=True) == 0
    told = json.loads((tmp_path / "crate" / "register.json").read_text("utf-8"))
    assert told["subject"] == f"experiment {experiment.slug}"
    assert told["digest"] == digest(told["document"])
    wrong = [(name, why) for name, why in reproduce(tmp_path / "crate", Registry(), None) if why is not None]
    assert wrong == []
    text = (tmp_path / "crate" / "register.json").read_text("utf-8")
    (tmp_path / "crate" / "register.json").write_text(text.replace('"kind": "declared"', '"kind": "imported"'), "utf-8")
    wrong = [name for name, why in reproduce(tmp_path / "crate", Registry(), None) if why is not None]
    assert wrong[0] == "register.json"


LABELLED = "Ann-Sophie of Lund"
PEOPLED = {
    "game": "dilemma",
    "config": {"rounds": 3},
    "seats": {0: {"person": True, "substitute": {"policy": "TFT"}}, 1: {"policy": "TFT"}},
    "factors": {"noise": {"field": "noise_b", "levels": [0.0, 0.3]}},
    "seeds": [1, 2],
    "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "noise-0.3"}},
}


@pytest.mark.django_db(transaction=True)
def test_an_experiment_with_people_is_published_without_them_and_made_again(
    admin_client: Client, tmp_path: Path
) -> None:
    posted = admin_client.post(
        "/api/v1/experiments", {"slug": "peopled", "document": PEOPLED}, content_type="application/json"
    )
    assert posted.status_code == 201, posted.content
    assert admin_client.post("/api/v1/experiments/peopled/start").status_code == 200
    experiments_continue()
    secrets = [LABELLED]
    for run in Run.objects.filter(experiment__slug="peopled"):
        ann = Person()
        assert ann.joins(run.code, label=LABELLED).status_code == 201
        ann.starts()
        for _ in range(12):
            conduct(run.pk, "live")
            if (turn := ann.sees().get("turn")) is not None and turn["moved"] is None:
                assert ann.moves(turn["step"], action={"move": "C"}).status_code == 200
        secrets += [ann.id, str(run.code)]
    experiments_continue()
    assert set(Run.objects.filter(experiment__slug="peopled").values_list("status", flat=True)) == {"finished"}
    assert admin_client.get("/api/v1/experiments/peopled/publication").json() == {"private": []}
    told = admin_client.get("/api/v1/experiments/peopled/publication.zip?author=E.%20Ostrom")
    assert (told.status_code, told["Content-Type"]) == (200, "application/zip")
    assert Client().get("/api/v1/experiments/peopled/publication.zip").status_code in (401, 403)
    (tmp_path / "it.zip").write_bytes(told.content)
    with opened(tmp_path / "it.zip") as crate:
        wrong = [(name, why) for name, why in reproduce(crate, Registry(), bundle()) if why is not None]
        assert wrong == []
        files = [path for path in crate.rglob("*") if path.is_file()]
        texts = b"".join(packed(path) if path.suffix == ".zst" else path.read_bytes() for path in files)
    assert b"E. Ostrom" in texts
    assert b'"person"' in texts
    for secret in secrets:
        assert secret.encode() not in texts, secret


def packed(path: Path) -> bytes:
    with path.open("rb") as file:
        return b"".join(lines_in(file))


def bundle() -> Bundle | None:
    """The pages that the site put into the replays, where they are built here."""
    place = Path(settings.BUNDLE_DIR)
    return Bundle(place) if place.is_dir() else None
