"""A database of commit 4720030, before the rooms moved, with runs in it that are open: it opens, and they go on.

``old/`` holds it as text: an ended run of mining, one of the economist that was paused after 19 steps, one of the
dilemma with mock models after 1, one that was never driven, and one whose person has moved once.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import psycopg
import pytest

ROOT = Path(__file__).resolve().parents[2]
OLD = Path(__file__).parent / "old"
GO_ON = """
import json
from simsite.environment import read
from simsite.launch import database
from simsite.setup import set_django_up
set_django_up()
applied = database.prepare(read().home)
from unittest.mock import patch
from games.site.drive.conductor import conduct
from games.site.models import Participant, Run, RunStatus
from games.site.people.moves import move_submit
from games.site.record.verification import verify_run
from games.site.runs.creating import run_play
told = {}
with patch("celery.current_app.send_task"), patch("games.site.notify.doorbell.get_channel_layer", lambda *_: None):
    for run in Run.objects.order_by("created"):
        before = run.head
        if run.status == RunStatus.PAUSED:
            run_play(run_id=run.pk)
        while run.status not in ("finished", "failed", "stopped"):
            person = Participant.objects.filter(run=run).first()
            if person is not None and run.status == RunStatus.WAITING:
                move = {"action": {"move": "C"}}
                name = f"client-{run.head:04}"
                move_submit(participant=person, tab=person.tab, client_id=name, step=run.head + 1, raw=move)
            conduct(run.pk, run.queue)
            run.refresh_from_db()
        told[f"{run.game}/{run.scenario.name}"] = [before, run.head, run.status, verify_run(run.pk).difference]
print(json.dumps(told))
"""


def restored_sqlite(home: Path) -> dict[str, str]:
    with sqlite3.connect(home / "polity.sqlite3") as file:
        file.executescript(gzip.decompress((OLD / "4720030.sqlite.sql.gz").read_bytes()).decode())
    return {}


def restored_postgresql(url: str) -> dict[str, str]:
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(gzip.decompress((OLD / "4720030.postgresql.sql.gz").read_bytes()).decode())
    return {"DATABASE_URL": url}


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def test_open_runs_of_an_old_database_go_on_and_verify(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if database == "sqlite":
        environ = restored_sqlite(tmp_path)
    else:
        environ = restored_postgresql(request.getfixturevalue("postgres_url"))
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_", "DATABASE"))}
    done = subprocess.run(
        [sys.executable, "-c", GO_ON],
        cwd=ROOT,
        env={**kept, "POLITY_HOME": str(tmp_path), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    runs = json.loads(done.stdout.splitlines()[-1])
    assert {name: [before, status, wrong] for name, (before, _, status, wrong) in runs.items()} == {
        "mining/baseline": [4, "finished", None],
        "economist/default": [19, "finished", None],
        "dilemma/llm-mock": [1, "finished", None],
        "dilemma/study of old": [1, "finished", None],
        "nations/baseline": [-1, "finished", None],
    }


def test_a_new_column_has_a_value_for_rows_that_the_version_before_writes() -> None:
    """Both versions write while a site is upgraded part by part; since 0032, when that was first tried."""
    lacking = []
    for path in sorted((ROOT / "games" / "site" / "migrations").glob("00*.py")):
        if path.name < "0032":
            continue
        for change in import_module(f"games.site.migrations.{path.stem}").Migration.operations:
            field = getattr(change, "field", None)
            if type(change).__name__ == "AddField" and not (field.null or field.has_db_default()):
                lacking.append(f"{path.stem}: {change.model_name}.{change.name}")
            if type(change).__name__ in ("RemoveField", "RenameField", "DeleteModel", "RenameModel"):
                lacking.append(f"{path.stem}: {type(change).__name__}, which the version before still reads")
    assert not lacking
