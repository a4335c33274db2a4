"""A finding in words: as text, seats and moments, in each language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.core.words import PLACEHOLDER
from games.lab.story.finders import Facts
from games.lab.story.log import Log
from games.lab.story.rules import COMMON
from games.lab.story.shape import Part, Said

SEAT, MOMENT = "\x00{}\x00", "\x01{}\x01"
"""What stands for a seat and a round in a sentence before it is parted."""
MARKED: Final = re.compile("(\x00\\d+\x00|\x01\\d+\x01)")
LATIN: Final = re.compile("[A-Za-z0-9)]")
CHINESE: Final = re.compile("[\u3400-\u9fff]")


class Moments(list[int]):
    """Rounds that a sentence names one after the other."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finding: what kind, its facts, its sentence by language, and its caption where it may be a turning point.

    ``at`` and ``until`` in the facts are numbers of rounds. ``whole``: it is told of the whole run.
    """

    kind: str
    facts: Facts
    words: Mapping[str, str]
    caption: Mapping[str, str] | None = None
    whole: bool = False


def plain_text(said: Said, language: str, name: Callable[[int], str]) -> str:
    """A sentence as text, seats by their names."""
    text = ""
    for part in said[language]:
        more = part if isinstance(part, str) else name(part["seat"]) if "seat" in part else part["text"]  # type: ignore[typeddict-item]
        if text and more and _touch(text[-1], more[0]):
            text += " "
        text += more
    return text


def _touch(one: str, other: str) -> bool:
    return bool((CHINESE.match(one) and LATIN.match(other)) or (LATIN.match(one) and CHINESE.match(other)))


class Wording:
    """Words what was found in one run's log. ``digits``: decimals of what is earned."""

    def __init__(self, pack: Pack, log: Log, unit: Mapping[str, str], digits: int) -> None:
        self.log, self.unit, self.digits = log, unit, digits
        self.voices = {lang: replace(pack.words.voice(lang), seat=SEAT.format) for lang in LANGUAGES}
        self.books = {lang: pack.words.book(lang) or pack.words.book("en") for lang in LANGUAGES}
        self.counted = pack.game.counted
        self.has_outer = len({one.label[:-1] for one in log.rounds[1:]}) > 1

    def said(self, one: Found) -> Said:
        return {lang: self._parts(lang, one.words[lang], one.facts) for lang in LANGUAGES}

    def _parts(self, lang: str, template: str, facts: Facts) -> list[Part]:
        worded = {found[1] for found in PLACEHOLDER.finditer(template) if found[2] not in (None, "moment")}
        told = {key: value if key in worded else self._value(lang, key, value) for key, value in facts.items()}
        told["unit"] = self.unit[lang]
        for found in PLACEHOLDER.finditer(template):
            if found[2] == "moment":
                value = facts[found[1]]
                numbers = value if isinstance(value, Moments) else [value]
                told[found[1]] = _joined(lang, [MOMENT.format(number) for number in numbers])
        text = self.voices[lang].sentence(template.replace(":moment}", "}"), told)
        parts: list[Part] = []
        for piece in MARKED.split(text):
            if piece[:1] == "\x00":
                parts.append({"seat": int(piece[1:-1])})
            elif piece[:1] == "\x01":
                number = int(piece[1:-1])
                parts.append({"at": self.step(number), "text": self._moment(lang, number)})
            elif piece:
                parts.append(piece)
        return parts

    def _value(self, lang: str, key: str, value: Any) -> Any:
        if isinstance(value, Moments):
            return _joined(lang, [MOMENT.format(number) for number in value])
        if key == "went":
            return COMMON[lang][value]
        if isinstance(value, float):
            return _decimal(value)
        if isinstance(value, int) and value >= 1000:
            return f"{value:,}"
        return value

    def _moment(self, lang: str, number: int) -> str:
        """What the game calls a round: "turn 12", in a run of several rounds "round 2, turn 5"."""
        label = self.log.rounds[number].label
        if not label or number == 0:
            return COMMON[lang]["start"]
        book = self.books[lang]
        name, n = label[-1]
        is_counted = name == (self.counted or label[0][0])
        inner = str(book.get("round", "{n}") if is_counted else book["clock"][name])
        told = _small(inner.replace("{n}", str(n)))
        if not self.has_outer or len(label) < 2:
            return told
        outer = str(book.get("clock", {}).get(label[0][0], "{n}")).replace("{n}", str(label[0][1]))
        return COMMON[lang]["within"].format(outer=_small(outer), inner=told)

    def span(self, lang: str, at: int, until: int, whole: bool) -> str:
        if whole:
            return COMMON[lang]["all"]
        numbers = [self.log.rounds[n].label[-1][1] if self.log.rounds[n].label else n for n in (at, until)]
        if self.has_outer:
            numbers = [at, until]
        return str(numbers[0]) if at >= until else f"{numbers[0]}–{numbers[1]}"

    def step(self, number: int) -> int:
        """The address of a round: its last step."""
        return self.log.rounds[number].last if self.log.rounds else 0

    def amount(self, value: float) -> str:
        text = f"{value:,.{self.digits}f}"
        return text.replace("-", "−")


def _joined(lang: str, told: Sequence[str]) -> str:
    words = COMMON[lang]
    return told[0] if len(told) == 1 else f"{words['list'].join(told[:-1])}{words['and']}{told[-1]}"


def common(name: str) -> Mapping[str, str]:
    """A sentence of every game, by language."""
    return {lang: COMMON[lang][name] for lang in LANGUAGES}


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def digits_of(amounts: Iterable[float]) -> int:
    """Decimals of what is earned: none where all are whole, one from a hundred on, else two."""
    values = list(amounts)
    if all(float(value).is_integer() for value in values):
        return 0
    return 1 if max(map(abs, values)) >= 100 else 2


def _decimal(value: float) -> str:
    """A mean or a measure: whole as it is, else to a hundredth, below a hundredth to two digits that count."""
    if value.is_integer():
        return f"{value:,.0f}".replace("-", "−")
    text = f"{value:,.2f}" if abs(value) >= 0.01 else f"{value:.2g}"
    return text.replace("-", "−")


def percent(share: float) -> str:
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"
