"""The run folder: what is in it, that it is the same bytes whoever plays it how, and that it is never half there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from games.core.codec import GENESIS, chain
from games.core.game import Step
from games.core.registry import Registry
from games.errors.faults import BadFolder
from games.lab.folders import running
from games.lab.folders.logs import PlainLogs
from games.lab.folders.place import fresh
from games.lab.folders.reading import RunFolder
from games.lab.folders.running import BrokenOff, Progress, run
from games.lab.folders.runspec import RunFailed
from games.lab.scenarios.layers import set_layer
from games.lab.scenarios.scenario import load
from games.lab.wire.frames import recorded

ROOT = Path(__file__).parents[2]


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its relative path; the manifest without its timestamps, its commit and its seal."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    manifest = json.loads(found["run_manifest.json"])
    del manifest["timestamps"], manifest["seal"]
    manifest["versions"].pop("commit", None)  # a copy of the tree is no checkout
    return {**found, "run_manifest.json": json.dumps(manifest).encode()}


def records(folder: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in RunFolder(folder).lines(name)]


def shell(root: Path, *args: str, hash_seed: str = "0", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """`polity ARGS...` in a process of its own, from the tree at ``root``."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "POLITY_GAMES": "games.lab.newgame.template"}
    environment["PYTHONPATH"] = str(root)
    call = [sys.executable, "-c", "from simsite.cli import main; main()", *args]
    return subprocess.run(call, env=environment, cwd=cwd or root, capture_output=True, text=True, check=False)


def test_the_bytes_are_the_same_for_any_number_of_processes(registry: Registry, tmp_path: Path) -> None:
    scenario = load("orchard/tragedy", registry)
    for jobs in (1, 2, None):
        run(scenario, tmp_path / str(jobs), jobs)
    assert bytes_of(tmp_path / "1") == bytes_of(tmp_path / "2") == bytes_of(tmp_path / "None")


def test_the_bytes_are_the_same_under_two_hash_seeds_and_from_two_copies_of_the_tree(tmp_path: Path) -> None:
    for part in ("games", "simsite"):
        hidden = shutil.ignore_patterns("__pycache__", "tests")
        shutil.copytree(ROOT / part, tmp_path / "elsewhere" / part, ignore=hidden)
    seeds = ("--seeds", "1..2", "--set", "rounds=30")
    for name, root, hash_seed in (("a", ROOT, "1"), ("b", ROOT, "2"), ("c", tmp_path / "elsewhere", "3")):
        told = shell(root, "run", "mining/baseline", *seeds, "--out", str(tmp_path / name), hash_seed=hash_seed)
        assert told.returncode == 0, told.stderr
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "c")


def test_a_folder_of_the_first_layout_whose_notes_are_sentences_is_still_read(folder: Path) -> None:
    manifest = folder / "run_manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"schema": 2', '"schema": 1'), "utf-8")
    record = records(folder, "rounds.jsonl")[1]
    assert RunFolder(folder).manifest["schema"] == 1
    told = recorded({**record, "notes": [[0, ["Asked for 9 apples. Changed to 5."]]]})
    assert told["notes"] == [(0, [{"kind": "sentence", "data": {"text": "Asked for 9 apples. Changed to 5."}}])]


def test_other_seeds_give_other_rounds(registry: Registry, tmp_path: Path) -> None:
    for seed in (1, 2):
        run(load("orchard/baseline", registry, seeds=(seed,)), tmp_path / str(seed))
    assert records(tmp_path / "1", "rounds.jsonl")[-1]["hash"] != records(tmp_path / "2", "rounds.jsonl")[-1]["hash"]


def test_there_is_a_record_for_each_step_of_each_run_in_the_order_of_the_plan(folder: Path) -> None:
    manifest = json.loads((folder / "run_manifest.json").read_text())
    found = [(one["condition"], one["replicate"], one["seed"], one["step"]) for one in records(folder, "rounds.jsonl")]
    assert found == [
        (one["condition"], one["replicate"], one["seed"], step)
        for one in manifest["runs"]
        for step in range(one["steps"] + 1)
    ]
    assert [(one["condition"], one["replicate"]) for one in manifest["runs"]] == [
        (condition, replicate) for condition in ("one", "all", "half-baskets") for replicate in (1, 2, 3)
    ]


def test_events_and_decisions_tell_the_same_as_the_rounds(folder: Path) -> None:
    rounds = records(folder, "rounds.jsonl")
    events = [
        {"condition": one["condition"], "replicate": one["replicate"], "step": one["step"], "n": n, **event}
        for one in rounds
        for n, event in enumerate(one["events"])
    ]
    assert records(folder, "events.jsonl") == events
    decisions = records(folder, "decisions.jsonl")
    assert [(one["step"], one["seat"], one["action"]) for one in decisions] == [
        (one["step"], seat, action) for one in rounds for seat, action in one["actions"]
    ]
    assert Counter(len(one["flags"]) for one in decisions) == Counter({0: len(decisions)})


def test_the_hashes_are_the_chain_over_the_steps(folder: Path, registry: Registry) -> None:
    opened = RunFolder(folder, registry)
    for entry in opened.entries:
        previous = GENESIS
        for record, step in opened.steps(entry):
            previous = chain(opened.pack.game, previous, step)
            assert record["hash"] == previous
        assert entry.hash == previous


def test_aggregates_hold_a_row_a_run_and_null_where_a_metric_is_undefined(registry: Registry, tmp_path: Path) -> None:
    barren = load("orchard/baseline", registry, [set_layer(["apples=0"])], (1, 2))
    run(barren, tmp_path / "barren")
    run(load("orchard/baseline", registry, seeds=(4, 5)), tmp_path / "fertile")
    table = pyarrow.parquet.read_table(tmp_path / "barren" / "aggregates.parquet").to_pydict()
    assert table["seed"] == [1, 2]
    assert table["harvest"] == [None, None]
    table = pyarrow.parquet.read_table(tmp_path / "fertile" / "aggregates.parquet").to_pydict()
    last = [one for one in records(tmp_path / "fertile", "rounds.jsonl") if one["step"] == 20]
    assert table["apples_left"] == [one["metrics"]["apples"] for one in last]
    assert table["gini"] == [one["metrics"]["gini"] for one in last]


def test_a_games_own_files_stand_at_the_top_for_one_run_and_by_run_for_several(tmp_path: Path) -> None:
    short = [set_layer(["rounds=3"])]
    run(load("mining/baseline", extra=short), tmp_path / "one")
    run(load("mining/baseline", extra=short, seeds=(1, 2)), tmp_path / "two", is_plain=True)
    assert (tmp_path / "one" / "plots.csv").is_file()
    assert not (tmp_path / "one" / "runs").exists()
    assert (tmp_path / "one" / "plots.csv").read_bytes() == (tmp_path / "two/runs/base/1/plots.csv").read_bytes()
    assert (tmp_path / "two/runs/base/2/plots.csv").is_file()


def test_the_manifest_names_configs_agents_versions_and_no_place(folder: Path, tmp_path: Path) -> None:
    text = (folder / "run_manifest.json").read_text("utf-8")
    manifest = json.loads(text)
    one = manifest["conditions"][0]
    assert one["config"]["pickers"] == 4
    assert one["agents"][0] == {
        "seat": 0, "name": "picker 1", "role": "", "kind": "policy", "policy": "greedy", "params": {"share": 1.0},
    }  # fmt: skip
    assert set(manifest["versions"]) >= {"python", "numpy", "polity"}
    for place in (str(tmp_path), str(ROOT), str(Path.home())):
        for path in folder.rglob("*"):
            assert path.is_dir() or place.encode() not in path.read_bytes(), path


def test_a_folder_that_is_there_is_not_written_into(folder: Path, registry: Registry) -> None:
    before = bytes_of(folder)
    with pytest.raises(BadFolder, match="already exists; a run never writes into it"):
        run(load("orchard/baseline", registry), folder)
    assert bytes_of(folder) == before


def test_force_replaces_a_run_folder_and_nothing_else(folder: Path, registry: Registry, tmp_path: Path) -> None:
    run(load("orchard/baseline", registry), folder, force=True)
    assert len(RunFolder(folder, registry).entries) == 1
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    with pytest.raises(BadFolder, match="--force leaves it alone"):
        run(load("orchard/baseline", registry), tmp_path / "thesis", force=True)
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "mine"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_plain_folder_that_is_broken_off_leaves_nothing_behind(jobs: int, registry: Registry, tmp_path: Path) -> None:
    def stop(now: Progress) -> None:
        if now.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(BrokenOff, match="nothing was kept"):
        run(load("orchard/tragedy", registry), tmp_path / "out", jobs, watch=stop, is_plain=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_plain", [True, False])
def test_a_game_that_raises_names_its_run_and_step_and_what_was_played_is_kept(
    is_plain: bool, registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = load("orchard/baseline", registry, seeds=(7, 8, 9))
    starts = 0

    def measure(config: Any, before: Any, step: Step[Any, Any]) -> Mapping[str, Any]:
        nonlocal starts
        starts += step.index == 1
        if starts == 2 and step.index == 3:
            raise ZeroDivisionError("no apples")
        return {"apples": 0, "harvest": 0, "gini": None}

    monkeypatch.setattr(scenario.pack.metrics, "measure", measure)
    expected = r"orchard: condition base, replicate 2 \(seed 8\), step 3: ZeroDivisionError: no apples"
    for _ in range(2):  # the second failure takes the place of the first
        starts = 0
        with pytest.raises(RunFailed, match=expected) as failed:
            run(scenario, tmp_path / "out", 1, is_plain=is_plain)
        assert [path.name for path in tmp_path.iterdir()] == ["out.unfinished"]
    told = "out.unfinished: what was played is kept there: 1 of 3 runs, and the next up to step 2"
    assert any(note.endswith(told) for note in failed.value.__notes__)
    kept = RunFolder(tmp_path / "out.unfinished", registry)
    assert [(one.seed, one.steps) for one in kept.entries] == [(7, 20), (8, 2)]
    assert kept.altered() == []
    assert [record["step"] for record, _ in kept.steps(kept.entries[1])] == [0, 1, 2]
    assert pyarrow.parquet.read_table(kept.path / "aggregates.parquet").num_rows == 1


def test_a_place_taken_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    def meanwhile() -> None:
        with fresh(tmp_path / "out") as building:
            (building / "mine").write_text("1")
            (tmp_path / "out").mkdir()
            (tmp_path / "out" / "theirs").write_text("2")

    with pytest.raises(BadFolder, match="already exists"):
        meanwhile()
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "theirs"]


def test_other_processes_are_used_only_where_they_pay(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> Any:
        raise AssertionError("a pool was started for a few milliseconds of work")

    monkeypatch.setattr(running, "_pooled", never)
    assert len(run(load("orchard/tragedy", registry))) == 9


def test_frames_of_a_run_can_be_read_from_its_middle(folder: Path, registry: Registry) -> None:
    opened = RunFolder(folder, registry)
    entry = opened.find("half-baskets", 2)
    assert [record["step"] for record in opened.records(entry, 5, 8)] == [5, 6, 7]
    assert {record["replicate"] for record in opened.records(entry)} == {2}
    with pytest.raises(BadFolder, match="no run of condition 'all', replicate 9"):
        opened.find("all", 9)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[:-10], "not JSON"),
        (lambda text: text.replace('"schema": 2', '"schema": 99'), "schema 99; this version reads 1 and 2"),
        (lambda text: text.replace('"runs"', '"walks"'), "not a manifest of this form"),
        (lambda text: text.replace('"rules_version": 1', '"rules_version": 7'), "rules_version 7; orchard is at"),
        (lambda text: text.replace('"pickers": 4', '"pickers": 5'), "not the config whose hash stands beside it"),
        (lambda text: text.replace('"pickers": 4', '"pickers": -4'), "no config of orchard"),
        (lambda text: text.replace('"game": "orchard"', '"game": "orchid"'), "did you mean orchard"),
    ],
)  # fmt: skip
def test_a_manifest_that_cannot_be_used_is_refused(
    change: Callable[[str], str], told: str, folder: Path, registry: Registry
) -> None:
    path = folder / "run_manifest.json"
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(BadFolder, match=told):
        _read_whole(folder, registry)


def _read_whole(folder: Path, registry: Registry) -> None:
    opened = RunFolder(folder, registry)
    for entry in opened.entries:
        list(opened.steps(entry))


def test_steps_that_are_no_rounds_are_read_in_their_place_from_a_file_of_their_own(tmp_path: Path) -> None:
    def line(replicate: int, step: int) -> bytes:
        return b'{"replicate":%d,"seed":5,"step":%d}\n' % (replicate, step)

    told = [line(1, 0), line(1, 1), line(1, 2), line(1, 3), line(2, 0), line(3, 0), line(3, 1), line(3, 2)]
    is_round = [False, False, True, True, False, False, True, True]
    for name, kept in (("rounds.jsonl", True), ("steps.jsonl", False)):
        own = [one for one, of in zip(told, is_round, strict=True) if of == kept]
        (tmp_path / name).write_bytes(b"".join(own))
    logs = PlainLogs(tmp_path)
    assert list(logs.lines("rounds.jsonl")) == told
    assert list(logs.of_run(1, 0, 3, 1, 4)) == told[1:4]
    assert list(logs.of_run(3, 5, 3, 2, 4)) == [told[7], b""]
    assert (logs.where(1, 1), logs.where(3, 6)) == ("steps.jsonl:2", "rounds.jsonl:3")
