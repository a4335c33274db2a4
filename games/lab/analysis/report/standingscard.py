"""A round robin as tables: who ranks where and how surely, and who got how much against whom."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from games.lab.analysis.report.drawing import Drawing
from games.lab.analysis.report.labels import NOTHING, Labels, plain
from games.lab.analysis.report.markup import card, figure, table, within
from games.lab.analysis.result import Result


def standings_card(result: Result, labels: Labels, drawings: Mapping[str, Drawing]) -> str:
    """Ranking, rating and matrix; nothing where nobody met."""
    held = result.standings
    if held is None:
        return ""
    rows = [
        (
            str(one.rank),
            one.name,
            within(labels, one.score.mean, one.score.low, one.score.high),
            f"{one.rank_low}–{one.rank_high}",
            f"{one.wins}–{one.draws}–{one.losses}",
            f"{plain(one.mu, 1)} ± {plain(one.sigma, 1)}",
        )
        for one in held.places
    ]
    ranked = table(labels, ("rank", "entrant", "score", "ranks_range", "tally", "rating"), rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in held.names)
    lines = "".join(
        f"<tr><th>{escape(name)}</th>"
        + "".join(f"<td>{_plus_minus(cell.mean, cell.half) if cell else NOTHING}</td>" for cell in cells)
        + "</tr>"
        for name, cells in zip(held.names, held.matrix, strict=True)
    )
    matrix = (
        f"<h3>{escape(labels.say('matrix'))}</h3><p class=note>{escape(labels.say('matrix_note'))}</p>"
        f'<div class="scroll"><table class="matrix"><thead><tr><td></td>{head}</tr></thead><tbody>{lines}</tbody>'
        "</table></div>"
    )
    drawn = figure(drawings, "standings", labels.say("standings"))
    return card(labels.say("standings"), escape(labels.say("standings_note")), ranked + drawn + matrix)


def _plus_minus(mean: float | None, half: float | None) -> str:
    return plain(mean) if half is None else f"{plain(mean)} ± {plain(half)}"
