"""Several tests that answer one question together: p adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

Correction: TypeAlias = Literal["holm", "bh"]
"""Holm's steps bound the chance of any false finding; Benjamini and Hochberg's bound the share of false findings."""
METHODS: Final[dict[Correction, str]] = {"holm": "holm", "bh": "fdr_bh"}


def adjusted(ps: Sequence[float | None], correction: Correction) -> list[float | None]:
    """Each p adjusted over all that were declared, in their order.

    A test that could not be carried out stays None and still counts: it was declared.
    Sources: Holm, Scand. J. Stat. 6 (1979); Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995).
    """
    from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

    if len(ps) == 1 or not any(p is not None for p in ps):
        return list(ps)
    found = multipletests([1.0 if p is None else p for p in ps], method=METHODS[correction])[1]
    return [None if p is None else float(value) for p, value in zip(ps, found, strict=True)]
