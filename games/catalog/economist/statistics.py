"""What an epoch came to: the numbers that the planner is shown and the metrics report, made by the same functions.

Source: contract, "Metrics"; all of the epoch before its accounts are reset, after taxes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.money import Micro, decimal, micro
from games.catalog.economist.state import Report
from games.core.measures import gini


class Statistics(NamedTuple):
    """Of all workers, in coin. ``gini`` is of gross income."""

    total_income: float = 0.0
    mean_income: float = 0.0
    gini: float = 0.0
    total_tax_revenue: float = 0.0
    total_houses: int = 0
    mean_coin: float = 0.0
    n_workers: int = 0
    n_frozen: int = 0


def statistics(report: Report | None) -> Statistics:
    """What the planner is told of the epoch that ended, made once for each; all 0 before the first has."""
    if report is None:
        return Statistics()
    known = getattr(report, "carried", None)
    if isinstance(known, Statistics):
        return known
    incomes, paid = zip(*((account.gross, account.paid) for account in report.accounts), strict=True)
    known = added_up(incomes, sum(paid), sum(report.owned), sum(report.coins), report.frozen)
    object.__setattr__(report, "carried", known)
    return known


def added_up(incomes: Sequence[Micro], paid: Micro, houses: int, coin: Micro, frozen: int) -> Statistics:
    n, income = len(incomes), decimal(sum(incomes))
    return Statistics(income, income / n, inequality(incomes), decimal(paid), houses, decimal(coin) / n, n, frozen)


def total(report: Report, name: str) -> float:
    """A field of all accounts added up, in coin."""
    return decimal(sum(getattr(account, name) for account in report.accounts))


def inequality(values: Sequence[Micro]) -> float:
    """Gini coefficient in the population form, 0 to (n-1)/n; 0 where nobody has anything. Rounded to 1e-9."""
    found = gini(values)
    return 0.0 if found is None else round(max(0.0, found), 9)


def welfare(config: EconomistConfig, totals: Statistics) -> float:
    """production weight x mean income - inequality weight x Gini; of unlike units, as the contract has it."""
    weights = config.planner
    return round(weights.prod_weight * totals.mean_income - weights.ineq_weight * totals.gini, 9)


def spread(values: Sequence[float]) -> float:
    """Population standard deviation / mean; 0 where the mean is not positive."""
    centre = math.fsum(values) / len(values)
    if centre <= 0:
        return 0.0
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / len(values)) / centre


def bunched(incomes: Sequence[Micro], thresholds: Sequence[Micro], width: Micro) -> int:
    """How many incomes lie within ``width`` below a threshold, itself included; the threshold 0 is none."""
    edges = [edge for edge in thresholds if edge > 0]
    return sum(any(edge - width <= income <= edge for edge in edges) for income in incomes)


def bunching(config: EconomistConfig, report: Report) -> int:
    """How many incomes of the epoch are `bunched` under the schedule that taxed it."""
    thresholds = [threshold for threshold, _ in report.schedule]
    return bunched([account.gross for account in report.accounts], thresholds, micro(config.gaming.bunching_bin_width))
