"""`polity cluster`: the job by which Slurm, Kubernetes or Ray plays a scenario in parts, each on its own machine."""

from __future__ import annotations

import json
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer


class Kind(StrEnum):
    slurm = "slurm"
    kubernetes = "kubernetes"
    ray = "ray"


def cluster(
    kind: Annotated[Kind, typer.Argument(help="What plays the parts.", show_default=False)],
    scenario: Annotated[str, typer.Argument(help="A scenario as the machines find it.", show_default=False)],
    shards: Annotated[int, typer.Option(min=1, max=10_000, help="Parts, each a task of its own.")] = 8,
    out: Annotated[Path, typer.Option(help="Where all machines find the parts and the whole.")] = Path("results"),
    image: Annotated[str, typer.Option(help="Of Kubernetes: the image that holds polity.")] = "polity:latest",
    claim: Annotated[str, typer.Option(help="Of Kubernetes: the volume claim that is mounted at /data.")] = "polity",
) -> int:
    """Print a job that plays a scenario in parts, and merges them. A task that is broken off goes on where it was."""
    made = {Kind.slurm: _slurm, Kind.kubernetes: _kubernetes, Kind.ray: _ray}[kind]
    typer.echo(made(scenario, shards, out, image, claim), nl=False)
    return 0


def _part(scenario: str, number: str, shards: int, out: Path) -> str:
    place = shlex.quote(str(out / "part-"))
    return f"polity run {shlex.quote(scenario)} --shard {number}/{shards} --jobs 1 --out {place}{number}"


def _merged(shards: int, out: Path) -> str:
    parts = " ".join(shlex.quote(str(out / f"part-{number}")) for number in range(1, shards + 1))
    return f"polity merge {parts} --out {shlex.quote(str(out / 'whole'))}"


def _slurm(scenario: str, shards: int, out: Path, image: str, claim: str) -> str:
    return f"""#!/usr/bin/env bash
# sbatch this file; a part whose machine was taken away goes on when it is queued again
#SBATCH --job-name=polity
#SBATCH --array=1-{shards}
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --requeue
set -euo pipefail
mkdir -p {shlex.quote(str(out))}
{_part(scenario, "$SLURM_ARRAY_TASK_ID", shards, out)}
# when all are through: sbatch --dependency=afterok:JOB --wrap {shlex.quote(_merged(shards, out))}
"""


def _kubernetes(scenario: str, shards: int, out: Path, image: str, claim: str) -> str:
    """An Indexed Job, whose pods count from 0, as one JSON document, which is YAML too."""
    command = f"N=$((JOB_COMPLETION_INDEX + 1)); exec {_part(scenario, '$N', shards, out)}"
    container: dict[str, Any] = {
        "name": "polity",
        "image": image,
        "command": ["sh", "-c", command],
        "workingDir": "/data",
        "volumeMounts": [{"name": "data", "mountPath": "/data"}],
        "resources": {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"memory": "1Gi"}},
    }
    pod = {
        "restartPolicy": "OnFailure",
        "containers": [container],
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}],
    }
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "polity", "annotations": {"polity/merge": _merged(shards, out)}},
        "spec": {
            "completionMode": "Indexed",
            "completions": shards,
            "parallelism": shards,
            "backoffLimit": shards,
            "template": {"metadata": {"labels": {"app": "polity"}}, "spec": pod},
        },
    }
    return json.dumps(job, indent=2) + "\n"


def _ray(scenario: str, shards: int, out: Path, image: str, claim: str) -> str:
    return f"""# ray job submit --working-dir . -- python THIS_FILE
import subprocess

import ray


@ray.remote(num_cpus=1, max_retries=3)
def part(number: int) -> None:
    command = {["polity", "run", scenario, "--jobs", "1"]!r}
    command += ["--shard", f"{{number}}/{shards}", "--out", f"{out}/part-{{number}}"]
    subprocess.run(command, check=True)


ray.init()
ray.get([part.remote(number) for number in range(1, {shards + 1})])
subprocess.run({shlex.split(_merged(shards, out))!r}, check=True)
"""
