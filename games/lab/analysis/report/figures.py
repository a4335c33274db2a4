"""The report's figures: means with their intervals, measures over the rounds, times, and a ranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from games.lab.analysis.intervals import Description
from games.lab.analysis.ranking import Standings
from games.lab.analysis.report.drawing import Drawing, Scale, shortened, tick_text
from games.lab.analysis.result import Result
from games.lab.analysis.survival import Curve
from games.lab.analysis.trends import Band

Formatted: TypeAlias = Callable[[float], str]
ROW, NAME, SHOWN, VALUE = 19, 150, 700, 240
LETTER, MOST = 6.6, 60
"""The width of a letter, and how many of a row's name there are; names that need more room get it."""
FOOT: Final = 38
"""Below a figure: the title of the axis, and what the signs are."""
PANEL_W, PANEL_H, PANELS = 276, 150, 4
TICKS: Final = 1000
"""Seeds of a condition that have a tick each."""
NOTHING: Final[Mapping[str, float]] = {}
WIDE: Final = 3
"""Panels whose width the line below has at least."""


def intervals(
    label: str,
    rows: Sequence[tuple[str, Description, Sequence[float]]],
    control: str | None,
    number: Formatted,
    legend: Legend,
    theirs: Mapping[str, float] = NOTHING,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Drawing:
    """One measure by condition: mean and 95% interval over small ticks for the seeds; the control's interval behind.

    ``bounds``: between which the measure lies; no bar is drawn beyond.
    ``theirs``: by condition the number that the game's source prints, as an open diamond.
    """
    height = len(rows) * ROW + 26 + FOOT
    start = max([NAME, *(LETTER * drawn_length(name) + 16 for name, _, _ in rows)])
    end = start + SHOWN
    drawing = Drawing(end + VALUE, height, label)
    rows = [(name, _clipped(told, *bounds), seeds) for name, told, seeds in rows]
    seen = [value for _, told, seeds in rows for value in (*seeds, told.low, told.high) if value is not None]
    scale = Scale.over([*seen, *theirs.values()], start + 8, end - 8)
    held = next((told for name, told, _ in rows if name == control), None)
    if held is not None and held.low is not None and held.high is not None:
        drawing.rect(scale(held.low), 2, max(scale(held.high) - scale(held.low), 1), len(rows) * ROW, "held")
    for place, (name, told, seeds) in enumerate(rows):
        y = place * ROW + ROW / 2 + 2
        style = "c0" if name == control else "c1"
        drawing.line(start, y, end, y, "grid")
        drawing.text(start - 8, y + 4, shortened(name, MOST), "", "end", name)
        for x in _ticks([scale(value) for value in seeds]):
            drawing.line(x, y - 4, x, y + 4, "seed")
        if told.mean is None:
            drawing.text(end + 10, y + 4, "–", "mut")
            continue
        if told.low is not None and told.high is not None:
            drawing.line(scale(told.low), y, scale(told.high), y, f"{style} bar")
        drawing.dot(scale(told.mean), y, style, name != control)
        if name in theirs:
            drawing.diamond(scale(theirs[name]), y, "theirs")
        half = "" if told.half is None else f" ± {number(told.half)}"
        drawing.text(end + 10, y + 4, f"{number(told.mean)}{half}")
        drawing.text(end + VALUE - 4, y + 4, f"n = {told.n}", "mut", "end")
    _axis(drawing, scale, len(rows) * ROW + 18)
    drawing.text(start + SHOWN / 2, len(rows) * ROW + 35, legend.across, "", "middle")
    drawing.text(4, height - 5, legend.meaning, "mut")
    return drawing


def drawn_length(name: str) -> int:
    """In letters; those of Chinese are twice as wide."""
    return sum(1 if sign < "\u2e80" else 2 for sign in name[:MOST])


def _clipped(told: Description, least: float, most: float) -> Description:
    if told.low is None or told.high is None:
        return told
    return replace(told, low=max(told.low, least), high=min(told.high, most))


def _ticks(places: list[float]) -> list[float]:
    """Where ticks stand; of very many, those that fall on one point of the page are one."""
    return places if len(places) <= TICKS else sorted({round(place, 0) for place in places})


@dataclass(frozen=True, slots=True)
class Legend:
    """What stands at the axes, with units, and what bars, bands and ticks are."""

    across: str
    up: str
    meaning: str


def _axis(drawing: Drawing, scale: Scale, y: float) -> None:
    ticks = scale.ticks(5)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    for tick in ticks:
        drawing.text(scale(tick), y, tick_text(tick, step), "mut", "middle")


def panels(label: str, bands: Mapping[str, Band], control: str | None, legend: Legend) -> Drawing:
    """One measure over the rounds: a small panel a condition, each with its band beside the control's."""
    names = [name for name, band in bands.items() if name != control and band.rounds] or list(bands)
    held = bands.get(control) if control is not None else None
    seen = [
        value
        for band in bands.values()
        for told in band.values
        for value in (told.low, told.mean, told.high)
        if value is not None
    ]
    drawing = _grid(label, len(names))
    for place, name in enumerate(names):
        x, y = _corner(place)
        ends = [band.rounds[-1] for band in (held, bands[name]) if band is not None and band.rounds]
        across = Scale(1, max((*ends, 2)), x + 34, x + PANEL_W - 8)
        up = Scale.over(seen, y + PANEL_H - 22, y + 22)
        _frame(drawing, name, x, y, across, up)
        if held is not None and name != control:
            _band(drawing, held, across, up, "c0")
        _band(drawing, bands[name], across, up, "c0" if name == control else "c1")
    below(drawing, legend)
    return drawing


def below(drawing: Drawing, legend: Legend) -> None:
    """The titles of the axes that all panels share, and what is drawn."""
    drawing.text(34, drawing.height - 22, f"x: {legend.across} · y: {legend.up}")
    drawing.text(34, drawing.height - 5, legend.meaning, "mut")


def _grid(label: str, count: int) -> Drawing:
    rows = -(-count // PANELS)
    return Drawing(max(min(count, PANELS), WIDE) * PANEL_W + 4, rows * PANEL_H + FOOT, label)


def _corner(place: int) -> tuple[float, float]:
    return place % PANELS * PANEL_W, place // PANELS * PANEL_H


def _frame(drawing: Drawing, name: str, x: float, y: float, across: Scale, up: Scale) -> None:
    drawing.text(x + 34, y + 14, shortened(name, 32), "bold", "start", name)
    ticks = up.ticks(3)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    for tick in ticks:
        drawing.line(across.start, up(tick), across.end, up(tick), "grid")
        drawing.text(across.start - 4, up(tick) + 4, tick_text(tick, step), "mut", "end")
    for tick in (across.low, across.high):
        drawing.text(across(tick), y + PANEL_H - 6, f"{tick:g}", "mut", "middle")


def _band(drawing: Drawing, band: Band, across: Scale, up: Scale, style: str) -> None:
    known = [(number, told) for number, told in zip(band.rounds, band.values, strict=True) if told.mean is not None]
    sure = [(n, told.low, told.high) for n, told in known if told.low is not None and told.high is not None]
    edge = [(across(n), up(high)) for n, _, high in sure] + [(across(n), up(low)) for n, low, _ in reversed(sure)]
    drawing.path(edge, f"{style} band", is_closed=True)
    drawing.path([(across(n), up(told.mean or 0.0)) for n, told in known], f"{style} line")


def survival(
    label: str, curves: Mapping[str, Curve], ends: Mapping[str, float], control: str | None, legend: Legend
) -> Drawing:
    """One time: the share that goes on, by condition, beside the control's. ``ends``: how far each was watched."""
    names = [name for name in curves if name != control] or list(curves)
    drawing = _grid(label, len(names))
    far = max((*ends.values(), 1.0))
    for place, name in enumerate(names):
        x, y = _corner(place)
        across, up = Scale(0, far, x + 34, x + PANEL_W - 8), Scale(0, 1.04, y + PANEL_H - 22, y + 22)
        _frame(drawing, name, x, y, across, up)
        if control is not None and name != control:
            _steps(drawing, curves[control], ends[control], across, up, "c0")
        _steps(drawing, curves[name], ends[name], across, up, "c0" if name == control else "c1")
    below(drawing, legend)
    return drawing


def _steps(drawing: Drawing, curve: Curve, end: float, across: Scale, up: Scale, style: str) -> None:
    share, points = 1.0, [(across(0), up(1.0))]
    upper, lower = [(across(0), up(1.0))], [(across(0), up(1.0))]
    low, high = 1.0, 1.0
    for point in curve.points:
        x = across(point.time)
        points += [(x, up(share)), (x, up(point.share))]
        upper.append((x, up(high)))
        lower.append((x, up(low)))
        share = point.share
        low = point.share if point.low is None else point.low
        high = point.share if point.high is None else point.high
        upper.append((x, up(high)))
        lower.append((x, up(low)))
    drawing.path([*upper, (across(end), up(high)), (across(end), up(low)), *reversed(lower)], f"{style} band", True)
    drawing.path([*points, (across(end), up(share))], f"{style} line")


def ranking(label: str, held: Standings, number: Formatted, legend: Legend) -> Drawing:
    """The entrants by their score, each with its interval."""
    rows = [(one.name, one.score, ()) for one in held.places]
    return intervals(label, rows, held.places[0].name if held.places else None, number, legend)


def seeds_of(result: Result, condition: str, metric: str) -> list[float]:
    """A measure's values, one a seed, where it is defined."""
    found = (run.metrics.get(metric) for run in result.runs if run.condition == condition)
    return [value for value in found if value is not None]
