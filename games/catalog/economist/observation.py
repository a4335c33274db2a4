"""What one seat knows: a worker its own accounts and the cells around it, the planner statistics and reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.deeds import deeds
from games.catalog.economist.land import Grid, grid, regrow, sites
from games.catalog.economist.money import Micro
from games.catalog.economist.state import Account, Book, Cell, State
from games.catalog.economist.statistics import Statistics, statistics
from games.catalog.economist.tax import Schedule
from games.core.game import Seat


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
    """Lists by cell that all workers' sights are taken from; made once for each state and kept with it."""

    __slots__ = ("allies", "around", "config", "grid", "owners", "shared", "stock")

    def __init__(self, config: EconomistConfig, state: State) -> None:
        terms = config.terms
        self.config, self.grid = config, grid(terms.rows, terms.cols, config.sight)
        self.shared = Shared(config, self.grid, state.epoch, state.step, state.schedule, state.books)
        cells = terms.rows * terms.cols
        self.stock: list[Micro] = [0] * cells
        by, most = terms.regrowth, terms.stock_max
        for cell, had in zip(sites(state.land).cells, regrow(state.stock, by, most), strict=True):
            self.stock[cell] = had
        self.owners = deeds(state.houses, cells).owners
        self.around: list[tuple[Seat, ...]] = [()] * cells
        for seat, cell in enumerate(state.workers.cell):
            self.around[cell] += (seat,)
        self.allies = config.allies


def look(config: EconomistConfig, state: State) -> Look:
    try:
        made = state.derived
        if made.config is config:
            assert isinstance(made, Look)
            return made
    except AttributeError:
        pass
    made = Look(config, state)
    object.__setattr__(state, "derived", made)
    return made


def see_worker(config: EconomistConfig, state: State, seat: Seat) -> WorkerSeen:
    return see_workers(config, state, (seat,))[0]


def see_workers(config: EconomistConfig, state: State, seats: Sequence[Seat]) -> list[WorkerSeen]:
    """What each of these workers sees."""
    seen, had, land = look(config, state), state.workers, state.land.bears
    shared, looks, own, skills = seen.shared, seen.grid.look, seen.grid.own, config.terms.skills
    stock, owners, around, allies, coalitions = seen.stock, seen.owners, seen.around, seen.allies, config.coalitions
    accounts = state.report.accounts if state.report else (None,) * config.workers
    made = []
    for seat in seats:
        cell = had.cell[seat]
        of = looks[cell]
        made.append(
            WorkerSeen(
                shared,
                seat,
                cell,
                had.coin[seat],
                had.energy[seat],
                had.wood[seat],
                had.stone[seat],
                had.gross[seat],
                had.shifted[seat],
                had.deferred[seat],
                had.stance[seat],
                had.built[seat],
                had.catches[seat],
                had.fines[seat],
                had.banned[seat] >= state.epoch,
                skills[seat],
                of(land),
                of(stock),
                of(owners),
                of(around),
                own[cell],
                accounts[seat],
                coalitions[seat] if coalitions else "",
                allies.get(seat, ()),
            )
        )
    return made


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
