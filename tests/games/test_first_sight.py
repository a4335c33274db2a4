"""Each demo shows within thirty seconds what its preset says to look for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from games.core.registry import get
from games.lab.scenarios.scenario import load
from games.laws.case import Case
from games.site.runs.demo import offered

SECONDS: Final = 30
SEEN: Final[Mapping[str, Mapping[str, int]]] = {
    "mining/mixed": {"plot_claimed": 80, "plot_taken": 20},
    "economist/living": {"trade": 60, "build": 8},
    "nations/demo": {"grant_paid": 20, "nation_attacked": 10, "promise_kept": 1, "promise_broken": 1},
    "dilemma/demo": {"hand_slipped": 1, "cooperation_broke": 1, "cooperation_returned": 1},
    "adasociety/demo": {"groups_merged": 3, "bargain_lapsed": 2},
}
"""At least so many events of a kind, on every seed."""


def test_every_demo_says_in_both_languages_what_to_look_for() -> None:
    assert set(offered()) == set(SEEN)
    for name in offered():
        assert set(load(name).look) == {"en", "zh"}, name


@pytest.mark.parametrize("name", SEEN)
def test_what_to_look_for_happens_within_thirty_seconds(name: str) -> None:
    scenario = load(name)
    first = scenario.conditions[0]
    pace = get(scenario.pack.slug).demo_pace
    for seed in (1, 2, 3):
        case = Case(scenario.pack, name, first.config, dict(enumerate(first.seats)), seed, steps=int(SECONDS * pace))
        kinds: list[Any] = [event.kind for step in case.run() for event in step.events]
        for kind, least in SEEN[name].items():
            assert kinds.count(kind) >= least, f"{name}, seed {seed}: {kind}"
