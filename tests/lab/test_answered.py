"""Every hypothesis of a bundled preset can be answered by what is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.core.registry import get
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import result_of
from games.lab.folders.running import run
from games.lab.scenarios.scenario import load

DEEP = ("adasociety", "dilemma", "economist", "mining", "nations")
ASKING = [f"{game}/{name}" for game in DEEP for name, text in get(game).scenarios.items() if "hypotheses:" in text]
SEEDS = 10
"""So many tell whether anything differs at all."""


def test_whoever_speaks_of_hypotheses_has_some() -> None:
    every = {f"{game}/{name}": text for game in DEEP for name, text in get(game).scenarios.items()}
    assert len(ASKING) > 30
    assert not [name for name, text in every.items() if "hypothes" in text.lower() and name not in ASKING]


@pytest.mark.full
@pytest.mark.parametrize("preset", ASKING)
def test_no_hypothesis_of_a_preset_is_untestable(preset: str, tmp_path: Path) -> None:
    seeds = load(preset).seeds[:SEEDS]
    run(load(preset, seeds=tuple(seeds)), tmp_path / "runs", jobs=1)
    tested = result_of(RunFolder(tmp_path / "runs")).comparisons
    assert tested
    assert not [one.comparison for one in tested if one.verdict in ("untestable", "not_delivered")]
