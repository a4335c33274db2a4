"""SVG by hand: a few shapes, an axis with round numbers, text that cannot break out. Colours come by class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

STYLE: Final = (
    ".fig text{font:12px Inter,system-ui,sans-serif;fill:var(--ink,#1b1f24);font-variant-numeric:tabular-nums}"
    ".fig .mut{fill:var(--mut,#5f6875)}.fig .bold{font-weight:600}.fig .grid{stroke:var(--line,#e1e4e8)}"
    ".fig .seed{stroke:var(--mut,#8b95a1);stroke-opacity:.55}.fig .held{fill:var(--held,#e3e6ea)}"
    ".fig .theirs{fill:none;stroke:var(--ink,#1b1f24);stroke-width:1.6}"
    ".fig .c0{fill:#0072b2;stroke:#0072b2}.fig .c1{fill:#d55e00;stroke:#d55e00}"
    ".fig .light{fill:#fff}.fig .m0{fill:#00224e}.fig .m1{fill:#213b6e}.fig .m2{fill:#454f6b}.fig .m3{fill:#626570}"
    ".fig .m4{fill:#8a8678}.fig .m5{fill:#a59c74}.fig .m6{fill:#c9b860}.fig .m7{fill:#fee838}"
    ".fig .line{fill:none;stroke-width:1.6}.fig .bar{stroke-width:3}.fig .band{stroke:none;fill-opacity:.2}"
)


@dataclass(frozen=True, slots=True)
class Scale:
    """Values to pixels, linear."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float, zero: bool = False) -> Scale:
        """Room for all values and a little more; with 0 in it where it is near, or where ``zero`` says so."""
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        if zero or (low > 0 and low < (high - low)):
            low = min(low, 0.0)
        if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
            room = abs(high) * 0.1 or 1.0
            low, high = low - room, high + room
        room = (high - low) * 0.04
        return cls(low if low == 0 else low - room, high + room, start, end)

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, count: int = 4) -> list[float]:
        """Round numbers within, about so many."""
        raw = (self.high - self.low) / count
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= raw * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [(first + k) * step for k in range(count * 3) if (first + k) * step <= self.high + 1e-9 * step]


def tick_text(value: float, step: float) -> str:
    """A tick with as many decimals as the step needs."""
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    if decimals and abs(step * 10**decimals - round(step * 10**decimals)) > 1e-6:
        decimals += 1
    return f"{value:.{decimals}f}" if abs(value) < 1e6 else f"{value:.3g}"


@dataclass(slots=True)
class Drawing:
    """A figure in the making; ``label`` is what a screen reader says of it."""

    width: float
    height: float
    label: str
    parts: list[str] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>')

    def rect(self, x: float, y: float, width: float, height: float, style: str) -> None:
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" class="{style}"/>'
        )

    def dot(self, x: float, y: float, style: str, is_square: bool = False) -> None:
        if is_square:
            self.rect(x - 4, y - 4, 8, 8, style)
        else:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="{style}"/>')

    def diamond(self, x: float, y: float, style: str) -> None:
        self.path([(x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y)], style, is_closed=True)

    def text(self, x: float, y: float, text: str, style: str = "", anchor: str = "start", title: str = "") -> None:
        told = f"<title>{escape(title)}</title>" if title else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{style}">{escape(text)}{told}</text>'
        )

    def path(self, points: Sequence[tuple[float, float]], style: str, is_closed: bool = False) -> None:
        if points:
            way = "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
            self.parts.append(f'<path d="M{way}{"Z" if is_closed else ""}" class="{style}"/>')

    def svg(self, is_alone: bool = False) -> str:
        """The figure; ``is_alone`` brings its own style, for a file."""
        style = f"<style>{STYLE}</style>" if is_alone else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="fig" role="img" aria-label="{escape(self.label)}" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}">'
            f"{style}{''.join(self.parts)}</svg>"
        )


def shortened(text: str, most: int) -> str:
    """At most so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
