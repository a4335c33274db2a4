"""Workers who weigh: how much they work by the net wage, and who trades with whom."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from games.catalog.economist.reckoning import MarginalParams, labour, last_rate
from games.catalog.economist.tests.build import GAME
from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import get
from games.core.rng import Rng
from games.lab.scenarios.scenario import load


def seen(**config: Any) -> Any:
    """What the first of two workers sees at the start; no house is allowed, so that its wage is a unit gathered."""
    made = GAME.config_type.model_validate({"workers": 2, "build": {"max_houses_per_agent": 0}, **config})
    return GAME.observe(made, GAME.initial(made, Rng.root(1).step(0)).state, 0, ())


@pytest.mark.parametrize(
    ("rate", "elasticity", "share"),
    [(0.0, 1.0, 1.0), (0.36, 0.5, 0.8), (0.75, 0.5, 0.5), (0.95, 1.0, 0.05), (1.0, 0.5, 0.0)],
)
def test_labour_is_the_net_wage_over_the_worth_of_rest_to_the_elasticity(
    rate: float, elasticity: float, share: float
) -> None:
    one = seen(taxation={"brackets": [[0, rate]]})
    assert labour(MarginalParams(elasticity=elasticity), one) == pytest.approx(share)


def test_a_skilled_worker_needs_a_higher_rate_to_rest() -> None:
    assert labour(MarginalParams(), seen(skill_gather=[2, 1], taxation={"brackets": [[0, 0.5]]})) == 1
    assert labour(MarginalParams(), seen(skill_gather=[0.5, 1], taxation={"brackets": [[0, 0.5]]})) == 0.5


def test_the_rate_is_that_of_the_last_coin_of_the_income_expected() -> None:
    one = seen(taxation={"brackets": [[0, 0.1], [10, 0.2], [25, 0.4]]})
    rates = {income: last_rate(one._replace(gross=income * 1_000_000)) for income in (0, 9, 10, 24, 30)}
    assert rates == {0: 100_000, 9: 100_000, 10: 200_000, 24: 200_000, 30: 400_000}


def test_a_higher_rate_lowers_what_is_worked() -> None:
    def acts(rate: float) -> int:
        config = GAME.config_type.model_validate({"workers": 4, "epochs": 3, "taxation": {"brackets": [[0, rate]]}})
        policies = get("economist").policies
        seats = {seat: deciding(policies["marginal"].bind({"elasticity": 2})) for seat in range(4)}
        seats[4] = deciding(policies["fixed"].bind())
        steps = list(play(GAME, config, 1, seats))
        return sum(event.kind == "gather" for step in steps for event in step.events)

    assert acts(0.0) > acts(0.99) > 0


def test_in_the_living_market_both_goods_are_sold_by_those_who_gather_them_and_nobody_is_at_the_cap() -> None:
    (one,) = load("economist/living").conditions
    policies = get("economist").policies
    seats = {seat: deciding(policies[a.policy].bind(a.params)) for seat, a in enumerate(one.seats)}
    steps = list(islice(play(GAME, one.config, 1001, seats), 151))
    trades = [event.data for step in steps for event in step.events if event.kind == "trade"]
    assert len(trades) >= 80
    assert {(trade["resource"], one.seats[trade["seller"]].params["good"]) for trade in trades} == {
        ("wood", "wood"),
        ("stone", "stone"),
    }
    assert max(steps[-1].state.workers.built) < one.config.build.max_houses_per_agent
