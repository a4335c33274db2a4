"""The land and the miners as they are before the first round: productivity of each plot, stamina of each seat."""

from __future__ import annotations

from functools import lru_cache

from games.catalog.mining.config import MiningConfig
from games.core.rng import Rng


def lay_out(config: MiningConfig, rng: Rng) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Productivity by plot, and the gold mines among the plots, ascending (none on a given map)."""
    if config.alpha_map:
        return tuple(alpha for row in config.alpha_map for alpha in row), ()
    mines = tuple(sorted(rng.sample(range(config.plots), config.gold_mines, "gold_mine")))
    alpha = [config.alpha] * config.plots
    for plot in mines:
        alpha[plot] *= config.gold_mine_factor
    return tuple(alpha), mines


def endow(config: MiningConfig, rng: Rng) -> tuple[int, ...]:
    """Stamina by seat: given for each, drawn for each, or the same for all."""
    if config.stamina_each:
        return config.stamina_each
    if config.stamina_draw:
        low, high = config.stamina_draw
        return tuple(low + rng.below(high - low + 1, "stamina", seat) for seat in range(config.miners))
    return (config.stamina,) * config.miners


def bound(mine_cap: int, alpha: tuple[int, ...]) -> int:
    """The most gold that the land can yield in a round: the cap mined on every plot."""
    return sum(alpha) * mine_cap


@lru_cache(maxsize=64)
def reachable(mine_cap: int, alpha: tuple[int, ...], stamina: tuple[int, ...]) -> int:
    """The most gold that the miners' stamina gets out of the land in a round: the best plots first, each to its cap.

    On uniform land of productivity 1 this is min(bound, sum of stamina).
    """
    left, gold = sum(stamina), 0
    for yielding in sorted(alpha, reverse=True):
        if left <= 0:
            break
        gold += min(left, mine_cap) * yielding
        left -= mine_cap
    return gold
