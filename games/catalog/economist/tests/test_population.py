"""The default population trades and builds, whatever its policy: two defects of the public code."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from games.catalog.economist.money import MICRO, micro
from games.catalog.economist.state import Misreport
from games.catalog.economist.tests.build import GAME, config, step, world
from games.catalog.economist.workers import EvasiveParams, evasive, honest
from games.core.agents import NoParams, deciding
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


def test_a_crime_of_the_honest_craft_is_honest_in_all_else() -> None:
    terms = config(2, rows=3, cols=3, map={"wood_density": 0.5, "stone_density": 0.4}, steps_per_epoch=6)
    state = world(terms)
    while state.step < 5:
        seen = GAME.observe(terms, state, 0, ())
        due = honest(NoParams(), seen, 7)  # type: ignore[arg-type]
        idle = EvasiveParams(underreport_fraction=0, craft="honest")
        assert evasive(idle, seen, 7) == due  # type: ignore[arg-type]
        if state.step > 3 and state.workers.gross[0] > MICRO:
            assert isinstance(evasive(EvasiveParams(craft="honest"), seen, 7), Misreport)  # type: ignore[arg-type]
        state = step(terms, state, {0: due}).state
