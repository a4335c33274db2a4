"""The claims about the games' societies and what came of them: as JSON, as CSV, and as the page's rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from games.core.registry import Registry, get
from games.lab.phenomena import Seen, stored

router = Router()
WIDTH: Final = 160
GROUPS: Final = {"holds": "agree", "opposite": "differ", "too_small": "unsure", "not_shown": "unsure", "open": "open"}
"""By verdict, which of the squares of /sources a claim is; untestable is ``not``."""
COLUMNS: Final = (
    "game", "name", "claim", "preset", "against", "measure", "sign", "effect", "source", "estimate", "low", "high", "p",
    "n", "undefined", "verdict",
)  # fmt: skip


class PhenomenonOut(Schema):
    game: str
    name: str
    claim: dict[str, str] = Field(description="By language.")
    preset: str = Field(description="PRESET/CONDITION, or PRESET of one condition.")
    against: str = Field(description="Its opposite, named alike.")
    measure: str
    sign: str = Field(description="higher or lower: how the preset differs from its opposite.")
    seeds: list[int] = Field(description="The first and the last, the same on both sides.")
    effect: float = Field(description="The smallest difference of interest, in the measure's unit.")
    source: str
    n: int = Field(description="Pairs in which both sides define the measure.")
    undefined: int
    estimate: float | None = Field(description="The mean difference within pairs.")
    low: float | None = Field(description="The lower end of its 95% interval.")
    high: float | None
    p_alone: float | None
    p: float | None = Field(description="One-sided, corrected by Holm over all claims.")
    verdict: str = Field(description="holds, too_small, not_shown, opposite, untestable; open: not played.")
    differences: list[float] = Field(description="By seed.")


@lru_cache(maxsize=1)
def known() -> tuple[Seen, ...]:
    """Every claim with what is kept of it, read once in a process."""
    registry = Registry()
    return tuple(stored(registry.modules(), registry))


@router.get("/phenomena", response=list[PhenomenonOut], url_name="phenomena")
def phenomena_list(request: HttpRequest) -> list[dict[str, Any]]:
    """The claims about what agents do, each beside its opposite, and which hold."""
    return [one.plain() for one in known()]


def page(lang: str) -> dict[str, Any]:
    """What the page shows: counts, and by game the rows in words and marks."""
    rows = known()
    groups = [group_of(one) for one in rows]
    games = list(dict.fromkeys(one.game for one in rows))
    return {
        "all": len(rows),
        "counts": {name: groups.count(name) for name in ("agree", "differ", "unsure", "not", "open")},
        "games": [
            {
                "slug": game,
                "name": get(game).words.book(lang)["name"],
                "rows": [shown(one, lang) for one in rows if one.game == game],
            }
            for game in games
        ],
    }


def group_of(one: Seen) -> str:
    """Which square a claim is."""
    return GROUPS.get(one.verdict, "not")


def shown(one: Seen, lang: str) -> dict[str, Any]:
    """A claim in words and marks."""
    row, found = one.row, one.difference
    book = get(one.game).words.book(lang).get("metrics", {})
    return {
        "name": one.name,
        "claim": row.claim.zh if lang == "zh" else row.claim.en,
        "sides": [_side(row.preset), _side(row.against)],
        "measure": book.get(row.measure, {}).get("label", row.measure),
        "source": row.source,
        "estimate": _number(found.estimate),
        "low": _number(found.low),
        "high": _number(found.high),
        "effect": _number(row.effect if row.sign == "higher" else -row.effect),
        "p": None if one.p is None else "< 0.0001" if one.p < 0.0001 else f"{one.p:.4f}",
        "n": one.n or None,
        "verdict": one.verdict,
        "group": group_of(one),
        "plot": plotted(one),
    }


def _side(side: str) -> dict[str, str]:
    return {"name": side, "preset": side.partition("/")[0]}


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:+,.3g}".replace("-", "−") if abs(value) < 1000 else f"{value:+,.0f}"


def plotted(one: Seen) -> Mapping[str, float] | None:
    """The interval and the smallest difference of interest, in pixels from the left; 0 is in the middle."""
    low, middle, high = one.difference.low, one.difference.estimate, one.difference.high
    if low is None or middle is None or high is None:
        return None
    least = one.row.effect if one.row.sign == "higher" else -one.row.effect
    widest = max(abs(low), abs(high), abs(least)) * 1.1 or 1.0
    named = {"low": low, "middle": middle, "high": high, "least": least}
    at = {name: round((1 + value / widest) / 2 * WIDTH, 1) for name, value in named.items()}
    return {**at, "length": round(at["high"] - at["low"], 1)}
