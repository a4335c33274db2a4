"""Proximal policy optimisation, also with memory (RecPPO) and with a central critic (MAPPO). Needs ``polity[learn]``.

Schulman et al., "Proximal Policy Optimization Algorithms" (2017); Yu et al., "The Surprising Effectiveness of PPO in
Cooperative, Multi-Agent Games" (2022). All seats learn one policy, each for its own reward. Between two updates every
world goes a stretch of equal length that never crosses the end of a run, so that what is remembered begins empty with
a run; minibatches are of whole worlds. Acting and updating are one compiled call each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from games.lab.learning.field import Field, Sizes
from games.lab.learning.nets import ActorCritic, Carry, applied, nothing_remembered
from games.lab.learning.plan import CurriculumSettings, PPOSettings


class Stretch(NamedTuple):
    """What was seen and done between two updates, (T, W, S, ...); ``valid`` (T,) is 0 past the end of a run."""

    rows: NDArray[np.int16]
    mask: NDArray[np.int8]
    actions: NDArray[np.int32]
    odds: NDArray[np.float32]
    values: NDArray[np.float32]
    rewards: NDArray[np.float32]
    valid: NDArray[np.float32]


@dataclass
class PPO:
    """A learner: ``learn`` plays every world to its end and learns from it; ``state`` is all that it needs to go on."""

    sizes: Sizes
    settings: PPOSettings
    seed: int
    recurrent: bool = False
    central: bool = False
    losses: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        s = self.settings
        self.net = ActorCritic(self.sizes, s.body, s.width, self.recurrent, self.central)
        self.optimiser = optax.chain(optax.clip_by_global_norm(s.gradient_norm), optax.adam(s.learning_rate, eps=1e-5))
        begun, self.key = jax.random.split(jax.random.key(self.seed))
        seats, sizes = self.sizes.seats, self.sizes
        params = self.net.init(
            begun,
            jnp.zeros((1, 1, seats, sizes.features)),
            jnp.ones((1, 1, seats, sizes.actions)),
            nothing_remembered(1, seats, s.width),
            jnp.zeros((1, 1, seats), jnp.int32),
        )["params"]
        self.params, self.moments = params, self.optimiser.init(params)
        self._act = jax.jit(partial(_act, self.net))
        self._update = jax.jit(partial(_update, self.net, self.optimiser, s))

    @property
    def state(self) -> dict[str, Any]:
        return {"params": self.params, "moments": self.moments, "key": jax.random.key_data(self.key)}

    @state.setter
    def state(self, kept: dict[str, Any]) -> None:
        self.params, self.moments = kept["params"], kept["moments"]
        self.key = jax.random.wrap_key_data(jnp.asarray(kept["key"]))

    def learn(self, worlds: Field, done: float, over: float) -> None:
        """One run of every world, which have begun; ``done`` is the part of the first lesson that is over, ``over``
        that of all steps.
        """
        s = self.settings
        entropy = jnp.float32(s.entropy + done * (s.entropy_last - s.entropy))
        rate = jnp.float32(1 + over * (s.rate_last - 1) if isinstance(s, CurriculumSettings) else 1)
        horizon, carry = worlds.sizes.horizon, self._fresh(worlds.worlds)
        stretches = -(-horizon // self.settings.stretch)
        length = -(-horizon // stretches)
        rows, mask = worlds.see()
        step = 0
        while step < horizon:
            before, kept = carry, _blank(length, worlds.worlds, self.sizes)
            for at in range(min(length, horizon - step)):
                actions, odds, values, carry, self.key = self._act(self.params, rows, mask, carry, self.key)
                kept.rows[at], kept.mask[at] = rows, mask
                kept.actions[at], kept.odds[at], kept.values[at] = actions, odds, values
                kept.rewards[at] = worlds.act(np.asarray(actions, np.int64))
                kept.valid[at] = 1
                step += 1
                if step < horizon:
                    rows, mask = worlds.see()
            after = np.zeros(kept.values.shape[1:], np.float32)
            if step < horizon:
                _, _, after, _, self.key = self._act(self.params, rows, mask, carry, self.key)
            self.key, shuffled = jax.random.split(self.key)
            self.params, self.moments, told = self._update(
                self.params, self.moments, kept, before, after, shuffled, entropy, rate
            )
        self.losses = {name: float(value) for name, value in told.items()}

    def player(self, worlds: int, greedy: bool = False) -> Callable[[Any, Any], NDArray[np.int64]]:
        """Acts from a run's first step to its last, by its odds or ``greedy``; learns nothing."""
        carry, key = self._fresh(worlds), jax.random.key(0)

        def act(rows: Any, mask: Any) -> NDArray[np.int64]:
            nonlocal carry, key
            actions, _, _, carry, key = self._act(self.params, rows, mask, carry, key, greedy)
            return np.asarray(actions, np.int64)

        return act

    def _fresh(self, worlds: int) -> Carry:
        return nothing_remembered(worlds, self.sizes.seats, self.settings.width)


def _blank(length: int, worlds: int, sizes: Sizes) -> Stretch:
    lead = (length, worlds, sizes.seats)
    return Stretch(
        np.zeros((*lead, sizes.features), np.int16),
        np.ones((*lead, sizes.actions), np.int8),
        np.zeros(lead, np.int32),
        np.zeros(lead, np.float32),
        np.zeros(lead, np.float32),
        np.zeros(lead, np.float32),
        np.zeros(length, np.float32),
    )


def _act(
    net: ActorCritic, params: Any, rows: Any, mask: Any, carry: Carry, key: jax.Array, greedy: Any = False
) -> tuple[jax.Array, jax.Array, jax.Array, Carry, jax.Array]:
    """Actions drawn, their log odds and what is expected, (W, S) each, what is remembered, and the next key."""
    key, draw = jax.random.split(key)
    none = jnp.zeros((1, *rows.shape[:2]), jnp.int32)
    liked, values, after = applied(net, params, rows[None], mask[None], carry, none)
    drawn = jnp.where(greedy, liked[0].argmax(-1), jax.random.categorical(draw, liked[0]))
    odds = jnp.take_along_axis(jax.nn.log_softmax(liked[0]), drawn[..., None], -1)[..., 0]
    if net.central:
        _, values, _ = applied(net, params, rows[None], mask[None], carry, drawn[None])
    return drawn, odds, values[0], after, key


def _update(
    net: ActorCritic, optimiser: Any, s: PPOSettings, params: Any, moments: Any, kept: Stretch, carry: Carry,
    after: jax.Array, key: jax.Array, weight: jax.Array, rate: jax.Array,
) -> tuple[Any, Any, dict[str, jax.Array]]:  # fmt: skip
    """All epochs over a stretch; ``weight`` is the entropy's, ``rate`` the part of the learning rate."""
    worlds = kept.actions.shape[1]
    batches = min(s.minibatches, worlds)
    rewards = jnp.asarray(kept.rewards) * s.reward_scale
    # past the end of a run nothing follows and nothing is expected
    follows = jnp.concatenate([kept.values[1:], after[None]]) * jnp.append(kept.valid[1:], 1.0)[:, None, None]
    surprise = (rewards + s.discount * follows - kept.values) * kept.valid[:, None, None]

    def back(gained: jax.Array, now: jax.Array) -> tuple[jax.Array, jax.Array]:
        gained = now + s.discount * s.gae_lambda * gained
        return gained, gained

    _, gains = jax.lax.scan(back, jnp.zeros_like(after), surprise, reverse=True)
    aims = gains + kept.values

    def loss(params: Any, chosen: jax.Array) -> tuple[jax.Array, dict[str, jax.Array]]:
        def of(array: Any) -> jax.Array:
            return jnp.take(array, chosen, axis=1)

        carried = (carry[0][chosen], carry[1][chosen])
        actions, valid = of(kept.actions), jnp.broadcast_to(kept.valid[:, None, None], of(kept.actions).shape)
        liked, values, _ = applied(net, params, of(kept.rows), of(kept.mask), carried, actions)
        odds = jax.nn.log_softmax(liked)
        ratio = jnp.exp(jnp.take_along_axis(odds, actions[..., None], -1)[..., 0] - of(kept.odds))
        gain, counts = of(gains), valid
        if isinstance(s, CurriculumSettings):
            chose = valid * (of(kept.mask).sum(-1) > 1)
            counts = chose / jnp.maximum(chose.sum(-1, keepdims=True), 1)
        if net.sizes.levels:
            gain, counts = _levelled(gain, valid * (of(kept.mask).sum(-1) > 1), net.sizes.levels)

        def mean(array: jax.Array, counts: jax.Array = counts) -> jax.Array:
            return (array * counts).sum() / counts.sum()

        spread = jnp.sqrt(mean((gain - mean(gain)) ** 2))
        gain = (gain - mean(gain)) / (spread + 1e-8)
        policy = -mean(jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - s.clip, 1 + s.clip) * gain))
        value = mean((values - of(aims)) ** 2, valid)
        entropy = mean(-(jnp.exp(odds) * odds).sum(-1))
        return policy + s.value * value - weight * entropy, {"policy": policy, "value": value, "entropy": entropy}

    def step(state: tuple[Any, Any], chosen: jax.Array) -> tuple[tuple[Any, Any], dict[str, jax.Array]]:
        params, moments = state
        (_, told), slopes = jax.value_and_grad(loss, has_aux=True)(params, chosen)
        changes, moments = optimiser.update(slopes, moments, params)
        changes = jax.tree.map(lambda change: rate * change, changes)
        return (optax.apply_updates(params, changes), moments), told

    keys = jax.random.split(key, s.epochs)
    orders = jax.vmap(lambda each: jax.random.permutation(each, worlds))(keys)
    orders = orders[:, : worlds // batches * batches].reshape(-1, worlds // batches)
    (params, moments), told = jax.lax.scan(step, (params, moments), orders)
    return params, moments, {name: value.mean() for name, value in told.items()}


def _levelled(gain: jax.Array, chose: jax.Array, levels: tuple[int, ...]) -> tuple[jax.Array, jax.Array]:
    """Gains as deviations from their level's mean, and what each counts where its seat had a choice: levels alike."""
    counts = jnp.zeros_like(chose)
    for level in sorted(set(levels)):
        here = jnp.asarray([one == level for one in levels])
        own = chose * here / jnp.maximum((chose * here).sum(), 1)
        apart = gain - (gain * own).sum()
        gain = jnp.where(here, apart / (jnp.sqrt((apart**2 * own).sum()) + 1e-8), gain)
        counts += own
    return gain, counts
