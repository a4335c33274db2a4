"""The schedule, worked by hand; smoothing against quadrature with many digits."""

from __future__ import annotations

from decimal import Decimal, getcontext

import pytest

from games.catalog.economist.money import micro
from games.catalog.economist.tax import damped, fault_in, rising, schedule_of, smooth_tax, tax_due

DEFAULT = schedule_of([(0, 0.10), (10, 0.20), (25, 0.35), (50, 0.45)])


@pytest.mark.parametrize(
    ("income", "due"),
    [(0, 0), (-5, 0), (5, 0.5), (10, 1.0), (15, 2.0), (25, 4.0), (30, 5.75), (50, 12.75), (100, 35.25)],
)
def test_hard_tax_adds_the_rate_of_each_bracket_over_its_part_of_the_income(income: float, due: float) -> None:
    assert tax_due(DEFAULT, micro(income)) == micro(due)


def test_falling_rates_are_taxed_as_they_stand() -> None:
    u_shaped = schedule_of([(0, 0.4), (10, 0.1), (20, 0.5)])
    assert tax_due(u_shaped, micro(25)) == micro(4 + 1 + 2.5)


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0, 5.0])
@pytest.mark.parametrize("income", [1.0, 9.5, 10.0, 25.0, 60.0, 200.0])
def test_smoothed_tax_agrees_with_quadrature_of_high_precision(sigma: float, income: float) -> None:
    assert smooth_tax(DEFAULT, income, sigma) == pytest.approx(float(quadrature(sigma, income)), abs=1e-7)


def quadrature(sigma: float, income: float, cells: int = 800) -> Decimal:
    """Composite Gauss-Legendre (3 points) of the smoothed marginal rate, in decimals of 30 digits."""
    getcontext().prec = 30
    width, root = Decimal(income) / cells, Decimal("0.6").sqrt()
    total = Decimal(0)
    for cell in range(cells):
        middle = (cell + Decimal("0.5")) * width
        for node, weight in ((-root, 5), (Decimal(0), 8), (root, 5)):
            total += weight * rate_at(middle + node * width / 2, Decimal(sigma))
    return total * width / 18


def rate_at(x: Decimal, sigma: Decimal) -> Decimal:
    rate = Decimal("0.1")
    for threshold, more in ((10, "0.1"), (25, "0.15"), (50, "0.1")):
        rate += Decimal(more) / (1 + (-(x - threshold) / sigma).exp())
    return rate


def test_a_very_narrow_smoothing_comes_to_the_hard_tax() -> None:
    for income in (5, 10.5, 40, 80):
        assert smooth_tax(DEFAULT, income, 0.001) == pytest.approx(tax_due(DEFAULT, micro(income)) / 1e6, abs=1e-3)


@pytest.mark.parametrize("sigma", [1e-3, 1e-9, 1e-306, 1e-310])
def test_no_smoothing_is_too_narrow_to_be_reckoned(sigma: float) -> None:
    """Distances over the width have no bound: the tax came to the whole income where they overflowed."""
    for income in (5, 30, 1_000_000):
        assert tax_due(DEFAULT, micro(income), sigma) == tax_due(DEFAULT, micro(income))


def test_damping_goes_that_share_less_of_the_way_and_takes_the_targets_thresholds() -> None:
    target = schedule_of([(0, 0.20), (12, 0.20), (25, 0.35), (50, 0.95)])
    assert damped(DEFAULT, target, micro(0.3)) == schedule_of([(0, 0.17), (12, 0.20), (25, 0.35), (50, 0.80)])
    assert damped(DEFAULT, target, 0) == target
    assert damped(DEFAULT, target, micro(1)) == schedule_of([(0, 0.10), (12, 0.20), (25, 0.35), (50, 0.45)])


def test_another_number_of_brackets_is_taken_whole() -> None:
    flat = schedule_of([(0, 0.3)])
    assert damped(DEFAULT, flat, micro(0.3)) == flat


def test_rates_are_projected_to_a_running_maximum_and_no_change_can_break_them() -> None:
    """The reference's bandit could perturb its brackets into falling rates and then raised an error (defect 13)."""
    assert rising([(0, 300_000), (5, 100_000), (9, 400_000)]) == ((0, 300_000), (5, 300_000), (9, 400_000))


@pytest.mark.parametrize(
    ("brackets", "fault"),
    [
        ([(5, 0.1)], "first_threshold"),
        ([(0, 1.2)], "rate_range"),
        ([(0, -0.1)], "rate_range"),
        ([(0, float("nan"))], "rate_range"),
        ([(-1, 0.1)], "threshold_range"),
        ([(0, 0.1), (0, 0.2)], "threshold_twice"),
        ([(0, 0.3), (10, 0.2)], "falling_rate"),
    ],
)
def test_what_is_no_schedule_is_refused_with_its_fault(brackets: list[tuple[float, float]], fault: str) -> None:
    found = fault_in(brackets, falling=False)
    assert found is not None
    assert found.kind == fault


def test_falling_rates_are_a_schedule_where_they_are_allowed() -> None:
    assert fault_in([(0, 0.3), (10, 0.2)], falling=True) is None
