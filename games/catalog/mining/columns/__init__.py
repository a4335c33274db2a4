"""Many worlds of mining at once, as columns: see `games.core.batch`."""

from __future__ import annotations

from typing import Final

from games.catalog.mining.columns import measuring, policies, reckoning, rules, standing, telling, writing
from games.catalog.mining.columns.party import Party
from games.catalog.mining.columns.world import Plans, Worlds
from games.catalog.mining.config import MiningConfig
from games.core.batch import Columns, by_party
from games.core.pack import NoBatch

LARGEST: Final = 100_000
"""Miners times plots, or times stamina, of a world: arrays of these are made for all worlds at once."""


class MiningColumns(Columns[Worlds, Plans]):
    policies = by_party(
        Party, policies.guided, policies.at_random, policies.greedy_mine, policies.defend_then_mine,
        policies.tit_for_tat_raid, policies.envoy, reckoning.reckoner, reckoning.opportunist, reckoning.bourgeois,
    )  # fmt: skip
    gather = staticmethod(Worlds.of)
    blank = staticmethod(Plans.blank)
    resolve = staticmethod(rules.resolve)
    step = staticmethod(telling.step)
    measures = staticmethod(measuring.measures)
    written = staticmethod(writing.written)
    states = staticmethod(standing.states)

    def check(self, config: MiningConfig) -> None:
        most = max(config.stamina_each or config.stamina_draw or (config.stamina,))
        size = config.miners * max(config.plots, most)
        if size > LARGEST:
            raise NoBatch(f"miners x plots, or x stamina: {size}; worlds above {LARGEST} are played one by one")

    def alike(self, config: MiningConfig) -> tuple[object, ...]:
        """The map's and the company's size, the horizon, and what may be said; all else stands by world."""
        return config.rows, config.cols, config.miners, config.rounds, config.messages, config.message_length

    def is_over(self, worlds: Worlds) -> bool:
        return worlds.round >= worlds.config.rounds
