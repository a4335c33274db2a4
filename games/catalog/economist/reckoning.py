"""Workers who weigh: labour against rest, and one trade against doing everything oneself.

They read the schedule in force, their own accounts and the market's last step, as every worker may.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from games.catalog.economist.dealing import can_order, lacking, on_order, spare, unit_value
from games.catalog.economist.market import affordable, standing
from games.catalog.economist.money import MICRO, Micro, decimal, micro
from games.catalog.economist.observation import WorkerSeen
from games.catalog.economist.state import NOOP, RESOURCES, Deal, WorkerAction
from games.catalog.economist.workers import (
    GATHER,
    MOVES,
    can_pay_house,
    honest,
    seek_stock,
    settle,
    toward,
    worth,
)
from games.core.agents import NoParams
from games.core.settings import Settings

REACH: Final = 6
"""Coin a unit, the most that a builder bids; a seller asks from 1, a unit's income in kind."""
LEAST_LOT: Final = MICRO // 10
"""Less of a good is no order."""


# --- labour against rest ------------------------------------------------------------------------------


class MarginalParams(Settings):
    """What rest is worth to it, and how fast it gives way."""

    elasticity: float = Field(
        0.5, gt=0, le=10, title="Elasticity", description="Of the labour it supplies with respect to the net wage."
    )
    rest: float = Field(
        1.0, gt=0, le=1000, title="Worth of rest", description="Net coin a unit of energy at which it works all it can."
    )


def marginal(params: MarginalParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Works until the net wage of the next unit of energy falls to what rest is worth; what it does is honest's.

    The share of its energy that it works is (net wage / rest) ^ elasticity, at most all of it. The wage is what a unit
    gathered brings, in kind or in a house until the end; net of the rate on the last coin of its income so far, or of
    its last epoch's if that was more.
    """
    if seen.energy <= seen.shared.config.terms.energy * (1 - labour(params, seen)):
        return NOOP
    return honest(NoParams(), seen, bits)


def labour(params: MarginalParams, seen: WorkerSeen) -> float:
    """The share of its energy that a worker works, 0 to 1."""
    wage = decimal(seen.skill) * max(1.0, decimal(unit_value(seen)) if any(lacking(seen)) else 0.0)
    net = wage * (1 - decimal(last_rate(seen)))
    return min(1.0, float((net / params.rest) ** params.elasticity))


def last_rate(seen: WorkerSeen) -> Micro:
    """The rate on the last coin of the income that is expected for the epoch, in millionths."""
    income = max(seen.gross, seen.last.gross if seen.last else 0)
    rate = 0
    for threshold, of_bracket in seen.shared.schedule:
        if income >= threshold:
            rate = of_bracket
    return rate


# --- who does one thing and trades for the rest ---------------------------------------------------------


class TradeParams(Settings):
    """When it comes to the market."""

    days: int = Field(4, ge=1, le=100, title="Market days", description="Last steps of an epoch in which it deals.")


class SpecialistParams(TradeParams):
    """What it gathers."""

    good: Literal["wood", "stone"] = Field("wood", title="Good", description="The one that it gathers and sells.")
    lot: float = Field(1, gt=0, le=1000, title="Lot", description="Units that it gathers before it offers them.")


def specialist(params: SpecialistParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Gathers one good and sells it on market days, at the best bid that was left, from 1 coin a unit; builds nothing.

    Without such a bid it asks what was last paid, less 3% for each unit that it holds, 30% at most.
    """
    place = RESOURCES.index(params.good)
    book, held = seen.shared.books[place], (seen.wood, seen.stone)[place]
    left = next((order.price for order in book.bids if order.left), 0)
    price = left or (book.price or 2 * MICRO) * (100 - min(30, 3 * held // MICRO)) // 100
    return _sell_or_gather(params, seen, bits, max(price, MICRO))


class FixerParams(SpecialistParams):
    """What it has agreed on."""

    ask_price: float = Field(
        4.0, gt=0, le=1_000_000, title="Agreed price", description="What every member asks for a unit, never less."
    )


def fixer(params: FixerParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Gathers one good and offers it on market days at the agreed price, whatever is bid; else as specialist."""
    return _sell_or_gather(params, seen, bits, micro(params.ask_price))


def _sell_or_gather(params: SpecialistParams, seen: WorkerSeen, bits: int, price: Micro) -> WorkerAction:
    place, terms = RESOURCES.index(params.good), seen.shared.config.terms
    held = (seen.wood, seen.stone)[place]
    if _is_market(params, seen) and can_order(seen) and held >= micro(params.lot):
        price = min(max(price, terms.price_floor), terms.price_ceiling)
        return Deal(RESOURCES[place], decimal(held), decimal(price), "sell")
    if seen.energy < terms.cost_gather + _kept(params, seen):
        return NOOP
    kinds = (False, place == 0, place == 1)
    if seen.stock[seen.here] >= worth(seen) and kinds[seen.bears[seen.here]]:
        return GATHER
    way = seek_stock(seen, worth(seen), kinds)
    return toward(seen, way, bits) if way is None else MOVES[way]


def builder(params: TradeParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Buys what a house lacks on market days and builds; between them it gathers as honest does.

    It bids a tenth above the last price, at the most what a unit of a house still brings, for the good of which it
    lacks more.
    """
    if can_pay_house(seen):
        return settle(seen, bits)
    wood, stone = (max(0, short - on_order(seen, place)[0]) for place, short in enumerate(lacking(seen)))
    short = wood, stone
    if _is_market(params, seen) and can_order(seen) and any(short):
        place = int(short[1] > short[0])
        terms, last = seen.shared.config.terms, seen.shared.books[place].price
        most = min(unit_value(seen), REACH * MICRO, terms.price_ceiling)
        price = min(max(last * 11 // 10, 2 * MICRO), most)
        afford = seen.coin * MICRO // (price * (MICRO + terms.fee) // MICRO) if price else 0
        if terms.order_lifetime > 1:
            afford = affordable(seen.coin, price, terms.fee)
        quantity = min(short[place], afford)
        if price >= terms.price_floor and quantity >= LEAST_LOT:
            return Deal(RESOURCES[place], decimal(quantity), decimal(price), "buy")
    is_rich = seen.coin >= REACH * MICRO * 2
    if is_rich or any(spare(seen)) or seen.energy < seen.shared.config.terms.cost_gather + _kept(params, seen):
        return NOOP
    return honest(NoParams(), seen, bits)


class MakerParams(Settings):
    """What it quotes, and what it will hold."""

    spread: float = Field(
        0.1, gt=0, lt=1, title="Spread", description="How far its bid and its offer lie from its price, as a share."
    )
    lot: float = Field(2, gt=0, le=1000, title="Lot", description="Units of a quote.")
    most: float = Field(10, gt=0, le=100_000, title="Inventory", description="Units of a good that it holds at most.")
    skew: float = Field(
        0.2, ge=0, lt=1, title="Skew", description="Share by which its price is lower where it holds the most."
    )


def maker(params: MakerParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Quotes a bid and an offer of each good around a running price, lower the more it holds; works nothing else.

    The running price is the middle of what others bid and ask, or the last trade's; it holds a bounded inventory.
    """
    if not can_order(seen):
        return NOOP
    turn = seen.shared.step
    for place in (turn // 2 % 2, 1 - turn // 2 % 2):
        for sells in (turn % 2, 1 - turn % 2):
            quote = _quote(params, seen, place, bool(sells))
            if quote is not None:
                return quote
    return NOOP


def _quote(params: MakerParams, seen: WorkerSeen, place: int, sells: bool) -> Deal | None:
    """The order of one side of one good; None where one stands, the bound is reached, or nothing covers it."""
    terms, book, held = seen.shared.config.terms, seen.shared.books[place], (seen.wood, seen.stone)[place]
    bids, asks = on_order(seen, place)
    lot, most, stock = micro(params.lot), micro(params.most), held + asks
    if (asks or held < LEAST_LOT) if sells else (bids or stock >= most):
        return None
    middle = running_price(seen, place)
    middle -= middle * micro(params.skew) // MICRO * min(stock, most) // most
    share = micro(params.spread)
    price = middle * (MICRO + share if sells else MICRO - share) // MICRO
    own = [order.price for order in standing(book.bids if sells else book.asks) if order.by == seen.seat]
    if own:  # its last quote may have been of quite another price
        price = max(price, max(own) + 1) if sells else min(price, min(own) - 1)
    price = min(max(price, terms.price_floor), terms.price_ceiling)
    quantity = min(lot, held) if sells else min(lot, most - stock, seen.coin // 4 * MICRO // max(1, price))
    if quantity < LEAST_LOT:
        return None
    return Deal(RESOURCES[place], decimal(quantity), decimal(price), "sell" if sells else "buy")


def running_price(seen: WorkerSeen, place: int) -> Micro:
    """The middle of the best bid and offer of others that stand; else the last trade's price, at first 2 coin."""
    book = seen.shared.books[place]
    bid, ask = (
        next((order.price for order in side if order.left and order.by != seen.seat), 0)
        for side in (book.bids, book.asks)
    )
    return (bid + ask) // 2 if bid and ask else book.price or 2 * MICRO


def _is_market(params: TradeParams, seen: WorkerSeen) -> bool:
    return seen.shared.step >= seen.shared.config.steps_per_epoch - params.days


def _kept(params: TradeParams, seen: WorkerSeen) -> Micro:
    """Energy kept for the market days to come."""
    terms = seen.shared.config.terms
    return 0 if terms.refills_each_step or _is_market(params, seen) else params.days * terms.cost_trade
