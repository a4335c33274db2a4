"""Timings of environments are found by the game's name."""

from __future__ import annotations

import pytest

from games.lab.learning import learners_timings
from games.lab.learning.adasociety import timing


def test_a_game_with_environments_has_their_timings_and_any_other_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "timings", lambda repeats: [{"case": "environment", "repeats": repeats}])
    assert learners_timings("adasociety", 2) == [{"case": "environment", "repeats": 2}]
    for other in ("dilemma", "economist"):  # the economist is learnt in, and has no timings of its own
        assert learners_timings(other, 2) == ()
