"""SIGKILL at every write of members who walk a study: everybody comes to one end, and every decision is kept once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sites import ROOT


def walked(database: str, members: int, most: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.studies.walker", str(members), str(most)],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout)
    print(json.dumps(told))  # noqa: T201 - figures
    return told


def holds(told: dict[str, Any], members: int) -> None:
    assert told["ends"] == {"done": members}, "somebody is stranded, or came twice"
    assert told["members"] == members
    assert told["points"] == [18.0], "three matches of two rounds in which both play C"
    assert told["decisions"] == told["own"] == 6 * members, "every decision once, and no default"
    assert told["rows"] == {**told["rows"], "members": members, "decisions": 6 * members, "payments": members}
    assert told["rows"]["matches"] == 3 * members // 2
    assert told["visits"] == told["rows"]["visits"] == 6 * members, "consent, check, three matches, survey"
    assert told["runs"] == ["finished"]
    assert told["seats_held_twice"] == 0


def test_four_members_who_are_killed_at_one_write_after_another_come_to_their_end(tmp_path: Path) -> None:
    told = walked(f"sqlite:///{tmp_path}/kills.sqlite3", 4, 127)
    holds(told, 4)
    assert told["kills"] >= 3


@pytest.mark.full
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_hundred_members_who_are_killed_at_every_write_come_to_their_ends(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    sqlite = f"sqlite:///{tmp_path}/kills.sqlite3"
    told = walked(sqlite if kind == "sqlite" else request.getfixturevalue("postgres_url"), 100, 211)
    holds(told, 100)
    assert told["kills"] > 50
