"""Every law, for every game of the catalog and every preset of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache

import pytest

from games.core.conformance import GAME_LAWS, LAWS, Case
from games.core.conformance.golden import golden_traces_replay, rewrite
from games.core.registry import packs
from games.lab.scenario import load

CASES = [(slug, preset) for slug, pack in packs().items() for preset in pack.scenario_files()]


@lru_cache(maxsize=4)
def case_of(slug: str, preset: str) -> Case:
    scenario = load(f"{slug}/{preset}")
    condition = scenario.conditions[0]
    return Case(scenario.pack, preset, condition.config, dict(enumerate(condition.seats)), scenario.seeds[0])


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("slug", "preset"), CASES, ids=[f"{slug}-{preset}" for slug, preset in CASES])
def test_law(slug: str, preset: str, law: Callable[[Case], None]) -> None:
    law(case_of(slug, preset))


@pytest.mark.parametrize("law", GAME_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("slug", list(packs()))
def test_law_of_games(slug: str, law: Callable[[Sequence[Case]], None]) -> None:
    if law is golden_traces_replay and os.environ.get("POLITY_GOLDEN") == "1":
        rewrite(packs()[slug])
    law([case_of(slug, preset) for preset in packs()[slug].scenario_files()])


@pytest.mark.parametrize("slug", list(packs()))
def test_every_game_has_a_preset(slug: str) -> None:
    assert packs()[slug].scenario_files()
