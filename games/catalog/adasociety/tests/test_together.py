"""A policy that decides for all its seats at once plays as it does seat by seat."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from games.catalog.adasociety import PACK
from games.catalog.adasociety.tests.build import GAME
from games.core import codec
from games.core.agents import Decider, Decision, deciding, teams_of
from games.core.engine import play
from games.core.rng import Rng
from games.lab.learning.adasociety import preset_config

TEAMED = [name for name, spec in PACK.policies.items() if spec.play_all is not None]
STEPS = 60


def played(preset: str, deciders: Mapping[int, Decider], seed: int = 5) -> list[object]:
    steps = zip(range(STEPS + 1), play(GAME, preset_config(preset), seed, deciders), strict=False)
    return [(codec.encode_step(GAME, step), step.state) for _, step in steps]


def alone(name: str) -> Decider:
    """The policy, in such a form that the engine cannot tell which one it is."""
    decide = deciding(PACK.policies[name].bind())
    return lambda request: decide(request)


@pytest.mark.parametrize("preset", ["contract-easy", "negotiation-easy", "social-structure-hard", "exploration"])
@pytest.mark.parametrize("name", TEAMED)
def test_all_seats_at_once_is_the_same_as_seat_by_seat(preset: str, name: str) -> None:
    seats = range(preset_config(preset).seat_count)
    team = {seat: deciding(PACK.policies[name].bind()) for seat in seats}
    assert [found.seats for found in teams_of(team, Rng.root(1))] == [tuple(seats)]
    assert played(preset, team) == played(preset, {seat: alone(name) for seat in seats})


def test_two_teams_and_a_single_agent_share_a_match() -> None:
    names = ["random", "blind", "loner", "random", "blind", "blind", "crew", "random"]
    together = {seat: deciding(PACK.policies[name].bind()) for seat, name in enumerate(names)}
    assert [team.seats for team in teams_of(together, Rng.root(1))] == [(0, 3, 7), (1, 4, 5)]
    assert played("exploration", together) == played("exploration", {s: alone(n) for s, n in enumerate(names)})


def test_a_team_beside_one_who_does_not_answer() -> None:
    def silent(request: object) -> Decision[object]:
        return Decision(None)

    mixed = {**dict.fromkeys(range(1, 4), deciding(PACK.policies["random"].bind())), 0: silent}
    steps = list(zip(range(30), play(GAME, preset_config("social-structure-easy"), 1, mixed), strict=False))
    assert {step.flags.get(0) for _, step in steps[1:]} == {("no_answer",)}
    assert all(len(step.actions) == 4 and set(step.flags) == {0} for _, step in steps[1:])


def test_the_random_policies_are_such() -> None:
    assert TEAMED == ["random", "blind", "load36"]
