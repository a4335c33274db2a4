"""Chance by key: a draw depends on (seed, step, label, integers) and on nothing else.

One law in two equal forms, plain integers here and numpy arrays in `bulk`. The word ``w`` of a key ``k`` is the
``w``-th output of splitmix64 started at ``k`` (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014); a label is a word by the first 8 bytes of its blake2b digest. Adding a draw shifts no
other, a replay may start anywhere, and seats draw from their own keys.

Not for secrets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeVar

import numpy as np
from numpy import bitwise_xor, multiply, right_shift
from numpy.typing import NDArray

T = TypeVar("T")

MASK: Final = (1 << 64) - 1
GAMMA: Final = 0x9E3779B97F4A7C15
MIX1: Final = 0xBF58476D1CE4E5B9
MIX2: Final = 0x94D049BB133111EB
SEED_MAX: Final = (1 << 63) - 1
UNIT: Final = 2.0**-53
DRAWN_FIRST: Final = 32
DRAWN_AHEAD: Final = 4096
"""Draws of seats that are reckoned at once: few at first, since many runs are short, and at most so many."""
SHUFFLED_IN_BULK: Final = 20
"""From so many items on an array of draws costs less than one after the other."""


def fold(key: int, word: int) -> int:
    """The 64-bit key that ``word`` (any integer, taken modulo 2**64) selects under ``key``."""
    z = (key + GAMMA * (word + 1)) & MASK
    z = ((z ^ (z >> 30)) * MIX1) & MASK
    z = ((z ^ (z >> 27)) * MIX2) & MASK
    return z ^ (z >> 31)


@lru_cache(maxsize=4096)
def label_word(label: str) -> int:
    """A label as a 64-bit word."""
    return int.from_bytes(blake2b(label.encode(), digest_size=8).digest(), "big")


class Rng:
    """A key to draw under. `at` narrows it; the draws take a label and integers that name them."""

    __slots__ = ("key",)

    def __init__(self, key: int) -> None:
        self.key = key

    @classmethod
    @lru_cache(maxsize=64)
    def root(cls, seed: int) -> Rng:
        """The key of a run, kept since each step begins with it. ``seed`` is 0 to 2**63-1; ValueError otherwise."""
        if not 0 <= seed <= SEED_MAX:
            raise ValueError(f"seed: {seed}; a whole number from 0 to {SEED_MAX}")
        return cls(fold(label_word("polity"), seed))

    def step(self, index: int) -> Rng:
        """The key of one step of a run."""
        return Rng(fold(self.key, index))

    def at(self, label: str, *words: int) -> Rng:
        """A narrower key, such as one seat's own: ``rng.at("seat", 3)``."""
        return Rng(self._key(label, words))

    def _key(self, label: str, words: tuple[int, ...]) -> int:
        key = fold(self.key, label_word(label))
        for word in words:
            key = fold(key, word)
        return key

    def bits(self, label: str, *words: int) -> int:
        """A whole number, uniform over 0 to 2**63-1."""
        return self._key(label, words) >> 1

    def below(self, n: int, label: str, *words: int) -> int:
        """A whole number, uniform over 0 to n-1 (the bias is below n / 2**63); n >= 1."""
        if n < 1:
            raise ValueError(f"below: n is {n}; at least 1")
        return ((self._key(label, words) >> 1) * n) >> 63

    def unit(self, label: str, *words: int) -> float:
        """A float, uniform over the multiples of 2**-53 in [0, 1)."""
        return (self._key(label, words) >> 11) * UNIT

    def chance(self, p: float, label: str, *words: int) -> bool:
        """True with probability p."""
        return (self._key(label, words) >> 11) * UNIT < p

    def choice(self, options: Sequence[T], label: str, *words: int) -> T:
        """One of the options, each as likely; the caller fixes their order."""
        return options[self.below(len(options), label, *words)]

    def shuffled(self, items: Sequence[T], label: str, *words: int) -> list[T]:
        """The items in a uniformly random order (Fisher-Yates from the tail)."""
        result = list(items)
        lasts = range(len(result) - 1, 0, -1)
        if len(result) < SHUFFLED_IN_BULK:
            key = self._key(label, words)
            others = [((fold(key, last) >> 1) * (last + 1)) >> 63 for last in lasts]
        else:
            numbers = np.arange(len(result) - 1, 0, -1)
            others = scaled(self.bulk(numbers.astype(np.uint64), label, *words), numbers + 1).tolist()
        for last, other in zip(lasts, others, strict=True):
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[T], k: int, label: str, *words: int) -> list[T]:
        """k distinct items in random order; 0 <= k <= len(items)."""
        if not 0 <= k <= len(items):
            raise ValueError(f"sample: k is {k}; from 0 to {len(items)}")
        return self.shuffled(items, label, *words)[:k]

    def bulk(self, words: NDArray[np.uint64], label: str, *prefix: int) -> NDArray[np.uint64]:
        """`bits` for many last words at once: ``bulk([a, b], "x", 1) == [bits("x", 1, a), bits("x", 1, b)]``."""
        return fold_array(np.uint64(self._key(label, prefix)), words) >> np.uint64(1)


class SeatDraws:
    """What several seats draw at a step, each under its own key, reckoned for many steps at once.

    ``draws.at(step).bits(label)`` lists ``root.step(step).at("seat", seat).bits(label)`` of each seat, and
    ``draws.at(step).each()`` the keys that they are drawn under.
    """

    __slots__ = ("_drawn", "_root", "_seats", "_step")

    def __init__(self, root: Rng, seats: Sequence[int]) -> None:
        self._root, self._seats = np.uint64(root.key), np.array(seats, np.uint64)
        self._drawn: dict[str | None, tuple[int, list[list[int]]]] = {}
        self._step = 0

    def at(self, step: int) -> SeatDraws:
        """These draws, standing at a step."""
        self._step = step
        return self

    def bits(self, label: str) -> list[int]:
        """A whole number for each seat, uniform over 0 to 2**63-1."""
        return self._row(label)

    def each(self) -> list[Rng]:
        """The key of each seat, for draws that `bits` does not give."""
        return list(map(Rng, self._row(None)))

    def _row(self, label: str | None) -> list[int]:
        first, rows = self._drawn.get(label, (0, []))
        if not 0 <= self._step - first < len(rows):
            span = min(max(DRAWN_FIRST, 4 * len(rows)), max(1, DRAWN_AHEAD // len(self._seats)))
            first, rows = self._step, self._reckoned(label, span)
            self._drawn[label] = (first, rows)
        return rows[self._step - first]

    def _reckoned(self, label: str | None, span: int) -> list[list[int]]:
        """For each of so many next steps, the seats' draws of a label; their keys without one."""
        keys = fold_array(self._root, np.arange(self._step, self._step + span, dtype=np.uint64))
        keys = fold_array(keys, label_word("seat"))
        keys = fold_array(keys[:, None], self._seats[None, :])
        rows: list[list[int]] = (
            keys.tolist() if label is None else (fold_array(keys, label_word(label)) >> np.uint64(1)).tolist()
        )
        return rows


def fold_array(keys: NDArray[np.uint64] | np.uint64, words: NDArray[np.uint64] | int) -> NDArray[np.uint64]:
    """`fold` over arrays that broadcast, or over keys under one word, in unsigned 64-bit arithmetic.

    The result is an array of at least one dimension.
    """
    return mixed(np.add(keys, increment(words) if isinstance(words, int) else increments(words)))


def mixed(sums: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The keys of sums of a key and an increment; the array itself is filled with them."""
    shifted = right_shift(sums, _SHIFT1)
    bitwise_xor(sums, shifted, sums)
    multiply(sums, _MIX1, sums)
    right_shift(sums, _SHIFT2, shifted)
    bitwise_xor(sums, shifted, sums)
    multiply(sums, _MIX2, sums)
    right_shift(sums, _SHIFT3, shifted)
    return bitwise_xor(sums, shifted, sums)


def scaled(bits: NDArray[np.uint64], n: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """``(bits * n) >> 63`` of 63-bit numbers, exactly; 1 <= n < 2**32."""
    times = np.asarray(n).astype(np.uint64)
    return ((bits >> _32) * times + ((bits & _LOW) * times >> _32) >> _SHIFT3).astype(np.int64)


def increments(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What each word adds to a key before the mixing."""
    return _GAMMA * (words + _ONE)


@lru_cache(maxsize=4096)
def increment(word: int) -> NDArray[np.uint64]:
    """`increments` of one word: an array without dimensions."""
    return _constant(GAMMA * (word + 1) & MASK)


def _constant(word: int) -> NDArray[np.uint64]:
    """An array without dimensions: numpy converts a scalar anew in every call, at the price of some hundred draws."""
    made = np.array(word, np.uint64)
    made.setflags(write=False)
    return made


_GAMMA, _MIX1, _MIX2, _ONE = (_constant(word) for word in (GAMMA, MIX1, MIX2, 1))
_SHIFT1, _SHIFT2, _SHIFT3 = (_constant(shift) for shift in (30, 27, 31))
_32, _LOW = _constant(32), _constant((1 << 32) - 1)
