"""A step in the making: the state's parts as lists that rules change in place, and what happened, as facts."""

from __future__ import annotations

from typing import Any, TypeAlias

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.state import Book, House, State, Tally, Workers
from games.core.game import Seat

Fact: TypeAlias = tuple[Any, ...]
"""``(kind, seat, values...)``; `news` words them. Seat -1: nobody's own."""


class Desk:
    """Lists by seat as in `Workers`; ``stock`` as in `State`. Made from a state, and made into the next one."""

    __slots__ = (
        "audits",
        "banned",
        "before",
        "books",
        "boost",
        "built",
        "catches",
        "cell",
        "coin",
        "config",
        "deferred",
        "earned",
        "energy",
        "epoch",
        "facts",
        "fees",
        "fines",
        "frozen",
        "gathered",
        "gross",
        "house_income",
        "houses",
        "planning",
        "report",
        "schedule",
        "shifted",
        "stance",
        "state",
        "step",
        "stock",
        "stone",
        "tally",
        "terms",
        "traces",
        "traded",
        "trades",
        "treasury",
        "wood",
    )  # fmt: skip

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
        self.treasury, self.tally = state.treasury, state.tally
        self.gathered = list(state.gathered)
        self.house_income, self.report = state.house_income, state.report
        self.facts: list[Fact] = []
        self.fees = self.trades = self.traded = 0

    def is_frozen(self, seat: Seat) -> bool:
        return self.frozen[seat] >= self.epoch

    def book_income(self, seat: Seat, amount: int) -> None:
        """Taxable income of this epoch."""
        self.gross[seat] += amount
        self.earned[seat] += amount

    def count(self, house_income: int) -> None:
        """Add this step's facts to the epoch's tally; each house's income is one."""
        kinds = [fact[0] for fact in self.facts]
        had = self.tally
        paying = len(self.houses) - 1 if house_income else 0
        self.tally = Tally(
            events=had.events + len(kinds) + paying,
            exploits=had.exploits + kinds.count("misreport") + kinds.count("shift_income"),
            trades=had.trades + self.trades,
            traded=had.traded + self.traded,
            house_income=had.house_income + house_income,
            fees=had.fees + self.fees,
            built=had.built + kinds.count("build"),
        )

    def workers(self) -> Workers:
        """All workers as they now are."""
        return Workers(
            tuple(self.cell), tuple(self.coin), tuple(self.energy), tuple(self.wood), tuple(self.stone),
            tuple(self.gross), tuple(self.shifted), tuple(self.deferred), tuple(self.stance), tuple(self.built),
            tuple(self.earned), tuple(self.audits), tuple(self.catches), tuple(self.fines), tuple(self.boost),
            tuple(self.banned), tuple(self.frozen), self.traces,
        )  # fmt: skip

    def after(self) -> State:
        """The state that has come of it."""
        return State(
            epoch=self.epoch,
            step=self.step,
            planning=self.planning,
            land=self.state.land,
            stock=tuple(self.stock),
            houses=self.houses,
            workers=self.workers(),
            books=self.books,
            schedule=self.schedule,
            before=self.before,
            treasury=self.treasury,
            house_income=self.house_income,
            gathered=(self.gathered[0], self.gathered[1]),
            tally=self.tally,
            report=self.report,
        )
