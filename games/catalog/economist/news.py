"""Facts of a step as events, with the contract's fields; worded only when somebody reads them.

Who may know: a worker its own doings and accounts; the planner what audits find and what taxes bring; everybody the
market, houses, flags, freezes, schedules and the epoch's totals.
Source: contract, "Logging Schema".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.catalog.economist.deeds import deeds
from games.catalog.economist.desk import Fact
from games.catalog.economist.money import MICRO, Micro, decimal
from games.catalog.economist.state import Flag, Report
from games.catalog.economist.statistics import statistics
from games.catalog.economist.tax import Schedule
from games.catalog.economist.terms import Terms
from games.core.answers import JSON
from games.core.game import Event, Seat


class News:
    """A step's facts with what it takes to word them."""

    __slots__ = ("cols", "facts", "planner", "size")

    def __init__(self, facts: Sequence[Fact], terms: Terms, planner: Seat) -> None:
        self.facts, self.planner = facts, planner
        self.cols, self.size = terms.cols, terms.rows * terms.cols

    def events(self) -> Iterator[Event]:
        """In the order in which it happened; the houses of one owner pay in one event. The commonest kinds first."""
        for fact in self.facts:
            kind, seat = fact[0], fact[1]
            if kind == "gather":
                amount = fact[3] / MICRO
                yield Event(kind, {"by": seat, "resource": fact[2], "amount": amount, "income": amount}, (seat,))
            elif kind == "noop" or kind == "frozen_skip":
                yield Event(kind, {"by": seat}, (seat,))
            elif kind == "house_income":
                yield from deeds(fact[2], self.size).rents(fact[3], self.cols)
            else:
                yield self._event(fact)

    def _event(self, fact: Fact) -> Event:
        kind, seat, *values = fact
        data: dict[str, JSON] = {} if seat < 0 else {"by": seat}
        data.update(getattr(self, f"_{kind}", _nothing)(*values))
        return Event(kind, data, self._readers(kind, seat))

    def _readers(self, kind: str, seat: Seat) -> tuple[Seat, ...] | None:
        if seat < 0 or kind in ("build", "order_placed", "freeze", "unfreeze"):
            return None
        return (seat, self.planner) if kind in ("audit_caught", "audit_false_positive") else (seat,)

    def _at(self, cell: int) -> list[JSON]:
        return list(divmod(cell, self.cols))

    def _move(self, start: int, end: int) -> dict[str, JSON]:
        return {"from": self._at(start), "to": self._at(end)}

    def _gather_fail(self, reason: str) -> dict[str, JSON]:
        return {"reason": reason}

    _build_fail = _gather_fail

    def _build(self, cell: int, total: int) -> dict[str, JSON]:
        return {"position": self._at(cell), "houses_total": total}

    def _trade(
        self, buyer: Seat, seller: Seat, resource: str, quantity: Micro, price: Micro, fee: Micro
    ) -> dict[str, JSON]:
        return {
            "buyer": buyer,
            "seller": seller,
            "resource": resource,
            "qty": decimal(quantity),
            "price": decimal(price),
            "fee": decimal(fee),
        }

    def _order_placed(self, side: str, resource: str, quantity: Micro, price: Micro) -> dict[str, JSON]:
        return {"side": side, "resource": resource, "qty": decimal(quantity), "price": decimal(price)}

    def _tax(self, gross: Micro, reported: Micro, paid: Micro, owed: Micro) -> dict[str, JSON]:
        return {
            "gross_income": decimal(gross),
            "reported_income": decimal(reported),
            "tax_paid": decimal(paid),
            "effective_rate": round(paid / max(reported, 1e-3), 9),
            "tax_owed": decimal(owed),
            "shortfall": decimal(owed - paid),
        }

    def _shift_income(self, amount: Micro, lost: Micro) -> dict[str, JSON]:
        return {"gross_shifted": decimal(amount), "friction": decimal(lost), "net_deferred": decimal(amount - lost)}

    def _misreport(self, fraction: Micro, hidden: Micro) -> dict[str, JSON]:
        return {"underreport_fraction": decimal(fraction), "hidden_income": decimal(hidden)}

    def _audit_caught(self, hidden: Micro, evaded: Micro, fine: Micro, times: int, owed: Micro) -> dict[str, JSON]:
        return {
            "discrepancy": decimal(hidden),
            "evaded_tax": decimal(evaded),
            "fine": decimal(fine),
            "times_caught": times,
            "fine_owed": decimal(owed),
            "shortfall": decimal(owed - fine),
        }

    def _audit_miss(self, hidden: Micro) -> dict[str, JSON]:
        return {"discrepancy": decimal(hidden)}

    def _audit_false_positive(self, boost: Micro) -> dict[str, JSON]:
        return {"collusion_boost": decimal(boost)}

    def _freeze(self, until: int) -> dict[str, JSON]:
        return {"until_epoch": until}

    def _redistribution(self, amount: Micro) -> dict[str, JSON]:
        return {"amount": decimal(amount)}

    def _collusion_detected(self, flag: Flag, banned: bool) -> dict[str, JSON]:
        responses: list[JSON] = ["audit_boost", *(["trade_restriction"] if banned else [])]
        return {
            "agents": list(flag.pair),
            "similarity": flag.similarity,
            "suspicion_score": flag.suspicion,
            "responses": responses,
        }

    def _epoch_ended(self, report: Report) -> dict[str, JSON]:
        told = statistics(report)
        return {
            "ended": report.epoch + 1,
            "income": told.total_income,
            "gini": round(told.gini, 4),
            "revenue": told.total_tax_revenue,
            "houses": told.total_houses,
            "trades": report.tally.trades,
        }

    def _planner_update(self, old: Schedule, new: Schedule, report: Report) -> dict[str, JSON]:
        return {
            "old": written(old),
            "new": written(new),
            "rates": [round(100 * decimal(rate), 2) for _, rate in new],
            "stats": dict(statistics(report)._asdict()),
        }

    _planner_kept = _planner_update


def _nothing() -> dict[str, JSON]:
    return {}


def written(schedule: Schedule) -> list[JSON]:
    """Threshold and rate of each bracket as decimals."""
    pairs: list[JSON] = [[decimal(threshold), decimal(rate)] for threshold, rate in schedule]
    return pairs
