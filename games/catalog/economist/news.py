"""Facts of a step as events, with the contract's fields; worded only when somebody reads them.

Who may know: a worker its own doings and accounts; the planner what audits find and what taxes bring; everybody the
market, houses, flags, freezes, schedules and the epoch's totals.
Source: contract, "Logging Schema".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.catalog.economist.desk import Fact
from games.catalog.economist.money import MICRO, decimal
from games.catalog.economist.state import Flag, Report
from games.catalog.economist.statistics import statistics
from games.catalog.economist.tax import Schedule, decimals
from games.catalog.economist.terms import Terms
from games.core.answers import JSON
from games.core.game import Event, Seat

FIELDS: Final[Mapping[str, Sequence[str]]] = {
    "move": ("from", "to"),
    "gather_fail": ("reason",),
    "build": ("position", "houses_total"),
    "build_fail": ("reason",),
    "trade": ("buyer", "seller", "resource", "qty", "price", "fee"),
    "order_placed": ("side", "resource", "qty", "price"),
    "order_ended": ("side", "resource", "qty", "price", "reason"),
    "tax": (
        "gross_income", "reported_income", "tax_paid", "effective_rate", "tax_owed", "shortfall",
    ),
    "shift_income": ("gross_shifted", "friction", "net_deferred"),
    "misreport": ("underreport_fraction", "hidden_income"),
    "audit_caught": ("discrepancy", "evaded_tax", "fine", "times_caught", "fine_owed", "shortfall"),
    "audit_miss": ("discrepancy",),
    "audit_false_positive": ("collusion_boost",),
    "freeze": ("until_epoch",),
    "redistribution": ("amount",),
}  # fmt: skip
"""What the values of a fact are called, by its kind."""
CELLS: Final = frozenset({"from", "to", "position"})
PLAIN: Final = frozenset(
    {"reason", "houses_total", "buyer", "seller", "resource", "side", "effective_rate", "times_caught", "until_epoch"}
)
"""Fields that hold no amount; all others are in millionths until they are read."""
READING: Final = {kind: tuple((name, name in CELLS, name in PLAIN) for name in names) for kind, names in FIELDS.items()}
"""Of each value of a fact: what it is called, whether it is a cell, and whether it is told as it is."""
PUBLIC: Final = frozenset({"build", "order_placed", "order_ended", "freeze", "unfreeze"})
"""Doings of one worker that everybody learns of."""
FINDINGS: Final = frozenset({"audit_caught", "audit_false_positive"})
"""What the planner learns of beside the worker."""


class News:
    """A step's facts with what it takes to word them."""

    __slots__ = ("cols", "facts", "planner")

    def __init__(self, facts: Sequence[Fact], terms: Terms, planner: Seat) -> None:
        self.facts, self.planner, self.cols = facts, planner, terms.cols

    def events(self) -> Iterator[Event]:
        """In the order in which it happened; the houses of one owner pay in one event."""
        cols, planner = self.cols, self.planner
        for fact in self.facts:
            if fact[1] >= 0:
                yield _own(fact, cols, planner)
            elif fact[0] == "house_income":
                yield from fact[2].rents(fact[3], cols)
            elif fact[0] in TELLING:
                yield Event(fact[0], TELLING[fact[0]](*fact[2:]))
            else:
                yield Event(fact[0], _data(fact, cols))


@lru_cache(maxsize=1 << 14)
def _own(fact: Fact, cols: int, planner: Seat) -> Event:
    """A worker's own doing; kept, since most of them are done again and again."""
    kind, seat = fact[0], fact[1]
    readers = None if kind in PUBLIC else (seat, planner) if kind in FINDINGS else (seat,)
    if kind == "gather":
        amount = fact[3] / MICRO
        return Event(kind, {"by": seat, "resource": fact[2], "amount": amount, "income": amount}, readers)
    return Event(kind, {"by": seat, **_data(fact, cols)}, readers)


def _data(fact: Fact, cols: int) -> Mapping[str, JSON]:
    return {
        name: list(divmod(value, cols)) if is_cell else value if is_plain else value / MICRO
        for (name, is_cell, is_plain), value in zip(READING.get(fact[0], ()), fact[2:], strict=True)
    }


def _flagged(flag: Flag, banned: bool) -> Mapping[str, JSON]:
    return {
        "agents": list(flag.pair),
        "similarity": flag.similarity,
        "suspicion_score": flag.suspicion,
        "responses": ["audit_boost", "trade_restriction"] if banned else ["audit_boost"],
    }


def _ended(report: Report) -> Mapping[str, JSON]:
    totals = statistics(report)
    return {
        "ended": report.epoch + 1,
        "income": totals.total_income,
        "gini": round(totals.gini, 4),
        "revenue": totals.total_tax_revenue,
        "houses": totals.total_houses,
        "trades": report.tally.trades,
    }


def _planned(old: Schedule, new: Schedule, report: Report) -> Mapping[str, JSON]:
    return {
        "old": [list(pair) for pair in decimals(old)],
        "new": [list(pair) for pair in decimals(new)],
        "rates": [round(100 * decimal(rate), 2) for _, rate in new],
        "stats": dict(statistics(report)._asdict()),
    }


TELLING: Final[Mapping[str, Any]] = {
    "collusion_detected": _flagged,
    "epoch_ended": _ended,
    "planner_update": _planned,
    "planner_kept": _planned,
}
