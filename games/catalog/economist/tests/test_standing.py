"""Orders that stand, worked by hand: who comes first, what is set aside, and when it comes back."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.money import micro
from games.catalog.economist.observation import WorkerSeen
from games.catalog.economist.prompts import FILES, _own_orders
from games.catalog.economist.state import Action, Cancel, Deal, State
from games.catalog.economist.tests.build import GAME, config, last_step, step, told, world
from games.core.codec import dump
from games.core.game import Public
from games.core.rng import Rng

BUY, SELL = "buy", "sell"


def market(life: int = 5, **accounts: Any) -> tuple[EconomistConfig, State]:
    """Three workers with 20 coin and 4 wood each; a fee of 2%."""
    terms = config(3, market={"order_lifetime_steps": life})
    return terms, world(terms, **{"coin": [20, 20, 20], "wood": [4, 4, 4], "energy": [10, 10, 10], **accounts})


def after(terms: EconomistConfig, state: State, *steps: dict[int, Action]) -> Any:
    for actions in steps[:-1]:
        state = step(terms, state, actions).state
    return step(terms, state, steps[-1])


def traded(resolved: Any) -> list[tuple[int, int, float, float]]:
    return [(t["buyer"], t["seller"], t["qty"], t["price"]) for t in told(resolved, "trade")]


def wood(quantity: float, price: float, do: Any) -> Deal:
    return Deal("wood", quantity, price, do)


def test_what_an_order_may_take_is_set_aside_when_it_is_placed() -> None:
    terms, state = market()
    had = step(terms, state, {0: wood(2, 5, BUY), 1: wood(3, 6, SELL)}).state.workers
    assert had.coin == (micro(20 - 10.2), micro(20), micro(20))
    assert had.wood == (micro(4), micro(1), micro(4))


@pytest.mark.parametrize(("price", "seller"), [(3.0, 2), (2.9, 1), (3.1, 2)])
def test_the_better_price_comes_first_and_of_equal_ones_the_older(price: float, seller: int) -> None:
    terms, state = market()
    late: dict[int, Action] = {1: wood(1, price, SELL), 0: wood(1, 3.5, BUY)}
    assert [one[1] for one in traded(after(terms, state, {2: wood(1, 3, SELL)}, late))] == [seller]


def test_of_a_bid_that_is_filled_in_part_the_rest_stands_and_the_difference_to_its_limit_comes_back() -> None:
    """3 at 4 sets 12.24 aside; 1 at 3 costs 3.06, the limit's 4.08 for it are free: 1.02 come back, 2 stand."""
    terms, state = market()
    resolved = after(terms, state, {0: wood(3, 4, BUY)}, {1: wood(1, 2, SELL)})
    assert traded(resolved) == [(0, 1, 1.0, 3.0)]
    assert resolved.state.workers.coin[0] == micro(20 - 12.24 + 1.02)
    [left] = resolved.state.books[0].bids
    assert (left.left, left.since) == (micro(2), 0)
    again = step(terms, resolved.state, {2: wood(4, 4, SELL)})
    assert traded(again) == [(0, 2, 2.0, 4.0)]
    assert again.state.workers.coin[0] == micro(20 - 3.06 - 8.16)
    assert again.state.workers.wood[2] == 0, "two are sold, two stand"


def test_who_withdraws_gets_all_back_and_no_order_of_another_is_touched() -> None:
    terms, state = market()
    placed = {0: wood(2, 3, BUY), 1: wood(2, 2, BUY), 2: wood(4, 5, SELL)}
    resolved = after(terms, state, placed, {0: Cancel("wood"), 2: Cancel("wood")})
    assert resolved.state.workers.coin == (micro(20), micro(20 - 4.08), micro(20))
    assert resolved.state.workers.wood == (micro(4),) * 3
    assert [order.by for order in (*resolved.state.books[0].bids, *resolved.state.books[0].asks)] == [1]
    assert [(e["by"], e["side"], e["reason"]) for e in told(resolved, "order_ended")] == [
        (0, "buy", "cancelled"), (2, "sell", "cancelled"),
    ]  # fmt: skip


def test_an_order_can_be_filled_in_its_last_step_and_in_none_after_it() -> None:
    terms, state = market(life=2)
    assert traded(after(terms, state, {0: wood(1, 3, BUY)}, {1: wood(1, 3, SELL)})) != []
    expired = after(terms, state, {0: wood(1, 3, BUY)}, {})
    assert [(e["qty"], e["reason"]) for e in told(expired, "order_ended")] == [(1.0, "expired")]
    assert expired.state.workers.coin[0] == micro(20)
    assert traded(step(terms, expired.state, {1: wood(1, 3, SELL)})) == []


def test_with_the_epoch_all_orders_end_and_what_they_held_is_there_to_be_taxed() -> None:
    terms, state = market(life=9, gross=[100, 0, 0], coin=[20, 20, 20])
    ended = step(terms, last_step(terms, state), {0: wood(4, 4.9, BUY)})
    assert [e["reason"] for e in told(ended, "order_ended")] == ["epoch_over"]
    assert told(ended, "tax")[0]["tax_paid"] == 20.0
    assert ended.state.books[0].bids == ()


@pytest.mark.parametrize(
    ("action", "cleaned", "note"),
    [
        (wood(9, 2, BUY), wood(9, 2, BUY), None),
        (wood(10, 2, BUY), wood(9.803921, 2, BUY), "order_uncovered"),
        (wood(5, 2, SELL), wood(4, 2, SELL), "order_uncovered"),
        (Deal("stone", 1, 2, SELL), None, "nothing_to_set_aside"),
        (Cancel("stone"), None, "nothing_to_cancel"),
    ],
)
def test_an_order_is_cut_to_what_can_be_set_aside(action: Action, cleaned: Action | None, note: str | None) -> None:
    terms, state = market()
    got, notes = GAME.clean(terms, state, 0, action, Rng.root(1))
    assert got.do == "noop" if cleaned is None else got == cleaned
    assert [one.kind for one in notes] == ([note] if note else [])


def test_an_order_that_would_meet_an_own_one_is_refused() -> None:
    terms, state = market()
    state = step(terms, state, {0: wood(1, 3, SELL)}).state
    got, notes = GAME.clean(terms, state, 0, wood(1, 3, BUY), Rng.root(1))
    assert (got.do, notes[0].kind, notes[0].data["at"]) == ("noop", "crosses_own", 3.0)
    assert GAME.clean(terms, state, 0, wood(1, 2.9, BUY), Rng.root(1))[1] == ()
    state = step(terms, state, {1: wood(1, 2, BUY)}).state
    assert GAME.clean(terms, state, 1, wood(1, 2, SELL), Rng.root(1))[1][0].kind == "crosses_own"


def test_where_orders_live_one_step_nothing_is_set_aside_and_nothing_more_is_stored() -> None:
    terms, state = market(life=1)
    first = step(terms, state, {0: wood(2, 3, BUY)}).state
    assert first.workers.coin[0] == micro(20)
    assert "since" not in dump(State, first)["books"][0]["bids"][0]
    assert GAME.clean(terms, first, 0, Cancel("wood"), Rng.root(1))[1][0].kind == "nothing_to_cancel"
    assert "cancel" not in str(GAME.actions(terms, first, 0).schema)


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "buy 2 wood @ 3, 4 steps to come"), ("zh", "买 2 木材，价 3，尚余 4 步")],
)
def test_a_seat_is_told_its_own_orders_and_how_long_they_stand(language: str, line: str) -> None:
    terms, state = market(life=5)
    state = step(terms, state, {0: wood(2, 3, BUY), 1: wood(1, 9, SELL)}).state
    seen = GAME.observe(terms, state, 0, ())
    assert isinstance(seen, WorkerSeen)
    [told_line] = _own_orders(terms, seen, FILES.lines(language))
    assert line in told_line
    assert GAME.view(terms, state, Public()).get("order_lifetime") == 5
