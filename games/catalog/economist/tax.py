"""The tax schedule: piecewise, hard or smoothed at its edges, and its damped change.

Source: contract, "Tax Schedule" and "Epoch Boundary", steps 1 and 6.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from games.catalog.economist.money import MICRO, Micro, decimal, micro
from games.core.answers import Note

Schedule: TypeAlias = tuple[tuple[Micro, Micro], ...]
"""(threshold, marginal rate) of each bracket, thresholds ascending from 0."""
THRESHOLD_MAX: Final = 1_000_000.0


def schedule_of(brackets: Sequence[tuple[float, float]]) -> Schedule:
    """Decimal pairs as a schedule, in the order of their thresholds."""
    return tuple(sorted((micro(threshold), micro(rate)) for threshold, rate in brackets))


def decimals(schedule: Schedule) -> tuple[tuple[float, float], ...]:
    """The schedule in coin and shares."""
    return tuple((decimal(threshold), decimal(rate)) for threshold, rate in schedule)


def fault_in(brackets: Sequence[tuple[float, float]], falling: bool) -> Note | None:
    """What makes the pairs no schedule, as a fault of the words; None where they are one."""
    for threshold, rate in brackets:
        if not (math.isfinite(threshold) and 0 <= threshold <= THRESHOLD_MAX):
            return Note("threshold_range", {"threshold": str(threshold), "most": THRESHOLD_MAX})
        if not (math.isfinite(rate) and 0 <= rate <= 1):
            return Note("rate_range", {"rate": str(rate)})
    made = schedule_of(brackets)
    if made[0][0] != 0:
        return Note("first_threshold", {"threshold": decimal(made[0][0])})
    for (low, before), (high, after) in itertools.pairwise(made):
        if low == high:
            return Note("threshold_twice", {"threshold": decimal(low)})
        if after < before and not falling:
            return Note("falling_rate", {"rate": decimal(after), "threshold": decimal(high), "before": decimal(before)})
    return None


def tax_due(schedule: Schedule, income: Micro, smoothing: float = 0.0) -> Micro:
    """The tax on an income; 0 on an income that is not positive.

    Hard: the sum over brackets of rate times the part of [0, income] inside, rounded down to a millionth. Smoothed:
    `smooth_tax`, to the nearest millionth.
    """
    if income <= 0:
        return 0
    if smoothing > 0:
        return micro(round(smooth_tax(schedule, decimal(income), smoothing), 9))
    due = 0
    for index, (threshold, rate) in enumerate(schedule):
        if income <= threshold:
            break
        above = schedule[index + 1][0] if index + 1 < len(schedule) else income
        due += (min(income, above) - threshold) * rate
    return due // MICRO


def smooth_tax(schedule: Schedule, income: float, sigma: float) -> float:
    """The integral from 0 to ``income`` of the smoothed marginal rate, in closed form.

    m(x) = rate_0 + sum over later brackets of (rate_i - rate_{i-1}) / (1 + exp(-(x - t_i) / sigma)). The integral of a
    logistic is sigma (softplus((x - t) / sigma) - softplus(-t / sigma)). m is a mixture of the rates, falling or not,
    so that it stays in [0, 1] without clipping.
    """
    total = decimal(schedule[0][1]) * income
    for (_, before), (threshold, rate) in itertools.pairwise(schedule):
        at = decimal(threshold)
        area = _ramp(income - at, sigma) - _ramp(-at, sigma)
        total += decimal(rate - before) * area
    return max(0.0, min(total, income))


def damped(old: Schedule, target: Schedule, damping: Micro) -> Schedule:
    """The schedule after an update: thresholds of the target, rates that went (1 - damping) of the way.

    A target with another number of brackets is taken whole. Rising rates stay rising.
    """
    if len(old) != len(target):
        return target
    return tuple(
        (threshold, before + (MICRO - damping) * (rate - before) // MICRO)
        for (_, before), (threshold, rate) in zip(old, target, strict=True)
    )


def rising(brackets: Sequence[tuple[Micro, Micro]]) -> Schedule:
    """The same thresholds with each rate at least that of the bracket below it (running maximum)."""
    highest = itertools.accumulate((rate for _, rate in brackets), max)
    return tuple((threshold, rate) for (threshold, _), rate in zip(brackets, highest, strict=True))


def _ramp(x: float, sigma: float) -> float:
    """sigma softplus(x / sigma), for any width above 0: the quotient may overflow to infinity."""
    return max(x, 0.0) + sigma * math.log1p(math.exp(-abs(x) / sigma))
