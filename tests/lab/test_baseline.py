"""The mining baseline over twenty seeds, as the shell plays it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from games.lab.folders.reading import RunFolder
from tests.lab.conftest import Said
from tests.lab.test_run_folder import ROOT, bytes_of, shell


@pytest.mark.timeout(600)
def test_twenty_seeds_of_the_baseline_are_complete_and_identical_when_resolved_again(
    polity: Callable[..., Said],
) -> None:
    assert polity("run", "mining/baseline", "--seeds", "1..20", "--out", "out").status == 0
    counts = {name: sum(1 for _ in RunFolder(Path("out")).lines(name)) for name in ("rounds.jsonl", "decisions.jsonl")}
    assert counts == {"rounds.jsonl": 20 * 201, "decisions.jsonl": 20 * 200 * 10}
    told = json.loads(polity("verify", "out", "--json").out)
    assert told["identical"] is True
    assert [(one["identical"], one["steps"]) for one in told["runs"]] == [(200, 200)] * 20


@pytest.mark.timeout(900)
@pytest.mark.full
def test_twenty_seeds_of_the_baseline_are_the_same_bytes_however_they_are_played(tmp_path: Path) -> None:
    ways = [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]
    for jobs, hash_seed in ways:
        out = str(tmp_path / f"{jobs}-{hash_seed}")
        args = ("run", "mining/baseline", "--seeds", "1..20", "--jobs", jobs, "--out", out)
        assert shell(ROOT, *args, hash_seed=hash_seed).returncode == 0
    first, *others = [bytes_of(tmp_path / f"{jobs}-{hash_seed}") for jobs, hash_seed in ways]
    assert all(other == first for other in others)
