"""Steps a second through the learners' doors, for `polity bench`.

Actions are drawn among what is open, each as likely. A run is played twice, and timed when its actions are known.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.worlds import Worlds
from games.catalog.adasociety.setup.presets import preset_config
from games.core.answers import JSON

ONE: Final = ("contract-easy", "contract-hard", "negotiation-hard", "social-structure-hard", "exploration")
MANY: Final = 64
STEPS: Final = 150


def timings(repeats: int) -> Sequence[Mapping[str, JSON]]:
    """World-steps per second of processor time, the best of so many repeats, beginning anew included; one world through
    PettingZoo where that is installed, and 64 side by side.
    """
    rows: list[Mapping[str, JSON]] = []
    for preset in ONE:
        if find_spec("pettingzoo") is not None:
            rows.append(_row(preset, 1, max(_one(preset) for _ in range(repeats))))
        rows.append(_row(preset, MANY, max(_many(preset) for _ in range(repeats))))
    return rows


def _row(preset: str, worlds: int, pace: float) -> dict[str, JSON]:
    return {"case": f"learners' door, {preset}", "worlds": worlds, "world_steps_per_s": round(pace)}


def _drawn(mask: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """An action of each row that is open, each as likely."""
    upto = mask.cumsum(axis=-1, dtype=np.int64)
    chosen: NDArray[np.int64] = (upto <= chance.integers(0, upto[..., -1:])).sum(axis=-1)
    return chosen


def _one(preset: str) -> float:
    from games.catalog.adasociety.gym.parallel import parallel_env

    env, chance, chosen = parallel_env(preset), np.random.default_rng(0), list[dict[str, int]]()
    told, _ = env.reset(seed=1)
    while env.agents and len(chosen) < STEPS:
        drawn = _drawn(np.stack([told[name]["action_mask"] for name in env.agents]), chance)
        chosen.append(dict(zip(env.agents, drawn.tolist(), strict=True)))
        told, *_ = env.step(chosen[-1])
    began = time.process_time()
    env.reset(seed=1)
    for actions in chosen:
        env.step(actions)
    return len(chosen) / (time.process_time() - began)


def _many(preset: str) -> float:
    worlds, chance, chosen = Worlds(preset_config(preset), MANY), np.random.default_rng(0), list[NDArray[np.int64]]()
    worlds.begin(range(MANY))
    while worlds.step < worlds.horizon and len(chosen) < STEPS:
        chosen.append(_drawn(worlds.see()["action_mask"], chance))
        worlds.act(chosen[-1])
    began = time.process_time()
    worlds.begin(range(MANY))
    for actions in chosen:
        worlds.see()
        worlds.act(actions)
    return len(chosen) * MANY / (time.process_time() - began)
