"""A declared question under every measure, test and rule of exclusion that could be defended.

How far its answer depends on choices that nothing but the plan decides.

Source: Steegen, Tuerlinckx, Gelman and Vanpaemel, Perspectives on Psychological Science 11 (2016); the curve is that of
Simonsohn, Simmons and Nelson, Nature Human Behaviour 4 (2020).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.lab.analysis.comparing import Compared, compared
from games.lab.analysis.plan import Comparison, Family, Plan, Test
from games.lab.analysis.runs import Run, by_condition, sort_out
from games.lab.analysis.sequential import Stopping

BOUNDS: Final = (0.0, 0.1, 0.2, 0.5, 1.0)
"""Shares of decisions not the seats' own beyond which a run may defensibly be left out; 1 leaves none out."""
TESTS: Final[tuple[Test, ...]] = ("t", "permutation", "rank")


@dataclass(frozen=True, slots=True)
class Choice:
    """One defensible analysis of a declared test, and what came of it, uncorrected."""

    hypothesis: str
    metric: str
    test: Test
    leave_out: float
    found: Compared

    @property
    def size(self) -> float | None:
        """The standardised size of the effect."""
        return None if self.found.effect is None else self.found.effect.estimate


def choices(plan: Plan, asked: Comparison, metrics: Sequence[str], runs: Sequence[Run]) -> list[Choice]:
    """By rising size of effect; what cannot be tested comes last. ``metrics`` stand beside the declared one.

    Of bounds that leave out the same runs the loosest stands for all.
    Each is looked at once, with all runs, at the level of its family: p is that of each test alone.
    """
    tests = TESTS if asked.test in TESTS and len(asked.weights) == 2 else (asked.test,)
    replicates = sorted({run.replicate for run in runs})
    family = {asked.family: Family("holm", plan.family(asked.family).alpha)}
    found = []
    seen: set[tuple[tuple[str, int], ...]] = set()
    for bound in reversed(BOUNDS):
        kept = sort_out(runs, {"not_own": bound})[0]
        named = tuple((run.condition, run.replicate) for run in kept)
        if named in seen:
            continue
        seen.add(named)
        there = by_condition(kept, plan.conditions)
        for metric, test in itertools.product(dict.fromkeys((asked.metric, *metrics)), tests):
            one = replace(asked, metric=metric, test=test)
            alone = replace(plan, comparisons=(one,), families=family, stopping=Stopping(), delivered={})
            found.append(Choice(asked.hypothesis, metric, test, bound, compared(alone, there, replicates)[0]))
    return sorted(found, key=lambda one: math.inf if one.size is None else one.size)
