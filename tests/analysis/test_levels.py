"""Every test that the form offers holds its level at few seeds, and every interval its coverage."""

from __future__ import annotations

import warnings

import pytest

from tests.analysis.levels import SHAPES, SIZES, Line, lines, table


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
