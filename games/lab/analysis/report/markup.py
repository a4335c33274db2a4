"""Pieces of the page as HTML: a card, a table, a figure. All text is escaped here or by whoever makes the body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from games.lab.analysis.report.drawing import Drawing
from games.lab.analysis.report.labels import Labels, plain


def card(title: str, note: str, body: str) -> str:
    """A section; ``note`` and ``body`` are HTML."""
    told = f'<p class="note">{note}</p>' if note else ""
    return f"<section><h2>{escape(title)}</h2>{told}{body}</section>\n"


def table(labels: Labels, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table under the columns' own words; the cells are texts."""
    head = "".join(f"<th>{escape(labels.say(f'col_{name}'))}</th>" for name in columns)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'


def figure(drawings: Mapping[str, Drawing], name: str, title: str, caption: str = "") -> str:
    """A figure by its file's name; nothing where it was not drawn."""
    if name not in drawings:
        return ""
    told = f'<p class="note">{escape(caption)}</p>' if caption else ""
    return (
        f"<figure><figcaption><b>{escape(title)}</b>{told}</figcaption>"
        f'<div class="scroll">{drawings[name].svg()}</div></figure>'
    )


def within(labels: Labels, value: float | None, low: float | None, high: float | None, digits: int = 2) -> str:
    """A value with its interval, where it has one."""
    if low is None and high is None:
        return plain(value, digits)
    return f"{plain(value, digits)} ({labels.say('to', low=plain(low, digits), high=plain(high, digits))})"
