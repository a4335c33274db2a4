"""Stopping rules: published bounds, the level that they hold, and what they refuse."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

from games.lab.analysis.plan import Comparison, Plan
from games.lab.analysis.result import analyse
from games.lab.analysis.runs import Run
from games.lab.analysis.sequential import (
    RULES,
    SPENDING,
    Rule,
    Stopping,
    evidence,
    half_width,
    holm,
    levels,
    looks_of,
    simulated,
)

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)
PUBLISHED: dict[Rule, list[float]] = {
    "obrien_fleming": [4.8769, 3.3569, 2.6803, 2.2898, 2.0310],
    "pocock": [2.4380, 2.4268, 2.4101, 2.3966, 2.3859],
}
"""Lan and DeMets' bounds at five even looks, two-sided 5%, as the programs of the field print them."""


def rule(name: Rule, planned: int = 20) -> Stopping:
    return Stopping(name, looks_of(planned) if name in SPENDING else (), planned)


@pytest.mark.parametrize("name", PUBLISHED)
def test_bounds_are_the_published_ones(name: Rule) -> None:
    found = [NormalDist().inv_cdf(1 - p / 2) for p in levels(name, FIFTHS, 0.05)]
    assert found == pytest.approx(PUBLISHED[name], abs=2e-4)


def test_one_look_is_the_level_itself() -> None:
    assert levels("pocock", (1.0,), 0.05) == pytest.approx((0.05,), abs=1e-9)


@pytest.mark.parametrize("name", RULES)
def test_nothing_is_shown_more_often_than_the_level_says(name: Rule) -> None:
    found = simulated(rule(name), 0.0, 0.05, 2000)
    # by t at few seeds the bounds of the normal law are a little off: the simulated page says how much
    assert found.share <= 0.05 + 4 * (0.05 * 0.95 / 2000) ** 0.5


def test_looking_after_every_seed_under_fixed_n_would_be_found_out() -> None:
    always = Stopping("fixed", tuple(range(3, 21)), 20)
    assert simulated(always, 0.0, 0.05, 2000).share > 0.15


def test_a_rule_ends_sooner_where_there_is_something() -> None:
    fixed, pocock = (simulated(rule(name), 1.0, 0.05, 1000) for name in ("fixed", "pocock"))
    assert fixed.seeds == 20
    assert pocock.seeds < 13
    assert pocock.share > 0.9


def test_the_evidence_of_a_t_is_the_ratio_of_its_laws() -> None:
    """Mixed over a normal law of the effect, the t of n pairs is a scaled t."""
    n, t = 12, 2.3
    spread = (1 + n) ** 0.5
    ratio = stats.t.pdf(t / spread, n - 1) / spread / stats.t.pdf(t, n - 1)
    assert evidence(t, n - 1, n) == pytest.approx(float(ratio), rel=1e-9)


def test_the_interval_ends_where_the_evidence_reaches_one_over_alpha() -> None:
    width = half_width(0.5, 11, 12, 0.95)
    assert evidence(width / 0.5, 11, 12) == pytest.approx(20, rel=1e-9)
    assert half_width(0.5, 2, 3, 0.95) == float("inf")


def test_holm_steps_use_what_each_share_of_alpha_allows() -> None:
    assert holm([0.02, 0.04, None], lambda alpha: alpha, 0.06) == [True, False, False]
    assert holm([0.001, 0.9], lambda alpha: 0.0, 0.05) == [False, False]


def runs(n: int, shift: float) -> list[Run]:
    rng = np.random.default_rng(n)
    pairs = rng.normal(size=(n, 2))
    return [
        Run(name, number, number, 1, {"x": float(value + shift * (name == "b"))})
        for number, pair in enumerate(pairs, 1)
        for name, value in zip("ab", pair, strict=True)
    ]


def declared(stopping: Stopping) -> Plan:
    asked = Comparison("H", "contrast", "x", {"b": 1.0, "a": -1.0})
    return Plan(("a", "b"), "a", True, (asked,), stopping=stopping)


def test_a_verdict_is_that_of_the_look() -> None:
    stopping = Stopping("obrien_fleming", (8, 20), 20)
    (found,) = analyse(declared(stopping), runs(8, 0.8)).comparisons
    assert found.level == pytest.approx(levels("obrien_fleming", (0.4, 1.0), 0.05)[0])
    assert found.outcome.p is not None
    assert found.outcome.p < 0.05
    assert found.outcome.p > (found.level or 1)
    assert found.verdict == "not_shown"
    assert analyse(declared(Stopping()), runs(8, 0.8)).comparisons[0].verdict == "shown"


def test_an_always_valid_p_and_interval_are_wider_than_those_of_one_look() -> None:
    once = analyse(declared(Stopping()), runs(10, 1.0)).comparisons[0]
    ever = analyse(declared(Stopping("always_valid", (), 40)), runs(10, 1.0)).comparisons[0]
    assert once.outcome.p is not None
    assert ever.outcome.p is not None
    assert ever.outcome.p > once.outcome.p
    assert (ever.difference.high or 99) > (once.difference.high or 0)
    assert ever.difference.estimate == once.difference.estimate
