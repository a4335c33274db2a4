"""Steps per second of exploration under uniformly random physical actions, all observations built.

``python -m games.catalog.adasociety.speed`` prints, for each number of players, the bare loop (observe all, draw,
clean, resolve: what the authors' own benchmark times) and the whole loop of `games.core.engine.play`, beside theirs.
Seconds are processor time. 1000 players stand on 40x40, for which the piles and grids of the preset suffice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import numpy as np

from games.catalog.adasociety.config import AdaSocietyConfig
from games.catalog.adasociety.observe import observe_all
from games.catalog.adasociety.policies import BLIND, every_physical
from games.catalog.adasociety.presets import preset_config
from games.catalog.adasociety.rules import AdaSociety
from games.catalog.adasociety.state import Action, Move
from games.catalog.adasociety.task import task_of
from games.core.agents import deciding
from games.core.engine import play
from games.core.rng import Rng, fold

AUTHORS: Final = {4: 4652.0, 8: 2380.0, 20: 1030.0, 100: 167.0, 1000: 9.8}
"""Steps per second of the authors' code at the time of the paper, on a machine like that of the first measurement."""


def crowd(players: int) -> AdaSocietyConfig:
    """Exploration with so many players; 40x40 for 1000, since 375 free cells hold no more than 375."""
    raw = preset_config("exploration").model_dump()
    raw["agents"] = [{"role": "explorer", "count": players}]
    if players > 300:
        raw.update(height=40, width=40)
    return AdaSocietyConfig.model_validate(raw)


def bare(config: AdaSocietyConfig, steps: int, seed: int = 1) -> float:
    """Steps per second without requests, decisions and logged steps. Illegal draws are cleaned as in any run."""
    game, task = AdaSociety(), task_of(config)
    root = Rng.root(seed)
    state = game.initial(config, root.step(0)).state
    players = len(task.everyone)
    words = np.arange(players, dtype=np.uint64)
    began = time.process_time()
    for index in range(1, steps + 1):
        rng = root.step(index)
        if players > 8:
            draws = rng.bulk(words, "random").tolist()
        else:
            key = rng.at("random").key
            draws = [fold(key, seat) >> 1 for seat in task.everyone]
        actions: dict[int, Action] = {}
        for seat, observation in enumerate(observe_all(task, state)):
            options = every_physical(observation.kit.resources)
            action = options[draws[seat] % len(options)]
            if type(action) is not Move:
                action = game.clean(config, state, seat, action, rng)[0]
            actions[seat] = action
        state = game.resolve(config, state, actions, rng).state
    return steps / (time.process_time() - began)


def whole(config: AdaSocietyConfig, steps: int, seed: int = 1) -> float:
    """Steps per second of the engine's own loop."""
    decider = deciding(BLIND.bind())
    run = play(AdaSociety(), config, seed, dict.fromkeys(range(config.seat_count), decider))
    next(run)
    began = time.process_time()
    for step in run:
        if step.index == steps:
            break
    return steps / (time.process_time() - began)


def table(repeats: int = 3) -> Iterator[str]:
    for players, authors in AUTHORS.items():
        config = crowd(players)
        steps = max(20, min(500, 20_000 // players))
        fast = max(bare(config, steps) for _ in range(repeats))
        full = max(whole(config, steps) for _ in range(repeats))
        yield (
            f"{players:5} players  bare {fast:9.1f}/s ({fast / authors:5.1f}x)  "
            f"whole loop {full:9.1f}/s ({full / authors:5.1f}x)  authors {authors:7.1f}/s"
        )


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)  # noqa: T201 - a command's output
