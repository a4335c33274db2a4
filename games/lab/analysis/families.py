"""Several tests that answer one question together: p adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, TypeAlias

Correction: TypeAlias = Literal["holm", "bh"]
"""Holm's steps bound the chance of any false finding; Benjamini and Hochberg's bound the share of false findings."""


def adjusted(ps: Sequence[float | None], correction: Correction) -> list[float | None]:
    """Each p adjusted over all that were declared, in their order.

    A test that could not be carried out stays None and still counts: it was declared.
    Sources: Holm, Scand. J. Stat. 6 (1979); Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995). statsmodels has the
    same, and brings pandas and scipy into a page that only reads what was tested.
    """
    many = len(ps)
    rising = sorted(range(many), key=lambda place: _known(ps[place]))
    if correction == "holm":
        steps = accumulate((_known(ps[place]) * (many - rank) for rank, place in enumerate(rising)), max)
        found = dict(zip(rising, steps, strict=True))
    else:
        falling = rising[::-1]
        steps = accumulate((_known(ps[place]) / ((many - rank) / many) for rank, place in enumerate(falling)), min)
        found = dict(zip(falling, steps, strict=True))
    return [None if p is None else min(found[place], 1.0) for place, p in enumerate(ps)]


def _known(p: float | None) -> float:
    return 1.0 if p is None else p
