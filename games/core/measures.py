"""Measures that several games share: pure mathematics over plain numbers. Undefined is None."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from operator import mul

from games.core.game import Number


def mean(values: Sequence[Number]) -> float | None:
    """Arithmetic mean; None when empty."""
    return math.fsum(values) / len(values) if values else None


def ratio(part: Number, whole: Number) -> float | None:
    """part / whole; None when whole is 0."""
    return part / whole if whole else None


def gini(values: Sequence[Number]) -> float | None:
    """Gini coefficient of non-negative values: 0 all equal, (n-1)/n one has all. 0 if the total is 0, None when empty.

    Formula: sum over i of (2i - n - 1) x_i / (n sum x), x sorted, i from 1. Higher is less equal.
    """
    if not values:
        return None
    total = math.fsum(values)
    if total == 0:
        return 0.0
    n = len(values)
    return math.fsum(map(mul, range(1 - n, n, 2), sorted(values))) / (n * total)


def hhi(sizes: Sequence[Number]) -> float | None:
    """Herfindahl-Hirschman index, the sum of squared shares: 1/n equal holders, 1 a single one. None if all is 0."""
    total = math.fsum(sizes)
    return math.fsum([(size / total) ** 2 for size in sizes]) if total else None


def atkinson(values: Sequence[Number], epsilon: float = 1.0) -> float | None:
    """Atkinson index with inequality aversion epsilon > 0: 0 all equal, up to 1. None when empty or the mean is 0."""
    centre = mean(values)
    if not centre:
        return None
    if epsilon == 1.0:
        if min(values) <= 0:
            return 1.0
        return 1 - math.exp(math.fsum(math.log(x) for x in values) / len(values)) / centre
    power = 1 - epsilon
    if power < 0 and min(values) <= 0:
        return 1.0
    level = float((math.fsum(float(x) ** power for x in values) / len(values)) ** (1 / power))
    return 1 - level / centre


def half_life(losses: int, at_risk: int) -> float | None:
    """Steps until half is lost at the constant hazard h = losses / at_risk: ln(1/2) / ln(1 - h).

    None when nothing was at risk or nothing was lost (it never halves); 0 when all was lost at once.
    """
    if not at_risk or not losses:
        return None
    if losses >= at_risk:
        return 0.0
    return math.log(0.5) / math.log(1 - losses / at_risk)


def kaplan_meier_median(spells: Sequence[tuple[int, bool]]) -> int | None:
    """Median survival of spells ``(length, ended)``; those not ended are right-censored. None if it is never reached.

    Source: Kaplan and Meier, "Nonparametric estimation from incomplete observations", JASA 53 (1958).
    """
    survival = 1.0
    at_risk = len(spells)
    lasted = Counter([length for length, _ in spells])
    ended = Counter([length for length, is_over in spells if is_over])
    for length in sorted(lasted):
        survival *= 1 - ended[length] / at_risk
        if survival <= 0.5 + 1e-12:
            return length
        at_risk -= lasted[length]
    return None
