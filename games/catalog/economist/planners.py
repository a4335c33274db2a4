"""The planners of the contract, and Saez's top rate with a fixed elasticity.

Source: contract, "Planner Types"; formulas as in the public code, which the rule sheet names.
"""

from __future__ import annotations

import math
from typing import Any

from pydantic import Field

from games.catalog.economist.money import MICRO, Micro, decimal
from games.catalog.economist.observation import PlannerSeen
from games.catalog.economist.state import KEEP, SetTaxes
from games.catalog.economist.statistics import welfare
from games.catalog.economist.tax import Schedule, decimals, rising
from games.core.agents import Memory, NoParams
from games.core.rng import Rng
from games.core.settings import Settings


def aiming(schedule: Schedule, rates: list[float], falling: bool) -> SetTaxes:
    """The schedule's thresholds with other rates, cut to 0..1; made rising by a running maximum where they must be."""
    cut = [(low, round(MICRO * max(0.0, min(rate, 1.0)))) for (low, _), rate in zip(schedule, rates, strict=True)]
    made = tuple(cut) if falling else rising(cut)
    return SetTaxes(decimals(made))


def _rates(schedule: Schedule) -> list[float]:
    return [decimal(rate) for _, rate in schedule]


class HeuristicParams(Settings):
    """The gain of the rule."""

    learning_rate: float = Field(0.01, ge=0, le=1, title="Gain", description="Change of rates per unit of its rule.")


def heuristic(params: HeuristicParams, seen: PlannerSeen, memory: Memory, _rng: Rng) -> tuple[Any, Memory]:
    """Raise all rates alike when income is unequal, lower them when it is low.

    Unequal is an income Gini above 0.3, low a mean income below 5.
    Change: gain x (2 (gini - 0.3) - max(0, 5 - mean income) / 5).
    """
    totals = seen.statistics
    change = params.learning_rate * (2 * (totals.gini - 0.3) - max(0.0, 5 - totals.mean_income) / 5)
    schedule, falling = seen.shared.schedule, seen.shared.config.taxation.allow_non_monotone
    return aiming(schedule, [rate + change for rate in _rates(schedule)], falling), memory


class BanditParams(Settings):
    """How often and how far it tries."""

    learning_rate: float = Field(0.01, ge=0, le=1, title="Step", description="Standard deviation of a tried change.")
    exploration_rate: float = Field(0.1, ge=0, le=1, title="Exploration", description="Chance to try a change.")


def bandit(params: BanditParams, seen: PlannerSeen, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
    """Try random changes of rates at times, and go back when welfare has fallen.

    Memory: the welfare last seen and the rates that it then started from. Changes are normal, independent by bracket,
    and made rising by a running maximum where rates may not fall.
    """
    config = seen.shared.config
    now = welfare(config, seen.statistics)
    schedule = seen.shared.schedule
    base = _rates(schedule)
    if isinstance(memory, dict) and isinstance(memory.get("welfare"), float) and now < memory["welfare"]:
        kept = memory.get("rates")
        if isinstance(kept, list | tuple) and len(kept) == len(base):
            base = [float(rate) for rate in kept]
    tried = base
    if rng.chance(params.exploration_rate, "explore"):
        tried = [round(rate + params.learning_rate * _normal(rng, place), 6) for place, rate in enumerate(base)]
    wanted = aiming(schedule, tried, config.taxation.allow_non_monotone)
    return wanted, {"welfare": now, "rates": base}


def _normal(rng: Rng, place: int) -> float:
    """A standard normal draw (Box and Muller), rounded to 1e-9."""
    radius = math.sqrt(-2 * math.log(1 - rng.unit("radius", place)))
    return round(radius * math.cos(2 * math.pi * rng.unit("angle", place)), 9)


def fixed(_params: NoParams, _seen: PlannerSeen, memory: Memory, _rng: Rng) -> tuple[Any, Memory]:
    """Keep the schedule that the run began with."""
    return KEEP, memory


def rl(_params: NoParams, _seen: PlannerSeen, memory: Memory, _rng: Rng) -> tuple[Any, Memory]:
    """A placeholder until a planner is trained: keep the schedule."""
    return KEEP, memory


class SaezParams(Settings):
    """The constants of the formula."""

    elasticity: float = Field(
        0.5, gt=0, le=10, title="Elasticity", description="Of taxable income to the share that is kept; it stays fixed."
    )
    top_weight: float = Field(
        0.0,
        ge=0,
        lt=1,
        title="Weight of the top",
        description="Social weight of a coin of the top bracket's earners (g).",
    )
    max_change: float = Field(
        0.05, gt=0, le=1, title="Most change", description="Most that the top rate changes in one turn."
    )


def saez(params: SaezParams, seen: PlannerSeen, memory: Memory, _rng: Rng) -> tuple[Any, Memory]:
    """Move the top rate towards Saez's formula with a fixed elasticity.

    That is (1 - g) / (1 - g + a e); lower brackets stay, and none may exceed the top.
    a = z / (z - z*) is the tail of reported incomes above the top threshold z*, z their mean; 2 where nobody is there.
    Source: Saez, "Using elasticities to derive optimal income tax rates", Review of Economic Studies 68 (2001).
    """
    schedule = seen.shared.schedule
    rates = _rates(schedule)
    goal = top_rate(seen.reported, schedule[-1][0], params.elasticity, params.top_weight)
    step = max(-params.max_change, min(params.max_change, goal - rates[-1]))
    rates[-1] = round(rates[-1] + step, 6)
    falling = seen.shared.config.taxation.allow_non_monotone
    rates = rates if falling else [min(rate, rates[-1]) for rate in rates]
    return aiming(schedule, rates, falling), memory


def top_rate(incomes: tuple[Micro, ...], threshold: Micro, elasticity: float, weight: float) -> float:
    """Saez's rate for the incomes above a threshold."""
    above = [income for income in incomes if income > threshold]
    tail = 2.0
    if above:
        centre = sum(above) / len(above)
        tail = centre / (centre - threshold)
    return (1 - weight) / (1 - weight + tail * elasticity)
