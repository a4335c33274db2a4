"""Verification that plays runs of policies again side by side: the verdicts of resolving each, and none unearned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from games.catalog.mining.columns import rules
from games.lab.folders import verifying
from games.lab.folders.packing import RUNS_LOG
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.running import run
from games.lab.folders.verifying import verify
from games.lab.scenarios.scenario import load

SMALL = """
    game: mining
    config: {miners: 4, rows: 3, cols: 4, rounds: 18, raid_tax: 1}
    seats: {default: {policy: greedy-mine}, 0: {policy: guided}}
    seeds: 1..6
"""


def verdicts(folder: Path) -> list[str]:
    return [str(verdict) for verdict in verify(RunFolder(folder))]


def resolved(monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    """The runs that are resolved one by one from now on."""
    found: list[Entry] = []
    one_by_one = verifying._verified

    def noted(folder: RunFolder, entry: Entry, *rest: object) -> verifying.Verdict:
        found.append(entry)
        return one_by_one(folder, entry, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(verifying, "_verified", noted)
    return found


@pytest.mark.parametrize("is_plain", [True, False])
def test_of_unaltered_runs_the_first_alone_is_resolved_again(
    is_plain: bool, write: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(load(str(write("small.yaml", SMALL))), tmp_path / "out", 1, is_plain=is_plain)
    found = resolved(monkeypatch)
    assert verdicts(tmp_path / "out")[-1] == "condition base, replicate 6: identical 18/18"
    assert [entry.replicate for entry in found] == [1]


def test_a_flipped_byte_gets_the_verdict_of_resolving_its_run(
    write: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(load(str(write("small.yaml", SMALL))), tmp_path / "out", 1, is_plain=True)
    path = tmp_path / "out" / "rounds.jsonl"
    written = path.read_bytes()
    flips = range(len(written) // 3, len(written) - 1, len(written) // 40)
    found = []
    for at in flips:
        path.write_bytes(written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
        found.append(verdicts(tmp_path / "out"))
    monkeypatch.setattr(verifying, "played_again", lambda folder, runs: {})
    for at, told in zip(flips, found, strict=True):
        path.write_bytes(written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
        assert verdicts(tmp_path / "out") == told, written[at - 20 : at + 5]
    assert any("differs" in line for told in found for line in told)


def test_a_bent_measure_of_a_run_that_was_played_again_is_named(
    write: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(load(str(write("small.yaml", SMALL))), tmp_path / "out", 1)
    folder = RunFolder(tmp_path / "out")
    rows = list(folder.rows())
    rows[3].metrics["output_total"] += 1
    monkeypatch.setattr(folder, "rows_at", lambda places: {place: rows[place] for place in places})
    (wrong,) = [str(verdict) for verdict in verify(folder) if verdict.difference is not None]
    assert wrong.startswith(f"condition base, replicate 4: identical 18/18; {RUNS_LOG} differs: output_total is")


def test_rules_that_are_bent_over_columns_do_not_vouch_for_what_they_played(
    write: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = rules.pay_mining
    monkeypatch.setattr(rules, "pay_mining", lambda *given: (paid := kept(*given))._replace(gold=paid.gold + paid.held))
    run(load(str(write("small.yaml", SMALL))), tmp_path / "out", 1)
    assert "replicate 1: identical 1/18; step 2 differs" in verdicts(tmp_path / "out")[0]
