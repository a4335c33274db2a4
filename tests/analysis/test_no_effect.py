"""Where nothing has an effect, tests reject as seldom as they say, and intervals hold the truth as often."""

from __future__ import annotations

import gc
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from games.lab.analysis import resampling
from games.lab.analysis.comparing import Compared
from games.lab.analysis.plan import Comparison, Family, Plan
from games.lab.analysis.result import analyse
from tests.analysis.experiments import drawn

NAMES = ("silent", "talk", "tax")
PAIR = {"talk": 1.0, "silent": -1.0}
FEW = 60
"""Experiments of the quick test: few enough to wait for, and enough for what the last test here names."""
DRAWN = 499
"""Rearrangements of a permutation test in the quick test."""
ERRORS = 4
"""Standard errors within which a share is taken for what it should be."""


@pytest.fixture(autouse=True)
def _nothing_to_collect() -> Iterator[None]:
    """statsmodels collects garbage in every correction, and the suite's own objects would be searched each time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def declared(is_paired: bool) -> Plan:
    """One test a family, but for the two that are corrected."""
    single = [
        Comparison("t", "contrast", "x", PAIR, "differs", "t", "t"),
        Comparison("t one-sided", "contrast", "x", PAIR, "lower", "t", "t one-sided"),
        Comparison("t over three", "contrast", "x", {"talk": 1, "tax": 1, "silent": -2}, "higher", "t", "t over three"),
        Comparison("ranks", "contrast", "x", PAIR, "differs", "rank", "ranks"),
        Comparison("ranks of counts", "contrast", "k", PAIR, "differs", "rank", "ranks of counts"),
        Comparison("log-rank", "contrast", "t", PAIR, "differs", "log_rank", "log-rank"),
    ]
    if is_paired:
        single.append(Comparison("halves", "halves", "y", {"talk": 1.0}, "higher", "t", "halves"))
    many = [
        Comparison(f"{metric} {name}", "contrast", metric, {name: 1.0, "silent": -1.0}, "differs", test, family)
        for family in ("holm", "bh")
        for metric, test in (("x", "t"), ("u", "t"), ("k", "rank"))
        for name in NAMES[1:]
    ]
    families = {"holm": Family("holm"), "bh": Family("bh")}
    return Plan(NAMES, "silent", is_paired, (*single, *many), families, trends=("y",), times={"t": "steps"})


@dataclass(frozen=True)
class Shares:
    """How often, in so many experiments, each single test rejected, a family had any finding, an interval held 0."""

    experiments: int
    rejected: Mapping[str, float]
    held: Mapping[str, float]

    def error(self, share: float) -> float:
        return ERRORS * math.sqrt(share * (1 - share) / self.experiments)

    def is_at(self, found: float, share: float) -> bool:
        return abs(found - share) <= self.error(share)

    def is_at_most(self, found: float, share: float) -> bool:
        return found <= share + self.error(share)


def simulated(experiments: int, is_paired: bool) -> Shares:
    plan = declared(is_paired)
    rejected: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for seed in range(experiments):
        runs = drawn(seed, dict.fromkeys(NAMES, 0.0), 20, is_paired, rounds=8 if is_paired else 0)
        result = analyse(plan, runs)
        found: dict[str, list[Compared]] = {}
        for one in result.comparisons:
            found.setdefault(one.comparison.family, []).append(one)
        rejected.update(family for family, group in found.items() if any(one.verdict == "shown" for one in group))
        for name in ("t", "t over three", "halves"):
            for one in found.get(name, ()):
                low, high = one.difference.low, one.difference.high
                held[f"difference, {name}"] += low is not None and high is not None and low <= 0 <= high
        effect = found["t"][0].effect
        assert effect is not None
        held["size of effect"] += effect.low is not None and effect.high is not None and effect.low <= 0 <= effect.high
        told = result.summaries["tax"]["x"]
        held["mean"] += told.low is not None and told.high is not None and told.low <= 0 <= told.high
    return Shares(
        experiments,
        {name: rejected[name] / experiments for name in dict.fromkeys(one.family for one in plan.comparisons)},
        {name: count / experiments for name, count in held.items()},
    )


def hold(shares: Shares) -> None:
    """The laws; each failure says which share was off."""
    for name, found in shares.rejected.items():
        if name.startswith(("t", "halves")):
            assert shares.is_at(found, 0.05), f"{name}: rejects in {found:.3f}"
        else:
            assert shares.is_at_most(found, 0.05), f"{name}: rejects in {found:.3f}"
    for name, found in shares.held.items():
        assert shares.is_at(found, 0.95), f"{name}: holds in {found:.3f}"


@pytest.mark.parametrize("is_paired", [True, False], ids=["paired", "unpaired"])
def test_nothing_is_found_where_nothing_is(is_paired: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few rearrangements: a level holds however many are drawn, and all of them take ten times as long."""
    whole = resampling._permuted
    monkeypatch.setattr(resampling, "_permuted", lambda *given: whole(*given[:-1], min(given[-1], DRAWN)))
    hold(simulated(FEW, is_paired))


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("is_paired", [True, False], ids=["paired", "unpaired"])
def test_nothing_is_found_where_nothing_is_in_a_thousand_experiments(is_paired: bool) -> None:
    shares = simulated(1000, is_paired)
    print(shares)  # noqa: T201 - the figures of the note
    hold(shares)


def test_uncorrected_families_and_narrow_intervals_would_be_found_out() -> None:
    """With six tests uncorrected a finding comes in far more than 5 of 100 experiments; an 80% interval holds less."""
    shares = Shares(FEW, {"ranks": 0.0}, {})
    assert not shares.is_at_most(1 - 0.95**6, 0.05)
    assert not shares.is_at(0.80, 0.95)
