"""Every test that can be declared, held to what the libraries or a hand say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import ttost_ind, ttost_paired

from games.lab.analysis.clusters import Row, clustered
from games.lab.analysis.comparing import Compared
from games.lab.analysis.effects import rank_biserial, rank_biserial_paired
from games.lab.analysis.intervals import tied
from games.lab.analysis.plan import Comparison, Plan, Test
from games.lab.analysis.ranks import mann_whitney, wilcoxon
from games.lab.analysis.resampling import permutation_groups, permutation_paired
from games.lab.analysis.result import analyse
from games.lab.analysis.runs import Run
from games.lab.analysis.survival import log_rank
from games.lab.analysis.testing import Direction

PAIR = {"b": 1.0, "a": -1.0}


def compare(
    test: Test,
    a: Sequence[float],
    b: Sequence[float],
    direction: Direction = "differs",
    *,
    is_paired: bool = True,
    interest: float | None = None,
    over: float | None = None,
) -> Compared:
    """The one comparison of two conditions with these values of x."""
    asked = Comparison("H", "contrast", "x", PAIR, direction, test, interest=interest, over=over)
    played = [
        Run(name, number, number if is_paired else 100 * place + number, 1, {"x": float(value)})
        for place, (name, values) in enumerate((("a", a), ("b", b)))
        for number, value in enumerate(values, 1)
    ]
    return analyse(Plan(("a", "b"), "a", is_paired, (asked,)), played).comparisons[0]


A = [1.0, 2.5, 3.1, 0.4, 2.2, 1.7]
B = [1.3, 2.9, 3.0, 1.9, 2.6, 2.8]


# --- permutation --------------------------------------------------------------------------------------


def test_three_rises_are_one_of_eight_arrangements() -> None:
    assert permutation_paired([1.0, 2.0, 4.0], "higher").p == 1 / 8
    assert permutation_paired([1.0, 2.0, 4.0], "differs").p == 2 / 8
    assert permutation_paired([1.0, 2.0, 4.0], "lower").p == 1.0


def test_groups_that_lie_apart_are_one_of_twenty_arrangements() -> None:
    found = permutation_groups([1, 2, 3], [7, 8, 9], "lower")
    assert (found.p, found.exact, found.draws) == (1 / 20, True, None)


def test_many_values_are_rearranged_so_often_and_again_the_same() -> None:
    of, against = np.random.default_rng(3).normal(size=(2, 20))
    first, second = (permutation_groups(list(of), list(against), "differs") for _ in range(2))
    assert first == second
    assert (first.exact, first.draws) == (False, 19_999)
    assert first.p == pytest.approx(float(stats.ttest_ind(of, against, equal_var=False).pvalue), abs=0.02)


# --- ties ---------------------------------------------------------------------------------------------


def test_values_that_differ_by_rounding_are_tied() -> None:
    assert tied([0.3, 0.1 + 0.2, 1.0]) == [0.3, 0.3, 1.0]
    assert tied([3.0, 1.0]) == [3.0, 1.0]


def test_rank_tests_see_no_order_in_rounding() -> None:
    noise = [0.1 + 0.2, 0.3, 0.7, 0.1 * 7, 1.2, 0.4 * 3]
    clean = [0.3, 0.3, 0.7, 0.7, 1.2, 1.2]
    assert mann_whitney(noise[:3], noise[3:], "differs") == mann_whitney(clean[:3], clean[3:], "differs")
    assert rank_biserial(noise[:3], noise[3:]) == rank_biserial(clean[:3], clean[3:])
    signed = [1, -1, 1, 1, 1, -1]
    turned = [[s * v for s, v in zip(signed, values, strict=True)] for values in (noise, clean)]
    assert wilcoxon(turned[0], "higher") == wilcoxon(turned[1], "higher")
    assert rank_biserial_paired(turned[0]) == rank_biserial_paired(turned[1])
    times = [[(value, True) for value in values] for values in (noise, clean)]
    assert log_rank(times[0][:3], times[0][3:]) == log_rank(times[1][:3], times[1][3:])


def test_tied_ranks_go_through_every_sign() -> None:
    found = wilcoxon([1, 1, 1, 2], "higher")
    assert (found.p, found.exact) == (1 / 16, True)


# --- equivalence and what matters ---------------------------------------------------------------------


@pytest.mark.parametrize("bound", [0.2, 1.0, 3.0])
def test_equivalence_is_that_of_statsmodels(bound: float) -> None:
    paired = compare("t", A, B, "equivalent", interest=bound)
    assert paired.outcome.p == pytest.approx(ttost_paired(np.array(B), np.array(A), -bound, bound)[0], rel=1e-9)
    apart = compare("t", A, B, "equivalent", is_paired=False, interest=bound)
    expected = ttost_ind(np.array(B), np.array(A), -bound, bound, usevar="unequal")[0]
    assert apart.outcome.p == pytest.approx(expected, rel=1e-9)


def test_equivalence_by_permutation_is_the_worse_of_two_one_sided_tests() -> None:
    found = compare("permutation", A, B, "equivalent", interest=1.0)
    differences = [b - a for a, b in zip(A, B, strict=True)]
    below = permutation_paired([value + 1 for value in differences], "higher")
    above = permutation_paired([value - 1 for value in differences], "lower")
    assert found.outcome.p == max(below.p or 0, above.p or 0)


def test_an_interval_says_whether_a_difference_matters() -> None:
    high = [value + 10 for value in B]
    assert compare("t", A, high, interest=1.0).matters == "yes"
    assert compare("t", A, B, interest=50.0).matters == "no"
    assert compare("t", A, B, interest=0.5).matters == "unsure"
    assert compare("t", A, B).matters is None
    assert compare("t", A, high, "equivalent", interest=1.0).verdict == "opposite"
    assert compare("t", A, B, "equivalent", interest=50.0).verdict == "shown"


# --- shares -------------------------------------------------------------------------------------------


def test_shares_within_seeds_are_mcnemars() -> None:
    a, b = [0, 0, 0, 0, 1, 1, 0, 1], [1, 1, 1, 1, 1, 0, 1, 1]
    found = compare("proportion", a, b)
    assert found.outcome.p == pytest.approx(mcnemar([[2, 5], [1, 0]], exact=True).pvalue, rel=1e-9)
    assert found.difference.estimate == pytest.approx(0.5)
    assert found.share_of == pytest.approx(proportion_confint(7, 8, method="beta"), rel=1e-9)


def test_shares_of_groups_are_boschloos() -> None:
    found = compare("proportion", [0, 0, 0, 0, 1], [1, 1, 1, 1, 0], is_paired=False)
    assert found.outcome.p == pytest.approx(float(stats.boschloo_exact([[4, 1], [1, 4]]).pvalue), rel=1e-6)
    assert found.effect is None


def test_a_run_counts_above_its_bound() -> None:
    counted = compare("proportion", A, B, over=1.5)
    assert (counted.mean_against, counted.mean_of) == (pytest.approx(4 / 6), pytest.approx(5 / 6))


def test_values_that_are_no_shares_are_refused_not_rounded() -> None:
    found = compare("proportion", A, B)
    assert (found.outcome.p, found.outcome.reason, found.verdict) == (None, "not_binary", "untestable")


# --- clusters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", ["mixed", "clustered"])
def test_a_balanced_pair_of_conditions_is_the_paired_t(test: Test) -> None:
    rng = np.random.default_rng(5)
    seeds = rng.normal(size=12) * 2
    a, b = seeds + rng.normal(size=12), seeds + rng.normal(size=12) + 0.5
    found = compare(test, list(a), list(b)).outcome
    expected = stats.ttest_rel(b, a)
    assert found.df == 11
    # errors by cluster are corrected for the two means, too: (N - 1) / (N - 2) of 24 rows
    factor = np.sqrt(22 / 23) if test == "clustered" else 1.0
    assert found.statistic == pytest.approx(float(expected.statistic) * factor, rel=1e-4)


@pytest.mark.parametrize(("by", "factor"), [("mixed", 1.0), ("clustered", (19 / 20 * 78 / 79 * 10 / 9) ** 0.5)])
def test_seats_of_one_run_are_no_further_evidence(by: Literal["mixed", "clustered"], factor: float) -> None:
    """Four seats of each run give the t of the runs' means, but for the correction of errors by cluster."""
    rng = np.random.default_rng(6)
    means = {(name, seed): float(rng.normal()) for name in PAIR for seed in range(10)}
    seats = {key: mean + rng.normal(size=4) * 0.1 for key, mean in means.items()}
    rows = [Row(float(v), name, f"{name} {seed}", "") for (name, seed), vs in seats.items() for v in vs]
    of, against = ([vs.mean() for (name, _), vs in seats.items() if name == wanted] for wanted in "ba")
    expected = float(stats.ttest_ind(of, against).statistic)
    assert clustered(rows, PAIR, "differs", by)[1].statistic == pytest.approx(expected * factor, rel=1e-3)


def test_a_mixed_model_of_rows_that_share_nothing_is_refused() -> None:
    rows = [Row(float(n % 4), "ab"[n % 2], str(n), "") for n in range(12)]
    assert clustered(rows, PAIR, "differs", "mixed")[1].reason == "no_fit"


def test_runs_without_their_like_count_in_a_model() -> None:
    runs = [
        Run(name, number, number, 1, {"x": float(number % 3) + (name == "b")})
        for name in "ab"
        for number in range(1, 9)
    ]
    asked = Comparison("H", "contrast", "x", PAIR, "differs", "clustered")
    found = analyse(Plan(("a", "b"), "a", True, (asked,)), runs[:-1]).comparisons[0]
    assert (found.n, found.absent) == ((7, 8), 1)


def test_a_rank_test_of_three_groups_is_refused_rather_than_another() -> None:
    asked = Comparison("H", "contrast", "x", {"b": 1.0, "c": 1.0, "a": -2.0}, "differs", "rank")
    runs = [
        Run(name, n, 10 * place + n, 1, {"x": float(n * place)}) for place, name in enumerate("abc") for n in (1, 2, 3)
    ]
    found = analyse(Plan(("a", "b", "c"), "a", False, (asked,)), runs).comparisons[0]
    assert (found.outcome.method, found.outcome.p, found.outcome.reason) == ("mann_whitney", None, "two_groups")
