"""Every test that the form offers holds its level at few seeds, and every interval its coverage."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from games.lab.analysis.effects import rank_biserial
from games.lab.analysis.survival import log_rank
from tests.analysis.levels import SHAPES, SIZES, Line, lines, shaped, table


def hold(found: list[Line]) -> None:
    off = [one for one in found if not one.holds]
    assert not off, f"off by more than four standard errors:\n{table(off)}"


@pytest.mark.parametrize("shape", ["skewed", "censored"])
def test_levels_hold_at_eight_seeds(shape: str) -> None:
    hold(list(lines(shape, 8, 100, has_models=False)))


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
def test_levels_hold_in_two_thousand_experiments(shape: str, n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(lines(shape, n, 2000))
    print(table(found))  # noqa: T201 - the figures of the note; c: conservative
    hold(found)


def test_a_test_that_rejects_in_eight_of_a_hundred_would_be_found_out() -> None:
    assert not Line("size", "Welch", "skewed", 8, 2000, 0.08).holds
    assert not Line("coverage", "Fisher's z", "normal", 8, 2000, 0.92).holds
    assert Line("size", "McNemar", "normal", 6, 2000, 0.01).is_conservative


def test_a_log_rank_of_three_a_group_counts_its_twenty_arrangements() -> None:
    assert log_rank([(1, True), (2, True), (3, True)], [(4, True), (5, True), (6, True)]).p == pytest.approx(0.1)


def test_intervals_of_the_rank_biserial_cover_at_eight_seeds() -> None:
    rng, held = np.random.default_rng(8), 0
    for _ in range(1000):
        of, against = (shaped(rng.normal(size=8), "tied").tolist() for _ in range(2))
        told = rank_biserial(of, against)
        held += told.low is not None and told.high is not None and told.low <= 0 <= told.high
    assert Line("coverage", "rank-biserial", "tied", 8, 1000, held / 1000).holds
