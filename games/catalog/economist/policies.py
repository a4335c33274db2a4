"""Who can work and who can plan without a model."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from games.catalog.economist import planners, workers
from games.core.agents import NoParams, PolicySpec

CONTRACT = "AI Economist full domain contract"


def _worker(
    name: str, rule: str, choose: workers.Choice, params: type[BaseModel] = NoParams, **more: Any
) -> PolicySpec:
    source = more.pop("source", f'{CONTRACT}, "Agent Types"')
    return PolicySpec(
        name, rule, source, workers.alone(choose), params, play_all=workers.together(choose), roles=("worker",), **more
    )


def _planner(name: str, rule: str, play: Any, params: type[BaseModel] = NoParams, source: str = "") -> PolicySpec:
    return PolicySpec(name, rule, source or f'{CONTRACT}, "Planner Types"', play, params, roles=("planner",))


POLICIES = {
    spec.name: spec
    for spec in (
        _worker(
            "honest",
            "Gather what a house lacks, build when it can, deal with the last unit of energy; hide and defer nothing.",
            workers.honest,
        ),
        _worker(
            "gaming",
            "Defer income that lies just above a bracket's threshold; else gather underfoot, build, wander.",
            workers.gaming,
            workers.GamingParams,
        ),
        _worker(
            "evasive",
            "Hide a share of its income once an epoch; else gather underfoot, build, wander.",
            workers.evasive,
            workers.EvasiveParams,
        ),
        _worker(
            "collusive",
            "Follow the coalition's cycle by the step's number, build, and ask the agreed price for what is to spare.",
            workers.collusive,
            workers.CollusiveParams,
        ),
        _worker(
            "trader",
            "Bid for what a house lacks and offer what is to spare in every second step; else as honest.",
            workers.trader,
            workers.TraderParams,
            source="Our reading: the public code has no worker that trades",
        ),
        _planner(
            "heuristic",
            "Raise all rates alike when income is unequal, lower them when it is low.",
            planners.heuristic,
            planners.HeuristicParams,
        ),
        _planner(
            "bandit",
            "Try random changes of rates at times, and go back when welfare has fallen.",
            planners.bandit,
            planners.BanditParams,
        ),
        _planner("fixed", "Keep the schedule that the run began with.", planners.fixed),
        _planner("rl", "A placeholder until a planner is trained: keep the schedule.", planners.placeholder),
        _planner(
            "saez",
            "Move the top rate towards Saez's formula with a fixed elasticity.",
            planners.saez,
            planners.SaezParams,
            "Saez, Review of Economic Studies 68 (2001); Zheng et al., Science Advances 8 (2022)",
        ),
    )
}
