"""What one seat knows: a worker its own accounts and the cells around it, the planner statistics and reports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.deeds import deeds
from games.catalog.economist.land import Grid, grid, regrow, sites
from games.catalog.economist.money import Micro
from games.catalog.economist.state import Account, Book, Cell, State
from games.catalog.economist.statistics import Statistics, statistics
from games.catalog.economist.tax import Schedule
from games.core.game import Seat
from games.core.values import carried


class Shared(NamedTuple):
    """What everybody knows of one state: the schedule in force, and the market's last step."""

    config: EconomistConfig
    grid: Grid
    epoch: int
    step: int
    schedule: Schedule
    books: tuple[Book, Book]


class WorkerSeen(NamedTuple):
    """A worker's own accounts in millionths, and its sight: by place in ``grid.sights[cell]``, row by row.

    ``bears`` NONE, WOOD or STONE; ``stock`` what can be gathered there after the coming regrowth; ``owners`` of houses
    (-1: none); ``around`` who else stands there. ``last`` is how its last epoch ended. ``allies`` are the other seats
    of its coalition.
    """

    shared: Shared
    seat: Seat
    cell: Cell
    coin: Micro
    energy: Micro
    wood: Micro
    stone: Micro
    gross: Micro
    shifted: Micro
    deferred: Micro
    stance: Micro
    houses: int
    catches: int
    fines: Micro
    is_banned: bool
    skill: Micro
    bears: tuple[int, ...]
    stock: tuple[Micro, ...]
    owners: tuple[Seat, ...]
    around: tuple[tuple[Seat, ...], ...]
    here: int
    last: Account | None
    coalition: str
    allies: tuple[Seat, ...]


class PlannerSeen(NamedTuple):
    """The epoch that ended: statistics of all, and each worker's reported income and tax paid, in millionths."""

    shared: Shared
    seat: Seat
    statistics: Statistics
    reported: tuple[Micro, ...]
    paid: tuple[Micro, ...]
    before: Schedule
    catches: int
    flags: int


Observation: TypeAlias = WorkerSeen | PlannerSeen


class Look:
    """What all workers' sights and accounts are taken from, by cell and by seat; made once for each state and kept with
    it. ``accounts`` are in the order of `WorkerSeen`, from ``coin`` to ``skill``.
    """

    __slots__ = ("accounts", "around", "owners", "shared", "stock")

    def __init__(self, config: EconomistConfig, state: State) -> None:
        terms, had = config.terms, state.workers
        shape = grid(terms.rows, terms.cols, config.sight)
        self.shared = Shared(public(config), shape, state.epoch, state.step, state.schedule, state.books)
        cells = terms.rows * terms.cols
        self.stock = sites(state.land).by_cell(regrow(state.stock, terms.regrowth, terms.stock_max))
        self.owners = deeds(state.houses, cells).owners
        self.around: list[tuple[Seat, ...]] = [()] * cells
        for seat, cell in enumerate(had.cell):
            self.around[cell] += (seat,)
        self.accounts = list(
            zip(
                had.coin, had.energy, had.wood, had.stone, had.gross, had.shifted, had.deferred, had.stance, had.built,
                had.catches, had.fines, [until >= state.epoch for until in had.banned], terms.skills, strict=True,
            )
        )  # fmt: skip


def public(config: EconomistConfig) -> EconomistConfig:
    """The settings as everybody may know them: who is allied is for the allies. Made once."""
    if not config.coalitions:
        return config
    known: EconomistConfig | None = config.__dict__.get("_public")
    if known is None:
        known = config.model_copy(update={"coalitions": ()})
        known.__dict__.pop("allies", None)
        config.__dict__["_public"] = known
    return known


@carried
def look(config: EconomistConfig, state: State) -> Look:
    return Look(config, state)


_worker = partial(tuple.__new__, WorkerSeen)
"""A worker's sight of its values in their order, without the check of their number that `_make` does each time."""


def see_workers(config: EconomistConfig, state: State, seats: Sequence[Seat]) -> list[WorkerSeen]:
    """What each of these workers sees."""
    seen, cells, bears = look(config, state), state.workers.cell, state.land.bears
    shared, own, allies, coalitions = seen.shared, seen.shared.grid.own, config.allies, config.coalitions
    ended = state.report.accounts if state.report else (None,) * config.workers
    workers = []
    for seat in seats:
        cell = cells[seat]
        sight = shared.grid.look[cell]
        coalition = coalitions[seat] if coalitions else ""
        values = (
            shared, seat, cell, *seen.accounts[seat], sight(bears), sight(seen.stock), sight(seen.owners),
            sight(seen.around), own[cell], ended[seat], coalition, allies.get(seat, ()),
        )  # fmt: skip
        workers.append(_worker(values))
    return workers


def see_planner(config: EconomistConfig, state: State, seat: Seat) -> PlannerSeen:
    report = state.report
    accounts: Sequence[Account] = report.accounts if report else ()
    return PlannerSeen(
        look(config, state).shared,
        seat,
        statistics(report),
        tuple(account.reported for account in accounts),
        tuple(account.paid for account in accounts),
        state.before,
        sum(account.outcome == "caught" for account in accounts),
        len(report.flags) if report else 0,
    )
