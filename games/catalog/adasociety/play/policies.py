"""The named baselines of AdaSociety."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.catalog.adasociety.play.haggling_policy import HAGGLER
from games.catalog.adasociety.play.pioneer_policy import PIONEER
from games.catalog.adasociety.play.solo_policy import LONER
from games.catalog.adasociety.play.team_policy import CREW
from games.catalog.adasociety.play.trained_policy import TRAINED
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import MOVES, SYNTHESIZE, Action, Dump, Pick
from games.catalog.adasociety.setup.synthesis import RESOURCES
from games.core.agents import Memory, NoParams, PolicySpec
from games.core.rng import Rng, SeatDraws


def _any_of(
    options: Callable[[Observation], tuple[Action, ...]], alike: Callable[[Observation], bool] | None = None
) -> dict[str, Any]:
    """A policy that draws uniformly from some of the actions, seat by seat and for many seats at once.

    ``alike`` says of one seat's observation whether all that decide with it have the same options.
    """

    def play(params: NoParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
        return rng.choice(options(observation), "random"), memory

    def play_all(params: NoParams, observations: Sequence[Observation], draws: SeatDraws) -> list[Action]:
        if alike is not None and alike(observations[0]):
            open_ = options(observations[0])
            count = len(open_)
            return [open_[(bits * count) >> 63] for bits in draws.bits("random")]
        chosen = []
        for observation, bits in zip(observations, draws.bits("random"), strict=True):
            open_ = options(observation)
            chosen.append(open_[(bits * len(open_)) >> 63])
        return chosen

    return {"play": play, "play_all": play_all}


ALL_PHYSICAL: tuple[Action, ...] = (*MOVES, SYNTHESIZE, *map(Pick, RESOURCES), *map(Dump, RESOURCES))
"""The 36 of the authors' speed test: known or not, in play or not."""


def on_the_map(observation: Observation) -> bool:
    """Where physical actions are open; in other stages all of these draw from what is legal."""
    return observation.stage not in ("contract", "negotiation")


RANDOM = PolicySpec(
    "random",
    "Every action that the rules would carry out is as likely as any other.",
    'AdaSociety paper, tables 2 and 8, "Random"',
    **_any_of(lambda seen: (*seen.legal(), *seen.opened())),
    aka=("Random",),
)
BLIND = PolicySpec(
    "blind",
    "Every physical action that it knows by name is as likely as any other, whether it can do anything here or not.",
    "AdaSociety paper, table 11: the load of its speed test, among what the seat knows of",
    **_any_of(lambda seen: seen.kit.physical if on_the_map(seen) else seen.legal()),
)
LOAD36 = PolicySpec(
    "load36",
    "Every physical action on any of the fifteen built-in resources, known or not, is as likely as any other.",
    "AdaSociety paper, table 11: the load of its speed test, uniform over 36 actions",
    **_any_of(lambda seen: ALL_PHYSICAL if on_the_map(seen) else seen.legal(), on_the_map),
)

POLICIES: dict[str, Any] = {spec.name: spec for spec in (RANDOM, BLIND, LOAD36, CREW, LONER, HAGGLER, PIONEER, TRAINED)}
