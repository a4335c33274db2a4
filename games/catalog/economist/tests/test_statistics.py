"""An epoch's numbers against tables by hand."""

from __future__ import annotations

import pytest

from games.catalog.economist.metrics import closed, epoch_metrics
from games.catalog.economist.money import micro
from games.catalog.economist.statistics import bunched
from games.catalog.economist.tests.build import config, last_step, step, world

# Incomes in coin; Atkinson by hand with epsilon 1/2: 1 - (mean of roots)^2 / mean.
UNEQUAL = [
    ([3, 3, 3], 0.0),
    ([1, 4], 0.1),  # roots 1 and 2: 1.5^2 / 2.5 = 0.9
    ([1, 9], 0.2),  # roots 1 and 3: 2^2 / 5 = 0.8
    ([0, 4], 0.5),  # roots 0 and 2: 1^2 / 2 = 0.5
    ([0, 0, 0, 16], 0.75),  # one root of 4: 1^2 / 4 = 0.25
    ([0, 0], 0.0),
]


@pytest.mark.parametrize(("incomes", "found"), UNEQUAL)
def test_atkinson_is_of_gross_incomes_with_epsilon_one_half(incomes: list[float], found: float) -> None:
    terms = config(len(incomes), epochs=1, steps_per_epoch=3)
    before = last_step(terms, world(terms, gross=incomes))
    report = closed(terms, before, step(terms, before).state)
    assert report is not None
    assert epoch_metrics(terms, report)["atkinson_index"] == pytest.approx(found, abs=2e-4)


BUNCHED = [
    ([9.0], 1),  # a whole width below 10
    ([8.999999], 0),
    ([10.0], 1),  # the threshold itself
    ([10.000001], 0),
    ([0.0], 0),  # 0 is no threshold to bunch at
    ([24.5, 24.2, 49.0, 12.0], 3),
]


@pytest.mark.parametrize(("incomes", "found"), BUNCHED)
def test_bunching_counts_incomes_within_the_width_below_a_threshold(incomes: list[float], found: int) -> None:
    thresholds = [micro(one) for one in (0, 10, 25, 50)]
    assert bunched([micro(income) for income in incomes], thresholds, micro(1)) == found


def test_an_income_near_two_thresholds_counts_once() -> None:
    assert bunched([micro(10)], [0, micro(10), micro(10.5)], micro(1)) == 1


def test_bunching_intensity_is_the_share_of_all_workers() -> None:
    terms = config(4, epochs=1, steps_per_epoch=3)
    before = last_step(terms, world(terms, gross=[9.5, 24.5, 12, 0]))
    report = closed(terms, before, step(terms, before).state)
    assert report is not None
    assert epoch_metrics(terms, report)["bunching_intensity"] == 0.5
