"""How a measure moves over the rounds: its mean in each with a band, and the slope within each run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.lab.analysis.intervals import Description, describe
from games.lab.analysis.runs import Rounds


@dataclass(frozen=True, slots=True)
class Band:
    """A measure over the rounds of one condition. The interval of each round holds for that round alone."""

    rounds: tuple[int, ...]
    values: tuple[Description, ...]
    slope: Description
    """Of the runs' least-squares slopes, per round."""


def band(series: Sequence[Rounds]) -> Band:
    """The band over several runs' series. Runs that were over before a round are not among its values."""
    numbers = sorted({number for rounds in series for number in rounds})
    told = tuple(describe([rounds[number] for rounds in series if number in rounds]) for number in numbers)
    return Band(tuple(numbers), told, describe([slope(rounds) for rounds in series]))


def slope(rounds: Rounds) -> float | None:
    """The least-squares slope per round; None for fewer than two rounds in which the measure is defined."""
    known = {number: value for number, value in rounds.items() if value is not None}
    if len(known) < 2:
        return None
    apart, spread = _apart(tuple(known))
    centre = math.fsum(known.values()) / len(known)
    return math.fsum([x * (y - centre) for x, y in zip(apart, known.values(), strict=True)]) / spread


@lru_cache(maxsize=64)
def _apart(numbers: tuple[int, ...]) -> tuple[list[float], float]:
    """How far numbers are from their mean, and the sum of the squares. Most runs have the same rounds."""
    centre = math.fsum(numbers) / len(numbers)
    apart = [number - centre for number in numbers]
    return apart, math.fsum([distance**2 for distance in apart])
