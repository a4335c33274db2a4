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
    return Held(reference, tuple(values), told, difference, _verdict(reference, told))


def _verdict(reference: Reference, told: Description) -> Verdict:
    if reference.incomparable:
        return "incomparable"
    if told.low is None or told.high is None:
        return "untestable"
    if told.low > reference.theirs:
        return "above"
    if told.high < reference.theirs:
        return "below"
    half = (told.high - told.low) / 2
    return "within" if half <= NARROW * abs(reference.theirs) else "inconclusive"
