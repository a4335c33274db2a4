"""The workers of one policy in all worlds: what they see, and what they do. Whoever has done something is done."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from games.catalog.economist.columns.world import BUILD, BUY, MOVE, NOOP, SELL, Plans, Worlds
from games.catalog.economist.dealing import MARKET_DAYS
from games.catalog.economist.money import MICRO
from games.catalog.economist.state import STONE, WOOD
from games.core.draws import Draws, Flags, Ints, scaled

DETAILS: Final = ("way", "amount", "price")


class Crew:
    """Arrays are worlds by members. ``idle``: who has not decided yet; the sentences below decide for them alone.

    The names are those of `economist.workers` and `economist.dealing`.
    """

    def __init__(self, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
        self.worlds, self.seats, self.draws, self.plans = worlds, seats, draws, plans
        self.config, self.terms, self.step = worlds.config, worlds.config.terms, worlds.step
        every = len(seats) == self.config.workers
        self.of: Any = slice(None) if every else seats
        terms, had, of = self.terms, worlds.had, self.of
        self.cell, self.coin, self.energy = had.cell[:, of], had.coin[:, of], had.energy[:, of]
        self.gross, self.at = had.gross[:, of], worlds.at[:, of]
        self.needs = (had.wood[:, of], terms.house_wood), (had.stone[:, of], terms.house_stone)
        self.skills, self.rents = np.array(terms.skills)[of], np.array(terms.rents)[of]
        self.least = np.minimum(self.skills, min(terms.stock_max, MICRO))
        self.idle = np.ones(self.cell.shape, np.bool_)
        self.own = plans if every else Plans(*np.zeros((4, *self.cell.shape), np.int64))
        self.lies = worlds.regrown.ravel()[self.at]
        self.bears = worlds.bears.ravel()[self.at]
        self.is_market_day = self.step >= self.config.steps_per_epoch - MARKET_DAYS

    def do(self, who: Flags, deed: int, **details: Ints | int) -> None:
        """Those who are idle do it; ``way``, ``amount`` and ``price`` as in `Plans`."""
        who = who & self.idle
        self.idle &= ~who
        np.copyto(self.own.do, deed, where=who)
        for name, values in details.items():
            np.copyto(getattr(self.own, name), values, where=who)

    def hand_in(self) -> None:
        """What they do goes into the plans of all."""
        if self.own is not self.plans:
            for name in ("do", *DETAILS):
                getattr(self.plans, name)[:, self.of] = getattr(self.own, name)

    # --- what they see ---

    @cached_property
    def wants_house(self) -> Flags:
        return (self.worlds.had.built[:, self.of] < self.terms.houses_max) & (self.rents >= 0)

    @cached_property
    def lacking(self) -> tuple[Ints, Ints]:
        wood, stone = (np.maximum(0, need - held) * self.wants_house for held, need in self.needs)
        return wood, stone

    @cached_property
    def spare(self) -> tuple[Ints, Ints]:
        wood, stone = (np.maximum(0, held - need * self.wants_house) for held, need in self.needs)
        return wood, stone

    @cached_property
    def can_order(self) -> Flags:
        may = self.config.market.enabled & (self.worlds.had.banned[:, self.of] < self.worlds.epoch)
        return may & (self.energy >= self.terms.cost_trade)

    @cached_property
    def unit_value(self) -> Ints:
        ahead = (self.config.epochs - self.worlds.epoch) * self.config.steps_per_epoch - self.step
        units = self.terms.house_wood + self.terms.house_stone
        return ahead * self.rents * MICRO // units if units else self.rents * 0

    @property
    def saves(self) -> Flags:
        terms = self.terms
        few = self.idle & (self.energy < MARKET_DAYS * terms.cost_trade + terms.cost_gather)
        if terms.refills_each_step or self.is_market_day or not few.any():
            return np.zeros_like(few)
        (bids, _), (asks, _) = self.offers
        return few & (bids | asks)

    # --- what they do ---

    def rest(self, who: Flags) -> None:
        self.do(who, NOOP)

    def wander(self, who: Flags) -> None:
        """A move in one of the directions that stay on the map, each as likely."""
        shape, can = self.worlds.shape, self.energy >= self.terms.cost_move
        opens = shape.opens[self.cell]
        one = scaled(self.draws.bits("way"), np.maximum(1, opens))
        self.do(who & can & (opens > 0), MOVE, way=shape.on[self.cell, one])
        self.rest(who)

    def seek(self, who: Flags, kinds: tuple[Flags, Flags] | None = None) -> Flags:
        """Go to the nearest cell in sight with stock enough, of the kinds asked for; who sees none is given back."""
        who = who & self.idle & (self.energy >= self.terms.cost_move)
        places = np.nonzero(who)
        cells = self._near(places)
        wanted = self.worlds.regrown.ravel()[cells] >= self.least[places[1], None]
        if kinds is not None:
            wood, stone = (kind[places] for kind in kinds)
            bears = self.worlds.bears.ravel()[cells]
            wanted &= ((bears == WOOD) & wood[:, None]) | ((bears == STONE) & stone[:, None])
        return self._go(places, wanted)

    def _near(self, places: tuple[Ints, ...]) -> Ints:
        return self.worlds.shape.near[self.cell[places]] + self.worlds.corner[places[0]]

    def _go(self, places: tuple[Ints, ...], wanted: Flags) -> Flags:
        """The first step to the first place that is wanted; who sees none."""
        first = wanted.argmax(axis=1)
        there = wanted[np.arange(len(wanted)), first]
        ways, goes = np.zeros_like(self.cell), np.zeros_like(self.idle)
        ways[places] = self.worlds.shape.towards[self.cell[places], first]
        goes[places] = there
        lost = np.zeros_like(goes)
        lost[places] = ~there
        self.do(goes, MOVE, way=ways)
        return lost

    def toward(self, who: Flags) -> None:
        """To the nearest stock in sight, or anywhere."""
        self.wander(self.seek(who))
        self.rest(who)

    @cached_property
    def can_pay_house(self) -> Flags:
        (wood, of_wood), (stone, of_stone) = self.needs
        holds = (wood >= of_wood) & (stone >= of_stone)
        return holds & (self.energy >= self.terms.cost_build) & self.wants_house

    def settle(self) -> None:
        """Who can pay a house builds here, or goes where one may build."""
        who = self.can_pay_house & self.idle
        if not who.any():
            return
        self.do(who & self.is_free, BUILD)
        places = np.nonzero(who & self.idle & (self.energy >= self.terms.cost_move))
        self.wander(self._go(places, self.worlds.is_bare.ravel()[self._near(places)]))
        self.rest(who)

    @property
    def is_free(self) -> Flags:
        """Whether a house may be built on the own cell."""
        free: Flags = self.worlds.is_bare.ravel()[self.at]
        return free

    def deal(self) -> None:
        """A bid for the one good that the next house lacks, with half of the coin; else an offer of what is spare."""
        if self.can_order.any():
            (bids, bid), (asks, ask) = self.offers
            self.do(bids, BUY, **bid)
            self.do(asks, SELL, **ask)

    @cached_property
    def offers(self) -> tuple[tuple[Flags, dict[str, Ints]], tuple[Flags, dict[str, Ints]]]:
        """Who bids and what; who offers and what."""
        (wood, stone), terms = self.lacking, self.terms
        place, short = (stone > 0).astype(np.int64), wood + stone
        affords = np.minimum(self.coin // 2 * MICRO // np.maximum(1, short), 4 * terms.price_ceiling)
        price = np.minimum(self.unit_value, affords * MICRO // (MICRO + terms.fee))
        price = np.minimum(price, terms.price_ceiling)
        last = self._of_good(self.worlds.market.price, place)
        price = np.where(last > 0, np.minimum(price, np.maximum(last * 11 // 10, MICRO)), price)
        bids = self.can_order & ((wood > 0) != (stone > 0)) & (price >= terms.price_floor)
        most, extra = (self.spare[1] > self.spare[0]).astype(np.int64), np.maximum(*self.spare)
        asks = self.can_order & ~bids & (extra >= MICRO)
        bid, ask = (place, short, price), (most, extra, self._asked(most, extra))
        return (bids, dict(zip(DETAILS, bid, strict=True))), (asks, dict(zip(DETAILS, ask, strict=True)))

    def _asked(self, place: Ints, quantity: Ints) -> Ints:
        market, terms = self.worlds.market, self.terms
        last, waiting = self._of_good(market.price, place), self._of_good(market.waiting, place)
        price = np.where(last > 0, last, 2 * MICRO) * (100 - np.minimum(30, 3 * quantity // MICRO)) // 100
        price = np.where(waiting > 0, np.minimum(price, waiting), price)
        return np.minimum(np.maximum(price, max(MICRO, terms.price_floor)), terms.price_ceiling)

    @staticmethod
    def _of_good(by_good: Ints, place: Ints) -> Ints:
        return np.where(place == 0, by_good[0][:, None], by_good[1][:, None])
