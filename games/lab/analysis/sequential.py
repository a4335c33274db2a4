"""Looking at an experiment while it runs, and stopping it, without rejecting too often.

``fixed``           it is looked at once, when all planned seeds are played
``obrien_fleming``  it is looked at after stated numbers of seeds; the level is spent late
``pocock``          the same, with the level spent evenly
``always_valid``    it may be looked at after every seed: p and interval hold whenever one stops

Sources: Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983); Armitage, McPherson
and Rowe, J. R. Stat. Soc. A 132 (1969), for the recursion; Lai, Ann. Stat. 4 (1976) and Pérez-Ortiz et al.,
"E-statistics, group invariance and anytime-valid testing", Ann. Stat. 52 (2024), for the t mixture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from games.lab.analysis.testing import Direction, Outcome

Rule: TypeAlias = Literal["fixed", "obrien_fleming", "pocock", "always_valid"]
RULES: Final[tuple[Rule, ...]] = ("fixed", "obrien_fleming", "pocock", "always_valid")
SPENDING: Final = ("obrien_fleming", "pocock")
FIRST: Final = 3
"""Seeds before which nothing is looked at: a t of fewer says nothing."""
MIXTURE: Final = 1.0
"""Variance, in standard deviations squared, of the effects that the always-valid test is mixed over."""
GRID: Final = 401
"""Points by which the paths that go on are told at each look; an odd number, as Simpson's rule wants."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """The declared rule.

    ``looks``    seeds after which it is looked at, rising, the last is ``planned``; () of ``always_valid``: after each
    ``planned``  seeds
    ``on``       the hypotheses all of whose tests must be shown for it to stop; () all
    """

    rule: Rule = "fixed"
    looks: tuple[int, ...] = ()
    planned: int = 0
    on: tuple[str, ...] = ()

    def due(self, seeds: int) -> int | None:
        """The latest look that so many whole seeds allow; None before the first."""
        if self.rule == "fixed":
            return self.planned if seeds >= self.planned else None
        if not self.looks:
            return seeds if seeds >= FIRST else None
        return max((look for look in self.looks if look <= seeds), default=None)

    def next_after(self, seeds: int) -> int:
        """How many seeds may be played before it is looked at again."""
        if self.rule == "fixed" or not self.looks:
            return self.planned
        return min((look for look in self.looks if look > seeds), default=self.planned)

    def level(self, seeds: int, alpha: float) -> float:
        """The p at which a test of level ``alpha`` rejects at the look after so many seeds; 0 where there is none."""
        if self.rule not in SPENDING:
            return alpha
        if seeds not in self.looks:
            return 0.0
        shares = tuple(look / self.planned for look in self.looks)
        return levels(self.rule, shares, alpha)[self.looks.index(seeds)]


def spent(rule: Rule, share: float, alpha: float) -> float:
    """How much of the level may be spent, on both sides together, when that share of the seeds is played."""
    from scipy.special import ndtr, ndtri  # type: ignore[import-untyped]

    if rule == "pocock":
        return alpha * math.log(1 + (math.e - 1) * share)
    return float(4 * ndtr(ndtri(alpha / 4) / math.sqrt(share)))


@lru_cache(maxsize=256)
def levels(rule: Rule, shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """The two-sided p at which each look rejects, at rising shares of the seeds, the last 1.

    The paths that have not been stopped are carried along as a density on a grid; at each look the bound is the one
    beyond which lies just what is left to be spent.
    """
    from scipy.integrate import simpson  # type: ignore[import-untyped]
    from scipy.optimize import brentq  # type: ignore[import-untyped]
    from scipy.special import ndtr

    found: list[float] = []
    points: Any = None
    density: Any = None
    last_spent = last_share = 0.0
    for share in shares:
        now = spent(rule, share, alpha)
        step = math.sqrt(share - last_share)

        def beyond(
            bound: float, points: Any = points, density: Any = density, step: float = step, share: float = share
        ) -> float:
            """The chance to come beyond a bound of z at this look, of all that came so far."""
            edge = bound * math.sqrt(share)
            if points is None:
                return float(2 * ndtr(-bound))
            tails = ndtr((points - edge) / step) + ndtr((-edge - points) / step)
            return float(simpson(density * tails, x=points))

        left = now - last_spent
        bound = float(brentq(lambda z, left=left, beyond=beyond: beyond(z) - left, 0.1, 12.0, xtol=1e-10))
        found.append(float(2 * ndtr(-bound)))
        edge = bound * math.sqrt(share)
        grid = np.linspace(-edge, edge, GRID)
        if points is None:
            density = _normal(grid / step) / step
        else:
            density = simpson(density[None, :] * _normal((grid[:, None] - points[None, :]) / step) / step, x=points)
        points, last_spent, last_share = grid, now, share
    return tuple(found)


def _normal(z: Any) -> Any:
    return np.exp(-z * z / 2) / math.sqrt(2 * math.pi)


# --- always valid -------------------------------------------------------------------------------------


def evidence(t: float, df: float, n: float) -> float:
    """How much likelier a t is under effects mixed over a normal law (`MIXTURE`) than without effect: an e-value.

    ``n``  pairs; of two groups, the product of their sizes over the sum
    """
    spread = 1 + n * MIXTURE
    return math.exp((df + 1) / 2 * (math.log1p(t * t / df) - math.log1p(t * t / (df * spread))) - math.log(spread) / 2)


def half_width(error: float, df: float, n: float, level: float) -> float:
    """Half the width of the interval that holds the difference at every look together; infinite for few values."""
    spread = 1 + n * MIXTURE
    bound = math.exp(2 / (df + 1) * (math.log(spread) / 2 - math.log(1 - level)))
    return math.inf if bound >= spread else error * math.sqrt(df * (bound - 1) / (1 - bound / spread))


def always_valid(found: Outcome, n: float, direction: Direction) -> Outcome:
    """A t test's result with a p that holds whenever one stops: 1 over the e-value, at most 1.

    One-sided, the other side is 1; the e-value is that of both sides, which is conservative.
    """
    if found.statistic is None or found.df is None:
        return found
    is_other_side = (direction == "higher" and found.statistic < 0) or (direction == "lower" and found.statistic > 0)
    return replace(found, p=1.0 if is_other_side else min(1.0, 1 / evidence(found.statistic, found.df, n)))


# --- before the start ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Simulated:
    """In what share of simulated experiments a rule shows the difference, and after how many seeds they end."""

    rule: Rule
    looks: tuple[int, ...]
    share: float
    seeds: float


def simulated(stopping: Stopping, effect: float, alpha: float, experiments: int = 2000, seed: int = 1) -> Simulated:
    """Normal differences within pairs of a mean of ``effect`` standard deviations, tested by t at every look."""
    from scipy.special import stdtr

    draws = np.random.default_rng(seed).normal(effect, 1.0, size=(experiments, stopping.planned))
    looks = stopping.looks or tuple(
        range(FIRST, stopping.planned + 1) if stopping.rule == "always_valid" else [stopping.planned]
    )
    ended = np.full(experiments, stopping.planned)
    is_shown = np.zeros(experiments, dtype=bool)
    sums, squares = draws.cumsum(axis=1), (draws**2).cumsum(axis=1)
    for look in looks:
        mean = sums[:, look - 1] / look
        variance = (squares[:, look - 1] - look * mean**2) / (look - 1)
        t = mean / np.sqrt(variance / look)
        if stopping.rule == "always_valid":
            logs: Callable[[Any], Any] = np.log1p
            spread = 1 + look * MIXTURE
            log_e = look / 2 * (logs(t * t / (look - 1)) - logs(t * t / ((look - 1) * spread))) - math.log(spread) / 2
            rejects = log_e >= -math.log(alpha)
        else:
            rejects = 2 * stdtr(look - 1, -np.abs(t)) <= stopping.level(look, alpha)
        new = rejects & ~is_shown
        ended[new] = look
        is_shown |= new
    return Simulated(stopping.rule, looks, float(is_shown.mean()), float(ended.mean()))


@dataclass(frozen=True, slots=True)
class RuleCompared:
    """A rule without any difference and with one: in what share of experiments it shows it, after how many seeds."""

    rule: Rule
    looks: tuple[int, ...]
    false_share: float
    share: float
    false_seeds: float
    seeds: float


@lru_cache(maxsize=64)
def rules_compared(planned: int, effect: float, alpha: float) -> tuple[RuleCompared, ...]:
    """Every rule over so many planned seeds, at an effect in standard deviations of the differences within pairs."""
    found = []
    for rule in RULES:
        stopping = Stopping(rule, looks_of(planned) if rule in SPENDING else (), planned)
        without, with_it = simulated(stopping, 0.0, alpha), simulated(stopping, effect, alpha)
        looks = stopping.looks
        found.append(RuleCompared(rule, looks, without.share, with_it.share, without.seeds, with_it.seeds))
    return tuple(found)


def looks_of(planned: int, count: int = 5) -> tuple[int, ...]:
    """So many looks, evenly over the planned seeds."""
    return tuple(sorted({max(min(FIRST, planned), math.ceil(planned * k / count)) for k in range(1, count + 1)}))


def holm(ps: Sequence[float | None], level: Callable[[float], float], alpha: float) -> list[bool]:
    """Which tests of a family are shown at a look: Holm's steps, each at what its share of alpha allows there.

    Source: Maurer and Bretz, "Multiple testing in group sequential trials using graphical approaches", 2013.
    """
    order = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    shown = [False] * len(ps)
    for step, (p, place) in enumerate(order):
        if p > level(alpha / (len(ps) - step)):
            break
        shown[place] = True
    return shown
