"""Asking how an answer depends on what was chosen: settings over their ranges, and the choices of the analysis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from games.errors.faults import Refused, among
from games.lab.analysis.comparing import Compared
from games.lab.analysis.intervals import Description, describe
from games.lab.analysis.plan import Test
from games.lab.analysis.report.figures import Legend, intervals
from games.lab.analysis.report.labels import plain
from games.lab.analysis.result import analyse
from games.lab.analysis.runs import Run
from games.lab.analysis.sensitivity import MAIN, Index, Method, Ranges, indices, points
from games.lab.notebook import load, play

BOUNDS: Final = (0.0, 0.1, 0.2, 0.5, 1.0)
"""Shares of decisions not the seats' own beyond which a run may defensibly be left out; 1 leaves none out."""
TESTS: Final[tuple[Test, ...]] = ("t", "permutation", "rank")


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How a measure depends on settings.

    ``points``   the settings of each place, and ``values`` the measure's mean over the seeds there
    ``indices``  what they say, the setting that matters most first
    """

    method: Method
    metric: str
    seeds: int
    points: tuple[Mapping[str, float], ...]
    values: tuple[float, ...]
    indices: tuple[Index, ...]

    def rows(self) -> list[dict[str, Any]]:
        """The points with their values, for a table."""
        return [{**point, self.metric: value} for point, value in zip(self.points, self.values, strict=True)]

    def svg(self) -> str:
        """The settings by their main index, each with its interval."""
        kind = MAIN[self.method]
        told = [
            (one.setting, Description(len(self.points), 0, one.value, None, one.low, one.high), ())
            for one in self.indices
            if one.kind == kind
        ]
        meaning = (
            f"{self.method.replace('_', ' ')}: {len(self.points)} points x {self.seeds} seeds; bar: 95% by resampling"
        )
        return intervals(
            f"{self.metric} by setting",
            told,
            None,
            plain,
            Legend(f"{kind.replace('_', ' ')} of {self.metric}", "", meaning),
        ).svg(is_alone=True)


def sensitivity(
    scenario: str | Path,
    settings: Ranges,
    metric: str,
    *,
    method: Method = "morris",
    samples: int = 8,
    seeds: Iterable[int] = (1,),
    jobs: int | None = None,
) -> Sensitivity:
    """Play a scenario at points over the ranges of settings and say which of them a measure depends on.

    ``settings``  by name (dotted inside), the least and largest value; two whole numbers give whole numbers
    ``samples``   levels (one_at_a_time), points (latin_hypercube), trajectories (morris), base of 2 (sobol)

    Raises `Refused` for bad input, and where the measure is undefined at a point.
    """
    at, common = points(method, settings, samples), tuple(seeds)
    known: dict[tuple[float, ...], float] = {}
    values = []
    for point in at:
        key = tuple(point.values())
        if key not in known:
            known[key] = _mean(scenario, point, metric, common, jobs)
        values.append(known[key])
    found = indices(method, settings, at, values)
    return Sensitivity(method, metric, len(common), tuple(at), tuple(values), tuple(found))


def _mean(
    scenario: str | Path, point: Mapping[str, float], metric: str, seeds: Sequence[int], jobs: int | None
) -> float:
    config: dict[str, Any] = {}
    for name, value in point.items():
        *outer, last = name.split(".")
        place = config
        for part in outer:
            place = place.setdefault(part, {})
        place[last] = value
    rows = list(play(scenario, seeds, config=config, jobs=jobs).rows("runs"))
    if rows and metric not in rows[0]:
        raise Refused(f"metric: {metric!r}; {among(metric, rows[0])}")
    found = describe([row[metric] for row in rows]).mean
    if found is None:
        raise Refused(f"metric: {metric} is undefined at {dict(point)}; choose another measure or narrower ranges")
    return found


# --- the choices of the analysis ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One defensible analysis of a declared test, and what came of it."""

    hypothesis: str
    metric: str
    test: Test
    leave_out: float
    found: Compared


def multiverse(folder: str | Path, hypothesis: str, metrics: Sequence[str] = ()) -> list[Choice]:
    """The first test of a hypothesis under every measure, test and rule of exclusion that could be defended.

    ``metrics``  measures that ask the same, beside the declared one

    By rising size of effect; what cannot be tested comes last. p is that of each test alone.
    """
    from games.lab.folders.experiment import plan_of, runs_of

    held = load(folder).folder
    plan = plan_of(held)
    asked = next((one for one in plan.comparisons if one.hypothesis == hypothesis), None)
    if asked is None:
        raise Refused(f"hypothesis: {hypothesis!r}; {among(hypothesis, [one.hypothesis for one in plan.comparisons])}")
    runs: list[Run] = list(runs_of(held, plan))
    known = {name for run in runs for name in run.metrics}
    for metric in metrics:
        if metric not in known:
            raise Refused(f"metric: {metric!r}; {among(metric, known)}")
    tests = TESTS if asked.test in TESTS else (asked.test,)
    choices = []
    for metric, test, bound in itertools.product(dict.fromkeys((asked.metric, *metrics)), tests, BOUNDS):
        one = replace(asked, metric=metric, test=test)
        result = analyse(replace(plan, comparisons=(one,), leave_out={"not_own": bound}, robin=None), runs)
        choices.append(Choice(hypothesis, metric, test, bound, result.comparisons[0]))
    return sorted(choices, key=lambda one: size if (size := _size(one.found)) is not None else math.inf)


def _size(found: Compared) -> float | None:
    return None if found.effect is None else found.effect.estimate


def multiverse_svg(choices: Sequence[Choice]) -> str:
    """The curve: every choice's size of effect with its interval, by rising size."""
    rows = [
        (
            f"{one.metric} {one.test} ≤{one.leave_out:g}",
            Description(min(one.found.n), 0, effect.estimate, None, effect.low, effect.high),
            (),
        )
        for one in choices
        if (effect := one.found.effect) is not None and effect.estimate is not None
    ]
    meaning = (
        "A row: measure, test, share of decisions not their own beyond which a run is left out; bar: 95% interval."
    )
    legend = Legend("standardised size of effect", "", meaning)
    return intervals("every defensible analysis", rows, None, plain, legend).svg(is_alone=True)
