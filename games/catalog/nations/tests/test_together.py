"""A policy that decides for all its seats at once plays as it does seat by seat."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.policies import POLICIES
from games.catalog.nations.tests.builder import GAME
from games.core import codec
from games.core.agents import Decider, deciding, teams_of
from games.core.engine import play
from games.core.rng import Rng

CONFIG = NationsConfig(nations=5, turns=12, armies=(3, 2, 4, 0, 1))


def played(deciders: Mapping[int, Decider]) -> list[object]:
    return [(codec.encode_step(GAME, step), step.state) for step in play(GAME, CONFIG, 5, deciders)]


def alone(name: str) -> Decider:
    """The policy, in such a form that the engine cannot tell which one it is."""
    decide = deciding(POLICIES[name].bind())
    return lambda request: decide(request)


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_all_seats_at_once_is_the_same_as_seat_by_seat(name: str) -> None:
    team = {seat: deciding(POLICIES[name].bind()) for seat in range(5)}
    assert [found.seats for found in teams_of(team, Rng.root(1))] == [(0, 1, 2, 3, 4)]
    assert played(team) == played({seat: alone(name) for seat in range(5)})


def test_teams_and_a_single_agent_share_a_match() -> None:
    names = ["random", "raider", "tit-for-tat", "raider", "random"]
    together = {seat: deciding(POLICIES[name].bind()) for seat, name in enumerate(names)}
    singles = {seat: alone(name) for seat, name in enumerate(names)}
    assert [team.seats for team in teams_of(together, Rng.root(1))] == [(0, 4), (1, 3), (2,)]
    assert played(together) == played(singles) == played({**together, 2: singles[2]})
