"""What so many seeds can show: the smallest difference that a test finds in most experiments, from a pilot's spread."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from games.lab.analysis.testing import Direction

POWER: Final = 0.8
ALPHA: Final = 0.05
FAR: Final = 1e6
"""A standardised difference beyond which none is looked for."""


def smallest_difference(
    sd: float | None,
    n: int,
    direction: Direction = "differs",
    is_paired: bool = True,
    alpha: float = ALPHA,
    power: float = POWER,
) -> float | None:
    """The difference that n seeds show in a share ``power`` of experiments, in the metric's own unit.

    ``sd``  of the differences within pairs, or within a group where the seeds are independent (n a group)

    Where equivalence is expected it is the smallest bound within which so many seeds show that a difference of 0 is.
    None for fewer than two seeds or without a spread to reckon with.
    """
    if not sd or n < 2:
        return None
    asked = (1 + power) / 2 if direction == "equivalent" else power
    size = _size(n, direction == "differs", is_paired, alpha, asked)
    return size * sd if math.isfinite(size) else None


@lru_cache(maxsize=256)
def _size(n: int, is_two_sided: bool, is_paired: bool, alpha: float, power: float) -> float:
    """The standardised difference; reckoned once for each design. Infinite where no difference is shown so often."""
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    high = 1.0
    while not _share(high, n, is_two_sided, is_paired, alpha) > power:
        if (high := 2 * high) > FAR:
            return math.inf
    return float(
        brentq(lambda d: _share(d, n, is_two_sided, is_paired, alpha) - power, 0, high, xtol=1e-13, rtol=1e-14)
    )


def _share(size: float, n: int, is_two_sided: bool, is_paired: bool, alpha: float) -> float:
    """In what share of experiments a t test shows a standardised difference: the noncentral t's tails."""
    from scipy import stats  # type: ignore[import-untyped]  # statsmodels' would load pandas

    df, shift = (n - 1, size * math.sqrt(n)) if is_paired else (2 * n - 2, size * math.sqrt(n / 2))
    beyond = stats.t.isf(alpha / 2 if is_two_sided else alpha, df)
    above = float(stats.nct.sf(beyond, df, shift))
    below = float(stats.nct.cdf(-beyond, df, shift)) if is_two_sided else 0.0
    # in the far tails the library gives up
    return (float(shift > beyond) if math.isnan(above) else above) + (0.0 if math.isnan(below) else below)


def power_of(
    difference: float,
    sd: float | None,
    n: int,
    direction: Direction = "differs",
    is_paired: bool = True,
    alpha: float = ALPHA,
) -> float | None:
    """In what share of experiments n seeds show a difference of that size.

    Where equivalence is expected: in what share they show that it is within that bound, where there is none.
    """
    if not sd or n < 2:
        return None
    share = _share(abs(difference) / sd, n, direction == "differs", is_paired, alpha)
    return max(0.0, 2 * share - 1) if direction == "equivalent" else share


def power_curve(
    difference: float | None,
    sd: float | None,
    n: int,
    direction: Direction = "differs",
    is_paired: bool = True,
    alpha: float = ALPHA,
) -> list[tuple[int, float]]:
    """In what share of experiments a difference of that size is shown by a quarter to twice as many seeds as n.

    Seeds and share, by rising seeds; empty where no difference is known.
    """
    if difference is None:
        return []
    counts = sorted({max(2, round(n * quarters / 4)) for quarters in range(1, 9)})
    shares = ((count, power_of(difference, sd, count, direction, is_paired, alpha)) for count in counts)
    return [(count, share) for count, share in shares if share is not None and math.isfinite(share)]
