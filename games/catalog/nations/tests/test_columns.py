"""Many worlds as columns: the very steps of play, and what is played one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pytest

from games.catalog.nations import PACK
from games.catalog.nations.columns import POLICIES, policies, rules
from games.catalog.nations.columns.rules import parts_of
from games.catalog.nations.config import NationsConfig
from games.core.draws import Flags, Ints
from games.core.pack import NoBatch, Sitting
from games.core.registry import get
from games.lab.scenarios.scenario import load_preset
from games.laws.record import batch_difference

QUICK = ("authors", "borders", "dark-world", "demo", "open-world", "resources", "resources-even", "rounds", "mixed")
"""Presets in which every rule is at work, and all but a few policies."""
WORLDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "hidden": {"attacks_seen": "own", "end_known": False, "losses": "shared", "turns": 16},
    "seen": {"armies_seen": "all", "welfare_seen": "all", "goals": [], "mil_purchase_price": 5},
    "poor": {"territories": 14, "mil_upkeep_price": 9},
}
SAMPLES = (
    *PACK.config_samples,
    {"nations": 4, "territories": 8, "resources": {"energy": 0}},
    {"nations": 8, "turns": 60, "armies": [9] * 8},
    {"nations": 3, "armies": [4, 4, 4], "damage_per_attack_mil": 0, "messages": 0},
)


def lineups(preset: str) -> list[tuple[NationsConfig, dict[int, Sitting]]]:
    """Each condition of a preset in which policies play that have a form over columns."""
    found = []
    for condition in load_preset(f"nations/{preset}").conditions:
        plain = [agent.plain() for agent in condition.seats]
        if isinstance(condition.config, NationsConfig) and all(agent.get("policy") in POLICIES for agent in plain):
            seats = {seat: Sitting(agent["policy"], agent["params"]) for seat, agent in enumerate(plain)}
            found.append((condition.config, seats))
    return found


def company(policy: str, **settings: Any) -> tuple[NationsConfig, dict[int, Sitting]]:
    """Two seats of a policy among others that attack, grant, cede and promise; the first two want something."""
    goals = [
        {"seat": 0, "kind": "rival", "rival": 3, "creed": "disarmament", "heritage": [7, 8, 11, 14]},
        {"seat": 1, "kind": "ideology", "creed": "equality", "heritage": [1, 2, 11, 12, 13]},
    ]
    data = {"nations": 7, "territories": 23, "turns": 12, "armies": [5, 4, 0, 2, 6, 0, 1], "goals": goals}
    names = (policy, policy, "random", "random", "raider", "appeaser", "diplomat")
    return NationsConfig.model_validate(data | settings), {seat: Sitting(name) for seat, name in enumerate(names)}


@pytest.mark.parametrize("preset", QUICK)
def test_worlds_side_by_side_are_those_played_alone(preset: str) -> None:
    for config, seated in lineups(preset):
        assert batch_difference(PACK, config, seated, (1, 5)) == ""


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("world", WORLDS)
def test_every_policy_over_columns_is_that_of_play(policy: str, world: str) -> None:
    config, seated = company(policy, **WORLDS[world])
    assert batch_difference(PACK, config, seated, (2, 3, 4)) == ""


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_settings_that_no_preset_uses_are_those_of_play(number: int) -> None:
    config = NationsConfig.model_validate(SAMPLES[number])
    for names in (("random", "ally", "raider", "zealot"), ("destroyer", "expander", "random", "random")):
        seated = {seat: Sitting(names[seat % 4]) for seat in range(config.nations)}
        assert batch_difference(PACK, config, seated, (1, 2)) == "", names


@pytest.mark.full
@pytest.mark.parametrize("preset", sorted(get("nations").scenarios))
def test_every_preset_is_the_same_to_its_last_turn(preset: str) -> None:
    for config, seated in lineups(preset):
        assert batch_difference(PACK, config, seated, (1, 2, 77, 2**62)) == ""


def _last_gains(whole: Ints, forces: Ints) -> Ints:
    """What rounding leaves goes to the last."""
    return parts_of(whole, forces[:, ::-1])[:, ::-1]


@pytest.mark.parametrize(
    ("where", "name", "bent"),
    [
        (rules, "parts_of", _last_gains),
        (rules, "pay_grants", lambda money, trade, grants: (grants, grants * trade // 100)),
        (policies, "one_of", lambda options, draws, label: np.broadcast_to(options.argmax(axis=-1), draws.keys.shape)),
    ],
)
def test_what_is_bent_over_columns_is_seen(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, bent: Callable[..., Ints | Flags]
) -> None:
    monkeypatch.setattr(where, name, bent)
    assert any(batch_difference(PACK, *lineup, (1, 5)) for preset in ("authors", "mixed") for lineup in lineups(preset))


def test_a_seat_without_a_form_over_columns_is_refused_by_name() -> None:
    pack = get("nations")
    assert pack.batch is not None
    seated = {seat: Sitting("lookahead" if seat == 1 else "trader") for seat in range(4)}
    with pytest.raises(NoBatch, match="policy lookahead"):
        pack.batch(NationsConfig(), [1, 2], seated)


def test_money_too_large_for_columns_is_refused() -> None:
    assert PACK.batch is not None
    config = NationsConfig(territories=2000, money_per_territory=1e6)
    with pytest.raises(NoBatch, match="money of all: 2000000000; "):
        PACK.batch(config, [1, 2], {seat: Sitting("trader") for seat in range(4)})
