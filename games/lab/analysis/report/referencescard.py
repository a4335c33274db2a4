"""The source's numbers beside ours, as a table of the report."""

from __future__ import annotations

from html import escape

from games.lab.analysis.references import Held
from games.lab.analysis.report import sentences
from games.lab.analysis.report.labels import NOTHING, Labels
from games.lab.analysis.report.markup import card, table
from games.lab.analysis.result import Result

COLUMNS = ("place", "theirs", "ours", "interval", "n", "difference_alone", "verdict")


def references_card(result: Result, labels: Labels) -> str:
    """Every number of the source; nothing where the file names none."""
    if not result.references:
        return ""
    found = result.references
    whys = dict.fromkeys(
        one.reference.incomparable.get(labels.language) or one.reference.incomparable.get("en", "") for one in found
    )
    reasons = "".join(
        f'<p class="note">{escape(labels.say("held_incomparable"))}: {escape(why)}</p>' for why in whys if why
    )
    rows = table(labels, COLUMNS, [_row(labels, one) for one in found])
    return card(labels.say("references"), labels.say("references_note"), rows + reasons)


def _row(labels: Labels, one: Held) -> tuple[str, ...]:
    asked, told = one.reference, one.told
    spread = "" if asked.spread is None else f" ± {asked.spread:g}"
    sure = NOTHING
    if told.low is not None and told.high is not None:
        sure = sentences.interval(labels, asked.metric, told.low, told.high)
    return (
        asked.place,
        f"{asked.theirs:g}{spread}",
        labels.number(asked.metric, told.mean),
        sure,
        str(told.n),
        labels.number(asked.metric, one.difference, is_signed=True),
        labels.say(f"held_{one.verdict}"),
    )
