"""One round's numbers, ready for the rules, and how territories are dealt."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from pydantic import BaseModel

from games.catalog.nations.money import shown
from games.core.game import Number

MONEY: Final = {
    "money_per_territory": "income",
    "mil_purchase_price": "price",
    "mil_upkeep_price": "upkeep",
    "damage_per_attack_mil": "damage",
    "defense_destroy_factor": "defence",
    "violence_penalty": "penalty",
    "trade_factor": "trade",
}
"""Settings that count in whole hundredths, as `RoundRules` calls them; each round may have its own."""


class RoundRules(BaseModel, frozen=True):
    """One round's numbers, ready for the rules: money and factors in whole hundredths, territories from 1.

    ``holdings`` and ``armies`` by seat.
    """

    turns: int
    holdings: tuple[tuple[int, ...], ...]
    armies: tuple[int, ...]
    income: int
    price: int
    upkeep: int
    damage: int
    defence: int
    penalty: int
    trade: int

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """Who owns each territory at first."""
        owner = {territory: seat for seat, block in enumerate(self.holdings) for territory in block}
        return tuple(owner[territory] for territory in sorted(owner))

    def amounts(self) -> dict[str, Number]:
        """The constants that count in hundredths, as amounts by name."""
        return {name: shown(getattr(self, name)) for name in MONEY.values()}


@lru_cache(maxsize=256)
def dealt(nations: int, territories: int) -> tuple[tuple[int, ...], ...]:
    """Territories dealt evenly in one block each, numbered from 1; the remainder to the first listed."""
    share, rest = divmod(territories, nations)
    starts = (1 + seat * share + min(seat, rest) for seat in range(nations + 1))
    return tuple(tuple(range(start, end)) for start, end in pairwise(starts))


@lru_cache(maxsize=1024)
def holdings_of(owners: tuple[int, ...], nations: int) -> tuple[tuple[int, ...], ...]:
    """The territories of each nation, numbered from 1, by the owner of each. Kept, since land seldom changes hands."""
    held: list[list[int]] = [[] for _ in range(nations)]
    for number, owner in enumerate(owners, 1):
        held[owner].append(number)
    return tuple(map(tuple, held))
