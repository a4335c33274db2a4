"""What can be played here: each game with its settings, policies, presets and words, as forms and cards need them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import TypeAdapter

from games.core.pack import Pack
from games.core.registry import BrokenGame, Registry, UnknownGame, get, packs
from games.errors.faults import Refused
from games.lab.scenarios.scenario import load, robin_of, title_of
from games.site.record.selectors import NotFound
from games.site.web.boards import address_of

BUNDLED: Final = "games.catalog."


def games() -> list[dict[str, Any]]:
    """Every game in a line."""
    return [
        {
            "slug": slug,
            "title": pack.title,
            "tagline": pack.tagline,
            "policies": list(pack.policies),
            "presets": list(pack.scenarios),
        }
        for slug, pack in packs().items()
    ]


EQUILIBRIA_DRAWN = 12


@lru_cache(maxsize=1)
def cards() -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Every game with its words and presets, and what cannot be used, with the reason: read once in a process."""
    good: list[dict[str, Any]] = []
    broken = Registry().broken()
    for slug, pack in packs().items():
        try:
            good.append(_card(slug, pack))
        except (Refused, OSError, ValueError, LookupError) as error:
            broken[slug] = f"game {slug}: its presets or words cannot be read: {error!r}"
    return good, [{"slug": slug, "why": why} for slug, why in sorted(broken.items())]


def _card(slug: str, pack: Pack) -> dict[str, Any]:
    books = {lang: words(pack, lang) for lang in ("en", "zh")}
    is_bundled = Registry().module(slug).startswith(BUNDLED)  # whose presets our tests hold to be right
    titled = title_of if is_bundled else _title_read_wholly
    return {
        "slug": slug,
        "name": {lang: book["name"] for lang, book in books.items()},
        "tagline": {lang: book["tagline"] for lang, book in books.items()},
        "presets": [{"name": name, "title": dict(titled(f"{slug}/{name}"))} for name in pack.scenarios],
        "classic": _classic(pack, books),
    }


def _classic(pack: Pack, books: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Of a game in one file: its seats, what its picture is made of, and its theory on the scale of its measure."""
    if pack.folder is not None:
        return None
    config = pack.game.config_type()
    told: dict[str, Any] = dict((pack.theory(config) if pack.theory is not None else None) or {})
    measure, bounds, best = told.get("headline", ""), told.get("range"), told.get("efficient")
    people = next((one for one in told.get("people", ()) if one["measure"] == measure), None)
    points = sorted({one["headline"] for one in told.get("equilibria", ()) if one["headline"] is not None})
    scale = {
        "label": {lang: book["metrics"][measure]["label"] for lang, book in books.items()},
        "range": bounds,
        "equilibria": points[:EQUILIBRIA_DRAWN],
        "efficient": best["headline"] if best else None,
        "people": people,
    } if bounds and points else None  # fmt: skip
    kinds = [{"kind": part["kind"]} for part in books["en"].get("face", ())]
    return {"seats": len(pack.game.seats(config)), "table": told.get("table"), "parts": kinds, "scale": scale}


def _title_read_wholly(preset: str) -> Mapping[str, str]:
    return load(preset).title


def rules(slug: str) -> dict[str, Any]:
    """A game's rule sheet; raises `NotFound`."""
    pack = _pack(slug)
    return {"slug": slug, "rules_version": pack.game.rules_version, "sheet": pack.files.rule_sheet()}


def _pack(slug: str) -> Pack:
    try:
        return get(slug)
    except UnknownGame as unknown:
        raise NotFound(str(unknown)) from None
    except BrokenGame:
        raise NotFound(f"game {slug}: its folder is broken; the lobby tells operators why") from None


@lru_cache(maxsize=32)
def game_detail(slug: str) -> dict[str, Any]:
    """All that a form needs of a game; raises `NotFound`."""
    pack = _pack(slug)
    return {
        "slug": slug,
        "title": pack.title,
        "tagline": pack.tagline,
        "rules_version": pack.game.rules_version,
        "config": pack.game.config_type.model_json_schema(),
        "default_policy": pack.default_policy,
        "role_defaults": dict(pack.role_defaults),
        "policies": [
            {
                "name": spec.name,
                "rule": spec.rule,
                "source": spec.source,
                "aka": list(spec.aka),
                "roles": list(spec.roles),
                "params": spec.params.model_json_schema(),
            }
            for spec in pack.policies.values()
        ],
        "presets": [preset_detail(slug, name) for name in pack.scenarios],
        "words": {lang: words(pack, lang) for lang in ("en", "zh")},
        "measures": dict(pack.metrics.about()),
        "theory": pack.theory(pack.game.config_type()) if pack.theory is not None else None,
    }


@lru_cache(maxsize=256)
def preset_detail(slug: str, name: str, condition: str | None = None) -> dict[str, Any]:
    """A preset with the settings and seats of one of its conditions, the first where none is named."""
    try:
        pack = get(slug)
    except UnknownGame as unknown:
        raise NotFound(str(unknown)) from None
    except BrokenGame:
        raise NotFound(f"game {slug}: its folder is broken; the lobby tells operators why") from None
    if name not in pack.scenarios:
        raise NotFound(f"{slug}/{name[:40]}: there is no such preset")
    scenario = load(f"{slug}/{name}", tries=False)  # what is bundled was tried
    conditions = {one.name: one for one in scenario.conditions}
    chosen = conditions.get(condition or scenario.conditions[0].name)
    if chosen is None:
        wanted = str(condition)[:40]
        raise NotFound(f"{slug}/{name}: there is no condition {wanted!r}; there are {', '.join(conditions)}")
    specs = pack.game.seats(chosen.config)
    return {
        "name": name,
        "title": dict(scenario.title),
        "about": dict(scenario.about),
        "condition": chosen.name,
        "config": chosen.config.model_dump(mode="json"),
        "seats": [agent.plain() for agent in chosen.seats],
        "seat_names": [spec.name for spec in specs],
        "seat_roles": [spec.role for spec in specs],
        "seeds": list(scenario.seeds[:1000]),
        "conditions": list(conditions),
        "round_robin": robin_of(f"{slug}/{name}"),
    }


@lru_cache(maxsize=32)
def game_types(slug: str) -> dict[str, Any]:
    """The forms of its settings and actions, as JSON Schema; raises `NotFound`."""
    try:
        pack = get(slug)
    except (UnknownGame, BrokenGame) as error:
        raise NotFound(str(error)) from None
    return {
        "game": slug,
        "rules_version": pack.game.rules_version,
        "config": pack.game.config_type.model_json_schema(),
        "action": TypeAdapter(pack.game.action_type).json_schema(),
    }


def words(pack: Pack, lang: str) -> dict[str, Any]:
    """What a game calls its things in a language."""
    return dict(pack.words.book(lang)) | ({} if pack.board is None else {"board": address_of(pack.slug, pack.board)})
