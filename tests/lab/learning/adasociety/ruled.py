"""A run by the rules, told in the arrays of learners."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.catalog.adasociety.arrays.layout import layout
from games.catalog.adasociety.arrays.tensors import encode_all
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import GAME
from games.core.rng import Rng
from games.lab.learning.adasociety import preset_config

Told = dict[str, dict[str, np.ndarray]]


class Ruled:
    """Seats act by numbers, by name; who is left out is silent. ``notes`` are what the last step struck out."""

    def __init__(self, config: AdaSocietyConfig | str) -> None:
        self.config = preset_config(config) if isinstance(config, str) else config
        self.shape = layout(self.config)
        self.names = [spec.name for spec in task_of(self.config).seats]
        self.notes: dict[int, Any] = {}

    def reset(self, seed: int) -> Told:
        self.seed = seed
        self.state: State = GAME.initial(self.config, Rng.root(seed).step(0)).state
        return self.told()

    @property
    def is_over(self) -> bool:
        return GAME.turn(self.config, self.state) is None

    def told(self) -> Told:
        seen = [observe(self.config, self.state, seat) for seat in range(len(self.names))]
        return dict(zip(self.names, encode_all(self.shape, seen), strict=True))

    def step(self, actions: dict[str, int]) -> tuple[Told, list[float]]:
        turn, rng = GAME.turn(self.config, self.state), Rng.root(self.seed).step(self.state.step + 1)
        assert turn is not None
        given = [actions.get(name) for name in self.names]
        chosen = {seat: None if given[seat] is None else self.shape.actions[given[seat]] for seat in turn.seats}
        clean, self.notes = GAME.clean_all(self.config, self.state, chosen, rng)
        resolved = GAME.resolve(self.config, self.state, clean, rng)
        self.state = resolved.state
        return self.told(), [float(resolved.payoffs.get(seat, 0.0)) for seat in range(len(self.names))]
