"""Many worlds at once as a Gymnasium `VectorEnv`. Needs the extra ``polity[rl]``.

``vector_env("contract-easy", 64)``. A sub-environment is a world with all its seats: actions are (worlds, seats),
observations begin with (worlds, seats), or with (worlds) alone where all seats know them alike, and rewards are
(worlds, seats). Runs of a configuration are equally long, so that all worlds end in the same step, by truncation, and
begin anew in it (``AutoresetMode.SAME_STEP``).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.tensors import COMMON
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.core.rng import SEED_MAX
from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.parallel import observation_spaces
from games.lab.learning.adasociety.worlds import Worlds

Arrays = dict[str, NDArray[Any]]
Stepped = tuple[Arrays, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class AdaSocietyVectorEnv(VectorEnv[Any, Any, Any]):
    """World ``w`` plays the runs of seeds ``seed + w``, ``seed + worlds + w`` and so on, each the run that
    `parallel` plays from that seed. Observations are the same arrays in each step, filled anew, unless ``copy``.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as its base declares it

    def __init__(self, config: AdaSocietyConfig, worlds: int, copy: bool = False, kernels: str | None = None) -> None:
        self.worlds, self._copy = Worlds(config, worlds, kernels), copy
        self.num_envs = worlds
        self._next: int | None = None
        shape = self.worlds.layout
        self.single_observation_space = spaces.Dict(
            {
                name: space if name in COMMON else batch_space(space, shape.seats)
                for name, space in observation_spaces(shape).items()
            }
        )
        self.single_action_space = spaces.MultiDiscrete([len(shape.actions)] * shape.seats)
        self.observation_space = batch_space(self.single_observation_space, worlds)
        self.action_space = batch_space(self.single_action_space, worlds)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin a run in every world. Without a seed those after the last, the first drawn afresh. ``seed`` may also be
        one for each world; raises ValueError for anything else, and for options, of which there are none.
        """
        if options:
            raise ValueError(
                f"options: {sorted(options)}; there are none: make an environment of another configuration"
            )
        if isinstance(seed, int | np.integer) or seed is None:
            if seed is not None:
                self._next = int(seed)
            elif self._next is None:
                self._next = secrets.randbelow(SEED_MAX - (1 << 40))
            self._begin()
        else:
            given = [each for each in seed if each is not None]
            if len(given) != self.num_envs:
                raise ValueError(f"seed: {len(given)} of them; one number, or one for each of {self.num_envs} worlds")
            self.worlds.begin(given)
            self._next = max(given) + 1
        return self._seen(), {}

    def _begin(self) -> None:
        first = self._next or 0
        self.worlds.begin(range(first, first + self.num_envs))
        self._next = first + self.num_envs

    def _seen(self) -> Arrays:
        seen = self.worlds.see()
        return {name: array.copy() for name, array in seen.items()} if self._copy else seen

    def step(self, actions: Any) -> Stepped:
        """One step of every world; what the mask forbids is played as staying. Raises ValueError for what is no action.

        ``infos`` are empty but in the step that ends the runs: then ``final_obs`` is what was seen last, and
        ``returns`` what each seat was paid in all.
        """
        worlds = self.worlds
        rewards = worlds.act(actions)
        over, infos = worlds.step == worlds.horizon, {}
        if over:
            infos = {
                "final_obs": {name: array.copy() for name, array in worlds.see().items()},
                "returns": worlds.returns / 1e6,
            }
            self._begin()
        return self._seen(), rewards, np.zeros(self.num_envs, np.bool_), np.full(self.num_envs, over), infos

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is held open."""


def vector_env(
    game: str | AdaSocietyConfig = "contract-easy", worlds: int = 64, copy: bool = False, kernels: str | None = None
) -> AdaSocietyVectorEnv:
    """So many worlds of a preset by name, or of a configuration. ``kernels`` is for `compiled.kernels`."""
    return AdaSocietyVectorEnv(preset_config(game) if isinstance(game, str) else game, worlds, copy, kernels)
