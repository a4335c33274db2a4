"""What things are called in a report, and how numbers are written: the game's words where it has them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from games.core.words import Words
from games.lab.analysis.provenance import Provenance

WORDS: Final = Words(Path(__file__).parent / "words")
NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class Labels:
    """The texts of one report in one language.

    ``game``       what the game is called
    ``metrics``    the game's words for its measures: label, unit, format
    ``abouts``     each measure's formula
    ``facts``      lines of name and value that say what was played, when and with what
    ``settings``   by field, what each condition sets; only fields that differ
    ``provenance`` how the answer came about; the first lines of the report
    """

    language: str
    game: str
    title: str
    about: str = ""
    metrics: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    abouts: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[tuple[str, str], ...] = ()
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    provenance: Provenance | None = None

    def say(self, key: str, **values: Any) -> str:
        """One of the report's own sentences."""
        template = WORDS.book(self.language)["report"][key]
        return WORDS.exact(self.language).sentence(template, values)

    def came_about(self) -> list[str]:
        """How the answer came about, in sentences."""
        voice, book = WORDS.voice(self.language), WORDS.book(self.language)["report"]
        parts = self.provenance.sentences() if self.provenance else ()
        return [voice.sentence(book[key], values) for key, values in parts]

    def metric(self, name: str) -> str:
        """A measure's label with its unit."""
        told = self.metrics.get(name, {})
        label, unit = told.get("label", name.replace("_", " ")), told.get("unit", "")
        return f"{label} ({unit})" if unit else str(label)

    def bounds(self, metric: str, values: Iterable[float]) -> tuple[float, float]:
        """0 and 1 of what is written as a share and was never beyond; else there are none."""
        is_share = self.metrics.get(metric, {}).get("format", "").endswith("%") and all(0 <= one <= 1 for one in values)
        return (0.0, 1.0) if is_share else (-math.inf, math.inf)

    def number(self, metric: str, value: float | None, is_signed: bool = False) -> str:
        """A value as the game writes this measure; means of counts get a decimal or two."""
        if value is None:
            return NOTHING
        form = self.metrics.get(metric, {}).get("format", "")
        form = ".2f" if form == "d" else form or ".4g"
        try:
            text = format(value, form)
        except ValueError:
            text = format(value, ".4g")
        if float(text.rstrip("%").replace(",", "") or 0) == 0 and value != 0:
            text = format(value * 100, ".2g") + "%" if text.endswith("%") else format(value, ".2g")
        if is_signed and value > 0:
            text = "+" + text
        return text.replace("-", "−")


def plain(value: float | None, digits: int = 2) -> str:
    """A number without a unit of its own."""
    return NOTHING if value is None or not math.isfinite(value) else f"{value:.{digits}f}".replace("-", "−")


def probability(p: float | None) -> str:
    """p with three decimals, or that it is smaller."""
    if p is None:
        return NOTHING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
