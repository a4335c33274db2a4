"""Matching, worked by hand."""

from __future__ import annotations

from itertools import permutations

from games.catalog.economist.market import Bid, Trade, in_priority, match
from games.catalog.economist.money import micro
from games.catalog.economist.state import Deal
from games.catalog.economist.tests.build import config, step, told, world


def order(by: int, quantity: float, price: float) -> Bid:
    return Bid(by, micro(quantity), micro(price), micro(quantity))


def run(bids: list[Bid], asks: list[Bid], coin: list[float], goods: list[float], fee: float = 0.02) -> list[Trade]:
    return match(*in_priority(bids, asks), [*map(micro, coin)], [*map(micro, goods)], micro(fee))


def test_the_best_bid_meets_the_best_ask_at_the_midpoint() -> None:
    found = run([order(0, 2, 5), order(1, 1, 6)], [order(2, 2, 4), order(3, 1, 3)], [99] * 4, [9] * 4)
    assert [(t.buyer, t.seller, t.quantity, t.price) for t in found] == [
        (1, 3, micro(1), micro(4.5)),
        (0, 2, micro(2), micro(4.5)),
    ]


def test_matching_stops_where_bids_are_below_asks() -> None:
    assert run([order(0, 1, 2)], [order(1, 1, 3)], [99] * 2, [9] * 2) == []


def test_each_side_pays_the_fee() -> None:
    coin, goods = [micro(100), 0], [0, micro(5)]
    [trade] = match([order(0, 3, 10)], [order(1, 3, 10)], coin, goods, micro(0.02))
    assert (trade.cost, trade.fee) == (micro(30), micro(0.6))
    assert coin == [micro(100 - 30.6), micro(29.4)]
    assert goods == [micro(3), micro(2)]


def test_who_cannot_pay_price_and_fee_loses_the_whole_order() -> None:
    found = run([order(0, 1, 10), order(1, 1, 9)], [order(2, 1, 5)], [7.6, 50, 0], [0, 0, 1])
    assert [(t.buyer, t.price) for t in found] == [(1, micro(7))]


def test_who_does_not_hold_the_goods_loses_the_whole_order() -> None:
    found = run([order(0, 2, 10)], [order(1, 2, 4), order(2, 2, 6)], [99] * 3, [0, 1, 2])
    assert [(t.seller, t.price) for t in found] == [(2, micro(8))]


def test_nobody_trades_with_itself() -> None:
    found = run([order(0, 1, 10)], [order(0, 1, 4), order(1, 1, 6)], [99] * 2, [9] * 2)
    assert [(t.buyer, t.seller) for t in found] == [(0, 1)]


def test_partial_fills_go_on_with_the_next_order() -> None:
    found = run([order(0, 3, 10)], [order(1, 1, 4), order(2, 5, 6)], [99] * 3, [9] * 3)
    assert [(t.seller, t.quantity) for t in found] == [(1, micro(1)), (2, micro(2))]


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
    first = step(terms, state, {0: Deal("buy", "wood", 2, 3), 1: Deal("sell", "wood", 5, 1)})
    assert told(first, "trade") == [
        {"buyer": 0, "seller": 1, "resource": "wood", "qty": 2.0, "price": 2.0, "fee": 0.08}
    ]
    assert first.state.treasury == micro(0.16)
    assert first.state.workers.energy == (micro(9.5), micro(9.5))
    second = step(terms, first.state, {0: Deal("buy", "wood", 2, 3)})
    assert told(second, "trade") == []


def test_a_sale_books_only_what_it_brings_above_the_income_in_kind() -> None:
    """The reference booked the whole proceeds again, on goods booked when they were gathered (defect 8)."""
    terms = config(2)
    state = world(terms, coin=[100, 0], wood=[0, 4])
    dear = step(terms, state, {0: Deal("buy", "wood", 4, 5), 1: Deal("sell", "wood", 4, 5)}).state
    assert dear.workers.gross == (0, micro(20 - 0.4 - 4))
    cheap = step(terms, state, {0: Deal("buy", "wood", 4, 0.5), 1: Deal("sell", "wood", 4, 0.5)}).state
    assert cheap.workers.gross == (0, 0)
