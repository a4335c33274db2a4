"""What is looked for in a game's log: its ``story.yaml``, or rules that follow from its words and measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from games.core import books
from games.core.game import MESSAGES
from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.core.words import placeholders
from games.lab.story.log import Log

Rule: TypeAlias = Mapping[str, Any]
DONE: Final = "_made"
"""With this end the kernel of declared games names the events of a stage's choices."""


@dataclass(frozen=True, slots=True)
class Rules:
    """``unit`` of what is earned, by language; ``ranked``: the roles that are held against each other, () all;
    ``guess``: what spectators may guess (`games.lab.story.guessing`).
    """

    unit: Mapping[str, str]
    ranked: tuple[str, ...]
    tells: Sequence[Rule]
    promises: bool = False
    guess: Rule = field(default_factory=dict)

    @property
    def kinds(self) -> frozenset[str]:
        """Every kind of event that a rule or the story itself looks for."""
        found = set(MESSAGES)
        for rule in self.tells:
            found.update(rule.get("of", ()))
            for kinds in rule.get("counts", {}).values():
                found.update(kinds)
        return frozenset(found)

    @property
    def measures(self) -> frozenset[str]:
        return frozenset(rule["measure"] for rule in self.tells if "measure" in rule)


def rules_of(pack: Pack) -> Rules:
    """The game's own, or those that follow from what it says of itself."""
    text = pack.files.story()
    return Rules(**_read(text)) if text is not None else _derived(pack)


@lru_cache(maxsize=64)
def _read(text: str) -> Mapping[str, Any]:
    told = books.loaded(text)
    return {**told, "ranked": tuple(told.get("ranked", ()))}


def new_log(pack: Pack) -> Log:
    """An empty log that keeps what the game's story needs."""
    rules = rules_of(pack)
    return Log(pack.game.counted, rules.kinds, rules.measures)


def _derived(pack: Pack) -> Rules:
    books_ = {lang: pack.words.book(lang) or pack.words.book("en") for lang in LANGUAGES}
    unit = {lang: str(COMMON[lang]["points"]) for lang in LANGUAGES}
    return Rules(unit, (), [*_headline(pack, books_), *_choices(books_), *_dealings(books_), *_measures(books_)])


def _headline(pack: Pack, books_: Mapping[str, Any]) -> Iterator[Rule]:
    """How the measure that says most of a match went."""
    if pack.headline:
        nouns = {lang: {"noun": _noun(book, pack.headline)} for lang, book in books_.items()}
        for find in ("halves", "extremes"):
            level = {"level": _common("halves_level", nouns)} if find == "halves" else {}
            yield {"find": find, "measure": pack.headline, "kind": find, **_common(find, nouns), **level}


def _noun(book: Mapping[str, Any], name: str) -> str:
    return str(book.get("metrics", {}).get(name, {}).get("label", name))


def _choices(books_: Mapping[str, Any]) -> Iterator[Rule]:
    """Who chose most and least of what, in each stage."""
    for kind in books_["en"].get("events", {}):
        if kind.endswith(DONE):
            field = kind.removesuffix(DONE)
            names = {lang: {"noun": book.get("names", {}).get(field, field)} for lang, book in books_.items()}
            yield {
                "find": "deeds", "of": [kind], "field": field, "kind": kind,
                **_common("deeds", names), "named": _common("chosen", names),
            }  # fmt: skip


def _dealings(books_: Mapping[str, Any]) -> Iterator[Rule]:
    """What one seat did to another most often."""
    for kind, told in books_["en"].get("events", {}).items():
        if kind not in MESSAGES and {"by", "to"} <= placeholders(told["text"]):
            rule = {"find": "pair", "of": [kind], "by": "by", "on": "to", "kind": kind, "turning": None}
            yield rule | _common("dealings", {lang: {"noun": _told(book, kind)} for lang, book in books_.items()})


def _told(book: Mapping[str, Any], kind: str) -> str:
    return str(book["events"][kind]["text"])


def _measures(books_: Mapping[str, Any]) -> Iterator[Rule]:
    for n, outcome in enumerate(books_["en"].get("outcome", ())[:1]):
        nouns = {lang: {"noun": book["outcome"][n]} for lang, book in books_.items()}
        yield {"find": "measures", "of": sorted(placeholders(outcome)), "kind": "outcome", **_common("measures", nouns)}


def _common(name: str, nouns: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """A sentence of every game with a game's own words put in for ``<noun>``."""
    return {lang: COMMON[lang][name].replace("<noun>", nouns[lang]["noun"]) for lang in LANGUAGES}


def _common_words() -> Mapping[str, Mapping[str, str]]:
    return {lang: books.own(Path(__file__).parent / "words", lang) for lang in LANGUAGES}


COMMON: Final = _common_words()
"""The sentences that every game's story has, by language."""
