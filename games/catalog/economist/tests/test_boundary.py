"""The end of an epoch: taxes, audits, fines, freezing, detection, what the planner is told."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from games.catalog.economist.audit import audit_chance
from games.catalog.economist.boundary import is_planned
from games.catalog.economist.collusion import ACTS, boosted, detect, scores
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.metrics import METRICS
from games.catalog.economist.money import MICRO, decimal, micro
from games.catalog.economist.observation import PlannerSeen
from games.catalog.economist.policies import POLICIES
from games.catalog.economist.state import Deal, Gather, Move, SetTaxes, State
from games.catalog.economist.tests.build import GAME, config, last_step, step, told, world
from games.core.agents import deciding
from games.core.engine import play


def ended(terms: EconomistConfig, seed: int = 1, **accounts: Any) -> State:
    """The state after an epoch that ends with these accounts."""
    return step(terms, last_step(terms, world(terms, **accounts)), seed=seed).state


def test_a_worker_pays_what_it_has_and_the_rest_is_forgiven() -> None:
    terms = config(2)
    state = ended(terms, coin=[100, 1], gross=[30, 30])
    assert state.report is not None
    assert [(a.owed, a.paid) for a in state.report.accounts] == [(micro(5.75), micro(5.75)), (micro(5.75), micro(1))]
    assert (state.workers.coin, state.treasury) == ((micro(94.25), 0), micro(6.75))


@pytest.mark.parametrize(
    ("hidden", "boost", "chance"),
    [(0.3, 0, 0.29), (0.5, 0, 0.35), (0.3, 1, 0.49), (0.5, 1, 0.55), (0.5, 5, 1.0)],
)
def test_the_chance_of_an_audit_rises_with_what_is_hidden_and_with_flags(
    hidden: float, boost: int, chance: float
) -> None:
    assert audit_chance(0.2, 1.5, micro(100 * hidden), micro(100), boost * MICRO) == pytest.approx(chance)


def test_audits_are_as_frequent_as_they_should_be() -> None:
    terms = config(100, steps_per_epoch=1)
    state = world(terms, gross=[100] * 100, stance=[0.5] * 100, coin=[100] * 100)
    caught = sum(len(told(step(terms, last_step(terms, state), seed=seed), "audit_caught")) for seed in range(40))
    error = math.sqrt(0.35 * 0.65 / 4000)
    assert abs(caught / 4000 - 0.35) < 4 * error


def test_who_is_caught_pays_the_multiple_of_the_evaded_tax() -> None:
    terms = config(1, misreporting={"audit_probability": 1})
    state = ended(terms, coin=[100], gross=[60], stance=[0.5])
    assert state.report is not None
    account = state.report.accounts[0]
    assert (account.reported, account.paid) == (micro(30), micro(5.75))
    assert (account.evaded, account.fined) == (micro(17.25 - 5.75), micro(23))
    assert state.workers.coin == (micro(100 - 5.75 - 23),)


def test_the_third_catch_freezes_for_exactly_the_next_two_epochs() -> None:
    terms = config(
        2, epochs=9, steps_per_epoch=2, misreporting={"audit_probability": 1}, planner={"update_interval_epochs": 9}
    )
    state = world(terms, coin=[100, 100], gross=[60, 0], stance=[0.5, 0], catches=[2, 0])
    resolved = step(terms, last_step(terms, state))
    assert told(resolved, "freeze") == [{"by": 0, "until_epoch": 2}]
    awake = []
    state = resolved.state
    while state.epoch < 4:
        turn = GAME.turn(terms, state)
        assert turn is not None
        awake.append((state.epoch, 0 in turn.seats))
        resolved = step(terms, state)
        assert ("frozen_skip" in {event.kind for event in resolved.events}) == (0 not in turn.seats)
        state = resolved.state
    assert awake == [(1, False), (1, False), (2, False), (2, False), (3, True), (3, True)]


def test_a_trade_ban_covers_the_whole_next_epoch() -> None:
    """In the reference it had lapsed before the epoch that it was for began (defect 7)."""
    state = flagged_world()
    terms = cartel_terms()
    assert state.epoch == 1
    for epoch, allowed in ((1, False), (2, True)):
        order, notes = GAME.clean(terms, replace(state, epoch=epoch), 0, Deal("wood", 1, 1, "buy"), None)  # type: ignore[arg-type]
        assert (order.do == "buy") == allowed, notes


def test_a_boost_halves_in_each_epoch_without_a_flag_and_ends_at_five() -> None:
    """The reference's never fell, so that nearly everybody was audited in the end (defect 6)."""
    assert boosted(micro(4), 0, MICRO) == micro(2)
    assert boosted(micro(1), 2, MICRO) == micro(3)
    assert boosted(micro(4.5), 3, MICRO) == micro(5)


def test_two_who_do_nothing_but_gather_are_not_suspicious() -> None:
    """The reference flagged whoever gathered at the same time (defect 5)."""
    gather, move = ACTS.index("gather"), ACTS.index("move")
    alike = [[gather] * 20, [gather] * 20, [gather] * 19 + [move]]
    assert detect(alike, 8, 0.7, 0.6) == []
    cycle = [gather, gather, move, gather, move] * 4
    [flag] = detect([cycle, [gather] * 20, cycle], 8, 0.7, 0.6)
    assert (flag.pair, flag.similarity, flag.suspicion) == ((0, 2), 1.0, 1.0)


def test_suspicion_is_agreement_beyond_chance() -> None:
    assert scores(10, 8, 50) == (0.8, 0.6)


def cartel_terms() -> EconomistConfig:
    return config(
        2,
        steps_per_epoch=8,
        coalitions=["k", "k"],
        collusion={"min_shared_steps": 4},
        planner={"update_interval_epochs": 9},
    )


def flagged_world() -> State:
    terms = cartel_terms()
    state = world(terms, "w....")
    for number in range(8):
        action = Gather() if number % 2 == 0 else Move("right" if number % 4 == 1 else "left")
        state = step(terms, state, {0: action, 1: action}).state
    assert state.report is not None
    assert [flag.pair for flag in state.report.flags] == [(0, 1)]
    return state


def test_lump_sums_share_the_treasury_equally_and_are_no_income() -> None:
    terms = config(3, taxation={"redistribution": "lump_sum"}, planner={"update_interval_epochs": 9})
    state = ended(terms, coin=[100, 100, 100], gross=[50, 0, 0])
    assert state.treasury == 0
    assert state.workers.coin == (micro(100 - 12.75 + 4.25), micro(104.25), micro(104.25))
    assert state.workers.gross == (0, 0, 0)


def test_the_planner_sees_the_epoch_before_it_is_reset() -> None:
    """The reference's planner looked after the reset and saw an economy without income (defect 1)."""
    terms = config(2)
    state = ended(terms, coin=[100, 100], gross=[30, 10])
    assert GAME.turn(terms, state).seats == (2,)  # type: ignore[union-attr]
    seen = GAME.observe(terms, state, 2, ())
    assert isinstance(seen, PlannerSeen)
    assert (seen.statistics.total_income, seen.statistics.gini) == (40.0, 0.25)
    assert seen.reported == (micro(30), micro(10))


@pytest.mark.parametrize("planner", ["heuristic", "bandit", "saez"])
def test_what_the_planner_is_told_is_what_the_metrics_report(planner: str) -> None:
    terms = config(4, rows=6, cols=6, epochs=4, steps_per_epoch=12, map={"wood_density": 0.3, "stone_density": 0.3})
    policies = {seat: deciding(POLICIES["honest"].bind()) for seat in range(4)}
    shown: list[Any] = []
    decide = deciding(POLICIES[planner].bind())

    def watched(request: Any) -> Any:
        shown.append(request.observation.statistics)
        return decide(request)

    measured, before = [], None
    for one in play(GAME, terms, 3, {**policies, 4: watched}):
        if before is not None:
            row = METRICS.measure(terms, before.state, one)
            if row["total_production"] is not None:
                measured.append(row)
        before = one
    assert len(measured) == 4
    assert len(shown) == 3
    for told_, row in zip(shown, measured, strict=False):
        assert told_.total_income == row["total_production"] > 0
        assert (told_.gini, told_.mean_income) == (row["gini_coefficient"], row["mean_production"])
        assert (told_.total_tax_revenue, told_.total_houses) == (row["total_tax_revenue"], row["total_houses_built"])


def test_a_raise_of_all_rates_alike_discovers_no_progressivity() -> None:
    """What the reference's blog called discovered was in its settings: each bracket moves by the same (defect 2)."""
    terms = config(2)
    state = ended(terms, coin=[100, 100], gross=[90, 0])
    wanted, _ = POLICIES["heuristic"].bind()(GAME.observe(terms, state, 2, ()), None, None)  # type: ignore[arg-type]
    moved = [round(rate - old, 9) for (_, rate), (_, old) in zip(wanted.brackets, terms.taxation.brackets, strict=True)]
    assert moved == [moved[0]] * 4
    assert moved[0] > 0


def test_the_planner_acts_at_its_interval_and_never_after_the_last_epoch() -> None:
    terms = config(1, epochs=6, planner={"update_interval_epochs": 2})
    assert [epoch for epoch in range(6) if is_planned(terms, epoch)] == [1, 3]


def test_the_schedule_moves_by_the_damped_share_of_what_the_planner_sets() -> None:
    terms = config(1)
    state = ended(terms, gross=[10])
    target = SetTaxes(((0, 0.2), (10, 0.3), (25, 0.45), (50, 0.55)))
    after = GAME.resolve(terms, state, {1: target}, None).state  # type: ignore[arg-type]
    assert [decimal(rate) for _, rate in after.schedule] == [0.17, 0.27, 0.42, 0.52]
    assert (after.epoch, after.step, after.before) == (1, 0, state.schedule)


@pytest.mark.parametrize("seed", range(12))
def test_the_bandit_never_breaks_the_schedule(seed: int) -> None:
    """The reference's raised an error at its first update with these parameters (defect 13)."""
    terms = config(2, epochs=6, steps_per_epoch=1)
    bandit = POLICIES["bandit"].bind({"learning_rate": 0.2, "exploration_rate": 1.0})
    seats = {0: deciding(POLICIES["honest"].bind()), 1: deciding(POLICIES["honest"].bind()), 2: deciding(bandit)}
    for one in play(GAME, terms, seed, seats):
        assert not one.notes
        rates = [rate for _, rate in one.state.schedule]
        assert rates == sorted(rates)
