"""The long checks in parts: ``python .ci/full.py [--minutes 40] [FOLDER or FILE ...]``.

A part is a file of tests, or one test of a file that takes longer than others. What has passed at this commit is not
run again, and after three quarters of the minutes none is begun: the same command goes on where it ended. The exit
status is 1 where a part failed, 3 where some are left.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-m", "full", "-q"]
APART = ("tests/games/test_described.py", "tests/survival/", "tests/e2e/", "tests/studies/test_kills.py")
"""Files, or folders of them, whose tests are parts by themselves."""


def parts(places: list[str]) -> list[str]:
    """Files and tests, in the order of collection."""
    found = subprocess.run([*PYTEST, "--collect-only", "-n0", *places], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    tests = [line for line in found.stdout.splitlines() if "::" in line and not line.startswith(("ERROR", "="))]
    if found.returncode not in (0, 5):
        sys.exit(found.stdout)
    return list(dict.fromkeys(one if one.startswith(APART) else one.partition("::")[0] for one in tests))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("places", nargs="*")
    given = parser.parse_args()
    began = time.monotonic()
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    record = ROOT / ".pytest_cache" / "full" / f"{commit.stdout.strip()}.txt"
    record.parent.mkdir(parents=True, exist_ok=True)
    passed = set(record.read_text("utf-8").splitlines()) if record.exists() else set()
    left = [part for part in parts(given.places) if part not in passed]
    failed = []
    while left and time.monotonic() - began < given.minutes * 45:
        part = left.pop(0)
        sys.stdout.write(f"\n== {part}\n")
        sys.stdout.flush()
        if subprocess.run([*PYTEST, "--timeout", "3600", part], cwd=ROOT).returncode:
            failed.append(part)
        else:
            with record.open("a", encoding="utf-8") as out:
                out.write(f"{part}\n")
    sys.stdout.write(f"\n== failed: {', '.join(failed) or 'none'}; left for the next time: {len(left)}\n")
    return 1 if failed else 3 if left else 0


if __name__ == "__main__":
    sys.exit(main())
