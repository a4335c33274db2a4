"""The economist as a field to learn in: its planner moves the rates of brackets each turn, and is paid the welfare of
the epoch that follows, equality times production (Zheng et al., "The AI Economist", 2022). Workers are scripted, or
learn as well (`levels`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from games.core.agents import Decider, deciding
from games.core.engine import play
from games.core.game import Seat
from games.errors.faults import Refused
from games.lab.learning.economist.levels import BESIDE, LEARNT, TWO_LEVELS, Levels
from games.lab.learning.economist.planning import USUAL, Rates, ends, welfare
from games.lab.learning.field import Field, Lesson, Played
from games.lab.learning.plan import CurriculumSettings
from games.lab.learning.solo import Solo
from games.lab.scenarios.scenario import Condition, Scenario, load
from games.lab.scenarios.seating import PolicyAgent

PRESETS: Final = ("planners", TWO_LEVELS)
MEASURE: Final = "equality x production, an epoch"
STARTS: Final = "fixed"
"""The condition whose schedule a run begins with."""


def field(preset: str, worlds: int, settings: Mapping[str, Any] | None = None, mates: bool = False) -> Field:
    """So many worlds of a preset's schedule and workers; what is earned is told as welfare an epoch."""
    if preset == TWO_LEVELS:
        return Levels(load(f"economist/{preset}"), worlds)
    scenario, condition = _condition(preset, STARTS)
    config: Any = condition.config
    turns = (config.epochs - 1) // config.planner.update_interval_epochs
    lens = Rates(len(config.taxation.brackets))
    return Solo(scenario.pack.game, config, workers(scenario, condition), lens, worlds, turns, turns, welfare, USUAL)


def _condition(preset: str, name: str) -> tuple[Scenario, Condition]:
    scenario = load(f"economist/{preset}")
    found = next((one for one in scenario.conditions if one.name == name), None)
    if found is None:
        raise Refused(f"economist/{preset}: it has no condition {name!r} whose schedule could be learnt from")
    return scenario, found


def workers(scenario: Scenario, condition: Condition, count: int = -1) -> dict[Seat, Decider]:
    """Everybody but the planner, or the first so many seats, as the condition seats them."""
    found: dict[Seat, Decider] = {}
    for seat, agent in enumerate(condition.seats[:count]):
        if not isinstance(agent, PolicyAgent):
            raise Refused(f"economist: seat {seat} is no policy's; a planner learns among policies")
        found[seat] = deciding(scenario.pack.policies[agent.policy].bind(agent.params))
    return found


def beside(preset: str, seeds: Sequence[int], played: Played) -> dict[str, list[float]]:
    """What each condition of the preset comes to in the same epochs of those runs, a value a seed; where workers learn,
    what they come to under each planner, the learnt one among them.
    """
    scenario = load(f"economist/{preset}")
    if preset == TWO_LEVELS:
        return {name: played(Levels(scenario, len(seeds), (name,)), seeds) for name in (LEARNT, *BESIDE)}
    found: dict[str, list[float]] = {}
    for condition in scenario.conditions:
        config: Any = condition.config
        deciders = workers(scenario, condition, len(condition.seats))
        worths = []
        for seed in seeds:
            steps = list(play(scenario.pack.game, config, seed, deciders))
            epochs = [welfare(config, before, step) for before, step in pairwise(steps) if ends(config, before, step)]
            worths.append(sum(epochs[1:]) / len(epochs[1:]))
        found[condition.name] = worths
    return found


def lessons(preset: str, settings: CurriculumSettings) -> Sequence[Lesson]:
    """None: nobody's groups change."""
    raise Refused(f"economist/{preset}: there is no curriculum for a planner; choose another --algo")


def about(preset: str) -> None:
    """No seat is played by a network."""
