"""The central market: price priority, then time's, midpoint prices, a fee on each side.

Source: contract, "Step Semantics", 4; the rest as in the public code. Orders that stand are beside the contract, as in
Salesforce's AI Economist (Zheng et al., Science Advances 8, 2022): what they may take is set aside when placed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.catalog.economist.money import MICRO, Micro, portion
from games.catalog.economist.state import NEVER, Book, Order
from games.core.game import Seat


@dataclass(slots=True)
class Bid:
    """An order under matching: what of it is ``left``; ``since`` which step of the epoch it stands, NEVER: in none."""

    by: Seat
    quantity: Micro
    price: Micro
    left: Micro
    since: int = NEVER


@dataclass(frozen=True, slots=True)
class Trade:
    """A match. ``cost`` is price times quantity; ``fee`` is what each of the two pays on top or out of it."""

    buyer: Seat
    seller: Seat
    quantity: Micro
    price: Micro
    cost: Micro
    fee: Micro


def in_priority(bids: Sequence[Bid], asks: Sequence[Bid]) -> tuple[list[Bid], list[Bid]]:
    """Buys by falling, sells by rising price; equal prices by the step since which they stand, and in seat order.

    So arrival within a step has no say.
    """
    return (
        sorted(bids, key=lambda one: (-one.price, one.since, one.by)),
        sorted(asks, key=lambda one: (one.price, one.since, one.by)),
    )


def reserve(left: Micro, price: Micro, fee: Micro) -> Micro:
    """Coin that is set aside for what is left of a standing bid: all of it at its limit, and the fee."""
    cost = left * price // MICRO
    return cost + portion(cost, fee)


def affordable(coin: Micro, price: Micro, fee: Micro) -> Micro:
    """The most units for which so much coin can be set aside at a limit."""
    return coin * MICRO // (MICRO + fee) * MICRO // max(1, price)


def set_aside(books: Sequence[Book], fee: Micro) -> tuple[Micro, Micro, Micro]:
    """Coin, wood and stone that are set aside for standing orders."""
    coin = sum(reserve(order.left, order.price, fee) for book in books for order in standing(book.bids))
    wood, stone = (sum(order.left for order in standing(book.asks)) for book in books)
    return coin, wood, stone


def standing(orders: Sequence[Order]) -> list[Order]:
    """Those of a side of a book that go on to the next step."""
    return [order for order in orders if order.since != NEVER and order.left]


def match(bids: Sequence[Bid], asks: Sequence[Bid], coin: list[Micro], goods: list[Micro], fee: Micro) -> list[Trade]:
    """Match one resource's orders, given best first; ``coin`` and ``goods`` by seat are changed.

    Stops where the best buy is below the best sell. A match is as much as both have left, at the midpoint of the two
    limits. Whoever cannot pay price and fee, or lacks the goods, loses the whole order. Nobody trades with itself.
    What was set aside for a match of standing orders comes back first, so that they are always paid; a bid that is
    filled below its limit keeps the difference.
    """
    trades: list[Trade] = []
    buying, selling = 0, 0
    while buying < len(bids) and selling < len(asks):
        bid, ask = bids[buying], asks[selling]
        if bid.price < ask.price:
            break
        if bid.by == ask.by:
            selling += 1
            continue
        quantity, price = min(bid.left, ask.left), (bid.price + ask.price) // 2
        cost = quantity * price // MICRO
        charge = portion(cost, fee)
        if bid.since != NEVER:
            coin[bid.by] += reserve(bid.left, bid.price, fee) - reserve(bid.left - quantity, bid.price, fee)
            goods[ask.by] += quantity
        if coin[bid.by] < cost + charge:
            buying += 1
            continue
        if goods[ask.by] < quantity:
            selling += 1
            continue
        coin[bid.by] -= cost + charge
        coin[ask.by] += cost - charge
        goods[bid.by] += quantity
        goods[ask.by] -= quantity
        trades.append(Trade(bid.by, ask.by, quantity, price, cost, charge))
        bid.left -= quantity
        ask.left -= quantity
        buying += not bid.left
        selling += not ask.left
    return trades
