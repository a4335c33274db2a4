"""A finding's fault put back into a copy of today's code, and its test run on that: caught, or it survived."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.sites import ROOT

TREE = ("agents_app", "games", "polity", "simsite", "templates", "tests", "pyproject.toml", "manage.py", "docs")


@dataclass(frozen=True)
class Fault:
    """``old`` stands once in ``file`` of today's code; with ``new`` in its place the finding is back."""

    finding: str
    file: str
    old: str
    new: str
    test: str


def main(faults: Sequence[Fault], names: Sequence[str]) -> int:
    """A line a fault; nothing is changed here. ``names`` of findings choose some."""
    wanted = [fault for fault in faults if not names or fault.finding in names]
    survived, fine = 0, dict[str, bool]()
    with tempfile.TemporaryDirectory(prefix="polity-faults-") as place:
        tree = Path(place)
        for name in TREE:
            source = ROOT / name
            shutil.copytree(source, tree / name) if source.is_dir() else shutil.copy(source, tree / name)
        for one in wanted:
            if one.test not in fine:
                fine[one.test] = passes(tree, one.test)
            path = tree / one.file
            whole = path.read_text("utf-8")
            path.write_text(whole.replace(one.old, one.new), "utf-8")
            told = "CANNOT PASS" if not fine[one.test] else "SURVIVED" if passes(tree, one.test) else "caught"
            path.write_text(whole, "utf-8")
            survived += told != "caught"
            sys.stdout.write(f"{told} | {one.finding} | {one.file} | {one.test}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{survived} of them not caught\n")
    return 1 if survived else 0


def passes(tree: Path, test: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-x", "-p", "no:cacheprovider", test]
    env = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{test}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0
