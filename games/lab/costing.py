"""What a whole scenario is likely to cost, before anything is played."""

from __future__ import annotations

from agents_app.deciders.seating import model_agent
from agents_app.estimating import Estimate, estimate, summed
from agents_app.profile import Limits
from games.lab.scenario import Condition, Scenario
from games.lab.seating import ModelSeat


def estimate_of(scenario: Scenario) -> Estimate:
    """For every run of the scenario: its first seed stands for the others of a condition."""
    runs = len(scenario.seeds)
    return summed((runs, estimate_condition(scenario, one, scenario.seeds[0])) for one in scenario.conditions)


def estimate_condition(scenario: Scenario, condition: Condition, seed: int) -> Estimate:
    """For one run of a condition."""
    agents = {
        seat: model_agent(scenario.pack, condition.config, agent.profile)
        for seat, agent in enumerate(condition.seats)
        if isinstance(agent, ModelSeat)
    }
    return estimate(scenario.pack, condition.config, seed, agents)


def real_models(scenario: Scenario) -> list[str]:
    """The models that would really be called, each once."""
    seats = [agent for condition in scenario.conditions for agent in condition.seats]
    named = (agent.profile.model for agent in seats if isinstance(agent, ModelSeat) and not agent.profile.is_mock)
    return list(dict.fromkeys(named))


def limited_seats(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    """Conditions in which a seat's own limit would stop it before the end, with what is limited."""
    found: dict[str, tuple[str, ...]] = {}
    for condition in scenario.conditions:
        for seat, agent in enumerate(condition.seats):
            if not isinstance(agent, ModelSeat) or agent.profile.limits == Limits():
                continue
            alone = {seat: model_agent(scenario.pack, condition.config, agent.profile)}
            told = estimate(scenario.pack, condition.config, scenario.seeds[0], alone)
            if beyond := told.exceeded(agent.profile.limits):
                found.setdefault(f"{condition.name}, seat {seat}", beyond)
    return found
