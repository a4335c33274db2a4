"""A number that the source prints, beside what these runs measure: difference and verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.lab.analysis.intervals import Description, describe
from games.lab.analysis.plan import Reference

Verdict: TypeAlias = Literal["within", "inconclusive", "above", "below", "incomparable", "untestable"]
NARROW: Final = 0.15
"""Half the interval's width as a share of their number, up to which "within" says something."""


@dataclass(frozen=True, slots=True)
class Held:
    """A reference and what was measured beside it.

    ``values``   ours, one a run
    ``verdict``  ``within``: the 95% interval contains their number and is narrow; ``inconclusive``: it contains it and
                 is wider than `NARROW` of it to each side; ``above``, ``below``: ours lies there with its whole
                 interval; ``incomparable``: the reference says why; ``untestable``: fewer than two defined values
    """

    reference: Reference
    values: tuple[float | None, ...]
    told: Description
    difference: float | None
    verdict: Verdict


def held(reference: Reference, values: Sequence[float | None]) -> Held:
    """The reference beside one value a run; None is undefined."""
    told = describe(values)
    difference = None if told.mean is None else told.mean - reference.theirs
    verdict = "incomparable" if reference.incomparable else verdict_of(reference.theirs, told.low, told.high)
    return Held(reference, tuple(values), told, difference, verdict)


def verdict_of(theirs: float, low: float | None, high: float | None) -> Verdict:
    """What our interval says of their number; None is an end that cannot be told."""
    if low is None or high is None:
        return "untestable"
    if low > theirs:
        return "above"
    if high < theirs:
        return "below"
    return "within" if (high - low) / 2 <= NARROW * abs(theirs) else "inconclusive"
