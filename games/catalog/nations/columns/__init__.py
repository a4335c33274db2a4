"""Many worlds of nations at once, as columns: see `games.core.batch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.catalog.nations.columns import bad_actors, policies, rules, telling
from games.catalog.nations.columns.party import Party
from games.catalog.nations.columns.world import Plans, Worlds
from games.catalog.nations.config import NationsConfig, rules_of
from games.catalog.nations.money import shown
from games.catalog.nations.settings import MILS_MAX
from games.catalog.nations.state import NationsState
from games.core.batch import Columns, by_party
from games.core.pack import NoBatch

LARGEST: Final = 1 << 62
"""Products of two numbers stay below this, so that they fit into 64 bits."""

POLICIES: Final = by_party(
    Party, policies.at_random, policies.pacifist, policies.trader, policies.tit_for_tat, policies.raider,
    policies.arms_racer, policies.appeaser, policies.diplomat, policies.merchant, policies.dealer, policies.ally,
    bad_actors.expander, bad_actors.irredentist, bad_actors.destroyer, bad_actors.avenger, bad_actors.zealot,
)  # fmt: skip


class NationsColumns(Columns[Worlds, Plans]):
    policies = POLICIES
    blank = staticmethod(Plans.blank)
    resolve = staticmethod(rules.resolve)
    step = staticmethod(telling.step)

    def check(self, config: NationsConfig) -> None:
        for number in range(1, len(config.by_round) + 1):
            rules = rules_of(config, number)
            income, mils = config.territories * rules.income, max(rules.armies) + 1001 * rules.turns
            need = 1 if config.resources is None else (config.territories * max(1, *config.resources.each)) ** 3
            buys_too_many = min(mils, income // max(1, rules.price)) > MILS_MAX
            if income * max(income, rules.trade, need, mils) >= LARGEST or buys_too_many:
                raise NoBatch(f"money of all: {shown(income)}; worlds with so much are played one by one")

    def gather(self, configs: Sequence[NationsConfig], states: Sequence[NationsState]) -> Worlds:
        return Worlds.opened(configs[0], states)

    def is_over(self, worlds: Worlds) -> bool:
        return worlds.turn >= worlds.rules.turns and worlds.round >= worlds.config.rounds
