"""Keyed chance for many worlds at once: `Rng` over an array of keys, draw for draw the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.core.rng import UNIT, Rng, fold_array, label_word
from games.core.rng import scaled as scaled

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


class Draws:
    """Keys to draw under, one for each place of an array. Words may be arrays that broadcast with the keys."""

    __slots__ = ("keys",)

    def __init__(self, keys: NDArray[np.uint64]) -> None:
        self.keys = keys

    @classmethod
    def roots(cls, seeds: Sequence[int]) -> Draws:
        """The keys of runs, by seed."""
        return cls(np.array([Rng.root(seed).key for seed in seeds], np.uint64))

    def __getitem__(self, places: Any) -> Draws:
        return Draws(self.keys[places])

    def step(self, index: int) -> Draws:
        """The keys of one step of each run."""
        return Draws(fold_array(self.keys, index))

    def at(self, label: str, *words: Ints | int) -> Draws:
        """Narrower keys, such as all seats' own: ``draws[:, None].at("seat", seats)``."""
        keys = fold_array(self.keys, label_word(label))
        for word in words:
            keys = fold_array(keys, word if isinstance(word, int) else word.astype(np.uint64))
        return Draws(keys)

    def bits(self, label: str, *words: Ints | int) -> NDArray[np.uint64]:
        """Whole numbers, uniform over 0 to 2**63-1."""
        return self.at(label, *words).keys >> np.uint64(1)

    def below(self, n: Ints | int, label: str, *words: Ints | int) -> Ints:
        """Whole numbers, uniform over 0 to n-1; 1 <= n < 2**32."""
        return scaled(self.bits(label, *words), n)

    def unit(self, label: str, *words: Ints | int) -> NDArray[np.float64]:
        """Floats, uniform over the multiples of 2**-53 in [0, 1)."""
        return (self.at(label, *words).keys >> np.uint64(11)).astype(np.float64) * UNIT

    def chance(self, p: float | NDArray[np.float64], label: str, *words: Ints | int) -> Flags:
        """True with probability p."""
        return self.unit(label, *words) < p

    def shuffled(self, sizes: Ints, label: str) -> Ints:
        """For each key the numbers below its size in the order of `Rng.shuffled`: keys by the largest size, the places
        past a size filled with what is no number below it."""
        longest = int(sizes.max(initial=0))
        order = np.repeat(np.arange(longest)[:, None], len(sizes), 1)
        if longest < 2:
            return order.T
        places = np.arange(longest)[:, None]
        bits = fold_array(self.at(label).keys[None], places.astype(np.uint64)) >> np.uint64(1)
        others = np.where(places < sizes, scaled(bits, places + 1), places) * len(sizes) + np.arange(len(sizes))
        flat = order.reshape(-1)
        for last in range(longest - 1, 0, -1):
            other, here = others[last], order[last]
            taken = flat.take(other)
            flat[other] = here
            order[last] = taken
        return order.T

    def turns(self, sizes: Ints, label: str) -> Ints:
        """For each key, when the number of each place comes in the order of `shuffled`."""
        order = self.shuffled(sizes, label)
        turns = np.zeros_like(order)
        np.put_along_axis(turns, order, np.broadcast_to(np.arange(order.shape[1]), order.shape), 1)
        return turns


def spread(starts: Ints, counts: Ints) -> tuple[Ints, Ints, Ints]:
    """Runs of places, one after the other: of each place the number of its run, its rank in it, and the place itself
    (``starts[run] + rank``)."""
    run = np.arange(len(counts)).repeat(counts)
    ends = counts.cumsum()
    rank = np.arange(len(run)) - (ends - counts)[run]
    return run, rank, starts[run] + rank


def ranks(groups: Ints) -> Ints:
    """The rank of each place within its group, for groups that stand together."""
    places = np.arange(len(groups))
    first = np.zeros_like(places)
    first[1:] = places[1:] * (groups[1:] != groups[:-1])
    return places - np.maximum.accumulate(first)


def in_order(keys: Ints, most: int) -> Ints:
    """The places of keys below ``most`` in their order, equal ones as they stand; of few, digit by digit."""
    return (keys.astype(np.uint16) if most <= 1 << 16 else keys).argsort(kind="stable")
