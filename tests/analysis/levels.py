"""How often each test rejects where nothing is, and each interval holds the truth, in simulated experiments.

``python -m tests.analysis.levels 2000`` prints the table of the note.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from games.lab.analysis.clusters import Row, clustered
from games.lab.analysis.effects import Effect, hedges_g, paired_d, rank_biserial, rank_biserial_paired
from games.lab.analysis.proportions import independent_shares, paired_shares, share_interval
from games.lab.analysis.ranks import mann_whitney, wilcoxon
from games.lab.analysis.resampling import permutation_groups, permutation_paired
from games.lab.analysis.survival import log_rank
from games.lab.analysis.testing import Group, between, paired_difference, paired_t

ALPHA = 0.05
SIZES = (6, 8, 20)
SHAPES = ("normal", "skewed", "tied", "censored")
DRAWS = 499
"""Arrangements of a permutation test: the level holds by any number of them."""
SHIFT = 0.8
"""In standard deviations, for the intervals of a size that is not 0."""
SEATS = 3
END = 1.2
"""Times are censored here."""


@dataclass(frozen=True)
class Line:
    """``share`` of experiments in which a test rejected (``kind`` size) or an interval held the truth (coverage)."""

    kind: str
    name: str
    shape: str
    n: int
    experiments: int
    share: float

    @property
    def error(self) -> float:
        aim = ALPHA if self.kind == "size" else 1 - ALPHA
        return math.sqrt(aim * (1 - aim) / self.experiments)

    @property
    def holds(self) -> bool:
        """Not above the level, or not below the coverage, by more than four standard errors."""
        off = self.share - ALPHA if self.kind == "size" else 1 - ALPHA - self.share
        return off <= 4 * self.error

    @property
    def is_conservative(self) -> bool:
        off = ALPHA - self.share if self.kind == "size" else self.share - 1 + ALPHA
        return off > 4 * self.error


def shaped(values: np.ndarray, shape: str) -> np.ndarray:
    """Standard normal values as they are, as a skewed measure (log-normal), or as a count with ties."""
    if shape == "normal":
        return values
    return np.exp(values) if shape == "skewed" else np.floor(np.exp(0.5 + 0.5 * values))


def lines(shape: str, n: int, experiments: int, has_models: bool = True) -> Iterator[Line]:
    """Every test and interval that fits values of that shape."""
    rng = np.random.default_rng([n, SHAPES.index(shape)])
    rejected: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for _ in range(experiments):
        if shape == "censored":
            rejected.update(_censored(rng, n))
        else:
            own = rng.normal(size=(2, n))
            common = (rng.normal(size=n) + own) / math.sqrt(2)
            rejected.update(_tests(rng, own, common, shape, has_models))
            held.update(_intervals(rng, own, common, shape))
    for kind, counts in (("size", rejected), ("coverage", held)):
        for name in sorted({name.removeprefix("?") for name in counts}):
            yield Line(kind, name, shape, n, experiments, counts[name] / experiments)


def _said(found: dict[str, bool]) -> dict[str, int]:
    """What is so counts; every name is there, so that what is never so has a line, too."""
    return {name: 1 if is_so else 0 for name, is_so in found.items()}


def _tests(
    rng: np.random.Generator, own: np.ndarray, common: np.ndarray, shape: str, has_models: bool
) -> dict[str, int]:
    a, b = shaped(own, shape).tolist()
    c, d = shaped(common, shape)
    within = (d - c).tolist()
    ps = {
        "t, within seeds": paired_t(within, "differs").p,
        "permutation, within seeds": permutation_paired(within, "differs", DRAWS).p,
        "rank, within seeds": wilcoxon(within, "differs", DRAWS).p,
        "t, own seeds": between([Group(1, tuple(a)), Group(-1, tuple(b))], "differs")[1].p,
        "permutation, own seeds": permutation_groups(a, b, "differs", DRAWS).p,
        "rank, own seeds": mann_whitney(a, b, "differs", DRAWS).p,
    }
    for side in ("lower", "higher"):
        ps[f"permutation, own seeds, {side}"] = permutation_groups(a, b, side, DRAWS).p  # type: ignore[arg-type]
    if shape == "normal":  # the difference is what just matters, so that equivalence must not be shown
        ps["t, equivalent within 1, within seeds"] = max(
            paired_t([v + 2 for v in within], "higher").p or 0, paired_t(within, "lower").p or 0
        )
    yes = [[float(v > 0) for v in row] for row in (*own, *common)]
    ps["proportion, own seeds"] = independent_shares(yes[0], yes[1], "differs")[1].p
    ps["proportion, within seeds"] = paired_shares(yes[2], yes[3], "differs")[1].p
    rows = [Row(float(v), name, str(k), "") for name, row in (("a", c), ("b", d)) for k, v in enumerate(row)]
    seats = [
        Row(float(v), name, f"{name} {k}", "")
        for name, row in zip("ab", own, strict=True)
        for k, value in enumerate(row)
        for v in shaped((value + rng.normal(size=SEATS)) / math.sqrt(2), shape)
    ]
    for by in ("mixed", "clustered") if has_models else ("clustered",):
        ps[f"{by}, within seeds"] = clustered(rows, {"b": 1, "a": -1}, "differs", by)[1].p  # type: ignore[arg-type]
        ps[f"{by}, seats of own seeds"] = clustered(seats, {"b": 1, "a": -1}, "differs", by)[1].p  # type: ignore[arg-type]
    return _said({name: p is not None and p <= ALPHA for name, p in ps.items()})


def _censored(rng: np.random.Generator, n: int) -> dict[str, int]:
    times = rng.exponential(size=(2, n))
    a, b = ([(min(t, END), bool(t < END)) for t in row] for row in times.tolist())
    counted = np.ceil(times * 3) / 3
    c, d = ([(min(t, END), bool(t < END)) for t in row] for row in counted.tolist())
    ps = {"log-rank": log_rank(a, b, DRAWS).p, "log-rank, tied": log_rank(c, d, DRAWS).p}
    return _said({name: p is not None and p <= ALPHA for name, p in ps.items()})


def _intervals(rng: np.random.Generator, own: np.ndarray, common: np.ndarray, shape: str) -> dict[str, int]:
    n = own.shape[1]
    a, b = shaped(own, shape).tolist()
    c, d = shaped(common, shape)
    within = (d - c).tolist()
    moved = shaped(own[0] + SHIFT, shape).tolist()
    student = paired_difference(within)
    welch = between([Group(1, tuple(a)), Group(-1, tuple(b))], "differs")[0]
    held = {
        "difference, within seeds": _has(student.low, student.high, 0.0),
        "difference, own seeds": _has(welch.low, welch.high, 0.0),
        "rank-biserial, within seeds": _in(rank_biserial_paired(within), 0.0),
        "rank-biserial, own seeds": _in(rank_biserial(a, b), 0.0),
    }
    if shape != "tied":  # ranks see no monotone change
        held["rank-biserial, own seeds, shifted"] = _in(rank_biserial(moved, b), 2 * ndtr(SHIFT / math.sqrt(2)) - 1)
    if shape == "normal":
        shifted = (common[1] + SHIFT - common[0]).tolist()
        once, twice = ndtr(SHIFT), ndtr(math.sqrt(2) * SHIFT)
        share = (once + (n - 1) / 2 * twice) / ((n + 1) / 2)
        held["rank-biserial, within seeds, shifted"] = _in(rank_biserial_paired(shifted), 2 * share - 1)
        held["d, shifted"] = _in(paired_d(shifted), SHIFT)
        held["g, shifted"] = _in(hedges_g(moved, b), SHIFT)
        yes = [[float(v > bound) for v in row] for row, bound in ((own[0], 0.0), (own[1], 0.0), (common[0], 0.0))]
        also = [float(v > 0) for v in common[1]]
        found = share_interval(yes[0])
        held["share"] = found is not None and found[0] <= 0.5 <= found[1]
        apart, paired = independent_shares(yes[0], yes[1], "differs")[0], paired_shares(yes[2], also, "differs")[0]
        held["shares' difference, own seeds"] = _has(apart.low, apart.high, 0.0)
        held["shares' difference, within seeds"] = _has(paired.low, paired.high, 0.0)
    return _said(held)


def _in(effect: Effect, truth: float) -> bool:
    return _has(effect.low, effect.high, truth)


def _has(low: float | None, high: float | None, truth: float) -> bool:
    """Whether the truth is held; an interval that is not told cannot leave it out."""
    return low is None or high is None or low - 1e-12 <= truth <= high + 1e-12


def table(found: Sequence[Line]) -> str:
    """A row a test or interval and shape, a column a number of seeds; a star where it does not hold, c conservative."""
    by = {(one.kind, one.name, one.shape, one.n): one for one in found}
    sizes = sorted({one.n for one in found})
    rows = ["| | | " + " | ".join(f"n = {n}" for n in sizes) + " |", "|---|---|" + "---:|" * len(sizes)]
    for kind, name, shape in dict.fromkeys((one.kind, one.name, one.shape) for one in found):
        cells = []
        for n in sizes:
            one = by.get((kind, name, shape, n))
            mark = "" if one is None else "*" if not one.holds else " c" if one.is_conservative else ""
            cells.append("" if one is None else f"{one.share:.3f}{mark}")
        rows.append(f"| {kind}: {name} | {shape} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


if __name__ == "__main__":
    count = int(sys.argv[1])
    sizes = [int(one) for one in sys.argv[2:]] or list(SIZES)
    print(table([line for shape in SHAPES for n in sizes for line in lines(shape, n, count)]))  # noqa: T201
