"""What so many seeds can show: the smallest difference that a test finds in most experiments, from a pilot's spread."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from games.lab.analysis.testing import Direction

POWER: Final = 0.8
ALPHA: Final = 0.05


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
    """The standardised difference; reckoned once for each design."""
    from statsmodels.stats.power import TTestIndPower, TTestPower  # type: ignore[import-untyped]

    sides = "two-sided" if is_two_sided else "larger"
    if is_paired:
        return float(TTestPower().solve_power(nobs=n, alpha=alpha, power=power, alternative=sides))
    return float(TTestIndPower().solve_power(nobs1=n, alpha=alpha, power=power, ratio=1.0, alternative=sides))


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
    from statsmodels.stats.power import TTestIndPower, TTestPower

    if not sd or n < 2:
        return None
    sides = "two-sided" if direction == "differs" else "larger"
    size = abs(difference) / sd
    if is_paired:
        share = float(TTestPower().power(size, n, alpha, alternative=sides))
    else:
        share = float(TTestIndPower().power(size, n, alpha, ratio=1.0, alternative=sides))
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
