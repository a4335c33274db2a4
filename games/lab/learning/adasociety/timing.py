"""Steps a second of the learners' worlds, for `polity bench`.

Actions are drawn among what is open, each as likely. A run is played twice, and timed when its
actions are known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.core.answers import JSON
from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.worlds import Worlds

ONE: Final = ("contract-easy", "contract-hard", "negotiation-hard", "social-structure-hard", "exploration")
MANY: Final = 64
STEPS: Final = 150
PLAYERS: Final = (4, 8, 20, 100)
"""Sizes of the authors' speed test. Of a thousand, windows that all might be shown would fill 1.6 GB."""
SEED: Final = 1


def timings(repeats: int) -> Sequence[Mapping[str, JSON]]:
    """World-steps per second of processor time, the best of so many repeats, beginning anew included; with plain
    arrays, and with compiled loops where they can be had.

    One world and 64 side by side; then exploration by itself under the load of the authors' speed test: any of the 36
    physical actions, known or not, as likely.
    """
    rows: list[Mapping[str, JSON]] = []

    def tell(case: str, worlds: int, measure: Callable[[str], float]) -> None:
        for choice in ("off", "on") if find_spec("numba") is not None else ("off",):
            pace = max(measure(choice) for _ in range(repeats))
            rows.append({"case": case, "worlds": worlds, "kernels": choice, "world_steps_per_s": round(pace)})

    for preset in ONE:
        for count in (1, MANY):
            tell(f"learners' worlds, {preset}", count, partial(_drawing, preset, count))
    for players in PLAYERS:
        tell(f"arrays, exploration, {players} players, any of 36", 1, partial(_any_of_36, players))
    return rows


def _drawn(mask: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """An action of each row that is open, each as likely."""
    upto = mask.cumsum(axis=-1, dtype=np.int64)
    chosen: NDArray[np.int64] = (upto <= chance.integers(0, upto[..., -1:])).sum(axis=-1)
    return chosen


def _drawing(preset: str, count: int, kernels: str) -> float:
    worlds, chance = Worlds(preset_config(preset), count, kernels), np.random.default_rng(0)
    chosen = list[NDArray[np.int64]]()
    worlds.begin(range(SEED, SEED + count))
    while worlds.step < worlds.horizon and len(chosen) < STEPS:
        chosen.append(_drawn(worlds.see()["action_mask"], chance))
        worlds.act(chosen[-1])
    return _paced(worlds, chosen)


def _any_of_36(players: int, kernels: str) -> float:
    crew = [{"role": "explorer", "count": players}]
    config = AdaSocietyConfig.model_validate({**preset_config("exploration").model_dump(), "agents": crew})
    worlds = Worlds(config, 1, kernels)
    physical = 6 + 2 * worlds.layout.resources
    actions = np.random.default_rng(0).integers(0, physical, (STEPS, 1, players))
    _paced(worlds, actions[:2])
    return _paced(worlds, actions)


def _paced(worlds: Worlds, chosen: Sequence[NDArray[np.int64]] | NDArray[np.int64]) -> float:
    """World-steps per second of runs in which these actions are taken."""
    began = time.process_time()
    worlds.begin(range(SEED, SEED + worlds.count))
    for actions in chosen:
        worlds.see()
        worlds.act(actions)
    return len(chosen) * worlds.count / (time.process_time() - began)
