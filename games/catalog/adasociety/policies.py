"""The named baselines of AdaSociety."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from games.catalog.adasociety.crew import CREW
from games.catalog.adasociety.loner import LONER
from games.catalog.adasociety.observe import Observation
from games.catalog.adasociety.state import MOVES, SYNTHESIZE, Action, Dump, Pick
from games.core.agents import Memory, NoParams, PolicySpec
from games.core.rng import Rng


def random(params: NoParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    return rng.choice(observation.legal(), "random"), memory


@lru_cache(maxsize=4096)
def every_physical(names: tuple[str, ...]) -> tuple[Action, ...]:
    """The five moves, synthesize, and a pick and a dump of each resource known by name."""
    known = [name for name in names if name]
    return (*MOVES, SYNTHESIZE, *(Pick(name) for name in known), *(Dump(name) for name in known))


def blind(params: NoParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if observation.stage in ("contract", "negotiation"):
        return rng.choice(observation.legal(), "random"), memory
    return rng.choice(every_physical(observation.kit.resources), "random"), memory


RANDOM = PolicySpec(
    "random",
    "Every action that the rules would carry out is as likely as any other.",
    'AdaSociety paper, tables 2 and 8, "Random"',
    random,
    aka=("Random",),
)
BLIND = PolicySpec(
    "blind",
    "Every physical action is as likely as any other, whether it can do anything here or not.",
    "AdaSociety paper, table 11: the load of its speed test",
    blind,
)

POLICIES: dict[str, Any] = {spec.name: spec for spec in (RANDOM, BLIND, CREW, LONER)}
