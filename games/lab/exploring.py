"""Asking how an answer depends on what was chosen: settings over their ranges, and the choices of the analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games.errors.faults import Refused, among
from games.lab.analysis.intervals import describe
from games.lab.analysis.multiverse import Choice, choices
from games.lab.analysis.report.exploringcards import by_setting, curve
from games.lab.analysis.report.labels import Labels
from games.lab.analysis.runs import Run
from games.lab.analysis.sensitivity import Index, Method, Ranges, indices
from games.lab.notebook import load, play
from games.lab.scenarios.sampling import points

_LABELS: Final = Labels("en", "", "")


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
        runs = len(self.points) * self.seeds
        drawn = by_setting(_LABELS, self.method, self.metric, self.indices, len(self.points), runs)
        return drawn.svg(is_alone=True)


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
    return choices(plan, asked, metrics, runs)


def multiverse_svg(choices: Sequence[Choice]) -> str:
    """The curve: every choice's size of effect with its interval, by rising size."""
    return curve(_LABELS, choices).svg(is_alone=True)
