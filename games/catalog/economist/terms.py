"""A run's settings in the units of the rules: whole millionths, made once for each config."""

from __future__ import annotations

from dataclasses import dataclass

from games.catalog.economist.money import Micro


@dataclass(frozen=True, slots=True)
class Terms:
    """Amounts, prices, energy and rates in millionths; ``smoothing`` alone is a decimal, in coin.

    ``rents`` is what a house brings in a step less its upkeep, by owner; below 0 where it costs more than it brings.
    """

    rows: int
    cols: int
    stock_max: Micro
    regrowth: Micro
    skills: tuple[Micro, ...]
    coin: Micro
    energy: Micro
    refills_each_step: bool
    cost_move: Micro
    cost_gather: Micro
    cost_trade: Micro
    cost_build: Micro
    house_wood: Micro
    house_stone: Micro
    rents: tuple[Micro, ...]
    houses_max: int
    price_floor: Micro
    price_ceiling: Micro
    order_lifetime: int
    fee: Micro
    shift_max: Micro
    friction: Micro
    hidden_max: Micro
    damping: Micro
    smoothing: float
