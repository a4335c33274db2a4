"""Everything that a site is put through, as often as it takes, with a tally: `python -m tests.survival.campaign`.

What has passed stands in a folder and is not done again: whoever breaks off begins where it ended. A word picks parts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from tests.sites import ROOT

OUTAGES = "tests/survival/test_outages.py::test_nothing_is_lost_doubled_or_defaulted_while_a_part_is_away"
KILLS = "tests/survival/test_kills.py::test_a_hundred_kills_change_nothing"
#: How often each test is done: PostgreSQL is stopped four times in the first.
TIMES = {
    **{
        f"{OUTAGES}[{kind}]": times for kind, times in {"postgres stopped": 5, "postgres frozen": 1, "redis": 1}.items()
    },
    **{f"{KILLS}[{database}]": 1 for database in ("sqlite", "postgresql")},
    **{f"{OUTAGES}[{kind}]": 1 for kind in ("parts", "web", "its clock", "the clock", "disk")},
    **{f"{OUTAGES}[sqlite, {kind}]": 1 for kind in ("parts", "the clock", "disk")},
}


def done(node: str, note: Path) -> dict[str, object] | None:
    """What a test told of itself, once it has passed."""
    if not note.exists():
        words = ["-n", "0", "-m", "full", "--tb=native", f"--junitxml={note}", node]
        log = note.with_suffix(".log").open("w")
        with log:
            ended = subprocess.run(
                [sys.executable, "-m", "pytest", *words], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, check=False
            )
        if ended.returncode or (told := noted(note)) is None:
            note.unlink(missing_ok=True)
            return None
        return told
    return noted(note)


def noted(note: Path) -> dict[str, object] | None:
    """None where it was skipped."""
    found = ElementTree.parse(note).find(".//property[@name='tally']")
    return None if found is None else dict(json.loads(found.attrib["value"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("place", type=Path, help="a folder of notes")
    parser.add_argument("words", nargs="*", help="parts of tests' names; without any, all")
    asked = parser.parse_args()
    asked.place.mkdir(parents=True, exist_ok=True)
    sums: Counter[str] = Counter()
    for node, times in TIMES.items():
        name = node.partition("[")[2].rstrip("]").replace(", ", "-").replace(" ", "-")
        name = name if OUTAGES in node else f"kills-{name}"
        if asked.words and not any(word in name for word in asked.words):
            continue
        for time in range(1, times + 1):
            told = done(node, asked.place / f"{name}-{time}.xml")
            print(f"{name} {time}: {'FAILED or skipped' if told is None else json.dumps(told)}", flush=True)  # noqa: T201
            sums["failed"] += told is None
            told = told or {}
            hits = told.get("kills")
            sums["kills"] += sum(hits.values()) if isinstance(hits, dict) else 0
            sums["outages"] += int(str(told.get("outages", 0)))
            sums["stops of PostgreSQL"] += sum(key.startswith("PostgreSQL stopped") for key in told)
            sums["acknowledged moves"] += int(str(told.get("moves", 0)))
    print(json.dumps(sums))  # noqa: T201
    sys.exit(sums["failed"] > 0)


if __name__ == "__main__":
    main()
