"""The door for learners: every mini-game as a PettingZoo `ParallelEnv`. Needs the extra ``polity[rl]``.

``parallel_env("contract-hard")`` or ``parallel_env(config)``. All seats act in every step; who has nothing to decide
may only stay, as its ``action_mask`` says, and what the mask forbids is played as staying. Episodes end by truncation
when their steps are used up.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from games.catalog.adasociety.config import AdaSocietyConfig
from games.catalog.adasociety.observe import observe
from games.catalog.adasociety.presets import preset_config
from games.catalog.adasociety.rules import AdaSociety
from games.catalog.adasociety.state import State
from games.catalog.adasociety.task import task_of
from games.catalog.adasociety.tensors import encode, layout
from games.core.rng import Rng
from games.core.words import Words

UNITS_MAX = 1e9
WORDS = Words(Path(__file__).parent / "words")


class AdaSocietyEnv(ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """One run after another of one configuration. ``state_now`` is the game's own state, for whoever inspects it."""

    metadata: ClassVar[dict[str, Any]] = {"name": "adasociety_v1", "render_modes": [], "is_parallelizable": True}

    def __init__(self, config: AdaSocietyConfig) -> None:
        self.config = config
        self.render_mode = None
        self._game = AdaSociety()
        self._layout = layout(config)
        self.possible_agents = [spec.name for spec in task_of(config).seats]
        self.agents: list[str] = []
        self._seat = {name: seat for seat, name in enumerate(self.possible_agents)}
        self._seed = -1
        self.state_now: State | None = None
        self._observed = self._observation_space()
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observed)
        self.action_spaces = {name: spaces.Discrete(len(self._layout.actions)) for name in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def _observation_space(self) -> spaces.Dict:
        shape = self._layout

        def box(low: float, high: float, *size: int) -> spaces.Box:
            return spaces.Box(np.float32(low), np.float32(high), size, np.float32)

        return spaces.Dict(
            {
                "map": box(-UNITS_MAX, UNITS_MAX, shape.channels, shape.height, shape.width),
                "bag": box(0, UNITS_MAX, shape.resources),
                "capacity": box(0, UNITS_MAX, shape.resources),
                "links": box(0, 1, shape.seats, shape.seats),
                "members": box(0, 1, shape.seats, shape.groups),
                "offers": box(0, 1, shape.seats),
                "free": box(0, 1, shape.seats),
                "messages": box(-1, 1, shape.seats, shape.message),
                "identity": box(0, 1, shape.seats),
                "time": box(0, 1, 1),
                "action_mask": spaces.Box(0, 1, (len(shape.actions),), np.int8),
            }
        )

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin the run of ``seed``; without one, that of the seed after the last."""
        self._seed = self._seed + 1 if seed is None else int(seed)
        self.state_now = self._game.initial(self.config, Rng.root(self._seed).step(0)).state
        self.agents = list(self.possible_agents)
        return self._observations(), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, dict[str, Any]], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """One step of the run. Seats without an action are played as silent; ``infos`` give the reasons for repairs."""
        if not self.agents or self.state_now is None:
            return {}, {}, {}, {}, {}
        state = self.state_now
        turn = self._game.turn(self.config, state)
        assert turn is not None
        rng = Rng.root(self._seed).step(state.step + 1)
        clean: dict[int, Any] = {}
        infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        for seat in turn.seats:
            name = self.possible_agents[seat]
            number = actions.get(name)
            chosen = None if number is None else self._layout.actions[int(number)]
            clean[seat], notes = self._game.clean(self.config, state, seat, chosen, rng.at("clean", seat))
            if notes:
                infos[name]["reasons"] = [WORDS.note(note) for note in notes]
        resolved = self._game.resolve(self.config, state, clean, rng)
        self.state_now = resolved.state
        over = self._game.turn(self.config, resolved.state) is None
        rewards = {name: float(resolved.payoffs.get(self._seat[name], 0.0)) for name in self.agents}
        observations = self._observations()
        terminations = dict.fromkeys(self.agents, False)
        truncations = dict.fromkeys(self.agents, over)
        if over:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _observations(self) -> dict[str, dict[str, Any]]:
        assert self.state_now is not None
        state = self.state_now
        return {name: encode(self._layout, observe(self.config, state, self._seat[name])) for name in self.agents}

    def render(self) -> None:
        """Runs are drawn by the site's own board, from its log."""

    def close(self) -> None:
        self.state_now = None


def parallel_env(game: str | AdaSocietyConfig = "contract-easy") -> AdaSocietyEnv:
    """The environment of a preset by name, or of a configuration."""
    return AdaSocietyEnv(preset_config(game) if isinstance(game, str) else game)
