"""Seats by role: who sits there where nothing is said, who is meant by ``role:NAME``, who cannot sit there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from games.core.game import SeatSpec
from games.errors.faults import Fault
from games.lab.scenarios.form import AgentForm
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.seating import seat_agents
from tests.core.toys import PARADE, Parade, ParadeConfig
from tests.lab.conftest import Said


class Band(Parade):
    """A parade whose first marcher leads."""

    slug: ClassVar[str] = "band"

    def seats(self, config: ParadeConfig) -> Sequence[SeatSpec]:
        return [SeatSpec(f"marcher-{seat + 1}", "leader" if seat == 0 else "player") for seat in range(config.marchers)]


LATEST = PARADE.policies["latest"]
BAND = replace(
    PARADE,
    game=Band(),
    policies={
        "latest": LATEST,
        "lead": replace(LATEST, name="lead", roles=("leader",)),
        "follow": replace(LATEST, name="follow", roles=("player",)),
    },
    role_defaults={"leader": "lead"},
)


def seated(*layers: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """The policy of each seat, and what is wrong."""
    faults: list[Fault] = []
    given = [
        Layer(f"file {n}", {}, {key: AgentForm.model_validate(agent) for key, agent in seats.items()})
        for n, seats in enumerate(layers)
    ]
    agents = seat_agents(BAND, BAND.game.seats(ParadeConfig()), given, faults)
    return [agent.policy for agent in agents], [str(fault) for fault in faults]


def test_where_nothing_is_said_each_role_has_its_own_policy() -> None:
    assert seated() == (["lead", "latest", "latest"], [])


@pytest.mark.parametrize(
    ("layers", "policies"),
    [
        ([{"default": {"policy": "latest"}}], ["latest"] * 3),
        ([{"role:player": {"policy": "follow"}}], ["lead", "follow", "follow"]),
        ([{"default": {"policy": "latest"}, "role:leader": {"policy": "lead"}}], ["lead", "latest", "latest"]),
        ([{"role:player": {"policy": "follow"}, "2": {"policy": "latest"}}], ["lead", "follow", "latest"]),
        ([{"1": {"policy": "latest"}}, {"role:player": {"policy": "follow"}}], ["lead", "latest", "follow"]),
        ([{"role:player": {"policy": "follow"}}, {"default": {"policy": "latest"}}], ["latest", "follow", "follow"]),
        ([{"role:leader": {"model": "mock/default"}}], ["lead", "latest", "latest"]),
        ([{"role:leader": {"person": True}}], ["lead", "latest", "latest"]),
    ],
)
def test_a_named_seat_wins_over_its_role_and_the_role_over_the_default(layers: Any, policies: list[str]) -> None:
    assert seated(*layers) == (policies, [])


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        ({"0": {"policy": "follow"}}, "follow plays player, not a seat with the role leader"),
        ({"default": {"policy": "follow"}}, "that can be latest, lead"),
        ({"role:leader": {"model": "mock/follow"}}, "that policy cannot play the role leader"),
        ({"role:drummer": {"policy": "latest"}}, "by name, as role:NAME, or default (did you mean role:leader?)"),
    ],
)
def test_a_policy_in_a_role_that_it_cannot_play_is_refused_with_those_that_can(seats: Any, told: str) -> None:
    _, faults = seated(seats)
    assert len(faults) == 1
    assert told in faults[0]


ALL_SAID = {"role:leader": {"policy": "lead"}, "role:player": {"policy": "follow"}}


@pytest.mark.parametrize("policy", ["latest", "lead", "follow"])
def test_a_default_that_nobody_uses_need_be_able_to_play_no_more_than_one_role(policy: str) -> None:
    assert seated({**ALL_SAID, "default": {"policy": policy}}) == (["lead", "follow", "follow"], [])


def test_a_default_that_nobody_uses_is_refused_where_it_can_play_no_role_and_told_once() -> None:
    _, faults = seated({**ALL_SAID, "default": {"policy": "fallow"}})
    assert faults == ["file 0: seats.default.policy: 'fallow'; did you mean follow?"]


def test_models_in_seats_of_several_roles_are_estimated_played_and_played_again(polity: Callable[..., Said]) -> None:
    short = ("--set", "epochs=2", "--set", "steps_per_epoch=3")
    told = polity("run", "economist/five-epochs", *short, "--dry-run")
    assert (told.status, told.err) == (0, "")
    assert "models: " in told.out
    polity("run", "economist/five-epochs", *short, "--out", "out")
    told = polity("verify", "out", "--recording")
    assert told.status == 0
    assert "from its recording, 0 calls: identical" in told.out
