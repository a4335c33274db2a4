"""Rank tests: Wilcoxon's signed ranks within pairs, Mann and Whitney's U between groups.

Values that differ by no more than rounding are tied. With ties the exact laws of the tables do not hold; the ranks that
are there are then rearranged (`resampling`), up to `EXACT_MAX` values, so that the level holds at small n, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from games.lab.analysis.intervals import tied
from games.lab.analysis.resampling import ARRANGEMENTS, groups, mean_difference, signs
from games.lab.analysis.testing import SIDES, Direction, Outcome, reason_apart, reason_paired

EXACT_MAX: Final = 50
"""Values up to which rank tests do not rest on the normal law."""


def wilcoxon(differences: Sequence[float], direction: Direction, most: int = ARRANGEMENTS) -> Outcome:
    """Wilcoxon's signed ranks of the differences within pairs; pairs without a difference are left out."""
    from scipy import stats  # type: ignore[import-untyped]

    if reason := reason_paired(differences, needs_spread=False):
        return Outcome("wilcoxon", reason=reason)
    moved = np.asarray([value for value in differences if value])
    sizes = np.asarray(tied(np.abs(moved).tolist()))
    if len(moved) > EXACT_MAX or len(set(sizes)) == len(moved):
        exact = len(moved) <= EXACT_MAX
        found = stats.wilcoxon(
            np.sign(moved) * sizes, alternative=SIDES[direction], correction=True,
            method="exact" if exact else "asymptotic",
        )  # fmt: skip
        return Outcome("wilcoxon", float(found.statistic), None, float(found.pvalue), exact)
    ranks = stats.rankdata(sizes)
    up, down = float(ranks[moved > 0].sum()), float(ranks[moved < 0].sum())
    told = signs((np.sign(moved) * ranks).tolist(), direction, most)
    statistic = min(up, down) if direction == "differs" else up
    return Outcome("wilcoxon", statistic, None, told.p, told.draws is None, draws=told.draws)


def mann_whitney(
    of: Sequence[float], against: Sequence[float], direction: Direction, most: int = ARRANGEMENTS
) -> Outcome:
    """Mann and Whitney's U of two independent groups."""
    from scipy import stats

    if reason := reason_apart(of, against):
        return Outcome("mann_whitney", reason=reason)
    pooled = np.asarray(tied([*of, *against]))
    first, second = pooled[: len(of)], pooled[len(of) :]
    is_large = max(len(of), len(against)) > EXACT_MAX
    if is_large or len(set(pooled)) == len(pooled):
        found = stats.mannwhitneyu(
            first, second, alternative=SIDES[direction], method="asymptotic" if is_large else "exact"
        )
        return Outcome("mann_whitney", float(found.statistic), None, float(found.pvalue), not is_large)
    ranks = stats.rankdata(pooled)
    told = groups(ranks[: len(of)].tolist(), ranks[len(of) :].tolist(), direction, mean_difference, most)
    u = float(ranks[: len(of)].sum()) - len(of) * (len(of) + 1) / 2
    return Outcome("mann_whitney", u, None, told.p, told.draws is None, draws=told.draws)
