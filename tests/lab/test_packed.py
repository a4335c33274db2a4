"""Packed run folders: what they hold, how they go on after a kill, and how parts of a plan become one."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from games.core.registry import Registry
from games.errors.faults import BadFolder
from games.lab.folders import packing
from games.lab.folders.experiment import plan_of, runs_of
from games.lab.folders.merging import merge
from games.lab.folders.packing import JOURNAL
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import result_of
from games.lab.folders.running import BrokenOff, Progress, run
from games.lab.folders.unpacking import unpack
from games.lab.folders.verifying import unexplained, verify
from games.lab.scenarios.scenario import load
from games.lab.wire import zst
from tests.lab.conftest import Said
from tests.lab.test_place import shell
from tests.lab.test_run_folder import bytes_of

SMALL = ("run", "dilemma/noisy", "--seeds", "1..20", "--set", "rounds=30", "--jobs", "1", "--out")
TALKING = """
    game: mining
    config: {miners: 3, rows: 3, cols: 3, rounds: 4}
    seats: {0: {model: mock/default}}
    factors: {tax: {field: raid_tax, levels: [0, 2]}}
    hypotheses:
      less: {metric: output, factor: tax, of: tax-2, direction: lower, title: {en: A tax lowers output.}}
    report: {trends: [output]}
    seeds: 1..2
"""


@pytest.fixture
def packed(tmp_path: Path, registry: Registry) -> Path:
    run(load("orchard/tragedy", registry), tmp_path / "packed", jobs=1)
    return tmp_path / "packed"


def test_a_packed_folder_unpacks_into_the_bytes_of_a_plain_one(
    write: Callable[[str, str], Path], tmp_path: Path
) -> None:
    scenario = load(str(write("asked.yaml", TALKING)))
    run(scenario, tmp_path / "plain", 1, is_plain=True)
    run(scenario, tmp_path / "packed", 1)
    folder = RunFolder(tmp_path / "packed")
    assert unpack(folder, tmp_path / "again") == 4
    assert bytes_of(tmp_path / "again") == bytes_of(tmp_path / "plain")
    plain = RunFolder(tmp_path / "plain")
    for log in ("rounds.jsonl", "events.jsonl", "decisions.jsonl", "calls.jsonl"):
        assert list(folder.lines(log)) == list(plain.lines(log))
    with pytest.raises(BadFolder, match="plain already"):
        unpack(plain, tmp_path / "once-more")


def test_statistics_find_the_same_in_packed_runs_as_in_plain_ones(
    write: Callable[[str, str], Path], tmp_path: Path
) -> None:
    scenario = load(str(write("asked.yaml", TALKING)))
    run(scenario, tmp_path / "plain", 1, is_plain=True)
    run(scenario, tmp_path / "packed", 1)
    plain, folder = RunFolder(tmp_path / "plain"), RunFolder(tmp_path / "packed")
    assert runs_of(folder, plan_of(folder)) == runs_of(plain, plan_of(plain))
    assert result_of(folder).plain() == result_of(plain).plain()


def test_a_folder_of_many_runs_is_a_handful_of_files_whose_frames_any_tool_reads(
    packed: Path, registry: Registry
) -> None:
    assert sorted(path.name for path in packed.iterdir()) == [
        "aggregates.parquet", "rounds-00000.jsonl.zst", "run_manifest.json", "runs.jsonl.zst",
    ]  # fmt: skip
    whole = (packed / "rounds-00000.jsonl.zst").read_bytes()
    text = zst.unpack(whole)
    found = [json.loads(line)["step"] for line in text.splitlines()]
    assert found == [step for entry in RunFolder(packed, registry).entries for step in range(entry.steps + 1)]


def test_a_run_is_read_by_its_name_without_the_others(packed: Path, registry: Registry) -> None:
    opened = RunFolder(packed, registry)
    entry = opened.find("half-baskets", 2)
    path = packed / "rounds-00000.jsonl.zst"
    row = next(one for one in opened.rows() if one.n == entry.number)
    begin, size = row.rounds
    path.write_bytes(bytes(begin) + path.read_bytes()[begin : begin + size])
    assert [record["step"] for record in opened.records(entry, 5, 8)] == [5, 6, 7]
    assert {record["replicate"] for record in opened.records(entry)} == {2}
    with pytest.raises(BadFolder, match=r"rounds-00000\.jsonl\.zst: condition one, replicate 1: cannot be read"):
        list(opened.records(opened.find("one", 1)))


def test_runs_of_a_thousand_go_into_a_file_each(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "RUNS_TO_A_FILE", 4)
    run(load("orchard/tragedy", registry), tmp_path / "out", 1)
    assert sorted(path.name for path in (tmp_path / "out").glob("rounds*")) == [
        f"rounds-0000{number}.jsonl.zst" for number in range(3)
    ]
    opened = RunFolder(tmp_path / "out", registry)
    assert all(verdict.difference is None for verdict in verify(opened))
    assert unexplained(opened) == []


# --- going on ------------------------------------------------------------------------------------------


def test_a_killed_run_goes_on_where_it_was_and_gives_the_same_bytes(tmp_path: Path) -> None:
    killed = shell("simsite.cli", *SMALL, "out", cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size for path in tmp_path.glob(f".out.partial-*/{JOURNAL}")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    (left,) = tmp_path.glob(".out.partial-*")
    before = (left / JOURNAL).read_bytes()
    assert 0 < before.count(b"\n") < 80
    for name in ("out", "other"):
        assert shell("simsite.cli", *SMALL, name, cwd=tmp_path).wait(60) == 0
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "out"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_broken_off_keeps_what_it_played_and_plays_none_twice(
    jobs: int, registry: Registry, tmp_path: Path
) -> None:
    scenario, seen = load("orchard/tragedy", registry), list[int]()

    def stop(now: Progress) -> None:
        if now.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(BrokenOff, match="4 of 9 runs are kept; the same command goes on with them"):
        run(scenario, tmp_path / "out", jobs, watch=stop)
    run(scenario, tmp_path / "out", jobs, watch=lambda now: seen.append(now.done))
    assert min(seen) == 4
    run(scenario, tmp_path / "whole", jobs)
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "whole"]


@pytest.mark.parametrize("spoil", ["a torn line", "a torn frame", "bytes behind the last frame", "while it closed"])
def test_what_a_kill_left_half_written_is_played_again(spoil: str, registry: Registry, tmp_path: Path) -> None:
    scenario = load("orchard/tragedy", registry)

    def stop(now: Progress) -> None:
        if now.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(BrokenOff):
        run(scenario, tmp_path / "out", 1, watch=stop)
    (left,) = tmp_path.glob(".out.partial-*")
    journal, rounds = left / JOURNAL, left / "rounds-00000.jsonl.zst"
    if spoil == "a torn line":
        os.truncate(journal, journal.stat().st_size - 5)
    elif spoil == "a torn frame":
        os.truncate(rounds, rounds.stat().st_size - 5)
    elif spoil == "while it closed":
        (left / f"{JOURNAL}.zst").write_bytes(zst.pack(journal.read_bytes(), zst.compressor(3)))
        journal.unlink()
        journal.touch()
    else:
        rounds.write_bytes(rounds.read_bytes() + b"half a frame")
    run(scenario, tmp_path / "out", 1)
    run(scenario, tmp_path / "whole", 1)
    assert bytes_of(tmp_path / "out") == bytes_of(tmp_path / "whole")


def test_what_another_plan_left_is_cleared_away(registry: Registry, tmp_path: Path) -> None:
    def stop(now: Progress) -> None:
        if now.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(BrokenOff):
        run(load("orchard/tragedy", registry), tmp_path / "out", 1, watch=stop)
    seen = list[int]()
    run(load("orchard/tragedy", registry, seeds=(8, 9)), tmp_path / "out", 1, watch=lambda now: seen.append(now.done))
    assert (min(seen), max(seen)) == (0, 6)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


# --- parts ---------------------------------------------------------------------------------------------


def parts(registry: Registry, tmp_path: Path, of: int = 2) -> list[RunFolder]:
    for part in range(1, of + 1):
        run(load("orchard/tragedy", registry), tmp_path / f"part-{part}", 1, part=(part, of))
    return [RunFolder(tmp_path / f"part-{part}", registry) for part in range(1, of + 1)]


def test_parts_that_were_played_apart_merge_into_the_bytes_of_one_machine(registry: Registry, tmp_path: Path) -> None:
    made = parts(registry, tmp_path, 4)
    assert all(verdict.difference is None for part in made for verdict in verify(part))
    assert merge(made[::-1], tmp_path / "merged") == 9
    run(load("orchard/tragedy", registry), tmp_path / "whole", 1)
    assert bytes_of(tmp_path / "merged") == bytes_of(tmp_path / "whole")
    assert unexplained(RunFolder(tmp_path / "merged", registry)) == []


def test_what_is_no_whole_set_of_parts_is_not_merged(registry: Registry, tmp_path: Path) -> None:
    first, second = parts(registry, tmp_path)
    run(load("orchard/tragedy", registry, seeds=(8, 9)), tmp_path / "other", 1, part=(2, 2))
    run(load("orchard/tragedy", registry), tmp_path / "whole", 1)
    other, whole = (RunFolder(tmp_path / name, registry) for name in ("other", "whole"))
    for given, told in (
        ([first], "of 2 parts 2 are missing"),
        ([first, first], "part 1 is there twice"),
        ([first, other], "not of the same plan and program as .*: plan_hash, seeds differ"),
        ([first, whole], "no part of a plan; polity run SCENARIO --shard 1/2 --out DIR writes one"),
    ):
        with pytest.raises(BadFolder, match=told):
            merge(given, tmp_path / "merged")
    (second.path / "aggregates.parquet").write_bytes(b"")
    with pytest.raises(BadFolder, match=r"aggregates\.parquet: not the bytes that were written"):
        merge([first, second], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_no_report_is_made_of_a_part(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(BadFolder, match="part 1 of 2; a report is of the whole: polity merge puts the parts together"):
        result_of(parts(registry, tmp_path)[0])


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--shard", "3/2", "--out", "out"), "--shard: '3/2'; I/N with I from 1 to N and N to 10000, such as 1/4"),
        (("--shard", "1/2"), "--shard: a part is merged from its packed folder; give --out DIR, and no --plain"),
        (("--shard", "1/2", "--plain", "--out", "out"),
         "--shard: a part is merged from its packed folder; give --out DIR, and no --plain"),
    ],
)  # fmt: skip
def test_a_part_that_cannot_be_is_refused(args: tuple[str, ...], told: str, polity: Callable[..., Said]) -> None:
    said = polity("run", "orchard/tragedy", *args)
    assert (said.status, said.lines) == (2, [told])


def test_the_shell_plays_parts_merges_and_unpacks_them(polity: Callable[..., Said]) -> None:
    for part in ("1", "2"):
        assert polity("run", "orchard/tragedy", "--shard", f"{part}/2", "--out", part).status == 0
    assert polity("merge", "1", "2", "--out", "both").out == "written: both, 9 runs of 2 parts\n"
    assert polity("export", "both", "--folder", "plain").out == "written: plain, 9 runs\n"
    assert polity("verify", "both").status == polity("verify", "plain").status == 0
    assert Path("plain/rounds.jsonl").is_file()


def test_a_run_of_mining_takes_less_than_150_kilobytes(tmp_path: Path) -> None:
    whole = load("mining/treatments", seeds=(1,))
    run(replace(whole, conditions=whole.conditions[:2], experiment=None), tmp_path / "out", jobs=1)
    assert sum(path.stat().st_size for path in (tmp_path / "out").iterdir()) < 2 * 150_000
