"""Nations that reckon: when a grant pays, who is shunned and for how long, and whom allies strike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from games.catalog.nations import PACK
from games.core.agents import deciding
from games.core.engine import play

GAME = PACK.game


def match(seats: Mapping[int, tuple[str, dict[str, Any]]], **config: Any) -> list[Any]:
    made = GAME.config_type(nations=4, territories=20, turns=8, **config)
    names = {seat: seats.get(seat, ("dealer", {})) for seat in range(4)}
    deciders = {seat: deciding(PACK.policies[name].bind(params)) for seat, (name, params) in names.items()}
    return list(play(GAME, made, 3, deciders))[1:]


def granted(steps: list[Any], seat: int) -> list[bool]:
    """By turn, whether the nation granted anything."""
    return [bool(step.actions[seat].grants) for step in steps if seat in step.actions]


@pytest.mark.parametrize(("factor", "grants"), [(2, True), (1.2, True), (1.1, False), (1, False), (0.5, False)])
def test_a_dealer_grants_while_what_comes_back_is_worth_more(factor: float, grants: bool) -> None:
    assert all(one == grants for one in granted(match({}, trade_factor=factor, end_known=False), 0))


def test_a_known_end_stops_grants_as_many_turns_before_as_it_looks_ahead() -> None:
    far = dict.fromkeys(range(4), ("dealer", {"foresight": 3}))
    assert granted(match(far, end_known=True), 0) == [True] * 5 + [False] * 3
    assert granted(match(far, end_known=False), 0) == [True] * 8


def test_whoever_attacks_gets_nothing_until_it_is_forgiven() -> None:
    steps = match({3: ("raider", {"force": 2})}, end_known=False)
    attacked = [turn for turn, step in enumerate(steps) if step.actions[3].attacks]
    assert attacked
    after = steps[attacked[0] + 1 :]
    assert all(3 not in {grant.to for grant in step.actions[0].grants} for step in after)
    assert any(3 in {grant.to for grant in step.actions[0].grants} for step in steps[: attacked[0] + 1])


def test_an_attack_on_a_friend_is_answered_by_allies_and_not_by_dealers() -> None:
    raid = {3: ("raider", {"force": 2})}
    allies = match({**dict.fromkeys(range(3), ("ally", {})), **raid}, end_known=False)
    assert {attack.on for step in allies for seat in range(3) for attack in step.actions[seat].attacks} == {3}
    dealers = match(raid, end_known=False)
    assert not any(step.actions[seat].attacks for step in dealers for seat in range(3))
