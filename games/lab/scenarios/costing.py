"""What a whole scenario is likely to cost, before anything is played."""

from __future__ import annotations

from agents_app.deciders.seating import model_agent
from agents_app.estimating import Estimate, estimate, summed
from agents_app.profile import Limits
from agents_app.providers.keys import missing_key, unsendable
from games.errors.faults import BadScenario, Fault
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import ModelSeat


def estimate_of(scenario: Scenario) -> Estimate:
    """For every run of the scenario: its first seed stands for the others of a condition."""
    seeds = [(one, scenario.seeds_of(one)) for one in scenario.conditions]
    return summed((len(runs), estimate_condition(scenario, one, runs[0])) for one, runs in seeds)


def estimate_condition(scenario: Scenario, condition: Condition, seed: int) -> Estimate:
    """For one run of a condition."""
    specs = scenario.pack.game.seats(condition.config)
    agents = {
        seat: model_agent(scenario.pack, condition.config, agent.profile, role=specs[seat].role)
        for seat, agent in enumerate(condition.seats)
        if isinstance(agent, ModelSeat)
    }
    return estimate(scenario.pack, condition.config, seed, agents)


def real_models(scenario: Scenario) -> list[str]:
    """The models that would really be called, each once."""
    seats = [agent for condition in scenario.conditions for agent in condition.seats]
    named = (agent.profile.model for agent in seats if isinstance(agent, ModelSeat) and not agent.profile.is_mock)
    return list(dict.fromkeys(named))


def asks_by_batch(scenario: Scenario) -> bool:
    """Whether some model of it is asked through its vendor's batch interface."""
    seats = [agent for condition in scenario.conditions for agent in condition.seats]
    return any(isinstance(agent, ModelSeat) and agent.profile.batch is not None for agent in seats)


def check_keys(scenario: Scenario) -> None:
    """Refuse to begin where a model's key is not in the environment, or may not be sent to its server: each call would
    fail. Raises `BadScenario`.
    """
    seats = [agent for condition in scenario.conditions for agent in condition.seats if isinstance(agent, ModelSeat)]
    missing = [(seat.profile.model, missing_key(seat.profile)) for seat in seats]
    told = "is not set in the environment; set it, or name another variable under key_env"
    if faults := [Fault(model, "", f"{name} {told}") for model, name in missing if name is not None]:
        raise BadScenario(list(dict.fromkeys(faults)))
    barred = [Fault(seat.profile.model, "", why) for seat in seats if (why := unsendable(seat.profile)) is not None]
    if barred:
        raise BadScenario(list(dict.fromkeys(barred)))


def limited_seats(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    """Conditions in which a seat's own limit would stop it before the end, with what is limited."""
    found: dict[str, tuple[str, ...]] = {}
    for condition in scenario.conditions:
        specs = scenario.pack.game.seats(condition.config)
        for seat, agent in enumerate(condition.seats):
            if not isinstance(agent, ModelSeat) or agent.profile.limits == Limits():
                continue
            alone = {seat: model_agent(scenario.pack, condition.config, agent.profile, role=specs[seat].role)}
            told = estimate(scenario.pack, condition.config, scenario.seeds_of(condition)[0], alone)
            if beyond := told.exceeded(agent.profile.limits):
                found.setdefault(f"{condition.name}, seat {seat}", beyond)
    return found
