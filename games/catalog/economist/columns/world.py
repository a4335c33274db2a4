"""Many worlds as columns: the first axis are the worlds, then workers or cells. Amounts are whole millionths.

A cell past the last stands for what lies off the map: nothing is there, and nobody can build on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.economist.collusion import ACTS
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.deeds import Deeds
from games.catalog.economist.desk import Fact
from games.catalog.economist.land import Grid, grid, sites
from games.catalog.economist.money import MICRO
from games.catalog.economist.state import DIRECTIONS, NONE, RESOURCES, House, SetTaxes, State, Tally, Workers
from games.catalog.economist.statistics import Statistics
from games.catalog.economist.tax import Schedule
from games.core.agents import Memory
from games.core.draws import Draws, Flags, Ints, ranks
from games.core.game import Seat, Turn

NAMES: Final = tuple(name for name in Workers.__slots__ if name != "traces")
TALLIED: Final = tuple(Tally.__slots__)
NOOP, MOVE, GATHER, BUILD, BUY, SELL, SHIFT, MISREPORT, _ = range(len(ACTS))
"""What is done, as traces have it."""
LARGEST: Final = 1 << 61
"""Products of two numbers stay below this, so that they and their sums fit into 64 bits."""


class Block(SimpleNamespace):
    """Columns by their names, in one block whose first axis these are; then come worlds, and workers of accounts."""

    def __init__(self, names: Sequence[str], block: Ints) -> None:
        super().__init__(names=names, block=block, **dict(zip(names, block, strict=True)))

    def copy(self) -> Block:
        return Block(self.names, self.block.copy())

    def cleared(self) -> Block:
        return Block(self.names, np.zeros_like(self.block))


class Shape:
    """`land.Grid` as tables by cell: ``ways`` its neighbours; ``near`` the cells in sight, nearest first, and the first
    step ``towards`` each; ``opens`` counts the ways that stay on the map, which ``on`` lists."""

    def __init__(self, shape: Grid) -> None:
        cells = range(shape.rows * shape.cols)
        self.ways = np.array([[shape.ways[cell][way] for way in DIRECTIONS] for cell in cells])
        most = max(1, *map(len, shape.near))
        self.near = np.full((len(cells), most), len(cells))
        self.towards = np.zeros((len(cells), most), np.int64)
        for cell, near in enumerate(shape.near):
            self.near[cell, : len(near)] = [shape.sights[cell][place] for place, _ in near]
            self.towards[cell, : len(near)] = [DIRECTIONS.index(way) for _, way in near]
        self.opens = np.count_nonzero(self.ways >= 0, axis=1)
        self.on = (self.ways < 0).argsort(axis=1, kind="stable")


@lru_cache(maxsize=8)
def shape_of(rows: int, cols: int, sight: int) -> Shape:
    """The tables of a size."""
    return Shape(grid(rows, cols, sight))


class Estate:
    """All houses of a run by world, as they were built. Worlds know how many of them stand."""

    def __init__(self, worlds: int, room: int, size: int) -> None:
        self.rows = np.zeros((worlds, room, 4), np.int64)
        self._made: list[tuple[House, ...]] = [()] * worlds
        self._deeds = [Deeds((), size)] * worlds
        self._none = self._deeds[0]

    def add(self, counts: Ints, world: Ints, *built: Ints | int) -> Ints:
        """Owners, cells, epochs and steps of what is built now, by world; how many stand then."""
        self.rows[world, counts[world] + ranks(world)] = np.stack(np.broadcast_arrays(*built), axis=-1)
        return counts + np.bincount(world, minlength=len(counts))

    def of(self, world: int, count: int) -> tuple[House, ...]:
        """The first so many of a world, made once."""
        made = self._made[world]
        if len(made) < count:
            made += tuple([House(*row) for row in self.rows[world, len(made) : count].tolist()])
            self._made[world] = made
        return made if len(made) == count else made[:count]

    def deeds(self, world: int, count: int) -> Deeds:
        """Who owns which of them; kept, since houses change in few steps."""
        last = self._deeds[world]
        if len(last.houses) != count:
            before = last if len(last.houses) < count else self._none
            self._deeds[world] = last = Deeds(self.of(world, count), len(last.owners), before)
        return last


@dataclass
class Plans:
    """What all do: a deed by worker (``do``), which ``way`` it goes or which good it deals in, the ``amount`` of the
    order, the shift, or the hidden share, and the ``price``. Of a planner's turn: its ``targets`` and ``memories``."""

    do: Ints
    way: Ints
    amount: Ints
    price: Ints
    targets: Sequence[SetTaxes] = ()
    memories: Sequence[Memory] = ()


@dataclass
class Market:
    """The orders of the last step, and what of each is ``left``. By good and world: the best bid that was not filled
    (``waiting``, 0: none), and price and quantity of the last trade."""

    plans: Plans | None
    left: Ints
    waiting: Ints
    price: Ints
    quantity: Ints


@dataclass
class Log:
    """What a step did, beside its plans: units that each ``took``, coin that its houses ``paid`` (None: none are),
    and the trades, as they came about: worlds, buyers, sellers, the good, quantities, prices and fees."""

    took: Ints
    paid: Ints | None = None
    trades: list[tuple[Ints, Ints, Ints, int, Ints, Ints, Ints]] = field(default_factory=list)

    @cached_property
    def by_world(self) -> Mapping[int, Sequence[Fact]]:
        """The trades of each world that has any, as facts."""
        found: defaultdict[int, list[Fact]] = defaultdict(list)
        for *columns, place, quantities, prices, fees in self.trades:
            each = zip(*(column.tolist() for column in (*columns, quantities, prices, fees)), strict=True)
            for world, buyer, seller, *rest in each:
                found[world].append(("trade", -1, buyer, seller, RESOURCES[place], *rest))
        return found


@dataclass
class Ended:
    """The epoch that ended last: what is needed to make its reports, and what planners and workers learn of it."""

    before: Worlds
    plans: Plans
    draws: Draws
    gross: Ints
    reported: Ints
    statistics: Sequence[Statistics]
    made: dict[int, Any] = field(default_factory=dict)


@dataclass
class Worlds:
    """`State` by its names, of all worlds; none is changed once made. ``stock``, which regrows until it is
    ``full``, and ``owners`` (-1: none) are by cell.

    ``log`` and ``gained`` (coin by worker) are of the step that led here; ``welfare`` of the epoch that it ended.
    """

    config: EconomistConfig
    epoch: int
    step: int
    planning: bool
    bears: NDArray[np.int8]
    full: Ints
    stock: Ints
    owners: Ints
    estate: Estate
    houses: Ints
    had: Block
    traces: tuple[Ints, ...]
    market: Market
    schedules: Sequence[Schedule]
    before: Sequence[Schedule]
    treasury: Ints
    house_income: Ints
    gathered: Ints
    tally: Block
    memories: Sequence[Memory]
    lands: Sequence[Any]
    log: Log | None = None
    gained: Ints | None = None
    welfare: Sequence[float] = ()
    ended: Ended | None = None
    made: dict[int, State] = field(default_factory=dict)

    @classmethod
    def opened(cls, configs: Sequence[EconomistConfig], states: Sequence[State]) -> Worlds:
        """Worlds before the first step."""
        config, one, many = configs[0], states[0], len(states)
        workers = [[getattr(state.workers, name) for state in states] for name in NAMES]
        bears = np.array([(*state.land.bears, NONE) for state in states], np.int8)
        stock = np.array([(*sites(state.land).by_cell(state.stock), -1) for state in states])
        full = np.where(bears != NONE, config.terms.stock_max, stock)
        none = np.zeros((2, many), np.int64)
        market = Market(None, none[0], none, none, none)
        owners = np.full(stock.shape, -1)
        owners[:, -1] = config.workers
        room = min(stock.shape[1], config.workers * config.terms.houses_max)
        estate, had = Estate(many, room, stock.shape[1] - 1), Block(NAMES, np.array(workers, np.int64))
        tally = Block(TALLIED, np.zeros((len(TALLIED), many), np.int64))
        return cls(
            config, one.epoch, one.step, one.planning, bears, full, stock, owners, estate, none[0], had, (), market,
            [one.schedule] * many, [()] * many, none[0], none[0], none, tally, [None] * many,
            [state.land for state in states],
        )  # fmt: skip

    @property
    def shape(self) -> Shape:
        terms = self.config.terms
        return shape_of(terms.rows, terms.cols, self.config.sight)

    @cached_property
    def at(self) -> Ints:
        """Where each worker stands, in the flat columns by cell."""
        return self.had.cell + self.corner

    @cached_property
    def corner(self) -> Ints:
        """Where each world begins in the flat columns by cell."""
        return np.arange(len(self.stock))[:, None] * self.stock.shape[1]

    @cached_property
    def regrown(self) -> Ints:
        """The stock after the regrowth that comes before the next step's actions."""
        grown = self.stock + self.config.terms.regrowth
        return np.minimum(grown, self.full, out=grown)

    @cached_property
    def is_bare(self) -> Flags:
        """By cell whether a house may be built there."""
        return (self.bears == NONE) & (self.owners < 0)

    @cached_property
    def rates(self) -> Ints:
        """By world and bracket."""
        return np.array([[rate for _, rate in schedule] for schedule in self.schedules])

    @cached_property
    def awake(self) -> Sequence[tuple[Seat, ...]]:
        """By world who is not frozen."""
        awake = self.had.frozen < self.epoch
        if awake.all():
            return (tuple(range(self.config.workers)),) * len(awake)
        return [tuple(np.flatnonzero(row).tolist()) for row in awake]

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """By world whose turn is next."""
        clock, planner = (("epoch", self.epoch + 1), ("step", self.step + (not self.planning))), (self.config.workers,)
        if self.planning:
            return (Turn(clock, "plan", planner),) * len(self.awake)
        turns = {seats: Turn(clock, "work", seats) for seats in self.awake}
        return [turns[seats] for seats in self.awake]

    @cached_property
    def payoffs(self) -> Sequence[dict[Seat, float]]:
        """By world the gains of the step that led here."""
        if self.gained is None:
            return [{} for _ in self.lands]
        payoffs = [dict(enumerate(row)) for row in (self.gained / MICRO).tolist()]
        for payoff, welfare in zip(payoffs, self.welfare, strict=False):
            payoff[self.config.workers] = welfare
        return payoffs
