"""A cluster's job plays its parts, which merge into the bytes of one machine; Ray and Slurm themselves are not here."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import kubernetes_validate
import pytest

from games.lab.folders.reading import RunFolder
from games.lab.folders.verifying import verify
from tests.lab.conftest import Said

SCENARIO = """
game: dilemma
config: {rounds: 4}
seats: {default: {policy: TFT}}
factors: {noise: {field: noise_b, levels: [0.0, 0.3]}}
seeds: 1..3
"""


@pytest.fixture
def whole(polity: Callable[..., Said]) -> Path:
    Path("e.yaml").write_text(SCENARIO)
    assert polity("run", "e.yaml", "--jobs", "1", "--out", "whole").status == 0
    return Path("whole")


def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """`polity` as a command that a shell finds."""
    Path("bin").mkdir()
    program = "from simsite.cli import main; main()"
    root = Path(__file__).parents[2]
    Path("bin/polity").write_text(f'#!/bin/sh\nPYTHONPATH={root} exec {sys.executable} -c "{program}" "$@"\n')
    Path("bin/polity").chmod(0o755)
    monkeypatch.setenv("PATH", f"{Path('bin').absolute()}:/usr/bin:/bin")


def is_same(one: Path, other: Path) -> bool:
    names = [path.name for path in one.iterdir() if path.suffix in (".zst", ".parquet")]
    return len(names) >= 3 and all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


def test_slurms_tasks_merge_into_the_bytes_of_one_machine(
    whole: Path, polity: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("job.sh").write_text(polity("cluster", "slurm", "e.yaml", "--shards", "2", "--out", "parts").out)
    shell(monkeypatch)
    assert "#SBATCH --array=1-2\n" in Path("job.sh").read_text()
    for task in ("1", "2"):
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", task)
        subprocess.run(["/bin/bash", "job.sh"], check=True, capture_output=True)
    assert polity("merge", "parts/part-1", "parts/part-2", "--out", "parts/whole").status == 0
    assert is_same(whole, Path("parts/whole"))


def test_rays_program_plays_every_part_and_merges_them(
    whole: Path, polity: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray itself is not here: each of its remote calls is made at once, in this process."""
    program = polity("cluster", "ray", "e.yaml", "--shards", "2", "--out", "parts").out
    shell(monkeypatch)
    Path("parts").mkdir()

    def remote(**_: object) -> Callable[[Callable[[int], None]], object]:
        return lambda part: types.SimpleNamespace(remote=part)

    ray = types.SimpleNamespace(remote=remote, init=lambda: None, get=list)
    monkeypatch.setitem(sys.modules, "ray", ray)
    exec(compile(program, "job.py", "exec"), {})  # noqa: S102 - what was just written
    assert is_same(whole, Path("parts/whole"))


def test_kubernetes_takes_the_job(polity: Callable[..., Said]) -> None:
    job = json.loads(polity("cluster", "kubernetes", "e.yaml", "--shards", "3").out)
    kubernetes_validate.validate(job, "1.31", strict=True)
    command = job["spec"]["template"]["spec"]["containers"][0]["command"][-1]
    assert "--shard $N/3" in command
    assert job["spec"]["completions"] == 3
    del job["spec"]["template"]["spec"]["restartPolicy"]
    job["spec"]["completions"] = "3"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(job, "1.31", strict=True)


def test_a_folder_is_verified_by_several_processes_to_the_same_answer(whole: Path, polity: Callable[..., Said]) -> None:
    alone = [str(verdict) for verdict in verify(RunFolder(whole))]
    assert [str(verdict) for verdict in verify(RunFolder(whole), jobs=2)] == alone
    assert len(alone) == 6
