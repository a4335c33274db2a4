"""An experiment of the site as a publication, with its entry of the register."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.core.codec import digest
from games.core.registry import Registry
from games.lab.folders.reproducing import reproduce
from simsite.commands.publish import publish
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
