"""A match's draws in bulk: the same keys as play makes one by one, as arrays of rounds by matches.

A draw is 53 bits b, standing for b / 2**53; ``b < below(p)`` is exactly ``Rng.chance(p)``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.machines import MOVE_DRAW
from games.catalog.dilemma.rounds import SLIP_DRAW, STOP_DRAW, slip_bounds
from games.core.game import Seat
from games.core.rng import Rng, fold_array, label_word

Keys: TypeAlias = NDArray[np.uint64]
Bits: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.uint8]
"""Outcomes or slips as two bits: 2 for A, 1 for B."""

SEAT_KEY: Final = "seat"
"""The label under which the engine keys a seat's own draws."""
UNUSED: Final = np.array(11, dtype=np.uint64)
"""Bits of a key that a draw leaves out; as an array, since numpy converts a scalar anew in every call."""
ROOM: Final = 1 << 15
"""Draws made at a time: few enough to stay in the processor's cache."""


def below(p: float) -> int:
    """The least number of bits that a chance of p does not reach."""
    return math.ceil(p * 2.0**53)


def roots(seeds: Sequence[int]) -> Keys:
    """The key of each run."""
    return np.array([Rng.root(seed).key for seed in seeds], dtype=np.uint64)


def step_keys(keys: Keys, first: int, count: int) -> Keys:
    """The keys of ``count`` steps from number ``first``: rounds by matches."""
    steps = np.arange(first, first + count, dtype=np.uint64)
    return fold_array(keys[None, :], steps[:, None])


def bits(keys: Keys, label: str) -> Bits:
    """What is drawn under a label."""
    return (fold_array(keys, label_word(label)) >> UNUSED).view(np.int64)


def move_bits(steps: Keys, seat: Seat) -> Bits:
    """What a seat's machine mixes by in each of these steps."""
    return bits(fold_array(fold_array(steps, label_word(SEAT_KEY)), seat), MOVE_DRAW)


def slip_codes(config: DilemmaConfig, steps: Keys) -> Codes:
    """Who slips in each of these steps. The bounds ascend, and a draw below three, two, one of them is code 3, 2, 1."""
    drawn = bits(steps, SLIP_DRAW)
    both, only_a, only_b = ((drawn < bound).view(np.uint8) for bound in _slip_bits(config.noise_a, config.noise_b))
    return both + only_a + only_b


@lru_cache(maxsize=256)
def _slip_bits(noise_a: float, noise_b: float) -> tuple[Bits, Bits, Bits]:
    """`slip_bounds` in bits."""
    both, only_a, only_b = (np.array(below(bound)) for bound in slip_bounds(noise_a, noise_b))
    return both, only_a, only_b


def lengths(config: DilemmaConfig, keys: Keys) -> NDArray[np.int64]:
    """Rounds of each match."""
    if config.horizon == "fixed":
        return np.full(len(keys), config.rounds, dtype=np.int64)
    ends = np.full(len(keys), config.max_rounds, dtype=np.int64)
    going = np.arange(len(keys))
    first, bound = 1, below(config.stop_prob)
    while len(going) and first <= config.max_rounds:
        count = min(max(1, ROOM // len(going)), config.max_rounds - first + 1)
        stops = bits(step_keys(keys[going], first, count), STOP_DRAW) < bound
        stopped = stops.any(axis=0)
        ends[going[stopped]] = first + stops.argmax(axis=0)[stopped]
        going, first = going[~stopped], first + count
    return ends
