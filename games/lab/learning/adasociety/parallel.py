"""The door for learners: every mini-game as a PettingZoo `ParallelEnv`. Needs the extra ``polity[rl]``.

``parallel_env("contract-hard")`` or ``parallel_env(config)``. All seats act in every step; who has nothing to decide
may only stay, as its ``action_mask`` says, and what the mask forbids is played as staying. Episodes end by truncation
when their steps are used up. A run is played in arrays (`worlds`); ``state_now`` and the reasons for repairs are
what the rules say of the same actions, reckoned when somebody asks.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from games.catalog.adasociety.arrays.layout import Layout, layout
from games.catalog.adasociety.arrays.tensors import UNITS_MAX, encode_all
from games.catalog.adasociety.rules.game import AdaSociety
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import Action, Send, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.structures import WORDS
from games.catalog.adasociety.setup.task import task_of
from games.core.answers import Note
from games.core.game import Resolution
from games.core.rng import SEED_MAX, Rng
from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.alone import Alone
from games.lab.learning.adasociety.whole import world
from games.lab.learning.adasociety.worlds import Worlds

STATE_MAX = 1e9
CELLS_MAX = 100
"""Half of the widest map."""
SETTINGS = frozenset({"social_control", "forced_probability"})
"""Settings that `reset` may change: they change no size of an array."""


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
    """One run after another of one configuration.

    ``kernels`` is for `compiled.kernels`. ``by_rules``: every step is played by the rules themselves, seat by
    seat, which is slower and gives the same: laws compare with it. Runs with ``speech``, and those whose settings a
    reset changes, are played so in any case.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "adasociety_v2", "render_modes": [], "is_parallelizable": True}

    def __init__(
        self, config: AdaSocietyConfig, speech: bool = False, kernels: str | None = None, by_rules: bool = False
    ) -> None:
        self._given = self.config = config
        self.render_mode = None
        self._game = AdaSociety()
        self._layout = layout(config)
        self.possible_agents = [spec.name for spec in task_of(config).seats]
        self.agents: list[str] = []
        self._seat = {name: seat for seat, name in enumerate(self.possible_agents)}
        self._speaks = speech and config.mini_game == "exploration"
        self._seed: int | None = None
        self._state: State | None = None
        self._ahead: list[list[Action | None]] = []
        self._alone = None if by_rules or self._speaks else Alone(Worlds(config, 1, kernels))
        self._in_arrays = False
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
        self._in_arrays = self._alone is not None and not changed
        self._ahead = []
        self._state = None
        if self._in_arrays:
            self._world.begin(self._seed)
        else:
            self._state = self._begun(self._seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {name: {} for name in self.agents}

    @property
    def _world(self) -> Alone:
        assert self._alone is not None
        return self._alone

    @property
    def state_now(self) -> State | None:
        """The game's own state, for whoever inspects it; None before the first reset."""
        if self._state is None and self._in_arrays and self._seed is not None:
            self._state = self._begun(self._seed)
        for chosen in self._ahead:
            assert self._state is not None
            self._state = self._resolved(self._state, self._cleaned(self._state, chosen)[0]).state
        self._ahead = []
        return self._state

    def _begun(self, seed: int) -> State:
        return self._game.initial(self.config, Rng.root(seed).step(0)).state

    def state(self) -> NDArray[np.float32]:
        """The whole world, for critics that are told all: see `whole.world`."""
        state = self.state_now
        if state is None:
            raise RuntimeError("reset the environment before its state is asked for")
        return world(self._layout, self.config, state)

    def _chosen(self, name: str, action: Any) -> Action | None:
        """The action of a number, with the numbers that it says, if any. Raises ValueError."""
        if action is None:
            return None
        number, said = (action["action"], action["message"]) if self._speaks else (action, ())
        chosen = self._layout.actions[self._number(name, number)]
        if not isinstance(chosen, Send):
            return chosen
        return replace(chosen, vector=tuple(float(value) for value in said))

    def _number(self, name: str, given: Any) -> int:
        number, most = int(given), len(self._layout.actions)
        if number != given or not 0 <= number < most:
            raise ValueError(f"{name}: action {given}; a whole number from 0 to {most - 1}")
        return number

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, dict[str, Any]], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """One step of the run. Seats without an action are played as silent; ``infos`` give the reasons for repairs."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        names = self.possible_agents
        infos: dict[str, dict[str, Any]] = {name: {} for name in names}
        if self._in_arrays:
            rewards, over = self._step_in_arrays(actions, infos)
        else:
            rewards, over = self._step_by_rules([self._chosen(name, actions.get(name)) for name in names], infos)
        observations = self._observations()
        truncations = dict.fromkeys(names, over)
        if over:
            self.agents = []
        return observations, dict(zip(names, rewards, strict=True)), dict.fromkeys(names, False), truncations, infos

    def _step_in_arrays(self, actions: dict[str, Any], infos: dict[str, dict[str, Any]]) -> tuple[list[float], bool]:
        """Rewards by seat, and whether the run is over."""
        world, named, get = self._world, self._layout.actions, actions.get
        numbers = [None if get(name) is None else self._number(name, get(name)) for name in self.possible_agents]
        chosen = [None if number is None else named[number] for number in numbers]
        if world.forbids(numbers):
            state = self.state_now
            assert state is not None
            clean, notes = self._cleaned(state, chosen)
            self._note(notes, infos)
            self._state = self._resolved(state, clean).state
        else:
            self._ahead.append(chosen)
        return world.step(numbers)

    def _step_by_rules(self, chosen: list[Action | None], infos: dict[str, dict[str, Any]]) -> tuple[list[float], bool]:
        """Rewards by seat, and whether the run is over."""
        assert self._state is not None
        clean, notes = self._cleaned(self._state, chosen)
        self._note(notes, infos)
        resolved = self._resolved(self._state, clean)
        self._state = resolved.state
        rewards = [float(resolved.payoffs.get(seat, 0.0)) for seat in range(len(chosen))]
        return rewards, self._game.turn(self.config, self._state) is None

    def _cleaned(self, state: State, chosen: list[Action | None]) -> tuple[dict[int, Any], dict[int, tuple[Note, ...]]]:
        turn, rng = self._game.turn(self.config, state), self._chance(state)
        assert turn is not None
        return self._game.clean_all(self.config, state, {seat: chosen[seat] for seat in turn.seats}, rng)

    def _resolved(self, state: State, clean: dict[int, Any]) -> Resolution[State]:
        return self._game.resolve(self.config, state, clean, self._chance(state))

    def _chance(self, state: State) -> Rng:
        return Rng.root(self._seed or 0).step(state.step + 1)

    def _note(self, notes: dict[int, tuple[Note, ...]], infos: dict[str, dict[str, Any]]) -> None:
        for seat, reasons in notes.items():
            infos[self.possible_agents[seat]]["reasons"] = [WORDS.note(note) for note in reasons]

    def _observations(self) -> dict[str, dict[str, Any]]:
        if self._in_arrays:
            return dict(zip(self.agents, self._world.see(), strict=True))
        state = self._state
        assert state is not None
        seen = [observe(self.config, state, self._seat[name]) for name in self.agents]
        return dict(zip(self.agents, encode_all(self._layout, seen), strict=True))

    def render(self) -> None:
        """Runs are drawn by the site's own board, from its log."""

    def close(self) -> None:
        self._state, self._ahead, self.agents, self._in_arrays = None, [], [], False


def parallel_env(
    game: str | AdaSocietyConfig = "contract-easy",
    speech: bool = False,
    kernels: str | None = None,
    by_rules: bool = False,
) -> AdaSocietyEnv:
    """The environment of a preset by name, or of a configuration.

    ``speech``: in exploration an action is ``{"action": number, "message": numbers}``, and what is sent says these.
    """
    return AdaSocietyEnv(preset_config(game) if isinstance(game, str) else game, speech, kernels, by_rules)
