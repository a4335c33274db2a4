"""Populations on a payoff matrix: against closed forms, and against worlds that are worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from games.core.rng import Rng
from games.lab.analysis.populations import fixation, imitated, lattice, moran, replicator, small_world

DILEMMA = [[3, 0], [5, 1]]
DOVE_HAWK = [[2, 1], [3, 0.5]]


def test_defectors_take_over_and_hawks_come_to_rest_where_both_earn_the_same() -> None:
    *_, end = replicator(DILEMMA, [0.99, 0.01], 2000)
    assert end[1] > 0.999
    *_, mixed = replicator(DOVE_HAWK, [0.9, 0.1], 20_000)
    assert mixed[1] == pytest.approx(2 / 3, abs=1e-6)  # 2 - h = 3 - 2.5 h


def test_shares_follow_the_logistic_curve_where_payoffs_do_not_depend_on_others() -> None:
    *_, end = replicator([[1.5, 1.5], [1, 1]], [0.1, 0.9], 400, dt=0.01)
    assert end[0] == pytest.approx(0.1 * math.exp(2) / (0.9 + 0.1 * math.exp(2)), abs=1e-9)


def test_several_payoffs_at_once_give_the_shares_by_each() -> None:
    both = list(replicator([DILEMMA, DOVE_HAWK], [0.9, 0.1], 300))
    for at, game in enumerate((DILEMMA, DOVE_HAWK)):
        alone = list(replicator(game, [0.9, 0.1], 300))
        assert np.allclose([row[at] for row in both], alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [2, 5, 40])
def test_a_mutant_of_constant_fitness_is_fixed_as_moran_found(size: int) -> None:
    r = 1.5
    assert fixation([[r, r], [1, 1]], size) == pytest.approx((1 - 1 / r) / (1 - r**-size), rel=1e-12)
    assert fixation([[1, 1], [1, 1]], size) == pytest.approx(1 / size)


def test_runs_of_moran_fix_a_strategy_as_often_as_the_closed_form_says() -> None:
    runs, size = 600, 6
    ends = [list(moran(DOVE_HAWK, [1, size - 1], Rng.root(seed), 10_000, 0.5))[-1] for seed in range(runs)]
    fixed = sum(end[0] == size for end in ends)
    due = fixation(DOVE_HAWK, size, 0.5)
    assert abs(fixed / runs - due) <= 4 * math.sqrt(due * (1 - due) / runs)


def test_with_mutation_no_strategy_is_lost_for_good_and_the_population_keeps_its_size() -> None:
    seen = np.array(list(moran(DILEMMA, [0, 10], Rng.root(1), 2000, 0.1, mutation=0.1)))
    assert (seen.sum(axis=1) == 10).all()
    assert seen[:, 0].max() > 0
    assert len(seen) == 2001


@pytest.mark.parametrize(("temptation", "defectors"), [(1.1, 1), (1.2, 9)])
def test_a_lone_defector_spreads_over_its_neighbourhood_where_it_earns_more_than_those_beyond(
    temptation: float, defectors: int
) -> None:
    """Nowak and May: 8 b beside the 9 of a cooperator among cooperators."""
    start = [0] * 81
    start[40] = 1
    *_, end = imitated([[1, 0], [temptation, 0]], lattice(9, 9), start, 1)
    assert sum(end) == defectors


def test_a_small_world_keeps_its_ties_and_without_rewiring_is_the_ring() -> None:
    ring = small_world(10, 4, 0.0, Rng.root(1))
    assert ring[0] == [0, 1, 2, 8, 9]
    wired = small_world(100, 4, 0.3, Rng.root(1))
    assert wired == small_world(100, 4, 0.3, Rng.root(1)) != small_world(100, 4, 0.0, Rng.root(1))
    assert abs(sum(len(own) - 1 for own in wired) - 400) <= 8
    assert all(one in wired[other] for one, own in enumerate(wired) for other in own)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: next(replicator(DILEMMA, [0.5, 0.6], 1)), "sum to 1"),
        (lambda: fixation([[1, 2, 3]], 4), "give a square"),
        (lambda: next(moran(DILEMMA, [1, 0], Rng.root(1), 1)), "two members"),
        (lambda: list(moran([[-3, -3], [-3, -3]], [1, 1], Rng.root(1), 1)), "weaken selection"),
        (lambda: small_world(4, 3, 0, Rng.root(1)), "even number"),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_be(made: object, told: str) -> None:
    assert callable(made)
    with pytest.raises(ValueError, match=told):
        made()
