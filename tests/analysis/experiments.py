"""Experiments made of drawn numbers: runs without a game, for what statistics say of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from games.lab.analysis.plan import Comparison, Family, Plan
from games.lab.analysis.runs import Run


def drawn(seed: int, shifts: Mapping[str, float], n: int = 20, is_paired: bool = True, rounds: int = 0) -> list[Run]:
    """Runs whose measures are a normal ``x``, a counted ``k``, a sometimes undefined ``u``, a time ``t``.

    Conditions share half of their spread within a seed where they are paired; ``shifts`` moves their means.
    """
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n + 1)
    runs = []
    for place, (condition, shift) in enumerate(shifts.items()):
        for replicate in range(1, n + 1):
            own = rng.normal()
            x = shift + (common[replicate] + own) / np.sqrt(2) if is_paired else shift + own
            time = float(rng.geometric(0.1))
            series = {number: float(rng.normal() + shift * number / 10) for number in range(1, rounds + 1)}
            metrics: dict[str, float | None] = {
                "x": float(x),
                "k": float(rng.poisson(3 + max(shift, 0))),
                "u": None if rng.random() < 0.2 else float(x * 2),
                "t": time if time <= 12 else None,
            }
            runs.append(
                Run(
                    condition,
                    replicate,
                    replicate if is_paired else 1000 * place + replicate,
                    12,
                    metrics,
                    {"y": series} if rounds else {},
                )
            )
    return runs


def plan(is_paired: bool = True) -> Plan:
    """Two treatments against a control, in every way that there is."""
    a, b = {"talk": 1.0, "silent": -1.0}, {"tax": 1.0, "silent": -1.0}
    comparisons = [
        Comparison("H1", "contrast", "x", a, "higher"),
        Comparison("H2", "contrast", "x", b, "differs", "rank"),
        Comparison("H3", "contrast", "k", a, "lower", "rank", "counts"),
        Comparison("H4", "contrast", "u", b, "differs", "t", "counts"),
        Comparison("H5", "contrast", "t", a, "differs", "log_rank", "counts"),
        Comparison("H6", "contrast", "x", {"talk": 1.0, "tax": 1.0, "silent": -2.0}, "higher"),
    ]
    comparisons += [
        Comparison("H8", "contrast", "x", a, "differs", "permutation"),
        Comparison("H9", "contrast", "k", b, "higher", "permutation", "counts"),
    ]
    if is_paired:
        comparisons.append(Comparison("H7", "halves", "y", {"talk": 1.0}, "higher", "t", "counts"))
    return Plan(
        ("silent", "talk", "tax"),
        "silent",
        is_paired,
        tuple(comparisons),
        {"main": Family("holm"), "counts": Family("bh", 0.1)},
        trends=("y",),
        times={"t": "steps"},
        bootstrap=True,
    )
