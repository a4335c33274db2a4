"""Many worlds as columns: the first axis are the worlds, then nations. What goes by *pair* has the nation that acts,
then the other. Money is whole hundredths; territories that are named count from 1, as in orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np

from games.catalog.nations.config import NationsConfig, provided_by, rules_of
from games.catalog.nations.state import Account, NationsState
from games.catalog.nations.terms import RoundRules
from games.core.draws import Flags, Ints
from games.core.game import Number

Rows: TypeAlias = Sequence[Sequence[tuple[Any, ...]]]
LEFT, RECEIVED = (list(Account.__slots__).index(name) for name in ("left", "received"))
EVERYBODY: Final = -1
ATTACKERS: Final = -2
"""To whom a message goes that goes to no single nation."""


@dataclass
class Plans:
    """All nations' orders of a turn.

    By nation: ``buy``, ``disband``, the territory that it cedes (0: none) and its ``taker``; which of the ``sentences``
    it says, from 1 (0: none), to whom (``ear``), and the ``number`` in it. By pair: mils of ``attacks`` and the
    ``places`` of these in the list, money of ``grants`` and money ``promised``, and ``resources`` by kind. A sentence
    is its language, its name, and what it calls its number ("": it has none).
    """

    buy: Ints
    disband: Ints
    ceded: Ints
    taker: Ints
    speech: Ints
    ear: Ints
    number: Ints
    attacks: Ints
    places: Ints
    grants: Ints
    promised: Ints
    resources: Ints
    sentences: list[tuple[str, str, str]] = field(default_factory=list)

    @classmethod
    def blank(cls, worlds: Worlds) -> Plans:
        many, nations, kinds = worlds.held.shape
        sizes = [(many, nations)] * 7 + [(many, nations, nations)] * 4 + [(many, nations, nations, kinds)]
        columns: list[Any] = [np.zeros(size, np.int64) for size in sizes]
        return cls(*columns)

    @cached_property
    def rows(self) -> Sequence[Rows]:
        """By world, as values: of each nation what it buys, disbands, cedes, and to whom; then attacks (by, on, place,
        mils), grants (by, to, amount), resources (kind, by, to, units), messages (by, sentence, ear, number, promised)
        """
        by_nation, by_kind = (self.buy, self.disband, self.ceded, self.taker), np.moveaxis(self.resources, 3, 1)
        return (
            np.stack(by_nation, axis=-1).tolist(),
            rows(self.attacks, self.places, self.attacks),
            rows(self.grants, amounts=self.grants),
            rows(by_kind, by_kind),
            rows(self.speech, self.speech, self.ear, self.number, self.promised.sum(axis=2)),
        )


@dataclass
class Settlement:
    """What a turn did with its ``plans``. By nation: ``accounts``, in the order of `Account`. By pair: mils ``lost`` in
    attacks and ``harm`` done, money of grants ``paid`` and ``arrived``, and whether a promise was ``kept``."""

    plans: Plans
    accounts: Ints
    lost: Ints
    harm: Ints
    paid: Ints
    arrived: Ints
    kept: Flags

    @cached_property
    def gains(self) -> Sequence[Sequence[Number]]:
        """Welfare of the turn as amounts, by world and nation."""
        return shown(self.accounts[..., LEFT] + self.accounts[..., RECEIVED])

    @cached_property
    def rows(self) -> Sequence[Rows]:
        """By world, as values: accounts; then battles (on, by, mils, lost, damage), payments and cessions."""
        plans, forces = self.plans, self.plans.attacks
        battles = (column.swapaxes(1, 2) for column in (forces, forces, self.lost, self.harm))
        return (
            self.accounts.tolist(),
            rows(*battles),
            rows(plans.grants, plans.grants, self.paid, self.arrived),
            rows(plans.ceded, plans.ceded, plans.taker),
        )


@dataclass
class Worlds:
    """`NationsState` by its names, of all worlds; none is changed once made. ``first`` is the same in all of them.

    By pair: ``harm``, the last turn of the round in which one ``struck`` the other (0: in none), money ``promised`` for
    the coming turn, and of the last turn mils that fought and money ``paid``. ``last`` is None before the first turn.
    """

    config: NationsConfig
    round: int
    turn: int
    first: tuple[int, ...]
    owners: Ints
    army: Ints
    welfare: Ints
    banked: Ints
    held: Ints
    harm: Ints
    struck: Ints
    promised: Ints
    forces: Ints
    paid: Ints
    last: Settlement | None = None

    @classmethod
    def opened(cls, config: NationsConfig, states: Sequence[NationsState]) -> Worlds:
        """Worlds at the start of a round."""
        columns = (
            np.array([getattr(state, name) for state in states], np.int64)
            for name in ("owners", "army", "welfare", "banked", "held")
        )
        owners, army, welfare, banked, held = columns
        one, none = states[0], np.zeros((*army.shape, config.nations), np.int64)
        rest: list[Any] = [held.reshape(*army.shape, -1), *[none] * 5]
        return cls(config, one.round, one.turn, one.first, owners, army, welfare, banked, *rest)

    @property
    def rules(self) -> RoundRules:
        return rules_of(self.config, self.round)

    @cached_property
    def lands(self) -> Ints:
        """How many territories each nation has."""
        lines = self.owners + np.arange(len(self.owners))[:, None] * self.config.nations
        return np.bincount(lines.reshape(-1), minlength=self.army.size).reshape(self.army.shape)

    @cached_property
    def gross(self) -> Ints:
        """Income: with resources the product of the three shares min(1, held / needed), rounded down."""
        gross: Ints = self.lands * self.rules.income
        if self.config.resources is None:
            return gross
        needed = self.lands[..., None] * np.array(self.config.resources.each)
        part = np.where(needed > 0, np.minimum(self.held, needed), 1).prod(axis=-1)
        return gross * part // np.maximum(needed, 1).prod(axis=-1)

    @cached_property
    def provided(self) -> Ints:
        """Resources that each nation's territories provide in a turn, by kind."""
        found = np.zeros_like(self.held)
        np.add.at(found, (np.arange(len(found))[:, None], self.owners), provided_of(self.config, self.round))
        return found

    # --- by world, as values ---

    @cached_property
    def standings(self) -> Sequence[tuple[tuple[int, ...], ...]]:
        """Owners, army, welfare, banked."""
        columns = self.owners, self.army, self.welfare, self.banked
        return list(zip(*(map(tuple, column.tolist()) for column in columns), strict=True))

    @cached_property
    def harms(self) -> Rows:
        return rows(self.struck, self.harm)

    @cached_property
    def vows(self) -> Rows:
        return rows(self.promised, amounts=self.promised)


@lru_cache(maxsize=64)
def provided_of(config: NationsConfig, number: int) -> Ints:
    """Resources that each territory provides in a turn of a round, by kind; of no kinds without the option."""
    return np.array(provided_by(config, number), np.int64).reshape(config.territories, -1)


def cut_in_order(wanted: Ints, most: Ints) -> Ints:
    """What is wanted, along the last axis, cut off where ``most`` ends."""
    return np.clip(most[..., None] - np.cumsum(wanted, axis=-1) + wanted, 0, wanted)


def rows(where: Ints, *columns: Ints, amounts: Ints | None = None) -> Rows:
    """By world the places that are not 0, what stands there in each column, and at last money as amounts."""
    world, *places = at = np.nonzero(where)
    lists = [column.tolist() for column in (*places, *(column[at] for column in columns))]
    every = list(zip(*lists, *(() if amounts is None else (shown(amounts[at]),)), strict=True))
    ends = np.searchsorted(world, np.arange(len(where) + 1)).tolist()
    return [every[start:end] for start, end in pairwise(ends)]


def shown(cents: Ints) -> Any:
    """`money.shown` of each, in nested lists."""
    whole, rest = np.divmod(cents, 100)
    if not rest.any():
        return whole.tolist()
    return np.where(rest == 0, whole.astype(object), (cents / 100).astype(object)).tolist()
