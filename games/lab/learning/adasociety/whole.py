"""The whole world of one state as numbers, for critics that are told all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.layout import Layout
from games.catalog.adasociety.arrays.tensors import social
from games.catalog.adasociety.rules.state import BLOCK, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import MICRO, task_of


def world(shape: Layout, config: AdaSocietyConfig, state: State) -> NDArray[np.float32]:
    """The whole world as one row of numbers, for critics that are told all (MAPPO's, for one).

    For each cell, channel by channel: whether somebody stands there, a block, what its event takes and makes, its piles
    by resource. Then each seat's row and column as parts of the map, its bag and its returns; the social state, its
    arrays in the order of `social`; the part of the steps that is over.
    """
    task = task_of(config)
    resources, seats = shape.resources, shape.seats
    grid = np.zeros((shape.channels, task.cells), np.float32)
    for cell, (event, stack) in enumerate(zip(state.land.terrain, state.land.stacks, strict=True)):
        grid[1, cell] = event == BLOCK
        if event >= 0:
            grid[2 : 2 + resources, cell] = task.recipes[event].change
        for resource, units in stack:
            grid[2 + resources + resource, cell] = units
    grid[0, list(state.cells)] = 1
    own = np.zeros((seats, 3 + resources), np.float32)
    for seat, cell in enumerate(state.cells):
        row, column = divmod(cell, task.width)
        own[seat, :3] = row / task.height, column / task.width, state.returns[seat] / MICRO
    own[:, 3:] = state.bags
    stage = task.stages[state.step] if state.step < task.horizon else "over"
    common = social(shape, state.graph, stage, state.step, state.order)
    over = np.array([state.step / task.horizon], np.float32)
    return np.concatenate([grid.ravel(), own.ravel(), *(array.ravel() for array in common.values()), over])
