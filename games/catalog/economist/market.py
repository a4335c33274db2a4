"""The central market: price priority, midpoint prices, a fee on each side, orders that live one step.

Source: contract, "Step Semantics", 4; the rest as in the public code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.catalog.economist.money import MICRO, Micro, portion
from games.core.game import Seat


@dataclass(slots=True)
class Bid:
    """An order under matching: what of it is ``left``."""

    by: Seat
    quantity: Micro
    price: Micro
    left: Micro


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
    """Buys by falling, sells by rising price; equal prices in seat order, so that arrival has no say."""
    return sorted(bids, key=lambda one: (-one.price, one.by)), sorted(asks, key=lambda one: (one.price, one.by))


def match(bids: Sequence[Bid], asks: Sequence[Bid], coin: list[Micro], goods: list[Micro], fee: Micro) -> list[Trade]:
    """Match one resource's orders, given best first; ``coin`` and ``goods`` by seat are changed.

    Stops where the best buy is below the best sell. A match is as much as both have left, at the midpoint of the two
    limits. Whoever cannot pay price and fee, or lacks the goods, loses the whole order. Nobody trades with itself.
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
