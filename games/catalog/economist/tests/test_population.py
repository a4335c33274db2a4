"""The default population trades and builds, whatever its policy: two defects of the public code."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from games.catalog.economist.money import micro
from games.catalog.economist.tests.build import GAME
from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import get
from games.lab.scenarios.scenario import load


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_demo_shows_houses_trades_and_an_audit_in_its_first_sixty_steps(seed: int) -> None:
    (one,) = load("economist/demo").conditions
    policies = get("economist").policies
    seats = {seat: deciding(policies[a.policy].bind(a.params)) for seat, a in enumerate(one.seats)}
    told = Counter(event.kind for step in islice(play(GAME, one.config, seed, seats), 61) for event in step.events)
    assert all(told[kind] for kind in ("build", "trade", "audit_caught", "planner_update")), told


@pytest.mark.parametrize("seed", [1, 2])
def test_workers_trade_and_every_policy_builds_and_colluders_do_not_go_broke(seed: int) -> None:
    (one,) = load("economist/default").conditions
    agents = list(one.seats)
    assert len(agents) == one.config.workers + 1
    policies = get("economist").policies
    seats = {seat: deciding(policies[a.policy].bind(a.params)) for seat, a in enumerate(agents)}
    steps = list(play(GAME, one.config, seed, seats))
    trades = [event for step in steps for event in step.events if event.kind == "trade"]
    assert trades, "nobody trades"
    assert all(event.data["buyer"] != event.data["seller"] for event in trades)
    built = Counter(agents[event.data["by"]].policy for step in steps for event in step.events if event.kind == "build")
    assert all(built[policy] > 0 for policy in ("honest", "trader", "gaming", "evasive", "collusive")), built
    coin = [
        had for had, agent in zip(steps[-1].state.workers.coin, agents, strict=False) if agent.policy == "collusive"
    ]
    assert len(coin) == 3
    assert min(coin) > micro(one.config.starting_coin), coin
