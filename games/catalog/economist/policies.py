"""Who can work and who can plan without a model. A policy's rule is the first paragraph of its docstring."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel

from games.catalog.economist import planners, reckoning, workers
from games.core.agents import NoParams, PolicySpec, rule_of

CONTRACT: Final = "AI Economist full domain contract"


def _worker(choose: Any, params: type[BaseModel] = NoParams, source: str = f'{CONTRACT}, "Agent Types"') -> PolicySpec:
    alone, together = workers.alone(choose), workers.together(choose)
    return PolicySpec(choose.__name__, rule_of(choose), source, alone, params, play_all=together, roles=("worker",))


def _planner(play: Any, params: type[BaseModel] = NoParams, source: str = f'{CONTRACT}, "Planner Types"') -> PolicySpec:
    return PolicySpec(play.__name__, rule_of(play), source, play, params, roles=("planner",))


POLICIES: Final = {
    spec.name: spec
    for spec in (
        _worker(workers.honest),
        _worker(workers.gaming, workers.GamingParams),
        _worker(workers.evasive, workers.EvasiveParams),
        _worker(workers.collusive, workers.CollusiveParams),
        _worker(workers.trader, workers.TraderParams, "Our reading: the public code has no worker that trades"),
        _worker(
            reckoning.marginal,
            reckoning.MarginalParams,
            "Saez, Review of Economic Studies 68 (2001): the elasticity of labour that his rates assume",
        ),
        _worker(reckoning.specialist, reckoning.SpecialistParams, "Smith, The Wealth of Nations (1776), book 1"),
        _worker(reckoning.fixer, reckoning.FixerParams, "Smith, The Wealth of Nations (1776), book 1, chapter 10"),
        _worker(
            reckoning.builder, reckoning.TradeParams, "Zheng et al., Science Advances 8 (2022): who buys and builds"
        ),
        _worker(
            reckoning.maker,
            reckoning.MakerParams,
            "Garman, Journal of Financial Economics 3 (1976): a dealer who quotes by its inventory",
        ),
        _planner(planners.heuristic, planners.HeuristicParams),
        _planner(planners.bandit, planners.BanditParams),
        _planner(planners.fixed),
        _planner(planners.rl),
        _planner(
            planners.saez,
            planners.SaezParams,
            "Saez, Review of Economic Studies 68 (2001); Zheng et al., Science Advances 8 (2022)",
        ),
    )
}
