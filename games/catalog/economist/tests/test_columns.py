"""Many worlds as columns: the very steps of play, and what is played one by one."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, Final

import numpy as np
import pytest

from games.catalog.economist import PACK
from games.catalog.economist.columns import boundary, crew, rules, telling
from games.catalog.economist.columns.policies import PLANNERS, POLICIES, WORKERS
from games.catalog.economist.columns.world import LARGEST
from games.catalog.economist.config import EconomistConfig
from games.core.agents import deciding
from games.core.engine import play
from games.core.pack import NoBatch, Sitting
from games.core.registry import get
from games.lab.scenarios.scenario import load_preset
from games.laws.record import batch_difference

QUICK = ("default", "crime", "published", "small-land")
"""Presets in which most rules and policies are at work."""
SMALL: Final = {"workers": 6, "epochs": 4, "steps_per_epoch": 12, "map": {"height": 5, "width": 6}}
EASILY_FLAGGED: Final = {"min_shared_steps": 3, "similarity_threshold": 0.4, "suspicion_score_threshold": 0.1}
WORLDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "plain": {"energy_per_step": 20},
    "rich": {"starting_coin": 60, "energy_refill": "step", "build": {"wood_cost": 1, "stone_cost": 2}},
    "strict": {
        "misreporting": {"audit_probability": 0.6, "freeze_after_n_catches": 1, "fine_multiplier": 3.3},
        "collusion": {**EASILY_FLAGGED, "response_trade_restriction_epochs": 2, "counted_once": True},
        "taxation": {"redistribution": "lump_sum", "brackets": [[0, 0.05], [3, 0.2], [8, 0.5]]},
    },
    "odd": {
        "skill_gather": [0.3, 1, 1.5, 0.7, 2.25, 1],
        "skill_build": [0.1, 1, 1.5, 0.7, 2.25, 0.2],
        "build": {"wood_cost": 1.5, "stone_cost": 0.4, "upkeep_per_house_per_step": 0.5, "max_houses_per_agent": 3},
        "taxation": {"smoothing": 1.5, "brackets": [[0, 0.3], [4, 0.1]], "allow_non_monotone": True},
        "planner": {"update_interval_epochs": 2},
        "gaming": {"taxed_at_the_end": True},
        "collusion": {**EASILY_FLAGGED, "evidence": "offers", "detection_window_steps": 70},
        "energy_per_step": 30,
        "sight": 1,
    },
    "bare": {
        "market": {"enabled": False},
        "misreporting": {"enabled": False},
        "gaming": {"income_shifting_enabled": False},
        "collusion": {"enabled": False},
        "sight": 0,
        "map": {"height": 1, "width": 7, "wood_density": 0.5, "layout": "halves"},
    },
}


def lineups(preset: str) -> list[tuple[EconomistConfig, dict[int, Sitting]]]:
    """Each condition of a preset in which policies play that have a form over columns, and no order stands."""
    found = []
    for condition in load_preset(f"economist/{preset}").conditions:
        plain, config = [agent.plain() for agent in condition.seats], condition.config
        assert isinstance(config, EconomistConfig)
        if config.market.order_lifetime_steps == 1 and all(agent.get("policy") in POLICIES for agent in plain):
            found.append(
                (config, {seat: Sitting(agent["policy"], agent["params"]) for seat, agent in enumerate(plain)})
            )
    return found


def company(worker: str, world: str, planner: str = "heuristic") -> tuple[EconomistConfig, dict[int, Sitting]]:
    """Two seats of a policy among others, and a planner."""
    names = (worker, "trader", worker, "honest", "collusive", "evasive", planner)
    config = EconomistConfig.model_validate({**SMALL, **WORLDS[world]})
    return config, {seat: Sitting(name) for seat, name in enumerate(names)}


@pytest.mark.parametrize("preset", QUICK)
def test_worlds_side_by_side_are_those_played_alone(preset: str) -> None:
    for config, seated in lineups(preset):
        assert batch_difference(PACK, config, seated, (1, 5), steps=70) == ""


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("policy", [play.__name__ for play in WORKERS])
def test_every_worker_over_columns_is_that_of_play(policy: str, world: str) -> None:
    assert batch_difference(PACK, *company(policy, world), (2, 3)) == ""


@pytest.mark.parametrize("planner", [play.__name__ for play in PLANNERS])
def test_every_planner_beside_columns_is_that_of_play(planner: str) -> None:
    for world in ("plain", "odd"):
        assert batch_difference(PACK, *company("gaming", world, planner), (2, 3)) == ""


def test_crime_can_be_honest_craft() -> None:
    config, seated = company("gaming", "plain")
    seated |= {seat: Sitting(seated[seat].policy, {"craft": "honest"}) for seat in (0, 2, 5)}
    assert batch_difference(PACK, config, seated, (2, 3)) == ""


@pytest.mark.full
@pytest.mark.parametrize("preset", sorted(get("economist").scenarios))
def test_every_preset_is_the_same_to_its_last_step(preset: str) -> None:
    for config, seated in lineups(preset):
        assert batch_difference(PACK, config, seated, (1, 2**62)) == ""


@pytest.mark.full
@pytest.mark.parametrize("workers", [4, 100])
def test_many_honest_workers_are_the_same_to_their_last_step(workers: int) -> None:
    seated = {seat: Sitting("honest" if seat < workers else "heuristic") for seat in range(workers + 1)}
    assert batch_difference(PACK, EconomistConfig(workers=workers), seated, range(4)) == ""


@pytest.mark.parametrize(
    ("where", "name", "bent"),
    [
        (rules, "LAST", 0),
        (rules, "shift", lambda had, plans, shifts, terms: None),
        (boundary, "freeze_repeaters", lambda after, caught: None),
        (boundary, "scores", lambda shared, equal, pairs: (0.0, 0.0)),
        (crew, "scaled", lambda bits, n: np.zeros_like(n)),
        (telling, "portion", lambda amount, rate: 0),
    ],
)
def test_what_is_bent_over_columns_is_seen(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, bent: Callable[..., Any]
) -> None:
    monkeypatch.setattr(where, name, bent)
    assert any(batch_difference(PACK, *company("gaming", world), (2, 3, 4)) for world in ("rich", "strict"))


def test_states_and_events_can_be_read_when_all_is_over() -> None:
    config, seated = company("gaming", "strict")
    deciders = {seat: deciding(PACK.policies[one.policy].bind()) for seat, one in seated.items()}
    assert PACK.batch is not None
    unread = [row[1] for row in PACK.batch(config, [4, 3], seated)]
    alone = list(play(PACK.game, config, 3, deciders))
    for ours, theirs in zip(reversed(unread), reversed(alone), strict=True):
        assert hash(ours.state) == hash(theirs.state)
        assert ours.state == theirs.state
        assert list(ours.events) == list(theirs.events)
    assert copy(unread[5].state) == alone[5].state


def test_a_state_that_nobody_has_read_equals_another_and_travels() -> None:
    config, seated = company("honest", "plain")
    assert PACK.batch is not None
    once, again = (list(PACK.batch(config, [1], seated))[3][0].state for _ in range(2))
    travelled = pickle.loads(pickle.dumps(once))
    assert once == again == travelled


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"market": {"order_lifetime_steps": 2}}, "order_lifetime_steps above 1"),
        ({"map": {"resource_max_amount": 0}}, "of 0 there is nothing to seek"),
        ({"starting_coin": 1e6, "workers": 500}, "coin of all: up to 500"),
    ],
)
def test_what_does_not_fit_into_columns_is_refused(settings: Mapping[str, Any], why: str) -> None:
    assert PACK.batch is not None
    config = EconomistConfig.model_validate(settings)
    with pytest.raises(NoBatch, match=why):
        next(iter(PACK.batch(config, [1, 2], {seat: Sitting("honest") for seat in range(config.workers)})))


def test_a_seat_without_a_form_over_columns_is_refused_by_name() -> None:
    assert PACK.batch is not None
    with pytest.raises(NoBatch, match="policy maker"):
        PACK.batch(EconomistConfig(workers=2), [1], {0: Sitting("honest"), 1: Sitting("maker"), 2: Sitting("fixed")})


def test_products_of_the_largest_numbers_fit() -> None:
    assert np.iinfo(np.int64).max > LARGEST * 2
