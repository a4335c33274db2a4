"""What goes out of a site on SQLite comes in on PostgreSQL and goes out again with the same report, game by game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.core.registry import Registry
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import labels_of, report_files, result_of
from games.lab.folders.running import run
from games.lab.folders.verifying import verify
from games.lab.scenarios.scenario import load_data

GAMES: dict[str, dict[str, Any]] = {
    "dilemma": {"config": {"rounds": 5}, "factor": ("noise_b", [0.0, 0.3])},
    "mining": {"config": {"miners": 2, "rows": 3, "cols": 3, "rounds": 3}, "factor": ("raid_tax", [0, 2])},
    "nations": {
        "config": {"nations": 3, "territories": 6, "rounds": 2, "turns": 2, "armies": [2, 0, 1]},
        "factor": ("turns", [1, 2]),
    },
    "economist": {"config": {"epochs": 2, "steps_per_epoch": 2}, "factor": ("epochs", [1, 2])},
    "public_goods": {"config": {"rounds": 3}, "factor": ("rounds", [2, 3])},
}
SCRIPT = """
import json, sys
from pathlib import Path
from simsite.setup import set_django_up
set_django_up()
from simsite.environment import read
from simsite.launch import database
database.prepare(read().home)
from games.site.experiments.exporting import experiment_folder
from games.site.experiments.importing import folder_import
for name, source, target in json.loads(sys.argv[1]):
    experiment_folder(experiment=folder_import(path=Path(source), slug=name), out=Path(target))
"""


def through(home: Path, folders: list[tuple[str, Path, Path]], **environ: str) -> None:
    """In at a site and out again, each by name, from where, to where."""
    home.mkdir(mode=0o700)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("POLITY_", "DATABASE_"))}
    told = json.dumps([[name, str(source), str(target)] for name, source, target in folders])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, told],
        env={**kept, "POLITY_HOME": str(home), "DJANGO_SETTINGS_MODULE": "simsite.settings", **environ},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_a_report_is_the_same_after_a_way_through_both_databases(tmp_path: Path, postgres_url: str) -> None:
    made: dict[str, Path] = {}
    for game, told in GAMES.items():
        field, levels = told["factor"]
        for pairing in ("common", "independent"):
            document = {
                "game": game,
                "config": told["config"],
                "seats": {0: {"model": "mock/default"}},
                "factors": {"f": {"field": field, "levels": levels}},
                "pairing": pairing,
                "seeds": [1, 2, 3],
            }
            name = f"{game.replace('_', '-')}-{pairing}"
            run(load_data(document, "file", ""), tmp_path / "made" / name, jobs=1)
            made[name] = tmp_path / "made" / name
    through(tmp_path / "sqlite", [(name, path, tmp_path / "one" / name) for name, path in made.items()])
    second = [(name, tmp_path / "one" / name, tmp_path / "two" / name) for name in made]
    through(tmp_path / "pg", second, DATABASE_URL=postgres_url)
    for name, first in made.items():
        again = RunFolder(tmp_path / "two" / name, Registry())
        assert [verdict.difference for verdict in verify(again)] == [None] * 6, name
        folders = (RunFolder(first, Registry()), again)
        ours, theirs = (report_files(result_of(one), labels_of(one, "en")) for one in folders)
        assert ours == theirs, name
