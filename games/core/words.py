"""A game's words, and what they make of events and notes: sentences in the reader's language.

The files are read by `games.core.books`. This reads the same placeholders as ``frontend/src/sentences.ts``:

``{key}`` plain · ``{key:seat}`` · ``{key:seats}`` · ``{key:cell}`` · ``{key:cells}`` · ``{key:list}`` · ``{key:name}``
what the words call it · ``{key:one}`` one of it, by the name ``one KEY`` where they have that · ``{key:round}`` to a
hundredth · ``{key:percent}`` a share · ``{key:rates}`` pairs of a bound and the share from there on, "0: 9.3%" ·
``{key:quote}`` words that somebody wrote, in quotation marks · ``{word:term}`` no value but a word of the game, a
setting or a plan: by its name for people, as it stands for models · ``{n|plot|plots}`` by number. For people, lists are
written "a, b and c", in Chinese "a、b、c", and Latin letters stand apart from Chinese characters.
Cases that both must tell alike lie in ``tests/core/sentences.json``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games.core import books
from games.core.answers import SAID, SENTENCE, Note
from games.core.game import Seat
from games.core.prompts import LANGUAGES, quoted

PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][\w.]*)(?::([a-z]+)|\|([^{}|]*)\|([^{}|]*))?\}", re.ASCII)
NOTHING: Final = "–"
TERM: Final = "term"
CHINESE: Final = re.compile("[\u3400-\u9fff]")
LATIN: Final = re.compile("[A-Za-z0-9]")
SEATS: Final = {"en": "seat {}", "zh": "席位 {}"}
"""What a seat is called where nobody says better."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How a sentence names things: what the game calls so, seats, and cells by row and column."""

    name: Callable[[str], str]
    seat: Callable[[Seat], str]
    cell: Callable[[int, int], str] = "({},{})".format
    one: Callable[[str], str] | None = None
    """One of a thing, "a hammer"; its name where nobody says."""
    term: Callable[[str], str] | None = None
    """What people call a word of the game; None where they are not who reads, and lists are parted by commas alone."""

    def sentence(self, template: str, data: Mapping[str, Any]) -> str:
        """The template with its placeholders filled; what the data lack is a dash."""
        chinese = self.term is not None and CHINESE.search(template) is not None

        def filled(found: re.Match[str]) -> str:
            told = self._filled(found, data, chinese)
            return _apart(template, found, told) if chinese else told

        return PLACEHOLDER.sub(filled, template)

    def _filled(self, found: re.Match[str], data: Mapping[str, Any], chinese: bool) -> str:
        key, kind, one, many = found.groups()
        if kind == TERM:
            return self.term(key) if self.term else key
        value = _look_up(data, key)
        if one is not None:
            count = len(value) if isinstance(value, list | tuple) else value
            return str(one if count == 1 else many)
        return self._worded(value, kind, chinese)

    def _listed(self, told: Sequence[str], chinese: bool) -> str:
        if self.term is None or len(told) < 2:
            return ", ".join(told)
        return "、".join(told) if chinese else f"{', '.join(told[:-1])} and {told[-1]}"

    def _worded(self, value: Any, kind: str | None, chinese: bool = False) -> str:
        if value is None:
            return NOTHING
        several = list(value) if isinstance(value, list | tuple) else None
        match kind:
            case "name" | "one" if several is not None:
                return self._listed([self._worded(each, kind) for each in several], chinese) or NOTHING
            case "name":
                return self.name(_plain(value))
            case "one":
                return (self.one or self.name)(_plain(value))
            case "seats" if several and all(isinstance(each, list | tuple) for each in several):
                return ("；" if chinese else "; ").join(self._worded(each, "seats", chinese) for each in several)
            case "seat" | "seats" if several is not None:
                return self._listed([self._worded(seat, "seat") for seat in several], chinese) or NOTHING
            case "seat" if _is_whole(value):
                return self.seat(value)
            case "cell" | "cells" if several is not None:
                if len(several) == 2 and all(map(_is_whole, several)):
                    return self.cell(*several)
                if all(isinstance(cell, list | tuple) for cell in several):
                    return self._listed([self._worded(cell, "cell") for cell in several], chinese)
            case "list" if several is not None:
                return self._listed(list(map(_plain, several)), chinese)
            case "round" if _is_number(value):
                return _plain(math.floor(value * 100 + 0.5) / 100)
            case "rates" if several and all(map(_is_rate, several)):
                rates = [f"{_plain(low)}:\u00a0{_percent(part)}" for low, part in several]
                return ("、" if chinese else ", ").join(rates)
            case "percent" if _is_number(value):
                return _percent(value)
            case "quote":
                told = quoted(_plain(value))
                return told if self.term is None else f"“{told[1:-1]}”"
        return _plain(value)


def voice_of(book: Mapping[str, Any], language: str) -> Voice:
    """For people: actions and things by the names that a book has for them."""
    names = {**book.get("actions", {}), **book.get("names", {})}

    def name(text: str) -> str:
        return str(names.get(text, text.replace("_", " ")))

    terms = {name: one.get("label") for name, one in book.get("config", {}).items() if isinstance(one, Mapping)}
    terms = {**book.get("values", {}), **terms, **names}

    def term(word: str) -> str:
        label = str(terms.get(f"term {word}") or terms.get(word) or word.replace("_", " "))
        return label[:1].lower() + label[1:]

    def one(text: str) -> str:
        return str(names.get(f"one {text}") or name(text))

    return Voice(name, SEATS[language].format, one=one, term=term)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one game, from its folder ``words``."""

    folder: Path

    def book(self, language: str) -> Mapping[str, Any]:
        """What the game calls its things in a language; in English, what it does not say there."""
        return books.book(self.folder, language)

    def brings(self, language: str) -> bool:
        """Whether the game has words in a language."""
        return books.brings(self.folder, language)

    def own(self, language: str) -> Mapping[str, Any]:
        """What the file of a language says itself, without what it leaves to English; empty where there is none."""
        return books.own(self.folder, language)

    def settings(self) -> Mapping[str, tuple[str, str]]:
        """Label and description of each setting in English, by path: ``piles.*.units``."""
        return books.settings(self.folder)

    def voice(self, language: str) -> Voice:
        """For people: actions and things by their names."""
        return voice_of(self.book(language), language)

    def exact(self, language: str) -> Voice:
        """For whoever answers in the same terms, a model: actions and things as they stand in answers."""
        return Voice(str, SEATS[language].format)

    def note(self, note: Note, language: str = "en", voice: Voice | None = None) -> str:
        """A note as one sentence. A kind without words is told as it came: nothing that was changed is hidden."""
        if note.kind == SENTENCE:
            return str(note.data.get("text", NOTHING))
        if note.kind == SAID:
            return str(note.data.get(language, note.data.get("en", NOTHING)))
        template = self.book(language).get("notes", {}).get(note.kind)
        if template is None:
            came = note.kind.replace("_", " ")
            return f"{came} {_plain(note.data)}" if note.data else came
        return (voice or self.voice(language)).sentence(template, note.data)

    def said(self, note: Note, voice: Callable[[str], Voice] | None = None) -> Note:
        """The note with its sentence in every language, for readers who do not have the game's words."""
        return Note(SAID, {lang: self.note(note, lang, voice and voice(lang)) for lang in LANGUAGES})

    def outcome(self, measures: Mapping[str, Any]) -> dict[str, str]:
        """What came of a run in a few words, by language: the first ``outcome`` of which it has every measure."""
        books = {language: self.book(language).get("outcome", ()) for language in LANGUAGES}
        which = next((n for n, one in enumerate(books["en"]) if _are_known(placeholders(one), measures)), None)
        if which is None:
            return {}
        return {lang: self.voice(lang).sentence(told[which], measures) for lang, told in books.items() if told}

    def fault(self, kind: str, **data: Any) -> Note:
        """What makes settings or an answer unusable, told by the game's ``faults`` in every language at once.

        Whoever reads such a note needs no words of the game.
        """
        books = {language: self.book(language)["faults"] for language in LANGUAGES}
        return Note(SAID, {lang: self.exact(lang).sentence(book[kind], data) for lang, book in books.items()})


def _apart(template: str, found: re.Match[str], told: str) -> str:
    """What was filled in, with a space where Latin letters or digits would touch a Chinese character."""
    before, after = template[: found.start()][-1:], template[found.end() :][:1]
    head = " " if _touch(before, told[:1]) else ""
    return head + told + (" " if _touch(told[-1:], after) else "")


def _touch(one: str, other: str) -> bool:
    return bool((CHINESE.match(one) and LATIN.match(other)) or (LATIN.match(one) and CHINESE.match(other)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _are_known(names: set[str], measures: Mapping[str, Any]) -> bool:
    return all(measures.get(name) is not None for name in names)


def placeholders(template: str) -> set[str]:
    """The keys of data that a template names, first steps of dotted ones."""
    named = (found.group(1, 2) for found in PLACEHOLDER.finditer(template))
    return {key.partition(".")[0] for key, kind in named if kind != TERM}


def _look_up(data: Any, path: str) -> Any:
    for key in path.split("."):
        if not isinstance(data, Mapping):
            return None
        data = data.get(key)
    return data


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_rate(pair: Any) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(map(_is_number, pair))


def _percent(value: float) -> str:
    """To a tenth."""
    return f"{_plain(math.floor(value * 1000 + 0.5) / 10)}%"


def _plain(value: Any) -> str:
    """A value as the page writes it, with a plain minus sign."""
    match value:
        case None:
            return NOTHING
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return str(int(value)) if value.is_integer() else str(round(value, 6))
        case tuple():
            return _plain(list(value))
        case _:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
