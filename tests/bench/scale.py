"""Many runs at the shell, killed and taken up again: ``python -m tests.bench.scale FOLDER [RUNS] [KILLS]``.

A plan of dilemma (two conditions, 30 rounds, slips) is played once with KILLS times ``kill -9`` in between and the
same command again, once in two parts that are merged; both folders must have the same bytes, their times, seal and
commit apart. Told are wall seconds, bytes, and the largest memory that any one process had, of the report too.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from games.lab.folders.packing import JOURNAL
from tests.sites import POLITY

PLAN = """\
game: dilemma
title: {{en: "Do slips end cooperation?"}}
config: {{rounds: 30, noise_a: 0.05}}
seats: {{default: {{policy: TFT}}}}
control: few
conditions:
  few: {{config: {{noise_b: 0.0}}}}
  many: {{config: {{noise_b: 0.3}}}}
seeds: 1..{seeds}
hypotheses:
  slips: {{metric: cooperation_rate, of: many, direction: lower}}
"""
OWN = ("timestamps", "seal", "commit")
"""What a manifest says of the moment rather than of the plan."""


def waited(command: list[str], kept: Path | None = None, until: int = 0) -> tuple[float, float]:
    """Wall seconds, and MB of the largest process, of a command and all it began; with ``kept`` it is killed, and its
    children with it, when the journal below that folder has so many lines."""
    began = time.monotonic()
    running = subprocess.Popen([POLITY, *command], stdout=subprocess.DEVNULL, start_new_session=True)
    if kept is not None:
        while journalled(kept) < until:
            assert running.poll() is None, "it ended before it was killed; more runs are needed"
            time.sleep(0.2)
        os.killpg(running.pid, signal.SIGKILL)
    _, status, used = os.wait4(running.pid, 0)
    assert os.WIFSIGNALED(status) if kept is not None else os.waitstatus_to_exitcode(status) == 0, (command, status)
    return time.monotonic() - began, used.ru_maxrss / 1024


def journalled(kept: Path) -> int:
    return sum(one.read_bytes().count(b"\n") for one in kept.glob(f".whole.partial-*/{JOURNAL}"))


def digests(folder: Path) -> dict[str, str]:
    found = {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in folder.iterdir() if one.is_file()}
    manifest = json.loads((folder / "run_manifest.json").read_text("utf-8"))
    plan = {name: value for name, value in manifest.items() if name not in OWN}
    return {**found, "run_manifest.json": json.dumps(plan, sort_keys=True)}


def say(what: str, wall: float, megabytes: float) -> None:
    sys.stdout.write(f"{what}: {wall:,.0f} s, largest process {megabytes:,.0f} MB\n")
    sys.stdout.flush()


def main(folder: Path, runs: int = 100_000, kills: int = 3) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plan, whole, merged = folder / "plan.yaml", folder / "whole", folder / "merged"
    plan.write_text(PLAN.format(seeds=runs // 2), "utf-8")
    for number in range(1, kills + 1):
        until = runs * number // (kills + 1)
        say(f"killed {number}", *waited(["run", str(plan), "--out", str(whole)], folder, until))
        sys.stdout.write(f"  {journalled(folder):,} of {runs:,} runs kept\n")
    say("played to the end", *waited(["run", str(plan), "--out", str(whole)]))
    parts = [folder / f"part-{number}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        say(f"part {number}", *waited(["run", str(plan), "--shard", f"{number}/2", "--out", str(part)]))
    say("merged", *waited(["merge", *map(str, parts), "--out", str(merged)]))
    one, other = digests(whole), digests(merged)
    differ = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    size = sum(path.stat().st_size for path in whole.iterdir())
    sys.stdout.write(f"{len(one)} files, {size / 1e6:,.1f} MB, {size / runs:,.0f} bytes a run; ")
    sys.stdout.write(f"differ: {', '.join(differ) or 'none'}\n")
    say("report", *waited(["report", str(whole)]))
    say("verify", *waited(["verify", str(whole), "--jobs", "2"]))
    for part in parts:
        shutil.rmtree(part)
    assert not differ, differ


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
