"""The first states of many worlds at once, as arrays: `rules.world`, draw for draw, without a loop over the worlds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.rules.state import BLANK, BLOCK
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import Task
from games.core.rng import fold_array, label_word

Keys = NDArray[np.uint64]
_LOW, _HALF, _REST = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(31)


@dataclass(frozen=True, slots=True)
class Start:
    """Maps of many worlds: ``terrain`` (worlds, cells), -1 blank and -2 a block; ``units`` (worlds, cells, resources);
    ``cells`` (worlds, seats); ``order`` (worlds, seats), the contract stage's turns, empty elsewhere.
    """

    terrain: NDArray[np.int8]
    units: NDArray[np.int16]
    cells: NDArray[np.int64]
    order: NDArray[np.int64]


def covers(config: AdaSocietyConfig) -> bool:
    """Whether all of the map is drawn: places that a configuration names are left to the rules themselves."""
    piles, events = any(each.cells for each in config.piles), any(each.cells for each in config.events)
    agents = any(each.cells for each in config.agents)
    return not (config.block_cells or piles or events or agents) and config.social_control == "free"


def first_maps(config: AdaSocietyConfig, task: Task, seeds: Sequence[int]) -> Start:
    """The maps of the runs of these seeds; for configurations that `covers` says."""
    root = fold_array(np.uint64(label_word("polity")), np.array(seeds, np.uint64))
    keys = fold_array(root, 0)
    worlds, rows = len(seeds), np.arange(len(seeds))[:, None]
    terrain = np.full((worlds, task.cells), BLANK, np.int8)
    if config.blocks:
        terrain[rows, shuffled(keys, task.cells, "blocks")[:, : config.blocks]] = BLOCK
    blank = np.nonzero(terrain == BLANK)[1].reshape(worlds, task.cells - config.blocks)

    def drawn(label: str) -> NDArray[np.int64]:
        return np.take_along_axis(blank, shuffled(keys, blank.shape[1], label), axis=1)

    units = np.zeros((worlds, task.cells, len(task.resources)), np.int16)
    free, taken = drawn("piles"), 0
    for piles in config.piles:
        units[rows, free[:, taken : taken + piles.count], task.resource_index[piles.resource]] = piles.units
        taken += piles.count
    free, taken = drawn("events"), 0
    for grids in config.events:
        terrain[rows, free[:, taken : taken + grids.count]] = task.events.index(grids.event)
        taken += grids.count
    seats = len(task.everyone)
    order = shuffled(keys, seats, "contract order") if config.mini_game == "contract" else np.zeros((worlds, 0), int)
    return Start(terrain, units, drawn("agents")[:, :seats], order)


def shuffled(keys: Keys, length: int, label: str) -> NDArray[np.int64]:
    """`Rng.shuffled` of 0 to length-1 under each key: one row for each."""
    here = fold_array(keys, label_word(label))
    others = below(fold_array(here[None, :], np.arange(length, dtype=np.uint64)[:, None]) >> np.uint64(1), length)
    order = np.repeat(np.arange(length)[:, None], len(keys), axis=1)
    rows = np.arange(len(keys))
    for last in range(length - 1, 0, -1):
        other = others[last]
        moved = order[last].copy()
        order[last] = order[other, rows]
        order[other, rows] = moved
    return order.T


def below(bits: Keys, length: int) -> NDArray[np.int64]:
    """Row by row, ``bits * (row + 1) >> 63`` of 63-bit numbers, in halves since the product has more than 64 bits."""
    most = np.arange(1, length + 1, dtype=np.uint64)[:, None]
    low = (bits & _LOW) * most >> _HALF
    return (((bits >> _HALF) * most + low) >> _REST).astype(np.int64)
