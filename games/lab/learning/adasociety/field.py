"""AdaSociety as a field to learn in, and its curriculum (the paper's appendix D.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays import shelf
from games.catalog.adasociety.arrays.features import features
from games.catalog.adasociety.oracle import oracle
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.errors.faults import Refused
from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.worlds import Worlds
from games.lab.learning.field import Lesson, Part, Sizes
from games.lab.learning.plan import CurriculumSettings

PRESETS: Final = (
    "contract-easy", "contract-hard", "negotiation-easy", "negotiation-hard", "exploration", "social-structure-hard",
    "social-structure-inequality", "social-structure-independent", "social-structure-overlapping",
)  # fmt: skip
"""The presets that the paper trains in."""


class Seats:
    """All seats of many worlds, which learn one policy together; who one is stands among the features, and with
    ``mates`` who is in one's group.
    """

    def __init__(self, config: AdaSocietyConfig, worlds: int, mates: bool = False) -> None:
        self._worlds, self._mates = Worlds(config, worlds), mates
        self.worlds, self.best = worlds, oracle(config).total
        shape, horizon = self._worlds.layout, self._worlds.horizon
        grid = Part(0, (shape.channels, shape.window, shape.window))
        members = Part(grid.stop + shape.resources, (shape.seats, shape.groups))
        row = shape.features + (shape.seats if mates else 0)
        self.sizes = Sizes(shape.seats, row, len(shape.actions), horizon, grid, members)

    def begin(self, seeds: Sequence[int]) -> None:
        self._worlds.begin(seeds)

    def see(self) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        seen = self._worlds.see()
        return features(self._worlds.layout, seen, self._mates), seen["action_mask"].copy()

    def act(self, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        return self._worlds.act(actions)

    def totals(self) -> NDArray[np.float64]:
        totals: NDArray[np.float64] = self._worlds.returns.sum(axis=1) / 1e6 / self.best
        return totals


def _config(preset: str, settings: Mapping[str, Any]) -> AdaSocietyConfig:
    config = preset_config(preset)
    return AdaSocietyConfig.model_validate({**config.model_dump(), **settings}) if settings else config


def field(preset: str, worlds: int, settings: Mapping[str, Any] | None = None, mates: bool = False) -> Seats:
    """So many worlds of a preset, with ``settings`` over its own."""
    return Seats(_config(preset, settings or {}), worlds, mates)


def lessons(preset: str, settings: CurriculumSettings) -> Sequence[Lesson]:
    """All in one group; forced into it with a probability that falls, else into any; then free. How far it falls is
    our choice: the paper says that it falls.
    """
    s, forced = settings, {"social_control": "forced", "schedule": ()}
    if s.recall == 1 or s.recall < 0:
        raise Refused(f"recall: {s.recall}; every second run or fewer (2 or more), or none (0)")
    recalled = (s.recall, {**forced, "forced_probability": s.forced_last}) if s.recall else None
    return (
        Lesson("one group", s.together, {**forced, "social_control": "forced_one"}),
        Lesson("forced less and less", s.mixed, forced, ("forced_probability", 1.0, s.forced_last)),
        Lesson("free", 1 - s.together - s.mixed, {}, recalled=recalled),
    )


def about(preset: str) -> dict[str, Any]:
    return shelf.about(preset, preset_config(preset))
