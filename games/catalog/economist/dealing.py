"""How the named workers come to the market: what they lack and have to spare, and what they bid and ask for it."""

from __future__ import annotations

from typing import Final

from games.catalog.economist.market import standing
from games.catalog.economist.money import MICRO, Micro, decimal
from games.catalog.economist.observation import WorkerSeen
from games.catalog.economist.state import RESOURCES, Deal

MARKET_DAYS: Final = 2


def wants_house(seen: WorkerSeen) -> bool:
    """Whether a further house is allowed, and does not cost it more than it brings."""
    terms = seen.shared.config.terms
    return seen.houses < terms.houses_max and terms.rents[seen.seat] >= 0


def lacking(seen: WorkerSeen) -> tuple[Micro, Micro]:
    """Wood and stone that the next house lacks; none where it wants no further one."""
    terms = seen.shared.config.terms
    if not wants_house(seen):
        return 0, 0
    return max(0, terms.house_wood - seen.wood), max(0, terms.house_stone - seen.stone)


def spare(seen: WorkerSeen) -> tuple[Micro, Micro]:
    """Wood and stone beyond the next house; all of it where it wants no further one."""
    terms = seen.shared.config.terms
    if not wants_house(seen):
        return seen.wood, seen.stone
    return max(0, seen.wood - terms.house_wood), max(0, seen.stone - terms.house_stone)


def can_order(seen: WorkerSeen) -> bool:
    config = seen.shared.config
    return config.market.enabled and not seen.is_banned and seen.energy >= config.terms.cost_trade


def on_order(seen: WorkerSeen, place: int) -> tuple[Micro, Micro]:
    """What its own standing orders still ask to buy, and offer, of a good."""
    if seen.shared.config.terms.order_lifetime == 1:
        return 0, 0
    book = seen.shared.books[place]
    bids, asks = (
        sum(order.left for order in standing(side) if order.by == seen.seat) for side in (book.bids, book.asks)
    )
    return bids, asks


def unit_value(seen: WorkerSeen) -> Micro:
    """What a unit of a house brings until the end: the income of the steps to come over the units in a house."""
    config, terms = seen.shared.config, seen.shared.config.terms
    ahead = (config.epochs - seen.shared.epoch) * config.steps_per_epoch - seen.shared.step
    units = terms.house_wood + terms.house_stone
    return ahead * terms.rents[seen.seat] * MICRO // units if units else 0


def bid(seen: WorkerSeen, place: int, quantity: Micro, spend: Micro) -> Deal | None:
    """An order for what is lacking, at the value of a unit at most and for ``spend`` coin in all at most.

    At a tenth above the last price where that is less. None where nothing could be bought so.
    """
    terms = seen.shared.config.terms
    with_fee = MICRO + terms.fee
    price = min(unit_value(seen), spend * MICRO // quantity * MICRO // with_fee if quantity else 0, terms.price_ceiling)
    last = seen.shared.books[place].price
    if last:
        price = min(price, max(last * 11 // 10, MICRO))
    if price < terms.price_floor or not quantity:
        return None
    return Deal(RESOURCES[place], decimal(quantity), decimal(price), "buy")


def ask(seen: WorkerSeen, place: int, quantity: Micro) -> Deal:
    """An offer of what is to spare, cheaper the more it is: 3% below the last price for each unit, 30% at most.

    At the best unfilled bid if that is less. Below 1 coin a unit, its income in kind, nothing is sold.
    """
    book, terms = seen.shared.books[place], seen.shared.config.terms
    price = (book.price or 2 * MICRO) * (100 - min(30, 3 * quantity // MICRO)) // 100
    waiting = next((order.price for order in book.bids if order.left), 0)
    if waiting:
        price = min(price, waiting)
    price = min(max(price, MICRO, terms.price_floor), terms.price_ceiling)
    return Deal(RESOURCES[place], decimal(quantity), decimal(price), "sell")


def is_market_day(seen: WorkerSeen) -> bool:
    """By custom the named workers deal in the last two steps of an epoch, so that bids meet offers."""
    return seen.shared.step >= seen.shared.config.steps_per_epoch - MARKET_DAYS


def saves(seen: WorkerSeen) -> bool:
    """Whether the energy that is left is kept for the market days: it is enough for them, not for more, and of use."""
    terms = seen.shared.config.terms
    scarce = not terms.refills_each_step and seen.energy < MARKET_DAYS * terms.cost_trade + terms.cost_gather
    return scarce and not is_market_day(seen) and deal(seen) is not None


def deal(seen: WorkerSeen) -> Deal | None:
    """A bid for the one good that the next house lacks, with half of the coin; else an offer of what is to spare.

    None while an own order stands.
    """
    if not can_order(seen) or any(on_order(seen, 0)) or any(on_order(seen, 1)):
        return None
    extra, short = spare(seen), lacking(seen)
    for place in (0, 1):
        if short[place] and not short[1 - place]:
            order = bid(seen, place, short[place], seen.coin // 2)
            if order is not None:
                return order
    place = 0 if extra[0] >= extra[1] else 1
    return ask(seen, place, extra[place]) if extra[place] >= MICRO else None
