"""Archives of each night: named, tried beside the site, counted and verified; old ones go only after a good one."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from games.errors.faults import Refused
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import AuditEntry, Run
from games.site.runs.creating import run_create
from simsite import drilling, keeping
from simsite.health import backup_ages

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played(settings: Any, tmp_path: Path) -> Path:
    """A folder for the archives of a site with a run that has ended and one that has not begun."""
    settings.POLITY_HOME = tmp_path / "home"
    few = load("mining/baseline", extra=[Layer("test", {"miners": 4, "rows": 5, "cols": 5, "rounds": 4}, {})])
    conduct(run_create(scenario=few).pk, "live")
    run_create(scenario=few)
    (tmp_path / "archives").mkdir()
    return tmp_path / "archives"


def rewritten(file: Path, alter: Callable[[dict[str, bytes]], None]) -> None:
    """The archive with its files altered."""
    with tarfile.open(file) as archive:
        found = {one.name: archive.extractfile(one).read() for one in archive.getmembers()}  # type: ignore[union-attr]
    alter(found)
    with tarfile.open(file, "w") as archive:
        for name, content in found.items():
            (file.parent / "part").write_bytes(content)
            archive.add(file.parent / "part", arcname=name)
    (file.parent / "part").unlink()


def databases() -> list[str]:
    if connection.vendor == "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'polity_drill_%%'")
        return [name for (name,) in cursor.fetchall()]


def test_a_nights_archive_is_restored_counted_and_verified_beside_the_site(played: Path, client: Client) -> None:
    made, tried, kept = drilling.nightly(played, keep=3, drill=True)
    [file] = drilling.archives(played)
    assert made.startswith(f"{file}: 2 runs, 4 steps")
    assert tried == f"{file}: drill: 2 runs, 4 steps came back; 1 runs verified"
    assert kept.endswith("1 archives are kept, 0 deleted")
    assert list(played.iterdir()) == [file], "what the drill needed is gone"
    assert databases() == []
    assert Run.objects.count() == 2
    assert [(one.who, one.what) for one in AuditEntry.objects.all()] == [
        ("polity restore", "backup_drill"),
        ("polity backup", "backup"),
    ]
    assert set(backup_ages()) == {"archive", "drill"}
    assert set(client.get("/readyz").json()["last_backup_s"]) == {"archive", "drill"}
    assert drilling.newest(played) == file


def test_an_archive_that_lost_runs_is_refused_and_nothing_is_deleted(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = played / "polity-2020-01-01T000000.tar"
    old.touch()
    keeping.backed_up(file := played / "polity-2026-01-01T000000.tar")

    def alter(files: dict[str, bytes]) -> None:
        files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | {"runs": 3}).encode()

    rewritten(file, alter)
    with pytest.raises(Refused, match="2 runs and 4 steps came back of 3 and 4"):
        drilling.drilled(file)
    rewritten(file, lambda files: files.update({name: b"torn" for name in files if name.startswith("database")}))
    with pytest.raises(Refused, match=r"restored, but not to be read|pg_restore"):
        drilling.drilled(file)
    assert "drill" not in backup_ages()
    assert databases() == []
    monkeypatch.setattr(drilling, "backed_up", lambda made: f"{file.rename(made)}")
    with pytest.raises(Refused):
        list(drilling.nightly(played, keep=1, drill=True))
    assert old.exists()


def test_a_drill_finds_a_run_that_does_not_follow_from_its_moves(played: Path) -> None:
    if connection.vendor == "sqlite":
        keeping.backed_up(file := played / "a.tar")

        def alter(files: dict[str, bytes]) -> None:
            copy = played / "copy"
            copy.write_bytes(files["database.sqlite3"])
            with closing(sqlite3.connect(copy)) as kept:
                kept.execute("UPDATE games_step SET hash = 'other' WHERE \"index\" = 2")
                kept.commit()
            files["database.sqlite3"] = copy.read_bytes()

        rewritten(file, alter)
    else:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE games_step SET hash = 'other' WHERE \"index\" = 2")
        keeping.backed_up(file := played / "a.tar")
    with pytest.raises(Refused, match=r"restored, but .*: differs: step 2"):
        drilling.drilled(file)


def test_of_each_day_that_is_kept_the_last_archive_stays(played: Path) -> None:
    days = ["2025-03-01T030000", "2025-03-02T030000", "2025-03-02T150000", "2025-03-03T030000"]
    for at in days:
        (played / f"polity-{at}.tar").touch()
    (played / "before-the-upgrade.tar").touch()
    list(drilling.nightly(played, keep=3, drill=False))
    left = sorted(file.name for file in played.iterdir())
    today = drilling.archives(played)[-1].name
    assert left == ["before-the-upgrade.tar", f"polity-{days[2]}.tar", f"polity-{days[3]}.tar", today]


def test_a_folder_without_archives_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"no archive named polity-DATE.tar is there; polity backup"):
        drilling.newest(tmp_path)
