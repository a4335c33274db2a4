"""A world that agrees with what one miner knows: land and rounds are public, and only others' gold is drawn."""

from __future__ import annotations

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.observation import Observation
from games.catalog.mining.state import LAND, MiningState, Plan
from games.core.game import CannotImagine, Imagined, Remembered
from games.core.rng import Rng


def imagine(seen: Observation, rng: Rng) -> Imagined[MiningConfig, MiningState, Plan]:
    """Others have any gold up to twice one's own, as far as the land can have yielded it."""
    world, seat = seen.shared, seen.seat
    config, over = world.config, world.round - 1
    if over >= config.rounds:
        raise CannotImagine("mining: the run is over; nothing comes that could be imagined")
    left = over * sum(world.alpha) * config.mine_cap - seen.gold - world.treasury
    most = min(2 * seen.gold, max(0, left) // max(1, config.miners - 1))
    gold = [seen.gold if miner == seat else rng.below(most + 1, "gold", miner) for miner in range(config.miners)]
    state = MiningState(over, *LAND(world), tuple(gold), world.challenged, world.treasury, world.last)
    return Imagined(config, state, seat, Remembered(seen.past, seat, state))
