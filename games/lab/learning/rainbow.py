"""Rainbow: double, prioritised, duelling, over several steps, of distributions, with noisy layers.

Needs ``polity[learn]``. Hessel et al., "Rainbow: Combining Improvements in Deep Reinforcement Learning" (2018). All
seats learn one policy. The memory is a ring over steps of all worlds at once: each row is kept once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from games.lab.learning.field import Field, Sizes
from games.lab.learning.nets import Reader, applied
from games.lab.learning.plan import RainbowSettings


class Noisy(nn.Module):
    """A dense layer whose weights are drawn anew with each call (Fortunato et al., 2018); still without a key."""

    width: int
    noise: float

    @nn.compact
    def __call__(self, rows: jax.Array, key: jax.Array | None) -> jax.Array:
        into = rows.shape[-1]
        reach = into**-0.5

        def begun(key: jax.Array, shape: tuple[int, ...]) -> jax.Array:
            return jax.random.uniform(key, shape, minval=-reach, maxval=reach)

        weights, biases = self.param("kernel", begun, (into, self.width)), self.param("bias", begun, (self.width,))
        spread = nn.initializers.constant(self.noise * reach)
        wide, wider = self.param("wide", spread, (into, self.width)), self.param("wider", spread, (self.width,))
        if key is None:
            return rows @ weights + biases
        left, right = (
            jnp.sign(drawn) * jnp.sqrt(jnp.abs(drawn))
            for drawn in (
                jax.random.normal(each, (size,))
                for each, size in zip(jax.random.split(key), (into, self.width), strict=True)
            )
        )
        return rows @ (weights + wide * left[:, None] * right) + biases + wider * right


class Duel(nn.Module):
    """Log odds of each return for each action, (..., A, atoms): what is worth the state, and what the action adds."""

    sizes: Sizes
    settings: RainbowSettings

    @nn.compact
    def __call__(self, rows: jax.Array, key: jax.Array | None) -> jax.Array:
        s = self.settings
        keys = jax.random.split(key, 3) if key is not None else (None,) * 3
        hidden = Reader(self.sizes, s.body, s.width, name="reader")(rows)
        hidden = nn.relu(Noisy(s.width, s.noise, name="second")(hidden, keys[0]))
        worth = Noisy(s.atoms, s.noise, name="state")(hidden, keys[1])
        adds = Noisy(self.sizes.actions * s.atoms, s.noise, name="actions")(hidden, keys[2])
        adds = adds.reshape(*adds.shape[:-1], self.sizes.actions, s.atoms)
        return jax.nn.log_softmax(worth[..., None, :] + adds - adds.mean(-2, keepdims=True))


class Batch(NamedTuple):
    """(B, ...): where an action was taken, what came of it within the steps ahead, and where that led."""

    rows: NDArray[np.int16]
    actions: NDArray[np.int64]
    returns: NDArray[np.float64]
    later: NDArray[np.int16]
    mask: NDArray[np.int8]
    goes_on: NDArray[np.float64]
    weights: NDArray[np.float64]


_ARRAYS = ("rows", "mask", "actions", "rewards", "last", "urgent")


class Memory:
    """A ring of the last steps of all worlds, seats side by side."""

    def __init__(self, worlds: Field, settings: RainbowSettings, seed: int) -> None:
        sizes = worlds.sizes
        self.seats, self.s, self.scale = worlds.worlds * sizes.seats, settings, 10 * sizes.seats / worlds.best
        self.length = max(settings.memory // self.seats, sizes.horizon + settings.steps_ahead + 1)
        lead = (self.length, self.seats)
        self.rows = np.zeros((*lead, sizes.features), np.int16)
        self.mask = np.ones((*lead, sizes.actions), np.int8)
        self.actions = np.zeros(lead, np.int16)
        self.rewards = np.zeros(lead, np.float64)
        self.last = np.zeros(self.length, np.bool_)
        self.urgent = np.zeros(lead, np.float64)
        self.steps = 0
        self.most = 1.0
        self.chance = np.random.Generator(np.random.PCG64(seed))

    @property
    def state(self) -> dict[str, Any]:
        chance = self.chance.bit_generator.state["state"]
        return {
            **{name: getattr(self, name) for name in _ARRAYS},
            "steps": self.steps,
            "most": self.most,
            "chance": {"0": str(chance["state"]), "1": str(chance["inc"])},
        }

    @state.setter
    def state(self, kept: dict[str, Any]) -> None:
        for name in _ARRAYS:
            getattr(self, name)[:] = kept[name]
        self.steps, self.most = int(kept["steps"]), float(kept["most"])
        drawn, step = kept["chance"]["0"], kept["chance"]["1"]
        whole = self.chance.bit_generator.state
        self.chance.bit_generator.state = {**whole, "state": {"state": int(drawn), "inc": int(step)}}

    def keep(self, rows: Any, mask: Any, actions: Any, rewards: Any, last: bool) -> None:
        at = self.steps % self.length
        self.rows[at] = rows.reshape(self.seats, -1)
        self.mask[at] = mask.reshape(self.seats, -1)
        self.actions[at], self.rewards[at], self.last[at] = actions.ravel(), rewards.ravel() * self.scale, last
        self.steps += 1
        # a step can be learnt from once those ahead of it are there; what the ring is about to lose no more
        known = (self.steps - 1 - self.s.steps_ahead) % self.length
        self.urgent[at] = 0
        if self.steps > self.s.steps_ahead:
            self.urgent[known] = self.most

    @property
    def held(self) -> int:
        return min(self.steps, self.length) * self.seats

    def sample(self, correction: float) -> tuple[Batch, NDArray[np.int64]]:
        """A batch, the more likely the more it surprised, and where it stands; ``correction`` 1 weighs that out."""
        s, flat = self.s, self.urgent.ravel()
        upto = flat.cumsum()
        parts = (np.arange(s.batch) + self.chance.random(s.batch)) / s.batch
        chosen = np.minimum(np.searchsorted(upto, parts * upto[-1], side="right"), flat.size - 1)
        at, seat = np.divmod(chosen, self.seats)
        returns, goes_on = np.zeros(s.batch), np.ones(s.batch)
        for ahead in range(s.steps_ahead):
            here = (at + ahead) % self.length
            returns += goes_on * s.discount**ahead * self.rewards[here, seat]
            goes_on *= ~self.last[here]
        later = (at + s.steps_ahead) % self.length
        odds = flat[chosen] / upto[-1]
        weights = (np.count_nonzero(flat) * odds) ** -correction
        found = Batch(
            self.rows[at, seat], self.actions[at, seat].astype(np.int64), returns, self.rows[later, seat],
            self.mask[later, seat], goes_on * s.discount**s.steps_ahead, weights / weights.max(),
        )  # fmt: skip
        return found, chosen

    def surprised(self, chosen: NDArray[np.int64], by: NDArray[np.float64]) -> None:
        urgent = (by + 1e-6) ** self.s.priority
        self.urgent.ravel()[chosen] = urgent
        self.most = max(self.most, float(urgent.max()))


class Rainbow:
    """A learner in worlds like these; see `ppo.PPO`."""

    def __init__(self, worlds: Field, settings: RainbowSettings, seed: int) -> None:
        self.sizes, self.settings = worlds.sizes, settings
        s, self.losses = settings, dict[str, float]()
        self.net = Duel(self.sizes, s)
        self.optimiser = optax.chain(
            optax.clip_by_global_norm(s.gradient_norm), optax.adam(s.learning_rate, eps=1.5e-4)
        )
        begun, self.key = jax.random.split(jax.random.key(seed))
        rows = jnp.zeros((1, self.sizes.features))
        self.params = self.aim = self.net.init(begun, rows, begun)["params"]
        self.moments, self.updates = self.optimiser.init(self.params), 0
        self.memory = Memory(worlds, s, seed)
        self._act = jax.jit(partial(_act, self.net, s))
        self._update = jax.jit(partial(_update, self.net, self.optimiser, s))

    @property
    def state(self) -> dict[str, Any]:
        return {
            "params": self.params,
            "aim": self.aim,
            "moments": self.moments,
            "updates": self.updates,
            "key": jax.random.key_data(self.key),
            "memory": self.memory.state,
        }

    @state.setter
    def state(self, kept: dict[str, Any]) -> None:
        self.params, self.aim, self.moments = kept["params"], kept["aim"], kept["moments"]
        self.updates, self.memory.state = int(kept["updates"]), kept["memory"]
        self.key = jax.random.wrap_key_data(jnp.asarray(kept["key"]))

    def learn(self, worlds: Field, done: float, over: float) -> None:
        """One run of every world, which have begun; ``done`` is the part of the first lesson that is over."""
        s, surprises = self.settings, list[float]()
        memory, horizon = self.memory, worlds.sizes.horizon
        for step in range(horizon):
            rows, mask = worlds.see()
            self.key, drawn, *keys = jax.random.split(self.key, 2 + s.updates)
            actions = np.asarray(self._act(self.params, rows, mask, drawn), np.int64)
            memory.keep(rows, mask, actions, worlds.act(actions), step == horizon - 1)
            for key in keys if memory.held >= s.warm else ():
                batch, chosen = memory.sample(s.correction + done * (1 - s.correction))
                self.params, self.moments, by = self._update(self.params, self.aim, self.moments, batch, key)
                memory.surprised(chosen, np.asarray(by, np.float64))
                surprises.append(float(by.mean()))
                self.updates += 1
                if self.updates % s.follow == 0:
                    self.aim = self.params
        self.losses = {"surprise": float(np.mean(surprises))} if surprises else {}

    def player(self, worlds: int, greedy: bool = True) -> Callable[[Any, Any], NDArray[np.int64]]:
        """Acts without noise, by the best action."""
        return lambda rows, mask: np.asarray(self._act(self.params, rows, mask, None), np.int64)


def _worth(s: RainbowSettings, odds: jax.Array) -> jax.Array:
    return (jnp.exp(odds) * jnp.linspace(s.lowest, s.highest, s.atoms)).sum(-1)


def _act(net: Duel, s: RainbowSettings, params: Any, rows: Any, mask: Any, key: jax.Array | None) -> jax.Array:
    worth = _worth(s, applied(net, params, rows, key))
    return jnp.where(mask > 0, worth, -jnp.inf).argmax(-1)


def _update(
    net: Duel, optimiser: Any, s: RainbowSettings, params: Any, aim: Any, moments: Any, batch: Batch, key: jax.Array
) -> tuple[Any, Any, jax.Array]:
    now, then, there = jax.random.split(key, 3)
    best = _act(net, s, params, batch.later, batch.mask, then)
    led = jnp.exp(jnp.take_along_axis(applied(net, aim, batch.later, there), best[:, None, None], 1)[:, 0])
    target = _projected(s, led, batch.returns, batch.goes_on)

    def loss(params: Any) -> tuple[jax.Array, jax.Array]:
        odds = applied(net, params, batch.rows, now)
        odds = jnp.take_along_axis(odds, jnp.asarray(batch.actions)[:, None, None], 1)[:, 0]
        by = -(target * odds).sum(-1)
        return (by * batch.weights).mean(), by

    slopes, by = jax.grad(loss, has_aux=True)(params)
    changes, moments = optimiser.update(slopes, moments, params)
    return optax.apply_updates(params, changes), moments, by


def _projected(s: RainbowSettings, led: jax.Array, returns: Any, goes_on: Any) -> jax.Array:
    """The distribution after the steps ahead, moved by what was earned, over the same atoms (Bellemare et al.)."""
    gap = (s.highest - s.lowest) / (s.atoms - 1)
    moved = jnp.asarray(returns)[:, None] + jnp.asarray(goes_on)[:, None] * jnp.linspace(s.lowest, s.highest, s.atoms)
    place = (jnp.clip(moved, s.lowest, s.highest) - s.lowest) / gap
    near = jnp.clip(1 - jnp.abs(place[:, :, None] - jnp.arange(s.atoms)), 0, 1)
    return (led[:, :, None] * near).sum(1)
