"""Verification: identical where nothing changed, and the run, step and part where something did."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.core.registry import Registry
from games.lab.folders.reading import RunFolder
from games.lab.folders.running import run
from games.lab.folders.verifying import unexplained, verify
from games.lab.scenarios.scenario import load

Change = Callable[[dict[str, Any]], None]


def found(folder: Path, registry: Registry) -> list[str]:
    """What verification has to say against a folder."""
    opened = RunFolder(folder, registry)
    wrong = [str(verdict) for verdict in verify(opened) if verdict.difference is not None]
    return wrong or unexplained(opened)


def edit(folder: Path, line: int, change: Change) -> None:
    path = folder / "rounds.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    record = json.loads(lines[line])
    change(record)
    lines[line] = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    path.write_bytes(b"".join(lines))


@pytest.fixture
def long(tmp_path: Path, registry: Registry) -> Path:
    """One run of 20 steps, so that step 16's hash covers the state."""
    run(load("orchard/baseline", registry, seeds=(3,)), tmp_path / "long")
    return tmp_path / "long"


def test_an_untouched_folder_is_identical_in_every_step(folder: Path, registry: Registry) -> None:
    verdicts = list(verify(RunFolder(folder, registry)))
    assert all(verdict.difference is None for verdict in verdicts)
    assert [verdict.identical for verdict in verdicts] == [verdict.entry.steps for verdict in verdicts]
    assert str(verdicts[-1]) == "condition half-baskets, replicate 3: identical 20/20"
    assert unexplained(RunFolder(folder, registry)) == []


def _payoff(record: dict[str, Any]) -> None:
    record["payoffs"][0][1] += 1


def _event(record: dict[str, Any]) -> None:
    record["events"][0]["data"]["got"] = 99


def _action(record: dict[str, Any]) -> None:
    record["actions"][1][1]["apples"] += 1


def _hash(record: dict[str, Any]) -> None:
    record["hash"] = record["hash"][::-1]


def _metrics(record: dict[str, Any]) -> None:
    record["metrics"]["apples"] += 1


def _stage(record: dict[str, Any]) -> None:
    record["stage"] = "rest"


def _notes(record: dict[str, Any]) -> None:
    record["notes"] = [[0, ["never said"]]]


def _seat(record: dict[str, Any]) -> None:
    record["actions"][0][0] = 3


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_payoff, "condition base, replicate 1: identical 6/20; step 7 differs: payoffs"),
        (_event, "condition base, replicate 1: identical 6/20; step 7 differs: events"),
        (_action, "condition base, replicate 1: identical 6/20; step 7 differs: actions, from which other events"),
        (_hash, "condition base, replicate 1: identical 6/20; step 7 differs: actions, or the hash itself"),
        (_metrics, "condition base, replicate 1: identical 6/20; step 7 differs: metrics"),
        (_stage, "condition base, replicate 1: identical 6/20; step 7 differs: stage"),
        (_seat, "condition base, replicate 1: identical 6/20"),
        (_notes, "rounds.jsonl: not the bytes that were written; rounds.jsonl and decisions.jsonl disagree on "
                 "condition base, replicate 1, step 7, seat 0"),
    ],
)  # fmt: skip
def test_a_changed_record_is_found_with_its_step_and_part(
    change: Change, told: str, long: Path, registry: Registry
) -> None:
    edit(long, 7, change)
    (line,) = found(long, registry)
    assert line.startswith(told), line


def test_every_flipped_byte_is_found_and_its_step_named(long: Path, registry: Registry) -> None:
    path = long / "rounds.jsonl"
    written = path.read_bytes()
    for at in range(5, len(written) - 1, 97):
        flipped = bytearray(written)
        flipped[at] ^= 1
        path.write_bytes(bytes(flipped))
        step = written[:at].count(b"\n")
        told = found(long, registry)
        assert told, f"byte {at}: {written[at - 20 : at + 5]!r}"
        assert f"step {step}" in told[0], (told[0], step)


def test_missing_rounds_are_missed(long: Path, registry: Registry) -> None:
    path = long / "rounds.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:15]))
    assert found(long, registry)[0].endswith("condition base, replicate 1, step 15: the record is missing")


def test_a_run_that_ends_too_early_is_not_identical(long: Path, registry: Registry) -> None:
    path = long / "rounds.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:15]))
    manifest = json.loads((long / "run_manifest.json").read_text())
    manifest["runs"][0] |= {"steps": 14, "hash": json.loads(lines[14])["hash"]}
    (long / "run_manifest.json").write_text(json.dumps(manifest))
    assert found(long, registry) == [
        "condition base, replicate 1: identical 14/14; step 15 is missing: the run is not over"
    ]


def test_another_seed_is_another_run(long: Path, registry: Registry) -> None:
    path = long / "run_manifest.json"
    manifest = json.loads(path.read_text())
    manifest["runs"][0]["seed"] = 4
    path.write_text(json.dumps(manifest))
    path = long / "rounds.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"seed":3', b'"seed":4'))
    assert "differs" in found(long, registry)[0]


def test_a_change_of_the_other_logs_is_found_too(long: Path, registry: Registry) -> None:
    path = long / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b"orchard_opened", b"orchard_closed"))
    assert found(long, registry) == ["events.jsonl: not the bytes that were written"]
    path.unlink()
    assert found(long, registry) == ["events.jsonl: not the bytes that were written"]


@pytest.mark.parametrize("runs", [1, 5])
def test_processes_beside_each_other_say_the_same_in_the_same_order(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: int
) -> None:
    run(load("orchard/baseline", registry, seeds=tuple(range(runs))), tmp_path / "out", jobs=1)
    opened = RunFolder(tmp_path / "out", registry)
    alone = [str(verdict) for verdict in verify(opened)]
    assert len(alone) == runs
    monkeypatch.setattr("games.lab.folders.verifying.WORTH_A_POOL_S", 0)
    monkeypatch.setattr("games.lab.folders.verifying.cores", lambda: 2)
    assert [str(verdict) for verdict in verify(opened, None)] == alone
