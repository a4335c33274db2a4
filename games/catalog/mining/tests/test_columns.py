"""Many worlds as columns: the very steps of play, and what is played one by one."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from games.catalog.mining import PACK
from games.catalog.mining.columns import rules
from games.catalog.mining.config import MiningConfig
from games.core.pack import NoBatch, Sitting
from games.core.registry import get
from games.lab.scenarios.scenario import load_preset
from games.laws.record import batch_difference

QUICK = ("policies", "mixed", "talk", "window-0", "adjudication", "uneven-stamina", "per-point-defence")
"""Presets in which every policy plays, and every rule is at work."""


def seated(plain: Sequence[Mapping[str, Any]]) -> dict[int, Sitting]:
    return {seat: Sitting(one["policy"], one["params"]) for seat, one in enumerate(plain)}


def lineups(preset: str) -> list[tuple[MiningConfig, dict[int, Sitting]]]:
    """Each condition of a preset in which policies play that have a form over columns."""
    found: list[tuple[MiningConfig, dict[int, Sitting]]] = []
    for condition in load_preset(f"mining/{preset}").conditions:
        plain = [agent.plain() for agent in condition.seats]
        if isinstance(condition.config, MiningConfig) and all(agent["kind"] == "policy" for agent in plain):
            found.append((condition.config, seated(plain)))
    return found


@pytest.mark.parametrize("preset", QUICK)
def test_worlds_side_by_side_are_those_played_alone(preset: str) -> None:
    for config, sitting in lineups(preset):
        assert batch_difference(PACK, config, sitting, (1, 5), 26) == ""


def rules_policies() -> list[str]:
    return sorted(PACK.batch.columns.policies)  # type: ignore[union-attr]


def test_every_policy_over_columns_alone_on_its_map_is_that_of_play() -> None:
    for policy in rules_policies():
        sitting = {seat: Sitting(policy) for seat in range(12)}
        config = MiningConfig(miners=12, rows=5, cols=6, mine_cap=2, immunity_window=0, messages=1)
        assert batch_difference(PACK, config, sitting, (2, 3), 14) == "", policy


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("preset", sorted(get("mining").scenarios))
def test_every_preset_is_the_same_to_its_last_round(preset: str) -> None:
    for config, sitting in lineups(preset):
        assert batch_difference(PACK, config, sitting, (1, 2, 77, 2**62)) == ""


def test_a_rule_that_is_bent_over_columns_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = rules.drawn
    monkeypatch.setattr(rules, "drawn", lambda draws, label, seats, found: kept(draws, "claim", seats, found))
    assert any(batch_difference(PACK, config, sitting, (1, 5), 26) for config, sitting in lineups("policies"))


def test_a_policy_without_a_form_over_columns_is_refused_by_name() -> None:
    assert PACK.batch is not None
    sitting = {seat: Sitting("avenger" if seat == 4 else "guided") for seat in range(10)}
    with pytest.raises(NoBatch, match="policy avenger: it has no form over columns"):
        PACK.batch(MiningConfig(), [1, 2], sitting)


def test_a_world_too_large_for_columns_is_refused() -> None:
    assert PACK.batch is not None
    with pytest.raises(NoBatch, match="miners x plots, or x stamina: 200000"):
        PACK.batch(MiningConfig(miners=20, rows=100, cols=100), [1, 2], {seat: Sitting("guided") for seat in range(20)})


@pytest.mark.parametrize(
    ("bent", "part"),
    [
        ("writing._sources", "the steps differ"),
        ("writing.MINED.parts", "the steps differ"),
        ("measuring._exposures", "what is measured without the step differs"),
        ("standing._outcome", "the states differ"),
    ],
)
def test_what_is_bent_in_records_states_and_measures_is_seen(
    bent: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"games.catalog.mining.columns.{bent}"
    mutants = {
        "standing._outcome": lambda winner, repelled: kept(winner, not repelled),
        "writing._sources": lambda config, last: kept(config, last) // 2,
        "writing.MINED.parts": lambda counts, by, gold, *rest: kept(
            counts, by, gold._replace(numbers=gold.numbers * 0), *rest
        ),
        "measuring._exposures": lambda before, now, raided, ready: kept(before, now, ~raided, ready),
    }
    kept = pkgutil.resolve_name(path)
    monkeypatch.setattr(path, mutants[bent])
    found = [batch_difference(PACK, config, sitting, (1, 5), 26) for config, sitting in lineups("policies")]
    assert any(part in one for one in found)
