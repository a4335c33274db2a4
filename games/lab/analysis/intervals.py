"""A sample told in numbers: how many, where its middle is, how far it spreads, and how sure its mean is.

Undefined values (None) are never filled in: they are left out and counted. What cannot be said of so few values, the
interval of one of them, is None.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from games.core.rng import Rng

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 9999
NOISE: Final = 1e-12
"""Spread below this share of the largest value is the rounding of floating point, not of the world."""


@dataclass(frozen=True, slots=True)
class Description:
    """A sample. ``low`` and ``high`` bound the mean's interval at `CONFIDENCE`: mean -+ t(n - 1) sd / sqrt(n).

    ``n``          values that are defined
    ``undefined``  values that are not
    ``sd``         with n - 1; None for fewer than two values, as are ``low`` and ``high``
    """

    n: int
    undefined: int
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None

    @property
    def half(self) -> float | None:
        """Half the interval's width."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def describe(values: Sequence[float | None], *, has_interval: bool = True) -> Description:
    """Count, mean, standard deviation and, if it is to have one, Student's interval of the values that are defined."""
    known = defined(values)
    missing = len(values) - len(known)
    if not known:
        return Description(0, missing, None, None, None, None)
    centre, spread = _middle(known)
    if spread is None or not has_interval:
        return Description(len(known), missing, centre, spread, None, None)
    half = t_quantile(len(known) - 1) * spread / math.sqrt(len(known))
    return Description(len(known), missing, centre, spread, centre - half, centre + half)


def defined(values: Sequence[float | None]) -> list[float]:
    """The values that are there, as floats; NaN is none, and infinity is no measure either."""
    return [float(value) for value in values if value is not None and math.isfinite(value)]


def deviation(values: Sequence[float]) -> float | None:
    """Standard deviation with n - 1; None for fewer than two values, exactly 0 where all are the same."""
    return _middle(values)[1] if values else None


def _middle(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean of at least one value, and `deviation`."""
    if is_constant(values):
        return values[0], 0.0 if len(values) > 1 else None
    centre = math.fsum(values) / len(values)
    return centre, math.sqrt(math.fsum([(value - centre) ** 2 for value in values]) / (len(values) - 1))


def is_constant(values: Sequence[float], scale: float | None = None) -> bool:
    """Whether the values differ by no more than rounding does at their size, or at ``scale`` where they are
    differences of larger ones. An empty sample is constant.
    """
    if not values:
        return True
    low, high = min(values), max(values)
    return high - low <= NOISE * (max(high, -low) if scale is None else scale)


def tied(values: Sequence[float]) -> list[float]:
    """The values in their order, each that is above another by no more than rounding set to that one."""
    scale = NOISE * max((abs(value) for value in values), default=0.0)
    found: dict[float, float] = {}
    last: float | None = None
    for value in sorted(values):
        last = value if last is None or value - last > scale else last
        found[value] = last
    return [found[value] for value in values]


@lru_cache(maxsize=1024)
def t_quantile(df: float, level: float = CONFIDENCE) -> float:
    """The two-sided quantile of Student's t: 2.09 for 19 degrees of freedom at 0.95."""
    from scipy.special import stdtrit  # type: ignore[import-untyped]  # statistics are loaded where they are asked for

    return float(stdtrit(df, 0.5 + level / 2))


def bootstrap(
    values: Sequence[float | None], rng: Rng, level: float = CONFIDENCE, resamples: int = RESAMPLES
) -> tuple[float, float] | None:
    """The mean's bias-corrected and accelerated bootstrap interval; None for fewer than two values.

    The resamples are drawn under the key of ``rng``, so that the same sample has the same interval.
    Source: Efron, "Better bootstrap confidence intervals", JASA 82 (1987); `scipy.stats.bootstrap`.
    """
    from scipy import stats  # type: ignore[import-untyped]

    known = defined(values)
    if len(known) < 2:
        return None
    if is_constant(known):
        return known[0], known[0]
    draws = np.random.Generator(np.random.PCG64(rng.bits("bootstrap")))
    found = stats.bootstrap(
        (np.array(known),), np.mean, confidence_level=level, n_resamples=resamples, method="BCa", rng=draws
    ).confidence_interval
    return float(found.low), float(found.high)
