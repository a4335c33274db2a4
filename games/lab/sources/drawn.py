"""A row of a source as a figure: our seeds with their mean and interval, and theirs as a second mark."""

from __future__ import annotations

from typing import Final

from games.lab.analysis.report.drawing import Drawing, Scale, tick_text
from games.lab.sources.rows import Row

WIDTH: Final = 332
HEIGHT: Final = 76


def strip(row: Row) -> Drawing:
    """Seeds as ticks, our mean with its 95% interval, their number as an open diamond over their plus-minus in grey."""
    drawing, y = Drawing(WIDTH, HEIGHT, row.place), 28
    values, spread = [value for value in row.values if value is not None], row.spread or 0.0
    ours = [value for value in (row.ours, row.low, row.high) if value is not None]
    theirs = [] if row.theirs is None else [row.theirs - spread, row.theirs, row.theirs + spread]
    scale = Scale.over([*values, *ours, *theirs], 14, WIDTH - 14)
    if theirs and spread:
        drawing.rect(scale(theirs[0]), 8, scale(theirs[-1]) - scale(theirs[0]), 40, "held")
    for value in values:
        drawing.line(scale(value), y + 8, scale(value), y + 18, "seed")
    if row.low is not None and row.high is not None:
        drawing.line(scale(row.low), y, scale(row.high), y, "c0 bar")
    if row.ours is not None:
        drawing.dot(scale(row.ours), y, "c0")
    if row.theirs is not None:
        drawing.diamond(scale(row.theirs), y, "theirs")
    ticks = scale.ticks(3)
    for tick in ticks:
        drawing.line(scale(tick), 50, scale(tick), 54, "seed")
        drawing.text(scale(tick), 69, tick_text(tick, ticks[1] - ticks[0] if len(ticks) > 1 else 1.0), "mut", "middle")
    return drawing
