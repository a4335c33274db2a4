"""With POLITY_LOGS=json a part writes JSON lines on standard error and nothing else, from the first to the last."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.sites import POLITY, SOON_S, migrated

PARTS = {
    "web": ["web", "--port", "0"],
    "live": ["worker", "--queue", "live"],
    "bulk": ["worker", "--queue", "bulk", "--concurrency", "1"],
    "beat": ["beat"],
}
BEGUN = {"web": "web at http://", "live": "worker on live", "bulk": "worker on bulk", "beat": "beat, a sweep"}


def begun(place: Path, part: str, redis: str, **more: str) -> subprocess.Popen[bytes]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("POLITY_", "DJANGO_", "DATABASE_"))}
    environ = {**kept, "POLITY_HOME": str(place / "home"), "REDIS_URL": redis, "POLITY_LOGS": "json", **more}
    with (place / "out").open("wb") as out, (place / "err").open("wb") as err:
        return subprocess.Popen([POLITY, *PARTS[part]], cwd=place, env=environ, stdout=out, stderr=err)


def lines(place: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (place / "err").read_text().splitlines()]


def is_heard(place: Path, part: str) -> bool:
    """Whether the part has said in the database that it goes on."""
    name = {"web": "door", "beat": "clock"}.get(part, f"{part}-%")
    with closing(sqlite3.connect(f"file:{place / 'home/polity.sqlite3'}?mode=ro", uri=True)) as kept:
        return bool(kept.execute("SELECT 1 FROM games_worker WHERE name LIKE ?", (name,)).fetchone())


@pytest.mark.parametrize(
    "part", ["live", *(pytest.param(one, marks=pytest.mark.full) for one in ("web", "bulk", "beat"))]
)
def test_a_part_writes_json_from_its_first_line_to_its_last(tmp_path: Path, part: str, redis_url: str) -> None:
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "home/polity.sqlite3").write_bytes(migrated().read_bytes())
    (tmp_path / ".polity").mkdir()
    (tmp_path / ".polity/secret_key").touch()
    program = begun(tmp_path, part, redis_url, POLITY_HEARTBEAT=str(tmp_path / "beat"))
    try:
        deadline = time.monotonic() + SOON_S
        while BEGUN[part] not in (tmp_path / "err").read_text() or not is_heard(tmp_path, part):
            assert program.poll() is None, (tmp_path / "err").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(60)
    assert (tmp_path / "beat").exists()
    said = lines(tmp_path)
    assert "up to date" in said[0]["message"]
    assert {line["part"] for line in said} == {part}
    left = [line for line in said if line["level"] != "INFO" and "holds a site" not in line["message"]]
    assert left == [], "a start and an end are no warnings"
    assert all(line["at"] and line["level"] and line["logger"] for line in said)
    assert (tmp_path / "out").read_text() == ""


def test_a_part_that_cannot_start_says_why_in_json(tmp_path: Path) -> None:
    program = begun(tmp_path, "live", "redis://127.0.0.1:1/0", POLITY_LIVE_THREADS="0")
    assert program.wait(60) == 2
    [said] = lines(tmp_path)
    assert said["level"] == "ERROR"
    assert "POLITY_LIVE_THREADS='0': a whole number from 1 to 1024" in said["message"]


def test_an_error_that_nobody_caught_is_a_json_line_too() -> None:
    program = "from simsite.oneline import only_json; only_json('web'); import warnings, threading; "
    program += "warnings.warn('old'); t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join(); {}['lost']"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    said = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["level"] for line in said] == ["WARNING", "CRITICAL", "CRITICAL"]
    assert "old" in said[0]["message"]
    assert "ZeroDivisionError" in said[1]["traceback"]
    assert "KeyError" in said[2]["traceback"]
