"""Steps a second through the learners' doors, for `polity bench`: actions are drawn among what is open, untimed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final

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


def _timed(spent: list[float], work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    began = time.process_time()
    done = work(*given, **named)
    spent[0] += time.process_time() - began
    return done


def _one(preset: str) -> float:
    from games.catalog.adasociety.gym.parallel import parallel_env

    env, chance, spent, steps = parallel_env(preset), np.random.default_rng(0), [0.0], 0
    told, _ = _timed(spent, env.reset, seed=1)
    while env.agents and steps < STEPS:
        drawn = _drawn(np.stack([told[name]["action_mask"] for name in env.agents]), chance)
        actions = dict(zip(env.agents, drawn.tolist(), strict=True))
        told, *_ = _timed(spent, env.step, actions)
        steps += 1
    return steps / spent[0]


def _many(preset: str) -> float:
    worlds, chance, spent, steps = Worlds(preset_config(preset), MANY), np.random.default_rng(0), [0.0], 0
    _timed(spent, worlds.begin, range(MANY))
    while worlds.step < worlds.horizon and steps < STEPS:
        seen = _timed(spent, worlds.see)
        actions = _drawn(seen["action_mask"], chance)
        _timed(spent, worlds.act, actions)
        steps += 1
    return steps * MANY / spent[0]
