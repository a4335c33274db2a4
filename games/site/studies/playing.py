"""The match of a play step: its scenario, how many people sit in it, how many are matched among themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import Scenario, load
from games.site.studies.form import Step

SOURCE: Final = "study"


def scenario_of(step: Step, fill: Mapping[str, Any] | None = None) -> Scenario:
    """The scenario of a play step with what the step changes; raises `BadScenario`.

    ``fill``: an agent in every seat of a person, to see whether it can play there.
    """
    assert step.scenario is not None
    seats = read_seats({"seats": step.seats}, SOURCE) if step.seats else {}
    if fill is not None:
        people = [index for index, one in enumerate(scenario_of(step).conditions[0].seats) if one.kind == "person"]
        seats = {**seats, **read_seats({"seats": {str(index): dict(fill) for index in people}}, SOURCE)}
    return load(step.scenario, extra=[Layer(SOURCE, step.config, seats, people=step.people)])


def group_size(step: Step) -> int:
    """People in a match of a play step: the persons' seats of its scenario."""
    return sum(agent.kind == "person" for agent in scenario_of(step).conditions[0].seats)


def silo_of(step: Step) -> int:
    """Places that are matched among themselves: the step's, else one group."""
    return step.silo or group_size(step)
