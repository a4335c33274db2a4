"""Matching, worked by hand."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from games.catalog.economist.market import Bid, Trade, in_priority, match
from games.catalog.economist.money import micro
from games.catalog.economist.state import Deal
from games.catalog.economist.tests.build import config, step, told, world


def order(by: int, quantity: float, price: float) -> Bid:
    return Bid(by, micro(quantity), micro(price), micro(quantity))


def run(bids: list[Bid], asks: list[Bid], coin: list[float], goods: list[float], fee: float = 0.02) -> list[Trade]:
    return match(*in_priority(bids, asks), [*map(micro, coin)], [*map(micro, goods)], micro(fee))


RICH, FULL = [99.0] * 4, [9.0] * 4
MATCHES = {
    "the best bid meets the best ask at the midpoint": (
        [(0, 2, 5), (1, 1, 6)], [(2, 2, 4), (3, 1, 3)], RICH, FULL, [(1, 3, 1, 4.5), (0, 2, 2, 4.5)],
    ),
    "matching stops where bids are below asks": ([(0, 1, 2)], [(1, 1, 3)], RICH, FULL, []),
    "who cannot pay price and fee loses the whole order": (
        [(0, 1, 10), (1, 1, 9)], [(2, 1, 5)], [7.6, 50, 0], [0, 0, 1], [(1, 2, 1, 7)],
    ),
    "who does not hold the goods loses the whole order": (
        [(0, 2, 10)], [(1, 2, 4), (2, 2, 6)], RICH, [0, 1, 2], [(0, 2, 2, 8)],
    ),
    "nobody trades with itself": ([(0, 1, 10)], [(0, 1, 4), (1, 1, 6)], RICH, FULL, [(0, 1, 1, 8)]),
    "partial fills go on with the next order": (
        [(0, 3, 10)], [(1, 1, 4), (2, 5, 6)], RICH, FULL, [(0, 1, 1, 7), (0, 2, 2, 8)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("bids", "asks", "coin", "goods", "due"), MATCHES.values(), ids=MATCHES)
def test_orders_are_matched(bids: Any, asks: Any, coin: Any, goods: Any, due: Any) -> None:
    """Orders are (seat, quantity, price); trades (buyer, seller, quantity, price)."""
    trades = run([order(*bid) for bid in bids], [order(*ask) for ask in asks], coin, goods)
    assert [(t.buyer, t.seller, t.quantity, t.price) for t in trades] == [
        (buyer, seller, micro(quantity), micro(price)) for buyer, seller, quantity, price in due
    ]


def test_each_side_pays_the_fee() -> None:
    coin, goods = [micro(100), 0], [0, micro(5)]
    [trade] = match([order(0, 3, 10)], [order(1, 3, 10)], coin, goods, micro(0.02))
    assert (trade.cost, trade.fee) == (micro(30), micro(0.6))
    assert coin == [micro(100 - 30.6), micro(29.4)]
    assert goods == [micro(3), micro(2)]


def test_the_order_of_arrival_has_no_say() -> None:
    bids = [(0, 2.0, 5.0), (1, 1.0, 5.0), (2, 1.0, 7.0)]
    asks = [(3, 2.0, 5.0), (4, 1.0, 5.0)]
    seen = {
        str(run([order(*one) for one in some], [order(*one) for one in others], [99] * 5, [9] * 5))
        for some in permutations(bids)
        for others in permutations(asks)
    }
    assert len(seen) == 1


def test_orders_end_with_their_step_and_fees_go_to_the_treasury() -> None:
    terms = config(2)
    state = world(terms, coin=[10, 10], wood=[0, 5], energy=[10, 10])
    first = step(terms, state, {0: Deal("wood", 2, 3, "buy"), 1: Deal("wood", 5, 1, "sell")})
    assert told(first, "trade") == [
        {"buyer": 0, "seller": 1, "resource": "wood", "qty": 2.0, "price": 2.0, "fee": 0.08}
    ]
    assert first.state.treasury == micro(0.16)
    assert first.state.workers.energy == (micro(9.5), micro(9.5))
    second = step(terms, first.state, {0: Deal("wood", 2, 3, "buy")})
    assert told(second, "trade") == []


def test_a_sale_books_only_what_it_brings_above_the_income_in_kind() -> None:
    """The reference booked the whole proceeds again, on goods booked when they were gathered (defect 8)."""
    terms = config(2)
    state = world(terms, coin=[100, 0], wood=[0, 4])
    dear = step(terms, state, {0: Deal("wood", 4, 5, "buy"), 1: Deal("wood", 4, 5, "sell")}).state
    assert dear.workers.gross == (0, micro(20 - 0.4 - 4))
    cheap = step(terms, state, {0: Deal("wood", 4, 0.5, "buy"), 1: Deal("wood", 4, 0.5, "sell")}).state
    assert cheap.workers.gross == (0, 0)
