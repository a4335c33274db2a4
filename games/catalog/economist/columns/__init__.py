"""Many worlds of the economist at once, as columns: see `games.core.batch`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from games.catalog.economist.columns import rules, telling
from games.catalog.economist.columns.policies import POLICIES
from games.catalog.economist.columns.world import LARGEST, Plans, Worlds
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.metrics import MEASURES, METRICS
from games.catalog.economist.money import MICRO, decimal
from games.core.answers import JSON
from games.core.batch import Columns, Played
from games.core.pack import NoBatch


class EconomistColumns(Columns[Worlds, Plans]):
    policies: Mapping[str, Callable[..., None]] = POLICIES
    gather = staticmethod(Worlds.opened)
    resolve = staticmethod(rules.resolve)
    step = staticmethod(telling.step)

    def check(self, config: EconomistConfig) -> None:
        terms = config.terms
        if terms.order_lifetime > 1:
            raise NoBatch("order_lifetime_steps above 1: orders that stand have no form over columns")
        if not min(terms.stock_max, *terms.skills):
            raise NoBatch("resource_max_amount or skill_gather: of 0 there is nothing to seek")
        steps, houses = (
            config.epochs * config.steps_per_epoch,
            min(terms.rows * terms.cols, config.workers * terms.houses_max),
        )
        goods = steps * sum(min(skill, terms.stock_max) for skill in terms.skills)
        money = config.workers * terms.coin + goods + steps * houses * max(0, *terms.rents)
        prices = max(terms.price_ceiling, steps * max(map(abs, terms.rents)))
        if money * 4 * MICRO >= LARGEST or max(terms.house_wood, terms.house_stone, MICRO) * prices * 20 >= LARGEST:
            raise NoBatch(f"coin of all: up to {decimal(money):.0f}; worlds with so much are played one by one")

    def is_over(self, worlds: Worlds) -> bool:
        return not worlds.planning and worlds.step >= worlds.config.steps_per_epoch

    def blank(self, worlds: Worlds) -> Plans:
        return Plans(*np.zeros((4, *worlds.had.cell.shape), np.int64))

    def measures(self, rounds: Sequence[Played[Worlds, Plans]]) -> Sequence[Mapping[str, JSON]]:
        """Only a step that closes an epoch is made for it."""
        return [row for played in rounds for row in self._measured(*played)]

    def _measured(self, before: Worlds, actions: Plans, after: Worlds) -> Sequence[Mapping[str, JSON]]:
        worlds = range(len(after.lands))
        if after.epoch == before.epoch and not self.is_over(after):
            return [dict.fromkeys(MEASURES) for _ in worlds]
        steps = (self.step(before, actions, after, 0, world) for world in worlds)
        config = after.config
        return [METRICS.measure(config, telling.state_of(before, world), step) for world, step in enumerate(steps)]
