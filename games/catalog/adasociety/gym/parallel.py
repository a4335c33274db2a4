"""The door for learners: every mini-game as a PettingZoo `ParallelEnv`. Needs the extra ``polity[rl]``.

``parallel_env("contract-hard")`` or ``parallel_env(config)``. All seats act in every step; who has nothing to decide
may only stay, as its ``action_mask`` says, and what the mask forbids is played as staying. Episodes end by truncation
when their steps are used up.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from games.catalog.adasociety.arrays.layout import Layout, layout
from games.catalog.adasociety.arrays.tensors import UNITS_MAX, encode_all, world
from games.catalog.adasociety.rules.game import AdaSociety
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import Action, Send, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.presets import preset_config
from games.catalog.adasociety.setup.task import task_of
from games.core.rng import SEED_MAX, Rng
from games.core.words import Words

STATE_MAX = 1e9
CELLS_MAX = 100
"""Half of the widest map."""
SETTINGS = frozenset({"social_control", "forced_probability"})
"""Settings that `reset` may change: they change no size of an array."""
WORDS = Words(Path(__file__).parent.parent / "words")


def observation_spaces(shape: Layout) -> dict[str, spaces.Space[Any]]:
    """The bounds of what `encode_all` gives one seat, by name."""
    seats = shape.seats

    def box(low: float, high: float, *size: int) -> spaces.Box:
        return spaces.Box(np.float32(low), np.float32(high), size, np.float32)

    def whole(low: int, high: int, *size: int, kind: type[np.integer[Any]] = np.int16) -> spaces.Box:
        return spaces.Box(low, high, size, kind)

    window = (shape.channels, shape.window, shape.window)
    return {
        "map": whole(-UNITS_MAX, UNITS_MAX, *window),
        **(
            {
                "shown": whole(-UNITS_MAX, UNITS_MAX, seats, *window),
                "offsets": whole(-CELLS_MAX, CELLS_MAX, seats, 2),
            }
            if shape.shown
            else {}
        ),
        "bag": whole(0, UNITS_MAX, shape.resources),
        "capacity": whole(0, UNITS_MAX, shape.resources),
        "links": box(0, 1, seats, seats),
        "members": box(0, 1, seats, shape.groups),
        **({"unions": box(0, 1, shape.unions, shape.groups, shape.groups)} if shape.unions else {}),
        "decides": box(0, 1, seats),
        "offers": box(0, 1, seats),
        "free": box(0, 1, seats),
        "bargains": box(0, 1, seats, seats),
        "proposals": box(0, 1, seats, seats),
        "reward_shares": box(0, 1, seats, seats),
        "order": box(0, 1, seats),
        "messages": box(-1, 1, seats, 1 + shape.message),
        "identity": whole(0, 1, seats, kind=np.int8),
        "time": box(0, 1, 1),
        "action_mask": whole(0, 1, len(shape.actions), kind=np.int8),
    }


class AdaSocietyEnv(ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """One run after another of one configuration. ``state_now`` is the game's own state, for whoever inspects it."""

    metadata: ClassVar[dict[str, Any]] = {"name": "adasociety_v2", "render_modes": [], "is_parallelizable": True}

    def __init__(self, config: AdaSocietyConfig, speech: bool = False) -> None:
        self._given = self.config = config
        self.render_mode = None
        self._game = AdaSociety()
        self._layout = layout(config)
        self.possible_agents = [spec.name for spec in task_of(config).seats]
        self.agents: list[str] = []
        self._seat = {name: seat for seat, name in enumerate(self.possible_agents)}
        self._speaks = speech and config.mini_game == "exploration"
        self._seed: int | None = None
        self.state_now: State | None = None
        self._observed = self._observation_space()
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observed)
        self.action_spaces = {name: self._action_space() for name in self.possible_agents}
        self.state_space = self._box(-STATE_MAX, STATE_MAX, *world(self._layout, config, self._begun(0)).shape)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def _action_space(self) -> spaces.Space[Any]:
        number = spaces.Discrete(len(self._layout.actions))
        if not self._speaks:
            return number
        return spaces.Dict({"action": number, "message": self._box(-1, 1, self._layout.message)})

    @staticmethod
    def _box(low: float, high: float, *size: int) -> spaces.Box:
        return spaces.Box(np.float32(low), np.float32(high), size, np.float32)

    def _observation_space(self) -> spaces.Dict:
        return spaces.Dict(observation_spaces(self._layout))

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin the run of ``seed``; without one, that of the seed after the last, the first drawn afresh.

        ``options={"config": {...}}`` changes settings (`SETTINGS`) for this one run, as a curriculum does. Raises
        ValueError.
        """
        changed: dict[str, Any] = (options or {}).get("config", {})
        if unknown := sorted(changed.keys() - SETTINGS):
            raise ValueError(f"options.config: {unknown[0]!r}; there are {', '.join(sorted(SETTINGS))}")
        given = self._given
        self.config = AdaSocietyConfig.model_validate({**given.model_dump(), **changed}) if changed else given
        if seed is not None:
            self._seed = int(seed)
        else:
            self._seed = secrets.randbelow(SEED_MAX) if self._seed is None else self._seed + 1
        self.state_now = self._begun(self._seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {name: {} for name in self.agents}

    def _begun(self, seed: int) -> State:
        return self._game.initial(self.config, Rng.root(seed).step(0)).state

    def state(self) -> NDArray[np.float32]:
        """The whole world, for critics that are told all: see `tensors.world`."""
        if self.state_now is None:
            raise RuntimeError("reset the environment before its state is asked for")
        return world(self._layout, self.config, self.state_now)

    def _chosen(self, name: str, action: Any) -> Action | None:
        """The action of a number, with the numbers that it says, if any. Raises ValueError."""
        if action is None:
            return None
        number, said = (action["action"], action["message"]) if self._speaks else (action, ())
        most = len(self._layout.actions)
        if int(number) != number or not 0 <= number < most:
            raise ValueError(f"{name}: action {number}; a whole number from 0 to {most - 1}")
        chosen = self._layout.actions[int(number)]
        if not isinstance(chosen, Send):
            return chosen
        return replace(chosen, vector=tuple(float(value) for value in said))

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, dict[str, Any]], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """One step of the run. Seats without an action are played as silent; ``infos`` give the reasons for repairs."""
        if not self.agents or self.state_now is None:
            return {}, {}, {}, {}, {}
        state, seed = self.state_now, self._seed or 0
        turn = self._game.turn(self.config, state)
        assert turn is not None
        rng = Rng.root(seed).step(state.step + 1)
        clean: dict[int, Any] = {}
        infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        for seat in turn.seats:
            name = self.possible_agents[seat]
            chosen = self._chosen(name, actions.get(name))
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
        seen = [observe(self.config, state, self._seat[name]) for name in self.agents]
        return dict(zip(self.agents, encode_all(self._layout, seen), strict=True))

    def render(self) -> None:
        """Runs are drawn by the site's own board, from its log."""

    def close(self) -> None:
        self.state_now = None


def parallel_env(game: str | AdaSocietyConfig = "contract-easy", speech: bool = False) -> AdaSocietyEnv:
    """The environment of a preset by name, or of a configuration.

    ``speech``: in exploration an action is ``{"action": number, "message": numbers}``, and what is sent says these.
    """
    return AdaSocietyEnv(preset_config(game) if isinstance(game, str) else game, speech)
