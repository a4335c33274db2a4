"""A memory cell in whole numbers: an LSTM (Hochreiter & Schmidhuber, 1997) that gives the same on every machine.

Weights are whole parts of 65 536, rows and what is passed on whole parts of 256, as in `network`; gates and what is
kept are whole parts of 65 536, from tables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

WHOLE: Final = 1 << 16
STEP: Final = 1 << 8
REACH: Final = 8 * STEP
"""Beyond 8 a gate is as good as open or shut."""
KEPT_MAX: Final = 1 << 24
GATES: Final = 4
"""What is let in, what is kept, what is new, what is told: in this order side by side in the weights."""

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cell:
    """``into`` (rows, 4 width), ``back`` (width, 4 width) and ``biases`` (4 width)."""

    into: NDArray[np.int32]
    back: NDArray[np.int32]
    biases: NDArray[np.int32]

    @property
    def width(self) -> int:
        return len(self.back)

    def begun(self, lead: tuple[int, ...] = ()) -> Ints:
        """Nothing remembered: (..., 2, width), what is kept and what was told last."""
        return np.zeros((*lead, 2, self.width), np.int64)

    @cached_property
    def _doubles(self) -> tuple[NDArray[np.float64], ...]:
        return self.into.astype(np.float64), self.back.astype(np.float64), self.biases.astype(np.float64)

    def moved(self, rows: NDArray[np.float64], carry: Ints) -> Ints:
        """What is remembered after rows (..., n), which are whole parts of 256; what is told is ``[..., 1, :]``."""
        into, back, biases = self._doubles
        kept, told = carry[..., 0, :], carry[..., 1, :].astype(np.float64)
        sums = np.floor((rows @ into + told @ back + biases * STEP) / WHOLE)
        let_in, keep, new, tell = np.split(_place(sums), GATES, axis=-1)
        kept = _part(_SIGMOID[keep] * kept) + _part(_SIGMOID[let_in] * _TANH[new])
        kept = np.clip(kept, -KEPT_MAX, KEPT_MAX)
        told_now = _part(_SIGMOID[tell] * _TANH[_place(kept // STEP)])
        return np.stack([kept, (told_now + STEP // 2) // STEP], axis=-2)


def _place(parts: Any) -> Ints:
    place: Ints = np.clip(parts, -REACH, REACH).astype(np.int64) + REACH
    return place


def _part(product: Ints) -> Ints:
    return (product + WHOLE // 2) // WHOLE


_AT: Final = [number / STEP for number in range(-REACH, REACH + 1)]
_SIGMOID: Final = np.array([round(WHOLE / (1 + math.exp(-at))) for at in _AT], np.int64)
_TANH: Final = np.array([round(WHOLE * math.tanh(at)) for at in _AT], np.int64)
