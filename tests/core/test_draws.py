"""Chance for many worlds at once is chance for each; and the fast canonical bytes are the slow ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.codec import canonical, canonical_plain
from games.core.draws import Draws, ranks, scaled, spread
from games.core.rng import Rng

SEEDS = (1, 2, 77, 2**63 - 1)
ONES = [Rng.root(seed).step(9) for seed in SEEDS]
MANY = Draws.roots(SEEDS).step(9)


def test_each_draw_of_many_is_that_of_its_own_key() -> None:
    words = np.array([4, 0, 9, 2])
    assert MANY.below(7, "a", 3).tolist() == [one.below(7, "a", 3) for one in ONES]
    sizes = np.array([1, 2, 1000, 5])
    expected = [one.below(n, "b", w) for one, n, w in zip(ONES, sizes.tolist(), words.tolist(), strict=True)]
    assert MANY.below(sizes, "b", words).tolist() == expected
    assert MANY.chance(0.4, "c", words).tolist() == [
        one.chance(0.4, "c", w) for one, w in zip(ONES, words.tolist(), strict=True)
    ]
    assert MANY[:, None].at("seat", np.arange(3)).keys.tolist() == [
        [one.at("seat", seat).key for seat in range(3)] for one in ONES
    ]


@pytest.mark.parametrize("sizes", [(0, 1, 2, 5), (60, 3, 47, 48), (0, 0, 0, 0)])
def test_each_shuffle_of_many_is_that_of_its_own_key(sizes: tuple[int, ...]) -> None:
    order = MANY.shuffled(np.array(sizes), "mix")
    for one, size, row in zip(ONES, sizes, order, strict=True):
        assert row[:size].tolist() == one.shuffled(range(size), "mix")


@given(st.lists(st.tuples(st.integers(0, 2**63 - 1), st.integers(1, 2**32 - 1)), min_size=1))
def test_scaling_is_exact(pairs: list[tuple[int, int]]) -> None:
    bits, n = np.array([a for a, _ in pairs], np.uint64), np.array([b for _, b in pairs])
    assert scaled(bits, n).tolist() == [(a * b) >> 63 for a, b in pairs]


def test_runs_of_places_are_told_with_their_ranks() -> None:
    run, rank, place = spread(np.array([5, 0, 9]), np.array([2, 0, 3]))
    assert (run.tolist(), rank.tolist(), place.tolist()) == ([0, 0, 2, 2, 2], [0, 1, 0, 1, 2], [5, 6, 9, 10, 11])
    assert ranks(run).tolist() == rank.tolist()


JSONS: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text() | st.sampled_from(["3e5", "0.00001", "null", 1e16, 1e-5, 1.5e-7, 123456789012345680.0, -0.0]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)  # fmt: skip


@given(JSONS)
def test_the_fast_canonical_bytes_are_the_canonical_ones(value: Any) -> None:
    assert canonical_plain(value) == canonical(value)


@pytest.mark.parametrize("value", [float("nan"), [1, {"a": float("inf")}], (None, -float("inf"))])
def test_undefined_numbers_are_refused_by_both(value: Any) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        canonical_plain(value)


def test_keys_that_are_numbers_are_sorted_as_before() -> None:
    assert canonical_plain([{10: 1, 9: 2}]) == canonical([{10: 1, 9: 2}])
