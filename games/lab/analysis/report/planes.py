"""Two things at once: conditions as points of two measures, and a measure as a map over two factors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from games.lab.analysis.intervals import Description
from games.lab.analysis.report.drawing import Drawing, Scale, shortened, tick_text
from games.lab.analysis.report.figures import FOOT, Formatted, Legend, below
from games.lab.analysis.report.labels import Labels
from games.lab.analysis.result import Result

PLANE, MAP = "plane", "map"
WIDTH, HEIGHT, LEFT = 860, 420, 64
CELL_W, CELL_H, NAMES = 92, 34, 160
SHADES: Final = 8
"""Of a map, from the least (``m0``, dark) to the most."""
DARK: Final = 4
"""So many of them have light text."""


def plane_figures(result: Result, labels: Labels) -> Iterator[tuple[str, Drawing]]:
    """A figure for each pair of measures and each map that was declared."""
    told, control = result.summaries, result.plan.control
    for x, y in result.plan.planes:
        legend = Legend(labels.metric(x), labels.metric(y), labels.say("fig_plane"))
        points = [(name, one[x], one[y]) for name, one in told.items()]
        yield (
            f"{PLANE}-{x}-{y}",
            plane(labels.say("fig_against", up=legend.up, across=legend.across), points, control, legend),
        )
    levels = {name: tuple(at.items()) for name, at in result.plan.levels.items()}
    for metric in result.plan.maps:
        cells = {(at[0][1], at[1][1]): told[name][metric].mean for name, at in levels.items() if name in told}
        (down, _), (across, _), *_ = next(iter(levels.values()))
        legend = Legend(across, down, labels.say("fig_map"))
        yield f"{MAP}-{metric}", mapped(labels.metric(metric), cells, partial(labels.number, metric), legend)


def plane(
    label: str, points: Sequence[tuple[str, Description, Description]], control: str | None, legend: Legend
) -> Drawing:
    """A point a condition at both means, with both 95% intervals; its name where there is room for it."""
    drawing = Drawing(WIDTH, HEIGHT + FOOT, label)
    across = _over([x for _, x, _ in points], LEFT, WIDTH - 90)
    up = _over([y for _, _, y in points], HEIGHT - 24, 10)
    for scale, is_across in ((across, True), (up, False)):
        ticks = scale.ticks(6)
        for tick in ticks:
            text, at = tick_text(tick, ticks[1] - ticks[0] if len(ticks) > 1 else 1.0), scale(tick)
            if is_across:
                drawing.line(at, up.end, at, up.start, "grid")
                drawing.text(at, HEIGHT - 8, text, "mut", "middle")
            else:
                drawing.line(across.start, at, across.end, at, "grid")
                drawing.text(LEFT - 6, at + 4, text, "mut", "end")
    taken: list[tuple[float, float]] = []
    for name, x, y in points:
        if x.mean is None or y.mean is None:
            continue
        style, (at, high) = "c0" if name == control else "c1", (across(x.mean), up(y.mean))
        if x.low is not None and x.high is not None:
            drawing.line(across(x.low), high, across(x.high), high, style)
        if y.low is not None and y.high is not None:
            drawing.line(at, up(y.low), at, up(y.high), style)
        drawing.dot(at, high, style, name != control)
        if all(abs(high - other) > 12 or abs(at - beside) > 7 * len(name) + 8 for beside, other in taken):
            drawing.text(at + 8, high - 5, shortened(name, 22), "", "start", name)
            taken.append((at, high))
    below(drawing, legend)
    return drawing


def _over(told: Sequence[Description], start: float, end: float) -> Scale:
    return Scale.over([v for one in told for v in (one.low, one.mean, one.high) if v is not None], start, end)


def mapped(label: str, cells: Mapping[tuple[str, str], float | None], number: Formatted, legend: Legend) -> Drawing:
    """A cell for each two levels, darker where the mean is less, with the mean in it."""
    rows, columns = (list(dict.fromkeys(pair[of] for pair in cells)) for of in (0, 1))
    drawing = Drawing(NAMES + max(len(columns) * CELL_W, 400), len(rows) * CELL_H + 22 + FOOT, label)
    known = [value for value in cells.values() if value is not None]
    scale = Scale(min(known, default=0.0), max(known, default=1.0) or 1.0, 0, SHADES)
    for place, name in enumerate(columns):
        drawing.text(NAMES + (place + 0.5) * CELL_W, 14, shortened(name, 13), "", "middle", name)
    for line, row in enumerate(rows):
        y = 22 + line * CELL_H
        drawing.text(NAMES - 8, y + CELL_H / 2 + 4, shortened(row, 22), "", "end", row)
        for place, column in enumerate(columns):
            value, x = cells.get((row, column)), NAMES + place * CELL_W
            shade = 0 if value is None or scale.high == scale.low else min(int(scale(value)), SHADES - 1)
            if value is not None:
                drawing.rect(x, y, CELL_W - 1, CELL_H - 1, f"m{shade}")
            text = "–" if value is None else number(value)
            style = "light" if value is not None and shade < DARK else ""
            drawing.text(x + CELL_W / 2, y + CELL_H / 2 + 4, text, style, "middle")
    below(drawing, legend)
    return drawing
