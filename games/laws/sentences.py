"""Laws of sentences: what a person reads of a run is whole, counted rightly, and set as its language is set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.core.words import PLACEHOLDER, Voice
from games.laws.case import Case
from games.laws.trials import trials

QUOTED: Final = re.compile('“[^”]*”|"[^"]*"')
CODE: Final = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
JSON: Final = re.compile(r"[{}\[\]]")
PLAIN_LIST: Final = re.compile(r"\[[^\]]*\]")
JUNK: Final = re.compile(r"[^a-z_]")
CELL: Final = re.compile(r"\(\d+,\d+\)")
HALF_WIDTH: Final = re.compile(r"[\u3400-\u9fff] ?[,;:!?(]|[,;:!?)] ?[\u3400-\u9fff]")
TOUCHING: Final = re.compile(r"[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u3400-\u9fff]")
COUNTS: Final = (0, 1, 2)
LISTS: Final = frozenset({"seats", "cells", "list"})


def what_happened_reads_well(case: Case) -> None:
    """Events and notes are told without codes, gaps and JSON, one as one and many as many, Chinese as it is printed.

    What somebody wrote stands in quotation marks and may look as it likes.
    """
    for lang in LANGUAGES:
        nouns, voice = counted(case.pack, lang), spoken(case.pack, lang)
        for kind, told in _events_told(case, lang, voice):
            assert "–" not in told, f"{lang}: event {kind} has a gap: {told}"
            assert JSON.search(told) is None, f"{lang}: event {kind} tells JSON: {told}"
            _well_set(f"event {kind}", told, lang, nouns)
        for kind, told in _notes_told(case, lang, voice):
            _well_set(f"note {kind}", PLAIN_LIST.sub("", told), lang, nouns)


def numbers_and_nouns_agree(cases: Sequence[Case]) -> None:
    """Every sentence of a game is right for none, one and two of whatever it counts."""
    pack = cases[0].pack
    nouns, voice = counted(pack, "en"), spoken(pack, "en")
    book = pack.words.book("en")
    events = {f"event {kind}": _text(told) for kind, told in book.get("events", {}).items()}
    notes = {f"note {kind}": str(told) for kind, told in book.get("notes", {}).items()}
    for name, template in {**events, **notes}.items():
        for n in COUNTS:
            wrong = miscounted(voice.sentence(template, filled(template, n)), nouns)
            assert wrong is None, f"{name}, for {n}: {wrong!r} in {voice.sentence(template, filled(template, n))!r}"


def counted(pack: Pack, lang: str) -> Mapping[str, str]:
    """The nouns that the game's sentences count, one of them and many."""
    return nouns_in(templates(pack.words.book(lang)))


def nouns_in(texts: Iterator[str]) -> dict[str, str]:
    """Of ``{n|plot|plots}`` the nouns; verbs, which end the other way round, are left out."""
    pairs = {(one, many) for text in texts for _, _, one, many in PLACEHOLDER.findall(text) if one or many}
    return {
        one: many for one, many in pairs if many.endswith("s") and one.isalpha() and many.isalpha() and one[-1] != "s"
    }


def templates(book: Any) -> Iterator[str]:
    """Every text of a book of words, however deep."""
    if isinstance(book, str):
        yield book
    elif isinstance(book, Mapping):
        for part in book.values():
            yield from templates(part)
    elif isinstance(book, list):
        for part in book:
            yield from templates(part)


def miscounted(told: str, nouns: Mapping[str, str]) -> str | None:
    """A number and a noun that do not go together: "1 plots", "2 plot"."""
    for one, many in nouns.items():
        found = re.search(rf"(?<![\d.,–-])(?:1 {many}|(?!1 )\d+ {one})\b", told)
        if found:
            return found[0]
    return None


def filled(template: str, n: int) -> dict[str, Any]:
    """Data in which everything that a template names is ``n``, or so many."""
    kinds: dict[str, set[str]] = {}
    for key, kind, _, _ in PLACEHOLDER.findall(template):
        kinds.setdefault(key, set()).add(kind)
    return {key: list(range(n)) if found & LISTS else n for key, found in kinds.items()}


def spoken(pack: Pack, lang: str) -> Voice:
    """As people are told, with letters for seats."""
    voice = pack.words.voice(lang)
    return Voice(voice.name, lambda seat: chr(65 + seat % 26), one=voice.one, term=voice.term)


def _text(told: Any) -> str:
    return str(told["text"]) if isinstance(told, Mapping) else str(told)


def _events_told(case: Case, lang: str, voice: Voice) -> set[tuple[str, str]]:
    """The kinds and sentences of a run's events, without what is quoted."""
    words = case.pack.words.book(lang).get("events", {})
    events = chain.from_iterable(step.events for step in case.played().steps)
    told = ((event.kind, voice.sentence(_text(words.get(event.kind, "")), event.data)) for event in events)
    return {(kind, QUOTED.sub("", one)) for kind, one in told}


def _notes_told(case: Case, lang: str, voice: Voice) -> set[tuple[str, str]]:
    """The same of notes; junk that stood in an answer is left out of them."""
    words = case.pack.words.book(lang).get("notes", {})
    found = set()
    for note in chain.from_iterable(trial.notes for trial in trials(case)):
        own = {key: one for key, one in note.data.items() if not (isinstance(one, str) and JUNK.search(one))}
        found.add((note.kind, QUOTED.sub("", voice.sentence(words.get(note.kind, ""), own))))
    return found


def _well_set(name: str, told: str, lang: str, nouns: Mapping[str, str]) -> None:
    code = CODE.search(told)
    assert code is None, f"{lang}: {name} tells a code, {code[0] if code else ''}: {told}"
    if lang == "en":
        wrong = miscounted(told, nouns)
        assert wrong is None, f"en: {name} counts wrongly, {wrong}: {told}"
    elif lang == "zh":
        told = CELL.sub("0", told)
        for law, what in ((HALF_WIDTH, "a half-width sign"), (TOUCHING, "Latin letters that touch")):
            found = law.search(told)
            assert found is None, f"zh: {name} has {what}, {found[0] if found else ''}: {told}"
