"""A class from a few choices: the game, the minutes, who meets whom, what stands on the wall. It is a study's file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import yaml

from games.core.registry import packs
from games.lab.scenarios.scenario import load
from games.site.studies import presets

LIKE: Final = "class-in-pairs"
"""The study that all else is taken from."""
SCENARIOS: Final[Mapping[str, str]] = {
    "dilemma": "dilemma/tft-vs-alld",
    "public_goods": "public_goods/default",
    "trust": "trust/default",
    "ultimatum": "ultimatum/default",
    "commons": "commons/default",
}
MINUTES: Final = (10, 20, 30, 45)
AROUND: Final = 8
"""Minutes for coming, rules and talk."""
MATCH: Final = 4
"""Minutes that a match of ten rounds takes a class."""
RULES: Final = ("stranger", "partner", "random")


def names(lang: str) -> list[tuple[str, str]]:
    """Games that a class can play, as their reader's language calls them."""
    found = [(slug, packs().get(slug)) for slug in SCENARIOS]
    return [(slug, str(pack.words.book(lang).get("name") or slug)) for slug, pack in found if pack is not None]


def class_text(game: str, minutes: int, match: str, named: bool) -> str:
    """The file of such a class: as many matches as there are minutes for. ``game`` is one of `SCENARIOS`."""
    scenario = load(SCENARIOS[game])
    seats = [one.name for one in scenario.pack.game.seats(scenario.conditions[0].config)]
    en, zh = (dict(names(lang))[game] for lang in ("en", "zh"))
    study = yaml.safe_load(presets.text_of(LIKE))
    study |= {"study": f"class-{game.replace('_', '-')}", "title": {"en": f"{en} in class", "zh": f"课堂：{zh}"}}
    study |= {"minutes": minutes, "names": named}
    study["steps"]["play"] |= {
        "scenario": SCENARIOS[game],
        "seats": {name: {"person": True} for name in seats},
        "repeat": max(1, (minutes - AROUND) // MATCH),
        "match": match,
    }
    return str(yaml.safe_dump(study, allow_unicode=True, sort_keys=False))
