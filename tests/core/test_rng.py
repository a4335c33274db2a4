"""Chance by key: vectors, the two forms, and that the draws are fair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from games.core.rng import SEED_MAX, SHUFFLED_IN_BULK, Rng, SeatDraws, fold, fold_array, label_word


@pytest.mark.parametrize(
    ("key", "word", "output"),
    [(0, 0, 0xE220A8397B1DCDAF), (1234567, 0, 6457827717110365317), (1234567, 1, 3203168211198807973)],
)
def test_a_word_is_splitmix64s_output_of_that_number(key: int, word: int, output: int) -> None:
    assert fold(key, word) == output


def test_draws_are_the_same_numbers_on_every_machine() -> None:
    rng = Rng.root(7).step(3)
    assert rng.bits("claim", 37) == VECTORS[0]
    assert rng.below(10, "raid", 99) == VECTORS[1]
    assert rng.at("seat", 4).unit("slip") == VECTORS[2]
    assert rng.shuffled(range(6), "order") == VECTORS[3]


VECTORS = (667078662489298065, 9, 0.5190524579301483, [2, 5, 3, 0, 4, 1])


@given(st.integers(0, SEED_MAX), st.lists(st.integers(0, 2**63), min_size=1, max_size=20))
def test_the_array_form_gives_the_same_numbers(seed: int, words: list[int]) -> None:
    rng = Rng.root(seed)
    bulk = rng.bulk(np.array(words, np.uint64), "plot", 5)
    assert bulk.tolist() == [rng.bits("plot", 5, word) for word in words]
    assert fold_array(np.uint64(rng.key), np.array(words, np.uint64)).tolist() == [fold(rng.key, w) for w in words]
    assert fold_array(np.array(words, np.uint64), 5).tolist() == [fold(key, 5) for key in words]


@pytest.mark.parametrize("count", [0, 1, 2, SHUFFLED_IN_BULK - 1, SHUFFLED_IN_BULK, 400])
def test_many_items_are_shuffled_by_the_same_draws_as_few(count: int) -> None:
    rng, items = Rng.root(7), list(range(count))
    for last in range(count - 1, 0, -1):
        other = rng.below(last + 1, "piles", 3, last)
        items[last], items[other] = items[other], items[last]
    assert rng.shuffled(range(count), "piles", 3) == items


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range_is_refused_with_its_bound(seed: int) -> None:
    with pytest.raises(ValueError, match="from 0 to"):
        Rng.root(seed)


def test_zero_is_a_seed_of_its_own() -> None:
    assert Rng.root(0).bits("x") != Rng.root(1).bits("x")


def test_a_new_draw_shifts_no_other() -> None:
    rng = Rng.root(1).step(1)
    before = rng.bits("claim", 3)
    rng.bits("new", 1)
    assert rng.bits("claim", 3) == before


def test_contests_among_three_are_fair_over_steps_and_plots() -> None:
    counts = np.zeros(3, int)
    for seed in range(20):
        root = Rng.root(seed)
        for step in range(50):
            rng = root.step(step)
            for plot in range(10):
                counts[rng.below(3, "raid", plot)] += 1
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("along", ["seed", "step", "label", "word"])
def test_neighbouring_keys_give_uniform_and_uncorrelated_draws(along: str) -> None:
    make = {
        "seed": lambda i: Rng.root(i).step(1).unit("x", 1),
        "step": lambda i: Rng.root(1).step(i).unit("x", 1),
        "label": lambda i: Rng.root(1).step(1).unit(f"x{i}", 1),
        "word": lambda i: Rng.root(1).step(1).unit("x", i),
    }[along]
    draws = np.array([make(i) for i in range(4000)])
    assert stats.kstest(draws, "uniform").pvalue > 1e-4
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 0.07


def test_every_order_of_four_comes_about_as_often() -> None:
    rng = Rng.root(3)
    orders: dict[tuple[int, ...], int] = {}
    for i in range(4800):
        order = tuple(rng.shuffled(range(4), "order", i))
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 24
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4


def test_labels_are_far_apart() -> None:
    assert len({label_word(f"label-{i}") for i in range(10_000)}) == 10_000


@pytest.mark.parametrize("seats", [(0,), (0, 1, 5, 999), tuple(range(3000))])
def test_what_seats_draw_together_is_what_each_draws_alone(seats: tuple[int, ...]) -> None:
    root = Rng.root(77)
    draws = SeatDraws(root, seats)
    for step in (1, 2, 3, 900, 4, 5, 5000, 5001):
        for label in ("random", "other"):
            alone = [root.step(step).at("seat", seat).bits(label) for seat in seats]
            assert draws.at(step).bits(label) == alone
        keys = [root.step(step).at("seat", seat).key for seat in seats]
        assert [rng.key for rng in draws.at(step).each()] == keys
