"""Many worlds as skrl wants them: each seat is an environment, its row the features and then what is open to it.

Needs the extra ``polity[learn]``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray
from skrl.envs.wrappers.jax import Wrapper
from skrl.memories.jax import RandomMemory

from games.catalog.adasociety.arrays.features import features
from games.catalog.adasociety.oracle import oracle
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.lab.learning.adasociety.worlds import Worlds


class Seats(Wrapper):
    """All seats of many worlds, which learn one policy together; who one is stands among the features.

    ``totals`` are the normalised rewards of the runs that have come to their ends.
    """

    def __init__(self, config: AdaSocietyConfig, worlds: int, seed: int) -> None:
        self.worlds = Worlds(config, worlds)
        self._next, self._best = seed, oracle(config).total
        self.totals: list[float] = []
        self._begin()
        rows = self._rows()
        self.features = rows.shape[1] - len(self.worlds.layout.actions)
        self._observed = gymnasium.spaces.Box(-255, 255, (rows.shape[1],), np.float32)
        self._acts = gymnasium.spaces.Discrete(len(self.worlds.layout.actions))
        super().__init__(self)

    num_agents = 1

    @property
    def num_envs(self) -> int:
        return int(self.worlds.at.size)

    @property
    def device(self) -> Any:
        return jax.devices("cpu")[0]

    @property
    def observation_space(self) -> gymnasium.Space[Any]:
        return self._observed

    @property
    def state_space(self) -> None:
        return None

    @property
    def action_space(self) -> gymnasium.Space[Any]:
        return self._acts

    def _begin(self) -> None:
        self.worlds.begin(range(self._next, self._next + self.worlds.count))
        self._next += self.worlds.count

    def _rows(self) -> NDArray[np.float32]:
        seen = self.worlds.see()
        self.mask = seen["action_mask"]
        told = features(self.worlds.layout, seen)
        rows = np.concatenate([told, self.mask], axis=-1, dtype=np.float32)
        return rows.reshape(-1, rows.shape[-1])

    def reset(self) -> tuple[jax.Array, Any]:
        return jnp.asarray(self._rows()), {}

    def state(self) -> None:
        return None

    def step(self, actions: Any) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array, Any]:
        worlds = self.worlds
        rewards = worlds.act(np.asarray(actions).reshape(worlds.at.shape))
        over = worlds.step == worlds.horizon
        if over:
            self.totals += (worlds.returns.sum(axis=1) / 1e6 / self._best).tolist()
            self._begin()
        ended = np.full((worlds.at.size, 1), over, np.int8)
        told = jnp.asarray(self._rows())
        return told, jnp.asarray(rewards.reshape(-1, 1), jnp.float32), jnp.asarray(ended), jnp.zeros_like(ended), {}

    def render(self) -> None:
        pass

    def close(self) -> None:
        pass


class Rollout(RandomMemory):
    """A memory that gathers a rollout in NumPy and hands it over when it is full.

    skrl's own writes each step into arrays that cannot be changed, and so copies the whole rollout each time.
    """

    memory_index: int

    def add_samples(self, **tensors: Any) -> None:
        if not hasattr(self, "_gathered"):
            self._gathered = {name: np.zeros(array.shape, array.dtype) for name, array in self.tensors.items()}
        for name, tensor in tensors.items():
            if tensor is not None and name in self._gathered:
                self._gathered[name][self.memory_index] = tensor
        self.memory_index += 1
        if self.memory_index == self.memory_size:
            self.memory_index, self.filled = 0, True
            for name in tensors:
                if name in self._gathered:
                    self.tensors[name] = jnp.asarray(self._gathered[name].copy())
