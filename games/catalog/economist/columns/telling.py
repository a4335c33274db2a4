"""One world of a step as the kernel's values, each made when it is read. The last step of an epoch is resolved by the
rules themselves then, for its events and its report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from games.catalog.economist import state as values
from games.catalog.economist.collusion import ACTS
from games.catalog.economist.columns.world import (
    BUILD,
    BUY,
    GATHER,
    MISREPORT,
    MOVE,
    NOOP,
    SELL,
    SHIFT,
    Ended,
    Market,
    Plans,
    Worlds,
)
from games.catalog.economist.desk import Fact
from games.catalog.economist.market import Bid, in_priority
from games.catalog.economist.money import decimal, portion
from games.catalog.economist.news import News
from games.catalog.economist.rules import EconomistGame
from games.catalog.economist.state import DIRECTIONS, NONE, RESOURCES, WOOD, State
from games.catalog.economist.workers import BUILD as BUILDS
from games.catalog.economist.workers import GATHER as GATHERS
from games.catalog.economist.workers import MOVES
from games.core.game import Event, LazyActions, LazyEvents, Resolution, Seat, Step
from games.core.rng import Rng

GAME = EconomistGame()
ALIKE: Final[Mapping[int, values.WorkerAction]] = {NOOP: values.NOOP, GATHER: GATHERS, BUILD: BUILDS}
"""Deeds of which nothing more is to be said."""


class Later(State):
    """A state that is made when any of it is read. Until then it carries what makes it."""

    __slots__ = ()

    def _made(self) -> State:
        parts = self.carried[1]()
        object.__delattr__(self, "carried")
        object.__setattr__(self, "__class__", State)
        for name, value in zip(State.__slots__, parts, strict=True):
            object.__setattr__(self, name, value)
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made(), name)

    def __eq__(self, other: object) -> bool:
        return self._made() == other

    __hash__ = State.__hash__

    def __reduce__(self) -> Any:
        return self._made().__reduce_ex__(2)


def step(before: Worlds, plans: Plans, after: Worlds, index: int, world: int) -> Step[Any, Any]:
    """One world's step."""
    turn = before.turns[world]
    if before.planning:
        actions: Mapping[Seat, Any] = {before.config.workers: plans.targets[world]}
        events = LazyEvents(partial(_planned, before, after, world))
    else:
        actions = LazyActions(turn.seats, partial(_actions, plans, world, turn.seats))
        events = LazyEvents(partial(_events, before, plans, after, world))
    return Step(index, turn, actions, {}, {}, events, after.payoffs[world], state_of(after, world))


def _planned(before: Worlds, after: Worlds, world: int) -> Iterable[Event]:
    old, new = before.schedules[world], after.schedules[world]
    assert before.ended is not None
    kind = "planner_update" if new != old else "planner_kept"
    return _news(before, [(kind, -1, old, new, _resolved(before.ended, world).state.report)])


def _news(worlds: Worlds, facts: Sequence[Fact]) -> Iterable[Event]:
    return News(facts, worlds.config.terms, worlds.config.workers).events()


def _events(before: Worlds, plans: Plans, after: Worlds, world: int) -> Iterable[Event]:
    """As facts in the order in which they happened; the end of an epoch is told by the rules."""
    if after.welfare and after.ended is not None:
        return _resolved(after.ended, world).events
    log, columns = after.log, (before.had.cell, after.had.cell, plans.do)
    assert log is not None
    deeds = zip(*(column[world].tolist() for column in (*columns, log.took)), strict=True)
    awake, bears, facts = before.awake[world], before.lands[world].bears, list[Fact]()
    frozen = set(range(before.config.workers)).difference(awake) if len(awake) < before.config.workers else ()
    for seat, (cell, end, do, took) in enumerate(deeds):
        if seat in frozen:
            facts.append(("frozen_skip", seat))
        elif do == MOVE:
            facts.append(("move", seat, cell, end))
        elif do == GATHER and took:
            facts.append(("gather", seat, RESOURCES[bears[cell] != WOOD], took))
        elif do == NOOP:
            facts.append(("noop", seat))
        else:
            facts.append(_fact(before, plans, after, world, seat))
    count = int(after.houses[world])
    if log.paid is not None and count:
        facts.append(("house_income", -1, after.estate.deeds(world, count), log.paid[world].tolist()))
    facts.extend(log.by_world.get(world, ()))
    return _news(before, facts)


def _fact(before: Worlds, plans: Plans, after: Worlds, world: int, seat: Seat) -> Fact:
    """What is done more seldom."""
    do, way, amount, price = (int(column[world, seat]) for column in (plans.do, plans.way, plans.amount, plans.price))
    built = int(after.had.built[world, seat])
    if do == GATHER:
        return "gather_fail", seat, "no_resource"
    if do == BUILD and built == before.had.built[world, seat]:
        return "build_fail", seat, "cell_occupied"
    if do == BUILD:
        return "build", seat, int(after.had.cell[world, seat]), built
    if do == SHIFT:
        lost = portion(amount, before.config.terms.friction)
        return "shift_income", seat, amount, lost, amount - lost
    if do == MISREPORT:
        return "misreport", seat, amount, portion(int(before.had.gross[world, seat]), amount)
    return "order_placed", seat, ACTS[do], RESOURCES[way], amount, price


def _resolved(ended: Ended, world: int) -> Resolution[State]:
    """The last step of an epoch by the rules, once."""
    if world not in ended.made:
        before, rng = ended.before, Rng(int(ended.draws.keys[world]))
        actions = _actions(ended.plans, world, before.awake[world])
        ended.made[world] = GAME.resolve(before.config, state_of(before, world), actions, rng)
    found: Resolution[State] = ended.made[world]
    return found


def _actions(plans: Plans, world: int, seats: tuple[Seat, ...]) -> dict[Seat, Any]:
    columns = (column[world].tolist() for column in (plans.do, plans.way, plans.amount, plans.price))
    deeds = list(zip(*columns, strict=True))
    return {seat: _action(*deeds[seat]) for seat in seats}


def _action(do: int, way: int, amount: int, price: int) -> values.WorkerAction:
    if do == MOVE:
        return MOVES[DIRECTIONS[way]]
    if do in ALIKE:
        return ALIKE[do]
    if do == SHIFT:
        return values.Shift(decimal(amount))
    if do == MISREPORT:
        return values.Misreport(decimal(amount))
    return values.Deal(RESOURCES[way], decimal(amount), decimal(price), "buy" if do == BUY else "sell")


def state_of(worlds: Worlds, world: int) -> State:
    """A world's state, made when it is read."""
    known = worlds.made.get(world)
    if known is None:
        known = worlds.made[world] = object.__new__(Later)
        object.__setattr__(known, "carried", (None, partial(_parts, worlds, world)))
    return known


def _parts(worlds: Worlds, world: int) -> tuple[Any, ...]:
    """The fields of a state in their order."""
    land, had = worlds.lands[world], list[Any](map(tuple, worlds.had.block[:, world].tolist()))
    had.append(tuple([tuple(row[world].tolist()) for row in worlds.traces]))
    stock = worlds.stock[world][worlds.bears[world] != NONE].tolist()
    ended = None if worlds.ended is None else _resolved(worlds.ended, world).state.report
    wood, stone = worlds.gathered[:, world].tolist()
    return (
        worlds.epoch, worlds.step, worlds.planning, land, tuple(stock),
        worlds.estate.of(world, int(worlds.houses[world])), values.Workers(*had),
        _books(worlds.market, world), worlds.schedules[world], worlds.before[world], int(worlds.treasury[world]),
        int(worlds.house_income[world]), (wood, stone), values.Tally(*worlds.tally.block[:, world].tolist()), ended,
    )  # fmt: skip


def _books(market: Market, world: int) -> tuple[values.Book, values.Book]:
    sides: dict[tuple[int, int], list[Bid]] = {(place, side): [] for place in (0, 1) for side in (BUY, SELL)}
    if market.plans is not None:
        plans = market.plans
        columns = (column[world].tolist() for column in (plans.do, plans.way, plans.amount, plans.price, market.left))
        for seat, (do, way, amount, price, left) in enumerate(zip(*columns, strict=True)):
            if do in (BUY, SELL):
                sides[way, do].append(Bid(seat, amount, price, left))
    books = []
    for place in (0, 1):
        bids, asks = (
            tuple([values.Order(one.by, one.quantity, one.price, one.left) for one in side])
            for side in in_priority(sides[place, BUY], sides[place, SELL])
        )
        books.append(values.Book(bids, asks, int(market.price[place, world]), int(market.quantity[place, world])))
    return books[0], books[1]
