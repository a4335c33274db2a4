"""The nations of one policy in all worlds: what they see, and where their orders go."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from games.catalog.nations.columns.world import EVERYBODY, Plans, Worlds, cut_in_order
from games.catalog.nations.config import NationsConfig
from games.catalog.nations.settings import MILS_MAX
from games.catalog.nations.speech import Talking
from games.core.draws import Draws, Flags, Ints


class Party:
    """Arrays are worlds by members; of other nations worlds by members by nations."""

    def __init__(self, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
        self.worlds, self.seats, self.draws, self.plans = worlds, seats, draws, plans
        self.config, self.rules, self.turn = worlds.config, worlds.rules, worlds.turn + 1
        self.nations = np.arange(self.config.nations)
        self.others: Flags = self.nations != seats[:, None]
        self.army, self.income, self.land = worlds.army[:, seats], worlds.gross[:, seats], worlds.lands[:, seats]
        self.sizes = worlds.lands[:, None]
        self.armies = worlds.army[:, None] if self.config.armies_seen == "all" else None

    def only(self, members: Flags) -> Party:
        """Some of its members."""
        return Party(self.worlds, self.seats[members], self.draws[:, members], self.plans)

    # --- what its members see ---

    def received(self) -> Ints:
        """What each other nation granted in the last turn."""
        return self.worlds.paid.swapaxes(1, 2)[:, self.seats]

    def attackers(self) -> Ints:
        """With how many mils each other nation attacked in the last turn."""
        return self.worlds.forces.swapaxes(1, 2)[:, self.seats]

    def attackers_of(self, nations: Flags) -> Flags:
        """Which others attacked any of these nations in the last turn, as far as members may know."""
        if self.config.attacks_seen == "own":
            nations = nations & ~self.others
        struck = (self.worlds.forces > 0).astype(np.float32)
        return (nations.astype(np.float32) @ struck.swapaxes(1, 2) > 0) & self.others

    def hurt(self) -> Flags:
        """Who was attacked in the last turn, as far as members may know."""
        if self.config.attacks_seen == "own":
            return self.worlds.forces[:, self.seats] > 0
        return np.count_nonzero(self.worlds.forces, axis=1)[:, None] > 0

    def last_sent(self) -> Ints:
        """With how many mils each other nation attacked in the last turn, the last target by number of several."""
        if self.config.attacks_seen == "own":
            return self.attackers()
        forces = self.worlds.forces
        last = self.config.nations - 1 - (forces[..., ::-1] > 0).argmax(axis=2)
        return np.take_along_axis(forces, last[..., None], axis=2)[..., 0][:, None]

    def yielded(self) -> Flags:
        """Who ceded a territory to each in the last turn."""
        if self.worlds.last is None:
            return np.zeros((1, *self.others.shape), np.bool_)
        ceded, taker = self.worlds.last.plans.ceded[:, None], self.worlds.last.plans.taker[:, None]
        found: Flags = (ceded > 0) & (taker == self.seats[:, None])
        return found

    def struck_within(self, turns: int) -> Flags:
        """Which others attacked anybody in the last so many turns of the round, as far as members may know."""
        struck = self.worlds.struck
        is_own = self.config.attacks_seen == "own"
        last = struck.swapaxes(1, 2)[:, self.seats] if is_own else struck.max(axis=2)[:, None]
        found: Flags = self.others & (last > 0) & (self.turn - last <= turns)
        return found

    def buyable(self) -> Ints:
        """Mils that the coming income pays for, after upkeep, if nobody attacks."""
        money, price = np.maximum(0, self.income - self.army * self.rules.upkeep), self.rules.price
        return np.minimum(1000, MILS_MAX if price == 0 else money // price)

    # --- what they draw ---

    def turns(self, nations: Flags) -> Ints:
        """When each of these nations comes in an order that is drawn."""
        shape = *self.army.shape, len(self.nations)
        numbers: Ints = np.cumsum(np.broadcast_to(nations, shape), axis=-1, dtype=np.int64)
        if not numbers.any():
            return numbers
        drawn = Draws(self.draws.keys.reshape(-1)).turns(numbers[..., -1].reshape(-1), "order")
        return np.take_along_axis(drawn.reshape(*self.army.shape, -1), np.maximum(numbers - 1, 0), axis=-1)

    # --- what they order ---

    def order(self, **columns: Ints | int) -> None:
        """What each orders, by the names of `Plans`."""
        for name, values in columns.items():
            getattr(self.plans, name)[:, self.seats] = values

    def buy_up_to(self, guard: Ints | int, most: Ints) -> None:
        """Mils up to a size of the army, at most so many."""
        self.order(buy=np.minimum(np.maximum(0, guard - self.army), most))

    def at(self, nation: Ints, much: Ints, where: Flags | bool = True) -> Ints:
        """So much of one nation each, for orders by nation."""
        return np.where(self.nations == nation[..., None], (much * where)[..., None], 0)

    def attack(self, wanted: Ints, key: Ints | None = None) -> Ints:
        """The army against other nations, as many mils on each as wanted, those of the lowest key first, until none is
        left; how many attacks that makes."""
        order = np.argsort(np.broadcast_to(self.nations if key is None else key, wanted.shape), axis=-1, kind="stable")
        sent = cut_in_order(np.take_along_axis(wanted, order, axis=-1), self.army)
        mils, places = np.empty_like(sent), np.empty_like(sent)
        np.put_along_axis(mils, order, sent, axis=-1)
        np.put_along_axis(places, order, np.broadcast_to(self.nations, order.shape), axis=-1)
        self.order(attacks=mils, places=places)
        return np.count_nonzero(mils, axis=-1)

    def cede(self, where: Flags, territory: Ints, to: Ints) -> None:
        """A territory each, as far as the taker borders on it."""
        world, member = np.nonzero(where)
        number, taker = territory[world, member], to[world, member]
        if self.config.borders:
            around = neighbours(self.config)[number - 1]
            fits = (around & (self.worlds.owners[world] == taker[:, None])).any(axis=1)
            world, member, number, taker = world[fits], member[fits], number[fits], taker[fits]
        self.plans.ceded[world, self.seats[member]] = number
        self.plans.taker[world, self.seats[member]] = taker

    def say(self, params: Talking, name: str, to: Ints | int = EVERYBODY, where: Any = True, **number: Ints) -> None:
        """One message of those who have something to say; an "amount" in it is promised."""
        if not params.talk or not self.config.messages:
            return
        sentences, (label, value) = self.plans.sentences, next(iter(number.items()), ("", 0))
        sentences.append((params.language, name, label))
        self.order(speech=np.where(where, len(sentences), 0), ear=to, number=value)
        if label == "amount":
            self.order(promised=self.at(np.asarray(to), np.asarray(value), where))


def one_of(options: Flags, draws: Draws, label: str) -> Ints:
    """The place of one option along the last axis, each as likely; any where there is none."""
    drawn = draws.below(np.maximum(1, np.count_nonzero(options, axis=-1)), label)
    return np.argmax(np.cumsum(options, axis=-1) > drawn[..., None], axis=-1)


def some(others: Flags | Ints) -> Flags:
    """Whether there is any along the last axis."""
    return np.count_nonzero(others, axis=-1) > 0


def strongest(forces: Ints) -> Ints:
    """The nation with the largest number, the lowest of several."""
    return np.argmax(forces, axis=-1)


def shared_out(money: Ints, weights: Ints | Flags) -> Ints:
    """Money granted by weight; what rounding leaves is kept."""
    total = np.maximum(1, weights.sum(axis=-1))[..., None]
    return money[..., None] * weights // total


def part_of(money: Ints, share: float) -> Ints:
    """A share of it, rounded down."""
    return (money * share).astype(np.int64)


@lru_cache(maxsize=8)
def neighbours(config: NationsConfig) -> Flags:
    """Which territories border on each other."""
    around = np.zeros((config.territories, config.territories), np.bool_)
    here, there = np.array(config.borders).T - 1
    around[here, there] = around[there, here] = True
    return around
