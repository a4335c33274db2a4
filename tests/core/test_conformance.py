"""Every law, for every game of the catalog and every preset of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache

import pytest

from games.core.registry import packs
from games.lab.scenarios.scenario import load
from games.laws import GAME_LAWS, LAWS, Case
from games.laws.golden import golden_traces_replay, rewrite

#: Presets that differ in kind: each mechanism of a game, each form of a seat. The others are walked by `just full`.
QUICK = {
    "adasociety": {
        "contract-easy",
        "contract-hard",
        "exploration",
        "invented",
        "llm-mock-negotiation",
        "negotiation-easy",
        "social-structure-overlapping",
    },
    "dilemma": {"demo", "generous", "geometric", "hidden-length", "llm-mock", "noisy", "talk", "tournament"},
    "economist": {"audit-sweep", "bandit", "collusive", "default", "saez", "small-land"},
    "mining": {
        "adjudication",
        "baseline",
        "first-possession",
        "history-full",
        "llm-noise",
        "per-point-defence",
        "raid-fine",
        "talk",
        "uneven-stamina",
    },
    "nations": {"bad-actors", "baseline", "dark-world", "llm-mock", "mixed", "resources", "rounds"},
}


def marks_of(slug: str, preset: str) -> tuple[pytest.MarkDecorator, ...]:
    """A game that is not named here is walked whole."""
    return () if preset in QUICK.get(slug, {preset}) else (pytest.mark.full,)


CASES = [
    pytest.param(slug, preset, id=f"{slug}-{preset}", marks=marks_of(slug, preset))
    for slug, pack in packs().items()
    for preset in pack.scenarios
]


@lru_cache(maxsize=4)
def case_of(slug: str, preset: str) -> Case:
    scenario = load(f"{slug}/{preset}")
    condition = scenario.conditions[0]
    return Case(scenario.pack, preset, condition.config, dict(enumerate(condition.seats)), scenario.seeds[0])


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("slug", "preset"), CASES)
def test_law(slug: str, preset: str, law: Callable[[Case], None]) -> None:
    law(case_of(slug, preset))


@pytest.mark.parametrize("law", GAME_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("slug", list(packs()))
def test_law_of_games(slug: str, law: Callable[[Sequence[Case]], None]) -> None:
    if law is golden_traces_replay and os.environ.get("POLITY_GOLDEN") == "1":
        rewrite(packs()[slug])
    law([case_of(slug, preset) for preset in packs()[slug].scenarios])


@pytest.mark.parametrize("slug", list(packs()))
def test_every_game_has_a_preset_and_those_that_are_walked_here_exist(slug: str) -> None:
    assert packs()[slug].scenarios
    assert QUICK.get(slug, set()) <= set(packs()[slug].scenarios)
