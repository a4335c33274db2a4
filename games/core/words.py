"""A game's words, and what they make of events and notes: sentences in the reader's language.

The files ``words/LANGUAGE.json`` are the page's own. This reads the same placeholders as ``frontend/src/sentences.ts``:

``{key}`` plain · ``{key:seat}`` · ``{key:seats}`` · ``{key:cell}`` · ``{key:cells}`` · ``{key:list}`` · ``{key:name}``
what the words call it · ``{key:one}`` one of it, by the name ``one KEY`` where they have that · ``{key:round}`` to a
hundredth · ``{key:percent}`` a share · ``{key:quote}`` words that somebody wrote, in quotation marks ·
``{n|plot|plots}`` by number.
Cases that both must tell alike lie in ``tests/core/sentences.json``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from games.core.answers import SAID, SENTENCE, Note
from games.core.game import Seat
from games.core.prompts import LANGUAGES, quoted

PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][\w.]*)(?::([a-z]+)|\|([^{}|]*)\|([^{}|]*))?\}", re.ASCII)
NOTHING: Final = "–"
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

    def sentence(self, template: str, data: Mapping[str, Any]) -> str:
        """The template with its placeholders filled; what the data lack is a dash."""
        return PLACEHOLDER.sub(lambda found: self._filled(found, data), template)

    def _filled(self, found: re.Match[str], data: Mapping[str, Any]) -> str:
        key, kind, one, many = found.groups()
        value = _look_up(data, key)
        if one is not None:
            count = len(value) if isinstance(value, list | tuple) else value
            return str(one if count == 1 else many)
        return self._worded(value, kind)

    def _worded(self, value: Any, kind: str | None) -> str:
        if value is None:
            return NOTHING
        several = list(value) if isinstance(value, list | tuple) else None
        match kind:
            case "name":
                return _each(self.name, value)
            case "one":
                return _each(self.one or self.name, value)
            case "seat" | "seats" if several is not None:
                return ", ".join(self._worded(seat, "seat") for seat in several) or NOTHING
            case "seat" if _is_whole(value):
                return self.seat(value)
            case "cell" | "cells" if several is not None:
                if len(several) == 2 and all(map(_is_whole, several)):
                    return self.cell(*several)
                if all(isinstance(cell, list | tuple) for cell in several):
                    return ", ".join(self._worded(cell, "cell") for cell in several)
            case "list" if several is not None:
                return ", ".join(map(_plain, several))
            case "round" if _is_number(value):
                return _plain(math.floor(value * 100 + 0.5) / 100)
            case "percent" if _is_number(value):
                return f"{_plain(math.floor(value * 1000 + 0.5) / 10)}%"
            case "quote":
                return quoted(_plain(value))
        return _plain(value)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one game, from its folder ``words``."""

    folder: Path

    def book(self, language: str) -> Mapping[str, Any]:
        """What the game calls its things in a language; empty where it brings no such file."""
        return _book(self.folder / f"{language}.json")

    def voice(self, language: str) -> Voice:
        """For people: actions and things by their names."""
        book = self.book(language)
        names = {**book.get("actions", {}), **book.get("names", {})}

        def name(text: str) -> str:
            return str(names.get(text, text.replace("_", " ")))

        return Voice(name, SEATS[language].format, one=lambda text: str(names.get(f"one {text}") or name(text)))

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

    def fault(self, kind: str, **data: Any) -> Note:
        """What makes settings or an answer unusable, told by the game's ``faults`` in every language at once.

        Whoever reads such a note needs no words of the game.
        """
        books = {language: self.book(language)["faults"] for language in LANGUAGES}
        return Note(SAID, {lang: self.exact(lang).sentence(book[kind], data) for lang, book in books.items()})


def _each(name: Callable[[str], str], value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_each(name, each) for each in value)
    return name(_plain(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def placeholders(template: str) -> set[str]:
    """The keys that a template names, first steps of dotted ones."""
    return {found.group(1).partition(".")[0] for found in PLACEHOLDER.finditer(template)}


@lru_cache(maxsize=64)
def _book(path: Path) -> Mapping[str, Any]:
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def _look_up(data: Any, path: str) -> Any:
    for key in path.split("."):
        if not isinstance(data, Mapping):
            return None
        data = data.get(key)
    return data


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


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
