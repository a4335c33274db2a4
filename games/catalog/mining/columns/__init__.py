"""Many worlds of mining at once, as columns: see `games.core.batch`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from games.catalog.mining.columns import measuring, policies, reckoning, rules, standing, telling, writing
from games.catalog.mining.columns.world import Plans, Worlds
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.state import MiningState
from games.core.answers import JSON
from games.core.batch import Columns, Played, Side
from games.core.draws import Draws
from games.core.game import Step
from games.core.pack import NoBatch
from games.core.written import Written

LARGEST: Final = 100_000
"""Miners times plots, or times stamina, of a world: arrays of these are made for all worlds at once."""


class MiningColumns(Columns[Worlds, Plans]):
    policies: Mapping[str, Callable[..., None]] = {
        "guided": policies.guided,
        "random": policies.at_random,
        "greedy-mine": policies.greedy_mine,
        "defend-then-mine": policies.defend_then_mine,
        "tit-for-tat-raid": policies.tit_for_tat_raid,
        "envoy": policies.envoy,
        "reckoner": reckoning.reckoner,
        "opportunist": reckoning.opportunist,
        "bourgeois": reckoning.bourgeois,
    }

    def check(self, config: MiningConfig) -> None:
        size = config.miners * max(config.plots, _most_stamina(config))
        if size > LARGEST:
            raise NoBatch(f"miners x plots, or x stamina: {size}; worlds above {LARGEST} are played one by one")

    def alike(self, config: MiningConfig) -> tuple[object, ...]:
        """The map's and the company's size, the horizon, and what may be said; all else stands by world."""
        return config.rows, config.cols, config.miners, config.rounds, config.messages, config.message_length

    def gather(self, configs: Sequence[MiningConfig], states: Sequence[MiningState]) -> Worlds:
        return Worlds.of(configs, states)

    def is_over(self, worlds: Worlds) -> bool:
        return worlds.round >= worlds.config.rounds

    def blank(self, worlds: Worlds, sides: Sequence[Side]) -> Plans:
        items = np.full((worlds.many * worlds.miners, max(1, int(worlds.stamina.max()))), -1, np.int64)
        return Plans(items, worlds.plots, int(worlds.terms.cap.max()), {})

    def resolve(self, worlds: Worlds, actions: Plans, draws: Draws) -> Worlds:
        return rules.resolve(worlds, actions, draws)

    def step(self, before: Worlds, actions: Plans, after: Worlds, index: int, world: int) -> Step[MiningState, Any]:
        return telling.step(before, actions, after, index, world)

    def measures(self, rounds: Sequence[Played[Worlds, Plans]]) -> Sequence[Mapping[str, JSON]]:
        return measuring.measures(rounds)

    def written(self, rounds: Sequence[Played[Worlds, Plans]], index: int) -> Sequence[Written] | None:
        return None if rounds[0].before.plots > writing.PLOTS else writing.written(rounds, index)

    def states(self, played: Played[Worlds, Plans]) -> Sequence[JSON]:
        return standing.states(played)


def _most_stamina(config: MiningConfig) -> int:
    return max(config.stamina_each or config.stamina_draw or (config.stamina,))
