"""What the columns, events, measures and settings of an export mean: the levels' own words and the games'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from games.core.pack import Pack
from games.core.registry import BrokenGame, UnknownGame, get
from games.site.exports.tables import COLUMNS, Level

LANGUAGES = ("en", "zh")


def codebook(games: Iterable[str]) -> dict[str, Any]:
    """Of every level, and of these games, in English and Chinese where the games have words in both."""
    return {
        "levels": {
            level: [{"name": one.name, "kind": one.kind, "about": one.about} for one in COLUMNS[level]]
            for level in get_args(Level)
        },
        "games": {slug: _game(slug) for slug in sorted(set(games))},
    }


def _game(slug: str) -> dict[str, Any]:
    try:
        pack = get(slug)
    except (UnknownGame, BrokenGame) as error:
        return {"gone": str(error)}
    books = {language: pack.words.book(language) for language in LANGUAGES}
    schema = pack.game.config_type.model_json_schema()
    return {
        "title": {language: book.get("name", slug) for language, book in books.items()},
        "rules_version": pack.game.rules_version,
        "stages": _each(books, "stages"),
        "events": {
            kind: {language: _text(book["events"].get(kind)) for language, book in books.items()}
            for kind in books["en"].get("events", {})
        },
        "notes": _each(books, "notes"),
        "measures": _measures(pack, books),
        "settings": {
            name: {
                "label": _word(books, "config", name, "label"),
                "help": _word(books, "config", name, "help"),
                "unit": field.get("unit", ""),
                "default": field.get("default"),
            }
            for name, field in schema["properties"].items()
        },
        "policies": {name: spec.rule for name, spec in pack.policies.items()},
    }


def _measures(pack: Pack, books: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    about = dict(pack.metrics.about())
    worded = (name for name in books["en"].get("metrics", {}) if not name.endswith("*"))  # no family is a measure
    names = dict.fromkeys([*about, *worded])
    return {
        name: {
            "label": _word(books, "metrics", name, "label"),
            "unit": _word(books, "metrics", name, "unit"),
            "about": about.get(name, ""),
        }
        for name in names
    }


def _word(books: Mapping[str, Mapping[str, Any]], part: str, name: str, word: str) -> dict[str, str]:
    """What the game says of one of its settings or measures, by language; "" where it says nothing."""
    return {language: (book.get(part, {}).get(name) or {}).get(word, "") for language, book in books.items()}


def _each(books: Mapping[str, Mapping[str, Any]], part: str) -> dict[str, dict[str, Any]]:
    return {key: {lang: book[part].get(key, "") for lang, book in books.items()} for key in books["en"].get(part, {})}


def _text(event: Any) -> str:
    return str(event["text"]) if isinstance(event, dict) else str(event or "")
