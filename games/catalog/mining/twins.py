"""States that look the same to one seat: only what others own in gold is private here, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.state import MiningState
from games.core.game import Seat


def twins(config: MiningConfig, state: MiningState, seat: Seat) -> Iterator[MiningState]:
    """The state with every other seat's gold changed, in two ways."""
    for times, more in ((1, 1), (2, 7)):
        gold = tuple(own if miner == seat else times * own + more for miner, own in enumerate(state.gold))
        yield replace(state, gold=gold)
