"""The sources' numbers beside ours: as JSON, as CSV, and as the page's rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import mark_safe
from ninja import Router, Schema
from pydantic import Field

from games.core.registry import get
from games.lab.sources.drawn import strip
from games.lab.sources.rows import AGREES, DIFFERS, Row, Source, sources
from games.site.audience import Viewer, listed_experiments
from games.site.models import Experiment
from games.site.record.selectors import NotFound

router = Router()
SPAN: Final = 0.2
"""The plot shows ours as a share of theirs, from 1 - SPAN to 1 + SPAN."""
WIDTH: Final = 160
ZH: Final = {
    "within": "在区间内", "holds": "成立", "above": "偏高", "below": "偏低", "opposite": "相反", "inconclusive": "难断",
    "untestable": "无法检验", "incomparable": "不可比", "open": "未进行",
}  # fmt: skip
"""Verdicts in Chinese."""
GROUPS: Final = ("agree", "differ", "unsure", "not", "open")
"""Verdicts as the page's squares tell them: within or holds, outside, too wide or untestable, not comparable, open."""
WORDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "en": {
        "title": "Sources", "each": "The sources", "phenomena": "Phenomena of the societies", "learning": "Learning",
        "comma": ", ", "to": "to", "what": "What", "theirs": "Theirs", "theirs_small": "theirs", "ours": "Ours",
        "interval": "95% interval", "difference": "Difference", "verdict": "Verdict, and why", "why": "why",
        "measure": "Measure", "seeds": "Each seed", "time": "Time", "runs": "Runs", "none": "No row is of this kind.",
        "not_here": "Not played on this site yet; ask it here:", "axis": "Ours as a share of theirs, from 0.8 to 1.2",
        "apart": "The rows that differ or are too uncertain to say; all rows stand under their source.",
        "groups": {"agree": "agree", "differ": "differ", "unsure": "unsure", "not": "not comparable", "open": "open"},
        "figure": "Circle: our mean with its 95% interval; ticks: single seeds; diamond: theirs, with their plus-minus "
        "in grey.",
        "reading": "Within: their number lies in our 95% t interval, whose half is at most 15% of it; where it is "
        "wider, the row is inconclusive. Grey is their plus-minus. The plot shows ours as a share of theirs; an arrow "
        "leaves the axis. No number of ours is typed: theirs are read from source.yaml and the scenario files, ours "
        "from what the command has kept; where rules or plan have changed since, the row is open again.",
    },
    "zh": {
        "title": "原文与我们", "each": "各原文", "phenomena": "各社会的现象", "learning": "学习", "comma": "，",
        "to": "至", "what": "内容", "theirs": "原文", "theirs_small": "原文", "ours": "我们", "interval": "95% 区间",
        "difference": "差", "verdict": "结论", "why": "说明", "measure": "度量", "seeds": "各种子", "time": "用时",
        "runs": "运行", "none": "没有这样的行。", "not_here": "本站尚未进行；在此提问：",
        "axis": "我们的数字占原文之比，0.8 至 1.2", "apart": "与原文不符或尚难断言的各行；全部各行见各原文。",
        "groups": {"agree": "相符", "differ": "不符", "unsure": "难断", "not": "不可比", "open": "未进行"},
        "figure": "圆：我们的均值与 95% 区间；短线：各种子；菱形：原文的数字，灰：其 ±。",
        "reading": "“在区间内”：原文的数字落在我们的 95% t 区间内，且区间半宽不超过该数的 15%；更宽则为“难断”。"
        "灰色为原文的 ±。图：我们的数字占原文之比；箭头表示超出坐标。此处没有手写的数字：原文的数字取自 source.yaml "
        "与场景文件，我们的取自命令所留下的结果；规则或计划一变，该行即回到“未进行”。",
    },
}  # fmt: skip
"""What the page says beside its numbers."""
COLUMNS: Final = (
    "game", "preset", "place", "claim", "metric", "condition", "theirs", "spread", "ours", "low", "high", "n", "p",
    "difference", "verdict",
)  # fmt: skip


class RowOut(Schema):
    game: str
    preset: str = Field(description="The preset that plays it; empty where none does.")
    place: str = Field(description="Where it stands in the source.")
    table: str
    claim: dict[str, str] = Field(description="By language, what is claimed; empty of a number.")
    metric: str
    condition: str
    theirs: float | None = Field(description="The printed number; null of a claim.")
    spread: float | None = Field(description="What the source prints after plus-minus.")
    ours: float | None = Field(description="Our mean over the seeds; of a claim, the difference.")
    low: float | None = Field(description="The lower end of our 95% interval.")
    high: float | None
    n: int
    p: float | None = Field(description="Of a claim, corrected over those of its preset.")
    difference: float | None
    values: list[float | None] = Field(description="Ours by seed.")
    verdict: str = Field(
        description="within, above, below, holds, opposite, inconclusive, untestable, incomparable; open: not played."
    )
    why: dict[str, str]
    note: dict[str, str] = Field(description="By language, what is known of why ours is what it is.")
    seconds: float | None = Field(description="What all runs of the preset took.")
    by: str = Field(description="The command that makes it anew, where `polity reproduce` does not.")


class SourceOut(Schema):
    game: str
    title: str
    authors: str
    year: int | None
    about: dict[str, str]
    counts: dict[str, int] = Field(description="Rows by verdict.")
    rows: list[RowOut]


@lru_cache(maxsize=1)
def known() -> tuple[Source, ...]:
    """Every source with its rows, read once in a process."""
    return tuple(sources())


def one_of(game: str) -> Source:
    """By the game's name; raises `NotFound`."""
    for source in known():
        if source.game == game:
            return source
    raise NotFound(f"no source of a game called {game}; there are {', '.join(one.game for one in known())}")


def _out(source: Source) -> dict[str, Any]:
    form = source.form
    return {
        "game": source.game,
        "title": form.title,
        "authors": form.authors,
        "year": form.year,
        "about": form.about,
        "counts": source.counts(),
        "rows": [row.plain() for row in source.rows],
    }


@router.get("/sources", response=list[SourceOut], url_name="sources")
def sources_list(request: HttpRequest) -> list[dict[str, Any]]:
    """What the games' sources state, and what was measured beside it."""
    return [_out(source) for source in known()]


@router.get("/sources/{game}", response=SourceOut, url_name="source")
def source_detail(request: HttpRequest, game: str) -> dict[str, Any]:
    """One game's source."""
    return _out(one_of(game))


def as_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], name: str) -> HttpResponse:
    """Rows as a table that a spreadsheet opens; of a claim its English."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        told = {**row, "claim": row["claim"].get("en", "")}
        writer.writerow(["" if told[column] is None else told[column] for column in columns])
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


# --- as the page shows them ---------------------------------------------------------------------------


def group_of(row: Row) -> str:
    """Which square a row is."""
    if row.verdict in AGREES:
        return "agree"
    if row.verdict in DIFFERS:
        return "differ"
    return {"incomparable": "not", "open": "open"}.get(row.verdict, "unsure")


def cards(lang: str, chosen: str) -> list[dict[str, Any]]:
    """A card a source: its game's name, one square a row, and how many of each kind."""
    return [
        {
            "game": source.game,
            "name": get(source.game).words.book(lang)["name"],
            "about": source.form.about.get(lang) or source.form.about.get("en", ""),
            "squares": [group_of(row) for row in sorted(source.rows, key=lambda row: GROUPS.index(group_of(row)))],
            "counts": [
                {"number": number, "word": WORDS[lang]["groups"][group]}
                for group, number in counts(source.rows).items()
            ],
            "is_chosen": source.game == chosen,
        }
        for source in known()
    ]


def counts(rows: Sequence[Row]) -> dict[str, int]:
    """How many rows are of each kind, kinds without any included."""
    found = dict.fromkeys(GROUPS, 0)
    for row in rows:
        found[group_of(row)] += 1
    return found


def detail(rows: Sequence[Row], asked: str, lang: str) -> dict[str, Any] | None:
    """One row with what stands behind it, for the panel beside the table: the one asked for, else the first that
    differs, else the first that was played; None where none was.
    """
    played = [row for row in rows if row.ours is not None]
    chosen = [row for row in played if mark_of(row) == asked] or [row for row in played if group_of(row) == "differ"]
    if not played:
        return None
    row = (chosen or played)[0]
    digits = _digits(row)
    ends = [None if end is None or row.theirs is None else end - row.theirs for end in (row.low, row.high)]
    return {
        **shown(row, lang),
        "command": row.by or _typed(row),
        "metric": get(row.game).words.book(lang).get("metrics", {}).get(row.metric, {}).get("label", row.metric),
        "seeds": [_number(value, digits) or "–" for value in row.values],
        "ends": [_number(end, digits, is_signed=True) for end in ends if end is not None],
        "plan": row.plan,
        "p": None if row.p is None else "< 0.0001" if row.p < 0.0001 else f"{row.p:.4f}",
        "figure": mark_safe(strip(row).svg()) if row.theirs is not None else "",
    }


def ran(plan: str, viewer: Viewer) -> list[str]:
    """The latest experiments of this site that play the very runs of a row, of those in the viewer's lists."""
    same = Experiment.objects.filter(listed_experiments(viewer), plan_hash=plan).exclude(plan_hash="")
    return list(same.order_by("-created").values_list("slug", flat=True)[:3])


def tables(rows: Sequence[Row], lang: str) -> Iterator[dict[str, Any]]:
    """The rows under the tables of the source in which they stand."""
    placed = sorted(rows, key=lambda row: _order(row.table))
    for table, group in groupby(placed, lambda row: row.table):
        found = list(group)
        yield {
            "name": table,
            "command": _typed(found[0]),
            "rows": [shown(row, lang) for row in found],
            "has_numbers": any(row.theirs is not None for row in found),
        }


def _order(table: str) -> tuple[int, int, str]:
    word, _, number = table.partition(" ")
    digits = "".join(sign for sign in number if sign.isdigit())
    return ("table", "figure").index(word) if word in ("table", "figure") else 2, int(digits or 0), table


def _typed(row: Row) -> str:
    return f"polity reproduce {row.game} {row.table.lower().replace(' ', '-')}"


def mark_of(row: Row) -> str:
    """What names a row in an address."""
    return row.key or row.place


def shown(row: Row, lang: str) -> dict[str, Any]:
    """A row in words and marks."""
    digits = _digits(row)
    _, _, rest = row.place.partition(", ")
    return {
        "mark": mark_of(row),
        "name": (row.claim.get(lang) or row.claim.get("en", "")) or rest or row.place,
        "of": row.condition if row.claim else "",
        "place": row.place,
        "game": row.game,
        "theirs": _number(row.theirs, digits),
        "spread": _number(row.spread, digits),
        "ours": _number(row.ours, digits, is_signed=bool(row.claim)),
        "low": _number(row.low, digits),
        "high": _number(row.high, digits),
        "n": row.n or None,
        "difference": _number(row.difference, digits, is_signed=True),
        "said": ZH[row.verdict] if lang == "zh" else row.verdict.replace("incomp", "not comp"),
        "group": group_of(row),
        "why": row.why.get(lang) or row.why.get("en", ""),
        "note": row.note.get(lang) or row.note.get("en", ""),
        "preset": row.preset,
        "by": row.by,
        "seconds": row.seconds,
        "plot": plotted(row),
    }


def _digits(row: Row) -> int:
    """Decimals that are shown of a row: those of their number, four or two where they print none."""
    printed = [f"{value:g}".partition(".")[2] for value in (row.theirs, row.spread) if value is not None]
    return max(2, *map(len, printed)) if printed else 4 if abs(row.ours or 0) < 1 else 2


def _number(value: float | None, digits: int, is_signed: bool = False) -> str | None:
    if value is None:
        return None
    return f"{round(value, digits) + 0.0:{'+' if is_signed else ''}.{digits}f}".replace("-", "−")


def plotted(row: Row) -> Mapping[str, Any] | None:
    """Where ours stands as a share of theirs, in pixels from the left; None where that says nothing."""
    if not row.theirs or row.ours is None or row.low is None or row.high is None:
        return None
    low, middle, high = (_place(value / row.theirs) for value in (row.low, row.ours, row.high))
    spread = (row.spread or 0) / abs(row.theirs)
    band = _place(1 - spread), _place(1 + spread)
    return {
        "low": _within(low),
        "high": _within(high),
        "length": round(_within(high) - _within(low), 1),
        "middle": middle if 0 <= middle <= WIDTH else None,
        "leaves_left": low < 0,
        "leaves_right": high > WIDTH,
        "band": _within(band[0]),
        "band_length": round(_within(band[1]) - _within(band[0]), 1),
    }


def _place(share: float) -> float:
    return round((share - 1 + SPAN) / (2 * SPAN) * WIDTH, 1)


def _within(place: float) -> float:
    return min(max(place, 0.0), float(WIDTH))
