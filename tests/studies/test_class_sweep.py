"""A class of an odd number in every game, on each database: two matches for all but the one who rests, and no names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.sites import ROOT
from tests.studies.classwalk import NAMES, PLAYED


def walked(game: str, database: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.studies.classwalk", game],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


KINDS = ("sqlite", "postgresql")
#: One game on each of the databases; each on both in the full tests.
CASES = [
    pytest.param(game, kind, id=f"{game}-{kind}", marks=() if (n, at) in ((0, 0), (1, 1)) else pytest.mark.full)
    for n, game in enumerate(PLAYED)
    for at, kind in enumerate(KINDS)
]


@pytest.mark.parametrize(("game", "kind"), CASES)
def test_an_odd_class_plays_two_matches_each_rests_in_turn_and_leaves_no_name(
    game: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    sqlite = f"sqlite:///{tmp_path}/class.sqlite3"
    told = walked(game, sqlite if kind == "sqlite" else request.getfixturevalue("postgres_url"))
    everybody = set(range(len(NAMES)))
    rested = []
    for match in told["sat"]:
        sitting = Counter(one for group in match for one in group)
        assert [len(group) for group in match] == [2, 2]
        assert set(sitting.values()) == {1}, "somebody sits twice in one match"
        rested.append(everybody - set(sitting))
    assert [len(one) for one in rested] == [1, 1]
    assert rested[0] != rested[1], "the same one rests twice"
    assert set(map(tuple, told["sat"][0])).isdisjoint(map(tuple, told["sat"][1])), "a pair meets twice"
    assert (told["ends"], told["runs"]) == (["done"] * len(NAMES), ["finished"])
    seen = told["seen_by"]
    assert [one["faults"] for one in seen.values()] == [[], [], []]
    assert (seen["visitor"]["names"], seen["pupil"]["names"]) == ([], [])
    assert set(seen["operator"]["names"]) == {"/sessions/N", "/api/v1/sessions/N/findings"}
    assert seen["visitor"]["answered"] < seen["operator"]["answered"]
