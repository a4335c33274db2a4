"""What can be played here: each game with its settings, policies, presets and words, as forms and cards need them."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from games.core.registry import Pack, UnknownGame, get, packs
from games.lab.scenario import load
from games.selectors import NotFound


def games() -> list[dict[str, Any]]:
    """Every game in a line."""
    return [
        {
            "slug": slug,
            "title": pack.title,
            "tagline": pack.tagline,
            "policies": list(pack.policies),
            "presets": list(pack.scenario_files()),
        }
        for slug, pack in packs().items()
    ]


@lru_cache(maxsize=32)
def game_detail(slug: str) -> dict[str, Any]:
    """All that a form needs of a game; raises `NotFound`."""
    try:
        pack = get(slug)
    except UnknownGame as unknown:
        raise NotFound(str(unknown)) from None
    return {
        "slug": slug,
        "title": pack.title,
        "tagline": pack.tagline,
        "rules_version": pack.game.rules_version,
        "config": pack.game.config_type.model_json_schema(),
        "default_policy": pack.default_policy,
        "policies": [
            {
                "name": spec.name,
                "rule": spec.rule,
                "source": spec.source,
                "aka": list(spec.aka),
                "params": spec.params.model_json_schema(),
            }
            for spec in pack.policies.values()
        ],
        "presets": [preset_detail(slug, name) for name in pack.scenario_files()],
        "words": {lang: words(pack, lang) for lang in ("en", "zh")},
    }


@lru_cache(maxsize=256)
def preset_detail(slug: str, name: str, condition: str | None = None) -> dict[str, Any]:
    """A preset with the settings and seats of one of its conditions, the first where none is named."""
    try:
        pack = get(slug)
    except UnknownGame as unknown:
        raise NotFound(str(unknown)) from None
    if name not in pack.scenario_files():
        raise NotFound(f"{slug}/{name[:40]}: there is no such preset")
    scenario = load(f"{slug}/{name}")
    conditions = {one.name: one for one in scenario.conditions}
    chosen = conditions.get(condition or scenario.conditions[0].name)
    if chosen is None:
        wanted = str(condition)[:40]
        raise NotFound(f"{slug}/{name}: there is no condition {wanted!r}; there are {', '.join(conditions)}")
    return {
        "name": name,
        "title": dict(scenario.title),
        "about": dict(scenario.about),
        "condition": chosen.name,
        "config": chosen.config.model_dump(mode="json"),
        "seats": [agent.plain() for agent in chosen.seats],
        "seat_names": [spec.name for spec in pack.game.seats(chosen.config)],
        "seeds": list(scenario.seeds[:1000]),
        "conditions": list(conditions),
    }


def words(pack: Pack, lang: str) -> dict[str, Any]:
    """What a game calls its things in a language."""
    return dict(json.loads((pack.folder / "words" / f"{lang}.json").read_text("utf-8")))
