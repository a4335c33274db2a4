"""Smith's classroom market over seeds. What a quote does is worked by hand in the game's own examples."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from games.catalog.double_auction import DoubleAuction
from games.core.agents import deciding
from games.core.engine import play
from games.core.game import SeatEyes
from games.core.registry import get

PACK = get("double_auction")


def played(policy: str, seed: int, **config: Any) -> tuple[Any, list[Any]]:
    terms = PACK.game.config_type.model_validate(config)
    seats = {seat: deciding(PACK.policies[policy].bind()) for seat in range(12)}
    return terms, list(play(PACK.game, terms, seed, seats))


def summary(policy: str, seed: int, **config: Any) -> Any:
    terms, steps = played(policy, seed, **config)
    rows = [PACK.metrics.measure(terms, before.state, step) for before, step in pairwise(steps)]
    return PACK.metrics.summarise(terms, rows)


@pytest.mark.parametrize(
    ("values", "costs", "prices"),
    [
        ([130, 120, 110, 100, 90, 80], [70, 80, 90, 100, 110, 120], (100, 100)),
        ([20, 40, 60, 80, 100, 120], [20, 40, 60, 80, 100, 120], (60, 80)),
        ([90, 90, 90, 90, 90, 90], [60, 61, 62, 63, 64, 65], (65, 90)),
        ([60, 60, 60, 60, 60, 60], [70, 70, 70, 70, 70, 70], None),
    ],
)
def test_at_the_equilibrium_as_many_would_buy_as_sell(
    values: list[int], costs: list[int], prices: tuple[int, int] | None
) -> None:
    market: Any = SimpleNamespace(card=[*values, *costs])
    market.curves = lambda: DoubleAuction.curves(market)
    assert DoubleAuction.equilibrium(market) == prices


@pytest.mark.parametrize("policy", ["adaptive", "constrained", "unconstrained"])
def test_each_trades_once_in_a_period_and_a_budget_is_never_overdrawn(policy: str) -> None:
    _, steps = played(policy, 1, rounds=24)
    trades = [sum(pay != 0 for pay in step.state.gain) for step in steps]
    assert sum(trades[:13]) <= 12
    if policy != "unconstrained":
        assert all(pay >= 0 for step in steps for pay in step.payoffs.values())


def test_nobody_sees_the_card_of_another_nor_what_all_have_gained() -> None:
    terms, steps = played("adaptive", 1, rounds=12)
    seen = PACK.game.view(terms, steps[-1].state, SeatEyes(0))
    assert [card is None for card in seen["card"]] == [False] + [True] * 11
    assert [gained is None for gained in seen["gained"]] == [False] + [True] * 11


@pytest.mark.full
def test_adaptive_traders_price_within_a_twentieth_of_the_equilibrium_by_the_fifth_period() -> None:
    """The rule was tuned on seeds 1001 to 1020."""
    errors = [summary("adaptive", seed)["error"] for seed in range(1, 21)]
    assert sum(errors) / len(errors) <= 0.05
    assert sum(error <= 0.05 for error in errors) >= 18


@pytest.mark.full
def test_with_a_budget_zero_intelligence_gains_most_of_what_there_is_and_without_one_it_does_not() -> None:
    bound, free = (
        sum(summary(policy, seed)["efficiency"] for seed in range(1, 21)) / 20
        for policy in ("constrained", "unconstrained")
    )
    assert bound >= 0.8 >= free + 0.2
