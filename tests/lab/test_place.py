"""The place of a run folder: one writer, nothing half-written, nothing left lying about; and what a disk refuses."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from games.core.registry import Registry
from games.errors.faults import BadFolder
from games.lab.folders.reading import RunFolder
from games.lab.folders.running import Progress, run
from games.lab.scenarios.scenario import load
from simsite.commands import export
from tests.lab.conftest import ORCHARD, Said

ROOT = Path(__file__).parents[2]
Polity = Callable[..., Said]


def shell(program: str, *args: str, cwd: Path, largest: int | None = None) -> subprocess.Popen[str]:
    """A command in a process of its own, which may write no file of more than ``largest`` bytes."""

    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    call = [sys.executable, "-c", f"from {program} import main; main()", *args]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "POLITY_GAMES": ORCHARD}
    pipe = subprocess.PIPE
    return subprocess.Popen(call, env=environment, cwd=cwd, stdout=pipe, stderr=pipe, text=True, preexec_fn=limit)


def test_a_second_writer_of_a_place_is_refused_before_it_plays(registry: Registry, tmp_path: Path) -> None:
    scenario, refused = load("orchard/tragedy", registry), list[str]()

    def meanwhile(now: Progress) -> None:
        if now.done == 3 and not refused:
            with pytest.raises(BadFolder) as error:
                run(scenario, tmp_path / "out", 1, force=True, watch=lambda progress: pytest.fail("it played"))
            refused.append(str(error.value))

    run(scenario, tmp_path / "out", 1, watch=meanwhile)
    assert [told.partition("out: ")[2] for told in refused] == [
        "another run is being written there; wait for its end, or name another --out"
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert len(RunFolder(tmp_path / "out", registry).entries) == 9


def test_what_a_killed_run_has_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    killed = shell("simsite.cli", "run", "mining/baseline", "--seeds", "1..2000", "--out", "out", "--jobs", "1",
                   cwd=tmp_path)  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".out.partial-*/parts/*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    killed.kill()
    killed.communicate()
    assert len(list(tmp_path.glob(".out.partial-*"))) == 1
    (tmp_path / ".out-2.partial-00000000").mkdir()  # another place's
    run(load("dilemma/noisy"), tmp_path / "out", 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".out-2.partial-00000000", "out"]


def test_a_folder_that_a_killed_run_was_about_to_replace_comes_back(folder: Path, registry: Registry) -> None:
    folder.rename(folder.with_name(f".{folder.name}.partial-12345678-old"))
    with pytest.raises(BadFolder, match="already exists"):
        run(load("orchard/baseline", registry), folder, 1)
    assert len(RunFolder(folder, registry).entries) == 9


@pytest.mark.parametrize(
    ("program", "args"),
    [
        ("simsite.cli", ("run", "mining/baseline", "--out", "out", "--jobs", "1")),
        ("simsite.cli", ("run", "mining/baseline", "--seeds", "1..4", "--plain", "--out", "out", "--jobs", "2")),
        ("simsite.commands.pdbench", ("run", "configs/experiment.yaml", "--out", "out")),
    ],
)
def test_a_full_disk_is_one_line_blames_no_game_and_leaves_nothing(
    program: str, args: tuple[str, ...], tmp_path: Path
) -> None:
    stopped = shell(program, *args, cwd=tmp_path, largest=20_000)
    _, err = stopped.communicate(timeout=60)
    assert (stopped.returncode, err.splitlines()) == (2, ["out: cannot be written: File too large; nothing was kept"])
    assert list(tmp_path.iterdir()) == []


def test_an_export_that_does_not_fit_leaves_the_file_that_was_there(
    folder: Path, polity: Polity, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, body: bytes) -> int:
        with path.open("wb") as file:
            file.write(body[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export, "_of_folder", lambda *args: b"a whole page")
    monkeypatch.setattr(Path, "write_bytes", full)
    Path("a.html").write_text("mine")
    said = polity("export", str(folder), "--condition", "one", "--replicate", "1", "--html", "a.html", "--force")
    assert said.lines == ["--html: a.html cannot be written: No space left on device; nothing was kept"]
    assert Path("a.html").read_text() == "mine"
    assert list(Path().glob(".a.html*")) == []


def test_sigterm_ends_a_plain_run_with_all_its_processes_and_leaves_nothing(tmp_path: Path) -> None:
    playing = shell("simsite.cli", "run", "mining/baseline", "--seeds", "1..2000", "--jobs", "2", "--plain",
                    "--out", "out", cwd=tmp_path)  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".out.partial-*/parts/*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    playing.send_signal(signal.SIGTERM)
    _, err = playing.communicate(timeout=30)
    assert (playing.returncode, err.splitlines()) == (143, ["broken off; nothing was kept"])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_was_changed_is_neither_measured_nor_exported(folder: Path, polity: Polity) -> None:
    rounds = folder / "rounds.jsonl"
    told = f"{rounds}: not the bytes that were written; polity verify finds the place"
    text = rounds.read_text("utf-8")
    rounds.write_text(text.replace('"payoffs"', '"payoffs" ', 1), "utf-8")
    assert polity("aggregate", str(folder)).lines == [told]
    exporting = ("export", str(folder), "--condition", "one", "--replicate", "1", "--html", "a.html")
    assert polity(*exporting).lines == [told]
    rounds.write_text(text, "utf-8")
    manifest = folder / "run_manifest.json"
    changed = json.loads(manifest.read_text("utf-8"))
    changed["conditions"][0]["config"]["pickers"] = 5
    manifest.write_text(json.dumps(changed), "utf-8")
    assert polity(*exporting).lines == [f"{manifest}: not the bytes that were written; polity verify finds the place"]
    verified = polity("verify", str(folder))
    assert verified.status == 2
    assert verified.lines[0].endswith("not the config whose hash stands beside it")
    assert not Path("a.html").exists()


def test_verify_misses_the_aggregates(folder: Path, polity: Polity) -> None:
    table = folder / "aggregates.parquet"
    assert polity("verify", str(folder)).status == 0
    table.write_bytes(b"junk")
    junk = polity("verify", str(folder))
    table.unlink()
    gone = polity("verify", str(folder))
    assert (junk.status, gone.status) == (1, 1)
    assert junk.out.splitlines()[-1].endswith("cannot be read; make it anew with polity aggregate")
    assert gone.out.splitlines()[-1].endswith("aggregates.parquet: missing; make it anew with polity aggregate")
    assert polity("aggregate", str(folder)).status == 0
    assert polity("verify", str(folder)).status == 0


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("verify", "no/such"), "no/such: there is no such folder"),
        (("export", "./gone", "--html", "a.html"), "./gone: there is no such folder"),
        (("validate", "."), ".: no file; a scenario is a YAML file, or a preset as GAME/PRESET"),
        (("validate", "/dev/null"), "/dev/null: no file; a scenario is a YAML file, or a preset as GAME/PRESET"),
        (
            ("run", "orchard/baseline", "--out", ""),
            ".: no name for a run folder; name one, such as --out results/first",
        ),
    ],
)
def test_a_name_of_nothing_is_told_as_what_it_is(args: tuple[str, ...], told: str, polity: Polity) -> None:
    said = polity(*args)
    assert (said.status, said.lines) == (2, [told])


def test_auto_is_a_folder_named_by_the_game_s_own_rule_or_by_time_game_and_seed(
    polity: Polity,
) -> None:
    short = ("--set", "workers=2", "--set", "epochs=1", "--set", "steps_per_epoch=2")
    for scenario, more, name in (
        ("economist/honest", short, r"\d{8}-\d{6}_ai_economist_seed7"),
        ("orchard/baseline", (), r"\d{8}-\d{6}_orchard_seed7"),
    ):
        told = polity("run", scenario, *more, "--seeds", "7..8", "--out", "auto", "--json")
        assert told.status == 0, told.err
        where = Path(json.loads(told.out)["out"])
        assert re.fullmatch(name, where.name), where
        assert where.parent == Path("runs")
        assert (where / "run_manifest.json").is_file()
