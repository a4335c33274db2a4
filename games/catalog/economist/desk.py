"""A step in the making: the state's parts as lists that rules change in place, and what happened, as facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.market import Bid, standing
from games.catalog.economist.money import MICRO
from games.catalog.economist.state import RESOURCES, Book, House, Order, State, Tally, Workers
from games.core.game import Seat

Fact: TypeAlias = tuple[Any, ...]
"""``(kind, seat, values...)``; `news` words them. Seat -1: nobody's own."""
EXPLOITS = ("misreport", "shift_income", "collusion_detected")
"""Kinds of facts that exploit the rules, or are taken for it."""
COUNTED = frozenset((*EXPLOITS, "house_income", "trade", "build"))
"""Kinds of facts of which the tally counts more than that they happened."""


class Desk:
    """Lists by seat as in `Workers`; ``stock`` as in `State`. Made from a state, and made into the next one."""

    __slots__ = (*State.__slots__, *Workers.__slots__, "config", "facts", "orders", "state", "terms")

    def __init__(self, config: EconomistConfig, state: State) -> None:
        had = state.workers
        self.config, self.terms, self.state = config, config.terms, state
        self.epoch, self.step, self.planning = state.epoch, state.step, state.planning
        self.cell, self.coin, self.energy = list(had.cell), list(had.coin), list(had.energy)
        self.wood, self.stone, self.gross = list(had.wood), list(had.stone), list(had.gross)
        self.shifted, self.deferred, self.stance = list(had.shifted), list(had.deferred), list(had.stance)
        self.built, self.earned = list(had.built), list(had.earned)
        self.audits, self.catches, self.fines = list(had.audits), list(had.catches), list(had.fines)
        self.boost, self.banned, self.frozen = list(had.boost), list(had.banned), list(had.frozen)
        self.traces = had.traces
        self.stock = list(state.stock)
        self.houses: tuple[House, ...] = state.houses
        self.books: tuple[Book, Book] = state.books
        self.schedule, self.before = state.schedule, state.before
        self.treasury, self.tally, self.report = state.treasury, state.tally, state.report
        self.house_income, self.gathered = state.house_income, list(state.gathered)
        self.orders: dict[str, tuple[list[Bid], list[Bid]]] = (
            {resource: ([], []) for resource in RESOURCES}
            if self.terms.order_lifetime == 1
            else {
                resource: (_carried(book.bids), _carried(book.asks))
                for resource, book in zip(RESOURCES, state.books, strict=True)
            }
        )
        self.facts: list[Fact] = []

    def book_income(self, seat: Seat, amount: int) -> None:
        """Taxable income of this epoch."""
        self.gross[seat] += amount
        self.earned[seat] += amount

    def count(self, facts: Sequence[Fact]) -> None:
        """Add these facts to the epoch's tally; each house that pays is one."""
        had, trades, traded, fees, paid, built, exploits = self.tally, 0, 0, 0, 0, 0, 0
        events = had.events + len(facts)
        for fact in facts:
            kind = fact[0]
            if kind not in COUNTED:
                continue
            if kind == "house_income":
                events += len(self.houses) - 1
                paid += sum(fact[3])
            elif kind == "trade":
                *_, quantity, price, fee = fact
                trades, traded, fees = trades + 1, traded + quantity * price // MICRO, fees + 2 * fee
            elif kind == "build":
                built += 1
            else:
                exploits += 1
        self.tally = Tally(
            events, had.exploits + exploits, had.trades + trades, had.traded + traded, had.house_income + paid,
            had.fees + fees, had.built + built,
        )  # fmt: skip

    def after(self) -> State:
        """The state that has come of it."""
        workers = Workers(
            tuple(self.cell), tuple(self.coin), tuple(self.energy), tuple(self.wood), tuple(self.stone),
            tuple(self.gross), tuple(self.shifted), tuple(self.deferred), tuple(self.stance), tuple(self.built),
            tuple(self.earned), tuple(self.audits), tuple(self.catches), tuple(self.fines), tuple(self.boost),
            tuple(self.banned), tuple(self.frozen), self.traces,
        )  # fmt: skip
        return State(
            self.epoch, self.step, self.planning, self.state.land, tuple(self.stock), self.houses, workers, self.books,
            self.schedule, self.before, self.treasury, self.house_income, (self.gathered[0], self.gathered[1]),
            self.tally, self.report,
        )  # fmt: skip


def _carried(orders: Sequence[Order]) -> list[Bid]:
    return [Bid(one.by, one.quantity, one.price, one.left, one.since) for one in standing(orders)]
