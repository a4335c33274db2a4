"""What the page is given: the view, amounts in coin and units. The board has its types of it. None is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from games.catalog.economist.state import Cell, Outcome, Resource
from games.core.game import Seat

Brackets = Sequence[tuple[float, float]]
"""Threshold in coin and marginal rate of each bracket."""


class WorkerView(TypedDict):
    """``frozen`` and ``banned``: the last epoch of it, None where it is not. ``stance``: the share that it hides."""

    cell: Cell | None
    frozen: int | None
    banned: int | None
    coalition: str
    coin: float | None
    energy: float | None
    wood: float | None
    stone: float | None
    gross: float | None
    deferred: float | None
    stance: float | None
    fines: float | None
    houses: int | None
    audits: int | None
    catches: int | None


class BookView(TypedDict):
    """Orders are who, quantity, price and what is left of it; ``price`` and ``qty`` are the last trade's."""

    bids: Sequence[tuple[Seat, float, float, float]]
    asks: Sequence[tuple[Seat, float, float, float]]
    price: float | None
    qty: float | None


class BooksView(TypedDict):
    wood: BookView
    stone: BookView


class ActView(TypedDict):
    do: str
    resource: NotRequired[Resource]
    price: NotRequired[float]


class FlagView(TypedDict):
    pair: tuple[Seat, Seat]
    similarity: float
    suspicion: float
    traces: tuple[Sequence[ActView], Sequence[ActView]] | None
    allied: bool | None


class AccountView(TypedDict):
    """How a worker's epoch ended. ``chance`` is that of its audit."""

    gross: float | None
    reported: float
    owed: float | None
    paid: float
    outcome: Outcome
    chance: float | None
    evaded: float | None
    fined: float
    shared: float


class ReportView(TypedDict):
    """The last epoch that ended; ``accounts`` by worker. ``schedule`` is the one that taxed it."""

    epoch: int
    schedule: Brackets
    statistics: Mapping[str, float]
    welfare: float
    bunched: int
    flow: Mapping[str, float]
    built: int
    trades: int
    catches: int
    misses: int | None
    flags: Sequence[FlagView]
    accounts: Sequence[AccountView | None]


class EconomistView(TypedDict):
    """``bears`` and ``stock`` by cell, row by row; ``houses`` are (cell, owner); ``before``: the schedule that the
    planner last replaced, empty for none. ``smoothing`` is the width of edges in coin; ``house_cost``: wood, stone;
    ``order_lifetime``: steps that an order stands, where they are more than one.
    """

    rows: int
    cols: int
    epoch: int
    epochs: int
    step: int
    steps: int
    planning: bool
    bears: Sequence[int | None]
    stock: Sequence[float | None]
    houses: Sequence[tuple[Cell, Seat]]
    workers: Sequence[WorkerView]
    schedule: Brackets
    before: Brackets
    smoothing: float
    damping: float
    falling: bool
    redistribution: Literal["none", "lump_sum"]
    fee: float
    house_cost: tuple[float, float]
    energy: float
    books: BooksView
    order_lifetime: NotRequired[int]
    treasury: float
    report: ReportView | None
