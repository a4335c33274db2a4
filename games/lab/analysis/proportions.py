"""How often something happens: shares of runs with exact intervals, and tests of two of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from games.lab.analysis.intervals import CONFIDENCE, NOISE
from games.lab.analysis.testing import SIDES, Difference, Direction, Outcome

Interval = tuple[float, float]
YES: Final = 1.0


def counted(value: float, over: float | None) -> float | None:
    """1 where the value is above ``over``, else 0; without a bound the value itself, None where it is neither."""
    if over is not None:
        return float(value > over)
    near = round(value)
    return float(near) if near in (0, 1) and abs(value - near) <= NOISE else None


def share_interval(values: Sequence[float]) -> Interval | None:
    """The exact interval of a share; None of nothing. Source: Clopper and Pearson, Biometrika 26 (1934)."""
    from scipy import stats  # type: ignore[import-untyped]

    if not values:
        return None
    found = stats.binomtest(round(sum(values)), len(values)).proportion_ci(CONFIDENCE, "exact")
    return float(found.low), float(found.high)


def paired_shares(of: Sequence[float], against: Sequence[float], direction: Direction) -> tuple[Difference, Outcome]:
    """McNemar's exact test: among the pairs that changed, whether one way is as frequent as the other.

    The statistic counts those that went up. The interval of the difference adds half a pair to every cell and two to n.
    Sources: McNemar, Psychometrika 12 (1947); Bonett and Price, J. Educ. Behav. Stat. 37 (2012).
    """
    from scipy import stats
    from scipy.special import ndtri  # type: ignore[import-untyped]

    n = len(of)
    up = sum(a > b for a, b in zip(of, against, strict=True))
    down = sum(a < b for a, b in zip(of, against, strict=True))
    if n < 2:
        return Difference((up - down) / n if n else None), Outcome("mcnemar", reason="too_few")
    rose, fell = (up + 1) / (n + 2), (down + 1) / (n + 2)
    half = float(ndtri(0.5 + CONFIDENCE / 2)) * math.sqrt((rose + fell - (rose - fell) ** 2) / (n + 2))
    told = Difference((up - down) / n, max(-1.0, rose - fell - half), min(1.0, rose - fell + half))
    if not up + down:
        return told, Outcome("mcnemar", reason="identical")
    p = stats.binomtest(up, up + down, alternative=SIDES[direction]).pvalue
    return told, Outcome("mcnemar", float(up), None, float(p), True)


def independent_shares(
    of: Sequence[float], against: Sequence[float], direction: Direction
) -> tuple[Difference, Outcome]:
    """Boschloo's exact test, which is Fisher's made more powerful; Agresti and Caffo's interval of the difference.

    Sources: Boschloo, Stat. Neerl. 24 (1970), `scipy.stats.boschloo_exact`; Agresti and Caffo, Am. Stat. 54 (2000),
    `statsmodels.stats.proportion.confint_proportions_2indep`.
    """
    from scipy import stats
    from statsmodels.stats.proportion import confint_proportions_2indep  # type: ignore[import-untyped]

    n, m, yes, other = len(of), len(against), round(sum(of)), round(sum(against))
    if n < 2 or m < 2:
        return Difference(yes / n - other / m if n and m else None), Outcome("boschloo", reason="too_few")
    low, high = confint_proportions_2indep(
        yes, n, other, m, method="agresti-caffo", compare="diff", alpha=1 - CONFIDENCE
    )
    told = Difference(yes / n - other / m, float(low), float(high))
    if yes + other in (0, n + m):
        return told, Outcome("boschloo", reason="identical")
    found = stats.boschloo_exact([[yes, other], [n - yes, m - other]], alternative=SIDES[direction])
    return told, Outcome("boschloo", float(found.statistic), None, min(1.0, float(found.pvalue)), True)
