"""The economist's planner as a field to learn in: each turn it moves the rates of brackets, and is paid the welfare of
the epoch that follows, equality times production (Zheng et al., "The AI Economist", 2022). Workers are scripted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from games.catalog.economist.metrics import closed, epoch_metrics
from games.catalog.economist.money import decimal
from games.catalog.economist.observation import PlannerSeen
from games.catalog.economist.planners import aiming
from games.catalog.economist.state import KEEP
from games.core.agents import Decider, Decision, Request, deciding
from games.core.engine import play
from games.core.game import Seat, Step
from games.errors.faults import Refused
from games.lab.learning.field import Lesson
from games.lab.learning.plan import CurriculumSettings
from games.lab.learning.solo import Look, Solo
from games.lab.scenarios.scenario import Condition, Scenario, load
from games.lab.scenarios.seating import PolicyAgent

PRESETS: Final = ("planners",)
MOVE: Final = 0.1
"""By so much a rate is moved."""
USUAL: Final = 20.0
"""About what an epoch is worth: rewards are parts of it."""
STARTS: Final = "fixed"
"""The condition whose schedule a run begins with."""


class Rates:
    """The planner's sight as whole numbers: the schedule, and the statistics of the epoch that ended. Its actions: keep
    the schedule, raise or lower one rate, or all.
    """

    def __init__(self, brackets: int) -> None:
        self._brackets = brackets
        self.features, self.actions = brackets + 7, 3 + 2 * brackets

    def look(self, request: Request[Any, Any]) -> Look:
        return Look(self._row(request.observation), [1] * self.actions, lambda number: self._moved(request, number))

    def _row(self, seen: PlannerSeen) -> Sequence[int]:
        config, told = seen.shared.config, seen.statistics
        return [
            *(round(40 * decimal(rate)) for _, rate in seen.shared.schedule),
            round(16 * seen.shared.epoch / config.epochs),
            round(40 * told.gini),
            min(255, round(40 * told.total_tax_revenue / max(told.total_income, 1e-9))),
            *(min(255, round(8 * math.log1p(max(0.0, of)))) for of in (told.mean_income, told.mean_coin)),
            min(255, told.total_houses),
            min(255, seen.catches),
        ]

    def _moved(self, request: Request[Any, Any], number: int) -> Decision[Any]:
        if number == 0:
            return Decision(KEEP)
        which, up = divmod(number - 1, 2)
        shared, by = request.observation.shared, MOVE if up else -MOVE
        rates = [
            decimal(rate) + by * (which in (place, self._brackets)) for place, (_, rate) in enumerate(shared.schedule)
        ]
        return Decision(aiming(shared.schedule, rates, shared.config.taxation.allow_non_monotone))


def ends(config: Any, before: Step[Any, Any], step: Step[Any, Any]) -> bool:
    """Whether an epoch ends with this step: its report is there, and the planner's turn is still to come."""
    was, now = before.state, step.state
    return now.planning or (closed(config, was, now) is not None and not was.planning)


def welfare(config: Any, before: Step[Any, Any], step: Step[Any, Any]) -> float:
    """Equality times production of the epoch that ends with this step; 0 where none does."""
    if not ends(config, before, step):
        return 0.0
    return float(epoch_metrics(config, step.state.report)["welfare_eq_prod"])  # type: ignore[arg-type]


def field(preset: str, worlds: int, settings: Mapping[str, Any] | None = None, mates: bool = False) -> Solo:
    """So many worlds of a preset's schedule and workers; what is earned is told as welfare an epoch."""
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


def beside(preset: str, seeds: Sequence[int]) -> dict[str, list[float]]:
    """What each condition of the preset comes to in the same epochs of those runs, a value a seed."""
    scenario = load(f"economist/{preset}")
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
