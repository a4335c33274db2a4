"""Which settings a measure depends on: what its values at the points of a design say of each setting.

``one_at_a_time``    each setting over its range, all others in the middle: how far the measure moves
``latin_hypercube``  points that fill the whole space evenly: the rank correlation of each setting with the measure
``morris``           steps of one setting at a time from many places: the mean size of what a step does (mu*), and how
                     much it depends on where it is taken (sigma)
``sobol``            the share of the measure's variance that a setting explains alone, and in all

Sources: Morris, Technometrics 33 (1991); Sobol', Math. Comput. Simul. 55 (2001); McKay, Beckman and Conover,
Technometrics 21 (1979). Points and indices are SALib's and scipy's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from games.errors.faults import Refused
from games.lab.analysis.intervals import CONFIDENCE

Method: TypeAlias = Literal["one_at_a_time", "latin_hypercube", "morris", "sobol"]
Ranges: TypeAlias = Mapping[str, tuple[float, float]]
"""Settings, dotted inside, each with its least and largest value."""
Kind: TypeAlias = Literal["range", "rank_correlation", "mu_star", "sigma", "first", "total"]
MAIN: Final[dict[Method, Kind]] = {
    "one_at_a_time": "range", "latin_hypercube": "rank_correlation", "morris": "mu_star", "sobol": "total",
}  # fmt: skip
"""The index by which settings are ordered and drawn."""


@dataclass(frozen=True, slots=True)
class Index:
    """What one index says of one setting; its 95% interval by resampling, None where the method has none."""

    setting: str
    kind: Kind
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Design:
    """What is asked: ``metrics`` over ``ranges`` of settings; ``points`` are where each condition was played.

    ``order``  the condition at each row of the design, which may have a point more than once
    """

    method: Method
    ranges: Ranges
    seed: int
    metrics: tuple[str, ...]
    points: Mapping[str, Mapping[str, float]]
    order: tuple[str, ...]

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Design:
        ranges = {name: (low, high) for name, (low, high) in told["settings"].items()}
        order = tuple(told["order"])
        return cls(told["method"], ranges, told["seed"], tuple(told["metrics"]), told["points"], order)


@dataclass(frozen=True, slots=True)
class Swept:
    """What a measure depends on; no ``indices`` where it is ``undefined`` at so many of the points."""

    metric: str
    undefined: int
    indices: tuple[Index, ...]


def swept(design: Design, means: Mapping[str, Mapping[str, float | None]]) -> list[Swept]:
    """Each measure that is asked. ``means`` go by condition, then by measure."""
    at = [design.points[condition] for condition in design.order]
    found = []
    for metric in design.metrics:
        values = [means.get(condition, {}).get(metric) for condition in design.order]
        known = [value for value in values if value is not None]
        whole = len(known) == len(values)
        told = indices(design.method, design.ranges, at, known, design.seed) if whole else []
        found.append(Swept(metric, len(values) - len(known), tuple(told)))
    return found


def indices(
    method: Method, ranges: Ranges, at: Sequence[Mapping[str, float]], values: Sequence[float], seed: int = 1
) -> list[Index]:
    """What the measure's values at the points say, the setting that matters most first."""
    measured = np.asarray(values, dtype=float)
    if len(measured) != len(at) or not np.isfinite(measured).all():
        raise Refused(f"values: {int(np.isfinite(measured).sum())} defined at {len(at)} points; each needs one")
    made = {"one_at_a_time": _moved, "latin_hypercube": _correlated, "morris": _morris, "sobol": _sobol}[method]
    found = made(ranges, at, measured, seed)
    order = {one.setting: -abs(one.value) for one in found if one.kind == MAIN[method]}
    return sorted(found, key=lambda one: (one.kind != MAIN[method], order[one.setting], one.setting))


def _moved(ranges: Ranges, at: Sequence[Mapping[str, float]], values: Any, seed: int) -> list[Index]:
    share = len(at) // len(ranges)
    parts = {name: values[place * share : (place + 1) * share] for place, name in enumerate(ranges)}
    return [Index(name, "range", float(part.max() - part.min())) for name, part in parts.items()]


def _correlated(ranges: Ranges, at: Sequence[Mapping[str, float]], values: Any, seed: int) -> list[Index]:
    from scipy import stats  # type: ignore[import-untyped]

    found = []
    for name in ranges:
        column = np.asarray([row[name] for row in at], dtype=float)
        rho = float(stats.spearmanr(column, values).statistic) if np.ptp(values) else 0.0
        resampled = np.random.default_rng(seed).integers(0, len(at), size=(999, len(at)))
        spread = [
            float(stats.pearsonr(stats.rankdata(column[row]), stats.rankdata(values[row])).statistic)
            for row in resampled
            if np.ptp(values[row]) and np.ptp(column[row])
        ]
        tail = 50 * (1 - CONFIDENCE)
        low, high = np.percentile(spread, [tail, 100 - tail]) if spread else (rho, rho)
        found.append(Index(name, "rank_correlation", rho, float(low), float(high)))
    return found


def _morris(ranges: Ranges, at: Sequence[Mapping[str, float]], values: Any, seed: int) -> list[Index]:
    _library()
    from SALib.analyze import morris  # type: ignore[import-untyped]

    table = np.asarray([[row[name] for name in ranges] for row in at], dtype=float)
    told = morris.analyze(_problem(ranges), table, values, conf_level=CONFIDENCE, num_levels=4, seed=seed)
    found = []
    for place, name in enumerate(ranges):
        size, half = float(told["mu_star"][place]), float(told["mu_star_conf"][place])
        found += [Index(name, "mu_star", size, size - half, size + half)]
        found += [Index(name, "sigma", float(told["sigma"][place]))]
    return found


def _sobol(ranges: Ranges, at: Sequence[Mapping[str, float]], values: Any, seed: int) -> list[Index]:
    _library()
    from SALib.analyze import sobol

    if not np.ptp(values):
        return [Index(name, kind, 0.0) for name in ranges for kind in _SHARES]
    told = sobol.analyze(_problem(ranges), values, calc_second_order=False, conf_level=CONFIDENCE, seed=seed)
    found = []
    for place, name in enumerate(ranges):
        for kind, key in _SHARES.items():
            share, half = float(told[key][place]), float(told[f"{key}_conf"][place])
            found.append(Index(name, kind, share, share - half, share + half))
    return found


def _library() -> None:
    try:
        import SALib  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        raise Refused("morris and sobol need SALib: pip install 'polity-lab[sensitivity]'") from None


def _problem(ranges: Ranges) -> dict[str, Any]:
    bounds = [list(map(float, one)) for one in ranges.values()]
    return {"num_vars": len(ranges), "names": list(ranges), "bounds": bounds}


_SHARES: Final[dict[Kind, str]] = {"first": "S1", "total": "ST"}
