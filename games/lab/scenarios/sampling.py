"""Points over the ranges of settings, at which a design of sensitivity plays.

Sources: Morris, Technometrics 33 (1991); Saltelli, Comput. Phys. Commun. 145 (2002); McKay, Beckman and Conover,
Technometrics 21 (1979). Points are SALib's and scipy's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from games.errors.faults import Refused, among

Method: TypeAlias = Literal["one_at_a_time", "latin_hypercube", "morris", "sobol"]
METHODS: Final[tuple[Method, ...]] = get_args(Method)
Ranges: TypeAlias = Mapping[str, tuple[float, float]]
"""Settings, dotted inside, each with its least and largest value."""


def points(method: Method, ranges: Ranges, samples: int, seed: int = 1) -> list[dict[str, float]]:
    """Where the measure is to be known. ``samples``: levels of each setting, points, trajectories, or Saltelli's base.

    Ranges of two whole numbers give whole numbers. Raises `Refused`.
    """
    _check(method, ranges, samples)
    names = list(ranges)
    if method == "one_at_a_time":
        middle = {name: (low + high) / 2 for name, (low, high) in ranges.items()}
        rows = [{**middle, name: float(level)} for name in names for level in np.linspace(*ranges[name], num=samples)]
    else:
        found = _drawn(method, ranges, samples, seed)
        rows = [dict(zip(names, map(float, row), strict=True)) for row in found]
    whole = {name for name, (low, high) in ranges.items() if isinstance(low, int) and isinstance(high, int)}
    return [{name: round(value) if name in whole else value for name, value in row.items()} for row in rows]


def _check(method: str, ranges: Ranges, samples: int) -> None:
    if method not in METHODS:
        raise Refused(f"method: {method!r}; {among(method, METHODS)}")
    if len(ranges) < (1 if method == "one_at_a_time" else 2):
        raise Refused(f"settings: {len(ranges)}; {method} compares at least two")
    for name, (low, high) in ranges.items():
        if not low < high:
            raise Refused(f"settings: {name} from {low} to {high}; the least value comes first, and they differ")
    if samples < 2 or (method == "sobol" and samples & (samples - 1)):
        raise Refused(f"samples: {samples}; at least 2, of sobol a power of 2")


def _drawn(method: Method, ranges: Ranges, samples: int, seed: int) -> Any:
    if method == "latin_hypercube":
        from scipy.stats import qmc  # type: ignore[import-untyped]

        unit = qmc.LatinHypercube(len(ranges), rng=np.random.default_rng(seed)).random(samples)
        return qmc.scale(unit, [low for low, _ in ranges.values()], [high for _, high in ranges.values()])
    library()
    if method == "morris":
        from SALib.sample import morris  # type: ignore[import-untyped]

        return morris.sample(problem(ranges), samples, num_levels=4, seed=seed)
    from SALib.sample import sobol

    return sobol.sample(problem(ranges), samples, calc_second_order=False, seed=seed)


def library() -> None:
    """Raises `Refused` where SALib is not installed."""
    try:
        import SALib  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        raise Refused("morris and sobol need SALib: pip install 'polity-lab[sensitivity]'") from None


def problem(ranges: Ranges) -> dict[str, Any]:
    """The ranges as SALib wants them."""
    return {
        "num_vars": len(ranges),
        "names": list(ranges),
        "bounds": [list(map(float, one)) for one in ranges.values()],
    }
