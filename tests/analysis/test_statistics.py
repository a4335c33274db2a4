"""Small samples worked by hand, and what is undefined."""

from __future__ import annotations

import dataclasses
import math
import random
from itertools import permutations

import pytest
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from games.core.rng import Rng
from games.lab.analysis.effects import hedges_g, paired_d, rank_biserial, rank_biserial_paired
from games.lab.analysis.families import Correction, adjusted
from games.lab.analysis.intervals import bootstrap, describe, deviation
from games.lab.analysis.piloting import forecasts
from games.lab.analysis.plan import Comparison, Plan
from games.lab.analysis.power import power_curve, power_of, smallest_difference
from games.lab.analysis.ranking import Robin, standings
from games.lab.analysis.ranks import mann_whitney, wilcoxon
from games.lab.analysis.result import analyse
from games.lab.analysis.runs import Conduct, NotOwn, Run, halves, sort_out
from games.lab.analysis.survival import kaplan_meier
from games.lab.analysis.testing import Group, between, paired_t, settled
from games.lab.analysis.trends import band, slope
from tests.analysis.experiments import drawn, plan

PLAYED = Conduct()


def run(condition: str, replicate: int, conduct: Conduct = PLAYED, **x: float | None) -> Run:
    return Run(condition, replicate, replicate, 5, x, conduct=conduct)


# --- samples ------------------------------------------------------------------------------------------


def test_a_mean_has_students_interval() -> None:
    told = describe([2.0, 4.0, 6.0])
    assert (told.n, told.mean, told.sd) == (3, 4.0, 2.0)
    assert told.half == pytest.approx(4.302652729911275 * 2 / math.sqrt(3))


def test_undefined_values_are_left_out_and_counted() -> None:
    told = describe([None, 3.0, None, float("nan"), 5.0])
    assert (told.n, told.undefined, told.mean) == (2, 3, 4.0)
    assert describe([None]).mean is None


def test_one_value_has_a_mean_and_no_interval() -> None:
    told = describe([7.0])
    assert (told.mean, told.sd, told.low, told.high, told.half) == (7.0, None, None, None, None)


def test_the_same_value_throughout_has_no_spread_whatever_floating_point_says() -> None:
    told = describe([0.1] * 7)
    assert (told.mean, told.sd, told.low, told.high) == (0.1, 0.0, 0.1, 0.1)
    assert deviation([0.1 + 0.2, 0.3]) == 0.0


def test_a_bootstrap_is_the_same_for_the_same_key_and_another_for_another() -> None:
    values = [1.0, 2.0, 4.0, 8.0, 16.0]
    assert bootstrap(values, Rng.root(1), resamples=500) == bootstrap(values, Rng.root(1), resamples=500)
    assert bootstrap(values, Rng.root(1), resamples=500) != bootstrap(values, Rng.root(2), resamples=500)
    assert bootstrap([3.0], Rng.root(1)) is None


# --- tests --------------------------------------------------------------------------------------------


def test_signed_ranks_of_five_rises_are_one_in_thirty_two() -> None:
    found = wilcoxon([1, 2, 3, 4, 5], "higher")
    assert (found.p, found.exact) == (1 / 32, True)
    assert wilcoxon([1, 2, 3, 4, 5], "differs").p == 1 / 16
    assert wilcoxon([1, 2, 3, 4, 5], "lower").p == 1.0


def test_u_of_groups_that_lie_apart_counts_the_orders() -> None:
    found = mann_whitney([1, 2, 3], [4, 5, 6], "lower")
    assert found.p == pytest.approx(1 / math.comb(6, 3))


def test_t_within_pairs_is_its_formula() -> None:
    found = paired_t([1.0, 2.0, 3.0], "differs")
    assert (found.df, found.statistic) == (2, pytest.approx(2 * math.sqrt(3)))


def test_welch_takes_two_groups_as_they_are() -> None:
    difference, found = between([Group(1, (1.0, 2.0, 3.0)), Group(-1, (2.0, 4.0, 6.0, 8.0))], "differs")
    assert difference.estimate == -3.0
    assert found.statistic == pytest.approx(-3 / math.sqrt(1 / 3 + (20 / 3) / 4))


@pytest.mark.parametrize(
    ("differences", "reason"),
    [([], "too_few"), ([1.0], "too_few"), ([0.0, 0.0], "identical"), ([2.0, 2.0], "no_spread")],
)
def test_what_cannot_be_tested_says_why(differences: list[float], reason: str) -> None:
    assert paired_t(differences, "differs").reason == reason
    assert paired_t(differences, "differs").p is None


def test_rounding_is_no_difference() -> None:
    assert settled([0.1 + 0.2 - 0.3, 1e-3], 0.3) == [0.0, 1e-3]


# --- sizes, families, power ---------------------------------------------------------------------------


def test_sizes_of_effect_turn_with_the_sign() -> None:
    rises = [1.0, 3.0, 2.0, -0.5]
    up, down = paired_d(rises), paired_d([-value for value in rises])
    assert up.estimate is not None
    assert down.estimate == -up.estimate
    assert (down.low, down.high) == (-(up.high or 0), -(up.low or 0))
    assert paired_d([1.0, 1.0, 1.0]).estimate is None


@pytest.mark.parametrize("t", [4.516365326207935, 6.893438576798237])
def test_a_size_has_its_interval_where_the_library_has_no_number(t: float) -> None:
    """The library's noncentral law of 14 degrees of freedom is not a number at some of its far tails."""
    plain = [k - 7.0 for k in range(15)]
    centre = t * (deviation(plain) or 0.0) / math.sqrt(15)
    found = paired_d([centre + value for value in plain])
    assert found.low is not None
    assert found.high is not None


def test_rank_biserial_is_the_share_of_pairs_won_less_the_share_lost() -> None:
    of, against = [1.0, 5.0, 6.0], [2.0, 3.0]
    won = sum(a > b for a in of for b in against) - sum(a < b for a in of for b in against)
    assert rank_biserial(of, against).estimate == pytest.approx(won / 6)
    assert rank_biserial_paired([3.0, -1.0, 2.0]).estimate == pytest.approx((5 - 1) / 6)
    assert rank_biserial_paired([3.0, 1.0]).high == pytest.approx(1.0)
    assert rank_biserial_paired([3.0]).low is None
    assert hedges_g([1.0, 2.0], [1.0]).estimate is None


def test_holm_and_benjamini_hochberg_by_hand() -> None:
    assert adjusted([0.01, 0.04, 0.03], "holm") == pytest.approx([0.03, 0.06, 0.06])
    assert adjusted([0.01, 0.04, 0.03], "bh") == pytest.approx([0.03, 0.04, 0.04])


@pytest.mark.parametrize(("correction", "method"), [("holm", "holm"), ("bh", "fdr_bh")])
def test_p_is_adjusted_as_statsmodels_adjusts_it(
    correction: Correction, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gc.collect", lambda: 0)  # statsmodels asks for one at each call, through all that is loaded
    rng = random.Random(7)
    for _ in range(50):
        ps = [rng.choice([rng.random() ** 3, 0.01, 1.0]) for _ in range(rng.randint(1, 30))]
        assert adjusted(ps, correction) == list(multipletests(ps, method=method)[1]), ps


def test_a_test_that_could_not_be_made_still_counts_in_its_family() -> None:
    assert adjusted([0.02, None], "holm") == [pytest.approx(0.04), None]


def test_the_smallest_difference_is_found_in_eighty_of_a_hundred() -> None:
    least = smallest_difference(2.0, 20)
    assert least is not None
    assert power_of(least, 2.0, 20) == pytest.approx(0.8, abs=1e-6)
    fewer = smallest_difference(2.0, 10)
    assert fewer is not None
    assert fewer > least
    assert smallest_difference(None, 20) is None
    assert smallest_difference(2.0, 1) is None


def test_the_same_difference_is_shown_more_often_by_more_seeds() -> None:
    told = power_curve(smallest_difference(2.0, 20), 2.0, 20)
    assert [seeds for seeds, _ in told] == [5, 10, 15, 20, 25, 30, 35, 40]
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert dict(told)[20] == pytest.approx(0.8, abs=1e-6)
    assert [seeds for seeds, _ in power_curve(1.0, 1.0, 3)] == [2, 3, 4, 5, 6]
    assert power_curve(None, 2.0, 20) == []


def test_a_pilot_says_what_more_seeds_would_show() -> None:
    asked = Comparison("H", "contrast", "x", {"b": 1.0, "a": -1.0})
    runs = [run("a", r, x=0.0) for r in (1, 2, 3)] + [run("b", r, x=x) for r, x in ((1, 1.0), (2, 2.0), (3, 3.0))]
    (found,) = forecasts(Plan(("a", "b"), comparisons=(asked,)), runs, 20)
    assert (found.pilot, found.seen, found.sd) == (3, 2.0, pytest.approx(1.0))
    assert found.smallest == pytest.approx(smallest_difference(1.0, 20))
    assert dict(found.curve)[5] == pytest.approx(power_of(2.0, 1.0, 5))
    (nothing,) = forecasts(Plan(("a", "b"), comparisons=(asked,)), runs[:3], 20)
    assert (nothing.pilot, nothing.smallest) == (0, None)


# --- halves, trends, times ----------------------------------------------------------------------------


def test_halves_are_those_of_the_rounds_and_skip_what_is_undefined() -> None:
    assert halves({1: 2.0, 2: 4.0, 3: None, 4: 10.0, 5: 20.0}) == (3.0, 15.0)
    assert halves({1: None, 2: 1.0}) == (None, 1.0)


def test_a_line_has_its_slope_and_its_band() -> None:
    found = band([{1: 1.0, 2: 3.0, 3: 5.0}, {1: 2.0, 2: 4.0, 3: 6.0, 4: 8.0}])
    assert found.rounds == (1, 2, 3, 4)
    assert [one.n for one in found.values] == [2, 2, 2, 1]
    assert (found.slope.mean, found.slope.n) == (2.0, 2)
    assert slope({3: 1.0}) is None


def test_the_censored_stay_at_risk_until_they_leave() -> None:
    curve = kaplan_meier([(3, True), (5, True), (5, False), (8, True), (9, False)])
    assert [(point.time, point.at_risk, point.share) for point in curve.points] == [
        (3, 5, pytest.approx(0.8)), (5, 4, pytest.approx(0.6)), (8, 2, pytest.approx(0.3))
    ]  # fmt: skip
    assert (curve.median, curve.ended, curve.censored) == (8, 3, 2)
    assert kaplan_meier([(9, False)]).median is None


# --- what counts --------------------------------------------------------------------------------------


def test_runs_beyond_the_declared_share_are_left_out_with_the_reason() -> None:
    runs = [
        run("a", 1, Conduct(10, fallbacks=2)),
        run("a", 2, Conduct(10, fallbacks=1)),
        run("b", 1, Conduct(10, cleaned=9)),
    ]
    kept, out = sort_out(runs, {"fallbacks": 0.1, "cleaned": 0.5})
    assert [(one.condition, one.replicate) for one in kept] == [("a", 2)]
    assert [(one.reason, one.runs) for one in out] == [("fallbacks", (("a", 1),)), ("cleaned", (("b", 1),))]


def test_unsound_runs_are_left_out_where_nothing_is_declared_and_counted_by_condition() -> None:
    runs = [
        run("a", 1, Conduct(10, not_own=1, worst=0.2)),
        run("a", 2, Conduct(10, not_own=1, worst=0.5)),
        run("b", 1, Conduct(10, not_own=6, worst=0.6)),
        run("b", 2, Conduct(10)),
    ]
    result = analyse(Plan(("a", "b")), runs)
    assert [(one.condition, one.replicate) for one in result.runs] == [("a", 1), ("b", 2)]
    assert [(one.reason, one.beyond, one.runs) for one in result.left_out] == [("not_own", 0.2, (("a", 2), ("b", 1)))]
    assert result.not_own == {"a": NotOwn(2, 20, 2, 0.1, 1), "b": NotOwn(2, 20, 6, 0.3, 1)}
    every = analyse(Plan(("a", "b"), leave_out={"not_own": 1}), runs)
    assert (len(every.runs), every.not_own["b"].unsound) == (4, 0)
    assert sort_out(runs[:1], {}) == (runs[:1], []), "what was not declared and left nothing out is not told"


def test_unsound_meetings_rank_nobody() -> None:
    robin = Robin(("x", "y"), {"x-y": (0, 1)})
    bad = dataclasses.replace(run("x-y", 1, Conduct(10, not_own=5, worst=0.5)), payoffs=(9.0, 0.0))
    good = dataclasses.replace(run("x-y", 2), payoffs=(1.0, 2.0))
    told = analyse(Plan(("x-y",), robin=robin), [bad, good]).standings
    assert told is not None
    assert [(one.name, one.wins) for one in told.places] == [("y", 1), ("x", 0)]


def test_a_pair_needs_both_its_runs_and_both_its_values() -> None:
    asked = Comparison("H", "contrast", "x", {"b": 1.0, "a": -1.0})
    values = {"a": [1.0, 2.0, None, 4.0, 7.0], "b": [2.0, 4.0, 5.0, 8.0, 9.0]}
    runs = [
        run(c, r, Conduct(9, 9 * (c == "b" and r == 4)), x=x) for c, row in values.items() for r, x in enumerate(row, 1)
    ]
    (found,) = analyse(Plan(("a", "b"), comparisons=(asked,), leave_out={"fallbacks": 0.5}), runs).comparisons
    assert (found.n, found.undefined, found.absent) == ((3,), 1, 1)
    assert found.difference.estimate == pytest.approx((1 + 2 + 2) / 3)


def test_the_order_of_the_runs_changes_nothing() -> None:
    runs = drawn(3, {"silent": 0.0, "talk": 0.5, "tax": 0.2}, 4, rounds=4)
    told = [
        analyse(plan(), list(mixed)).plain() for mixed in (runs, runs[::-1], sorted(runs, key=lambda one: one.seed))
    ]
    assert told[0] == told[1] == told[2]


# --- a round robin ------------------------------------------------------------------------------------


def met(**wins: float) -> list[Run]:
    """Three who meet twice each, in both orders: rock beats scissors by so much, and so on."""
    return [
        Run(name, replicate, replicate, 3, {}, payoffs=(gain + replicate / 10, 0.0))
        for name, gain in wins.items()
        for replicate in (1, 2)
    ]


ROBIN = Robin(("rock", "paper", "glue"), {"ab": (0, 1), "ac": (0, 2), "bc": (1, 2)})


def test_a_ranking_follows_the_mean_over_opponents() -> None:
    held = standings(ROBIN, met(ab=3.0, ac=5.0, bc=1.0))
    assert [(one.name, one.rank, one.wins, one.losses) for one in held.places] == [
        ("rock", 1, 4, 0), ("paper", 2, 2, 2), ("glue", 3, 0, 4)
    ]  # fmt: skip
    assert held.places[0].score.mean == pytest.approx((3 + 5) / 2 + 0.15)
    cell = held.matrix[0][1]
    assert cell is not None
    assert cell.mean == pytest.approx(3.15)
    assert held.matrix[0][0] is None
    assert held.cells[1][2] == ("bc",)
    assert held.places[0].mu > held.places[1].mu > held.places[2].mu


def test_standings_do_not_depend_on_the_order_of_the_runs() -> None:
    runs = met(ab=3.0, ac=5.0, bc=1.0)
    first = standings(ROBIN, runs)
    assert all(standings(ROBIN, list(mixed)) == first for mixed in list(permutations(runs))[:20])
