"""Every law, for every game of the catalog and every preset of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.core.registry import packs

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
    "economist": {"audit-sweep", "bandit", "collusive", "default", "living", "saez", "small-land"},
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


@pytest.mark.polity(*packs(), quick=QUICK, slow="full")
def test_law(polity_law: Callable[[], None]) -> None:
    polity_law()


@pytest.mark.parametrize("slug", list(packs()))
def test_every_game_has_a_preset_and_those_that_are_walked_here_exist(slug: str) -> None:
    assert packs()[slug].scenarios
    assert QUICK.get(slug, set()) <= set(packs()[slug].scenarios)
