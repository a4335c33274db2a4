"""Presets of the catalog that stand for the others in what is tested of each: `just full` tests the rest of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pytest

from games.core.registry import packs

#: Games of one file whose kind others stand for: their laws are walked by one preset, the site's tests in `just full`.
SHELF: tuple[str, ...] = (
    "battle_of_sexes", "beauty_contest", "bertrand", "centipede", "chicken", "colonel_blotto", "coordination",
    "cournot", "dictator", "gift_exchange", "holt_laury", "market_entry", "matching_pennies", "minimum_effort",
    "prisoners_dilemma", "travellers_dilemma", "trust", "trust_matrix", "trust_strategy", "ultimatum_strategy",
    "volunteers_dilemma", "voting",
)  # fmt: skip
#: Presets that differ in kind: each mechanism of a game, each form of a seat; no two of them have one case (config and
#: policies) in common, as a game and its first treatment have. Games that are not named have no others.
QUICK: Mapping[str, Collection[str]] = {
    **dict.fromkeys(SHELF, ("default",)),
    "auction": {"default", "second"},
    "commons": {"default", "fast", "slow"},
    "double_auction": {"default", "unconstrained"},
    "public_goods": {"default", "without"},
    "ultimatum": {"default", "large", "pairs"},
    "adasociety": {
        "contract-easy",
        "contract-hard",
        "exploration",
        "invented",
        "negotiation-easy",
        "social-structure-overlapping",
    },
    "dilemma": {"demo", "generous", "geometric", "hidden-length", "llm-mock", "noisy", "talk", "tournament"},
    "economist": {"audit-sweep", "bandit", "living", "saez", "small-land"},
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
#: One or two of a game, where what is tested is the site's and asks of a game only that its frames differ.
FEW: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(SHELF, ()),
    "adasociety": ("contract-easy", "exploration", "llm-mock-negotiation"),
    "auction": ("default",),
    "commons": ("default",),
    "dilemma": ("demo", "llm-mock", "noisy", "talk"),
    "double_auction": ("adaptive",),
    "economist": ("living", "small-land"),
    "mining": ("baseline", "envoys", "llm-mock", "uneven-stamina"),
    "nations": ("bad-actors", "llm-mock", "resources"),
    "public_goods": ("default",),
    "ultimatum": ("default",),
}


def presets(quick: Mapping[str, Collection[str]]) -> list[Any]:
    """Every preset of the catalog as ``game/name``; where ``quick`` names the game, others are `full`."""
    return [
        pytest.param(f"{slug}/{name}", marks=() if name in quick.get(slug, {name}) else pytest.mark.full)
        for slug, pack in packs().items()
        for name in pack.scenarios
    ]
