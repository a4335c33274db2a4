"""Every metric over three rounds that were reckoned by hand, and a preset in which each of them says something.

Three miners on a 2 x 3 grid, stamina 4, mining cap 2, so that the bound is 12 and stamina reaches 12 as well.

Round 1: A claims (0,0) (0,1); B claims (1,0) (1,1) and loses the draw for (0,2); C claims (0,2) (1,2).
Round 2: A mines 2 on (0,0), defends it and takes (1,0), where B had mined 2; B mines 2 on (1,1); C mines 2 on (0,2) and
         raids (0,0) in vain.
Round 3: A mines 2 on (1,0) in vain and defends (0,0) and (0,1), which nobody raids; B takes (1,0) back and mines 2;
         C mines 2 + 2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pytest

from games.catalog.mining.metrics import METRICS, spells
from games.catalog.mining.state import NOBODY, Plan
from games.catalog.mining.tests.builder import World, board, clean, letters, played, step_of

ROUNDS: list[dict[str, list[str]]] = [
    {"A": ["claim 0,0", "claim 0,1"], "B": ["claim 1,0", "claim 1,1", "claim 0,2"], "C": ["claim 0,2", "claim 1,2"]},
    {
        "A": ["mine 0,0 2", "defend 0,0", "raid 1,0"],
        "B": ["mine 1,0 2", "mine 1,1 2"],
        "C": ["raid 0,0", "mine 0,2 2"],
    },
    {
        "A": ["mine 1,0 2", "defend 0,0", "defend 0,1"],
        "B": ["raid 1,0", "mine 1,1 2"],
        "C": ["mine 0,2 2", "mine 1,2 2"],
    },
]
AFTER = ["AAC/BBC", "AAC/ABC", "AAC/BBC"]

BY_ROUND: dict[str, tuple[Any, Any, Any]] = {
    "output": (0, 6, 6),
    "efficiency": (0, 6 / 12, 6 / 12),
    "efficiency_reachable": (0, 6 / 12, 6 / 12),
    "claims": (7, 0, 0),
    "claims_won": (6, 0, 0),
    "raids": (0, 2, 1),
    "captures": (0, 1, 1),
    "defences": (0, 1, 2),
    "defences_triggered": (0, 1, 0),
    "held": (6, 6, 6),
    "turnovers": (0, 1, 1),
    "turnover_rate": (None, 1 / 6, 1 / 6),
    "raid_rate": (0, 2 / 3, 1 / 3),
    "raid_stamina_share": (0, 2 / 12, 1 / 12),
    "raid_success_rate": (None, 1 / 2, 1),
    "defence_trigger_rate": (None, 1, 0),
    "idle_rate": (5 / 12, 1 / 12, 1 / 12),
    "wasted_rate": (1 / 12, 3 / 12, 2 / 12),
    "idle_defence_rate": (0, 0, 2 / 12),
    "gini": (0, 0, (-2 * 2 + 2 * 6) / (3 * 12)),
    "hhi": (1 / 3, (9 + 1 + 4) / 36, 1 / 3),
    "share_claim": (1, 0, 0),
    "share_raid": (0, 2 / 11, 1 / 11),
    "share_defend": (0, 1 / 11, 2 / 11),
    "share_mine": (0, 8 / 11, 8 / 11),
    "respect": (None, 1 - 2 / 6, 1),
    "drawn_plans": (0, 0, 0),
    "treasury": (0, 0, 0),
}

BY_RUN: dict[str, Any] = {
    "output": 12 / 3,
    "output_total": 12,
    "efficiency": 1 / 3,
    "efficiency_reachable": 1 / 3,
    "turnover_rate": 2 / 12,
    "ownership_losses": 2,
    "half_life": math.log(1 / 2) / math.log(1 - 1 / 6),
    # Possessions: five of 2 rounds that go on, two of 1 round that ended, one of 0 that goes on: 5/7 survive.
    "half_life_survival": None,
    "raid_rate": 3 / 9,
    "raid_stamina_share": 3 / 36,
    "raid_success_rate": 2 / 3,
    "defence_trigger_rate": 1 / 3,
    "idle_rate": 7 / 36,
    "wasted_rate": 6 / 36,
    "idle_defence_rate": 2 / 36,
    "gini": 8 / 36,
    "hhi": 1 / 3,
    "drawn_plans": 0,
    "share_claim": 7 / 29,
    "share_raid": 3 / 29,
    "share_defend": 3 / 29,
    "share_mine": 16 / 29,
    # Exposed: all six in round 2, where A and C raid; in round 3 B alone does, to whom A's two and C's two are exposed.
    "respect": 1 - 2 / 10,
    "respect_1_5": 1 - 2 / 10,
    "respect_6_20": None,
    "respect_21_up": None,
    "turnover_rate_first_half": None,
    "turnover_rate_second_half": 1 / 6,
    "turnover_rate_change": None,
    "raid_rate_first_half": 0,
    "raid_rate_second_half": 1 / 2,
    "raid_rate_change": 1 / 2,
    "output_first_half": 0,
    "output_second_half": 6,
    "output_change": 6,
    "share_claim_first_half": 1,
    "share_claim_second_half": 0,
    "share_claim_change": -1,
    "share_raid_first_half": 0,
    "share_raid_second_half": 3 / 22,
    "share_raid_change": 3 / 22,
    "share_defend_first_half": 0,
    "share_defend_second_half": 3 / 22,
    "share_defend_change": 3 / 22,
    "share_mine_first_half": 0,
    "share_mine_second_half": 8 / 11,
    "share_mine_change": 8 / 11,
}


def start() -> World:
    """The empty grid, with a seed under which C wins the draw for (0,2)."""
    for seed in range(20):
        world = board(".../...", miners=3, round=0, stamina=4, mine_cap=2, seed=seed)
        if world.rng.choice([1, 2], "claim", 2) == 2:
            return world
    raise AssertionError("no such seed")


@lru_cache(maxsize=1)
def series() -> list[Mapping[str, Any]]:
    world, rows = start(), []
    for asked, expected in zip(ROUNDS, AFTER, strict=True):
        step = step_of(world, asked)
        rows.append(METRICS.measure(world.config, world.state, step))
        world = World(world.config, step.state, world.seed)
        assert letters(world) == expected
    return rows


@pytest.mark.parametrize("name", BY_ROUND)
def test_by_round(name: str) -> None:
    assert [row[name] for row in series()] == pytest.approx(list(BY_ROUND[name]), nan_ok=False)


@pytest.mark.parametrize("name", BY_RUN)
def test_by_run(name: str) -> None:
    assert METRICS.summarise(start().config, series())[name] == pytest.approx(BY_RUN[name])


def test_the_tables_leave_no_metric_out() -> None:
    assert set(METRICS.summarise(start().config, series())) == set(BY_RUN) == set(METRICS.about())


def test_the_owners_after_each_round_are_kept() -> None:
    assert [row["owners"] for row in series()] == [(0, 0, 2, 1, 1, 2), (0, 0, 2, 0, 1, 2), (0, 0, 2, 1, 1, 2)]


def test_possessions_end_when_the_owner_changes_and_are_censored_at_the_end() -> None:
    owners = [(NOBODY, 0), (0, 0), (0, 1), (1, 1), (1, 1)]
    assert sorted(spells(owners)) == [(1, False), (2, False), (2, True), (2, True)]


def test_nothing_ever_owned_leaves_property_undefined() -> None:
    world = board("..", round=0)
    step = step_of(world, {})
    summary = METRICS.summarise(world.config, [METRICS.measure(world.config, world.state, step)])
    for name in ("turnover_rate", "half_life", "half_life_survival", "hhi", "respect", "raid_success_rate"):
        assert summary[name] is None, name
    assert (summary["gini"], summary["idle_rate"]) == (0, 1)


@pytest.mark.parametrize(
    ("since", "name"), [(10, "1_5"), (6, "1_5"), (5, "6_20"), (-9, "6_20"), (-10, "21_up"), (-100, "21_up")]
)
def test_respect_goes_by_how_long_a_plot_was_held(since: int, name: str) -> None:
    world = board("AB").changed(since=(since, 1))
    row: Mapping[str, Any] = METRICS.measure(world.config, world.state, step_of(world, {"B": ["raid 0,0"]}))
    assert (row["respect"], row["counts"]["exposures"]) == (0.5, 2)
    assert row["counts"][f"violations_{name}"] == 1


def exposed(world: World, asked: Mapping[str, Sequence[str]]) -> tuple[float | None, int]:
    row: Mapping[str, Any] = METRICS.measure(world.config, world.state, step_of(world, asked))
    return row["respect"], row["counts"]["exposures"]


def test_who_has_no_stamina_to_spare_lets_no_occasion_pass() -> None:
    world = board("AB", stamina=2, mine_cap=2)
    busy = {"A": ["mine 0,0 2"], "B": ["mine 0,1 2"]}
    assert exposed(world, busy) == (None, 0)
    assert exposed(world, {**busy, "B": ["mine 0,1 1"]}) == (1, 1), "B leaves one idle, and A's plot alone"
    assert exposed(world.changed(immune_until=(99, 0)), {**busy, "B": []}) == (None, 0), "A's plot is immune"


def test_plots_that_were_captured_before_are_no_first_possessions() -> None:
    world = board("AB").changed(first=(1, 1))
    row: Mapping[str, Any] = METRICS.measure(world.config, world.state, step_of(world, {"B": ["raid 0,0"]}))
    assert (row["counts"]["exposures"], row["counts"]["violations"]) == (1, 0)


def test_what_the_seed_drew_is_nobodys_conduct() -> None:
    world = board("AB", rationalisation="seeded", stamina=2)
    drawn = clean(world, 1, None)[0]
    row: Mapping[str, Any] = METRICS.measure(world.config, world.state, step_of(world, {0: Plan(), 1: drawn}))
    counts = row["counts"]
    assert (row["drawn_plans"], counts["own_seats"], counts["own_stamina"], counts["own_raids"]) == (1, 1, 2, 0)
    assert row["share_raid"] is None
    assert counts["violations"] == 0
    assert counts["spent"] == 2, "what is spent is spent, whoever planned it"


NAMED_BY_THE_SOURCE = [name for name in BY_RUN if name not in ("drawn_plans",)]


@lru_cache(maxsize=8)
def summary_of(preset: str) -> Mapping[str, Any]:
    config, _, rows = played(preset, 1000)
    return METRICS.summarise(config, rows)


@pytest.mark.parametrize("name", NAMED_BY_THE_SOURCE)
def test_some_preset_gives_the_metric_something_to_say(name: str) -> None:
    assert any(summary_of(preset)[name] for preset in ("mixed", "policies", "wide-land"))
