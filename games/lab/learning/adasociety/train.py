"""PPO with skrl over many worlds: ``python -m games.lab.learning.adasociety.train contract-easy --out trained``.

Needs the extra ``polity[learn]`` (skrl on JAX). All seats learn one policy, each for its own reward. What is saved is
the network in whole numbers (`arrays.network`), with its curve, and ``agents.yaml``, which seats it:
``polity run adasociety/contract-easy --agents trained``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import flax.linen as nn
import jax.numpy as jnp
import numpy as np
from skrl.agents.jax.ppo import PPO
from skrl.models.jax import CategoricalMixin, DeterministicMixin, Model
from skrl.utils import set_seed

from games.catalog.adasociety.arrays.features import features
from games.catalog.adasociety.arrays.network import Network
from games.catalog.adasociety.arrays.shelf import about
from games.catalog.adasociety.oracle import oracle
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.rollouts import Rollout, Seats
from games.lab.learning.adasociety.worlds import Worlds

SCALE: Final = 0.25
"""What features are multiplied with before they are learnt from; the saved weights have it in them."""
WIDTH: Final = 64
ROLLOUT: Final = 24
"""Steps of every world between two updates: skrl unrolls them where it reckons advantages, and compiles that long."""
HELD_OUT: Final = 1_000_000_000
"""The first seed of the runs that a policy is judged by; those that it learns from lie below."""
SETTINGS: Final[dict[str, Any]] = {
    "learning_epochs": 3,
    "mini_batches": 8,
    "discount_factor": 0.99,
    "gae_lambda": 0.95,
    "learning_rate": 7e-4,
    "grad_norm_clip": 0.5,
    "ratio_clip": 0.2,
    "value_clip": 0.0,
    "entropy_loss_scale": 0.01,
    "value_loss_scale": 0.5,
    "experiment": {"write_interval": 0, "checkpoint_interval": 0},
}


def _layers(rows: Any, last: int, scale: float) -> Any:
    for _ in range(2):
        rows = nn.relu(nn.Dense(WIDTH, kernel_init=nn.initializers.orthogonal(2**0.5))(rows))
    return nn.Dense(last, kernel_init=nn.initializers.orthogonal(scale))(rows)


class Actor(CategoricalMixin, Model):
    """Preferences over actions; what is not open has none."""

    features: int = 0

    def __init__(self, observation_space: Any, action_space: Any, features: int, **kwargs: Any) -> None:
        Model.__init__(self, observation_space=observation_space, action_space=action_space, **kwargs)
        self.features = features
        CategoricalMixin.__init__(self)

    @nn.compact
    def __call__(self, inputs: Any, role: str) -> Any:
        rows = inputs["observations"]
        liked = _layers(rows[:, : self.features] * SCALE, self.num_actions, 0.01)
        return jnp.where(rows[:, self.features :] > 0, liked, -1e9), {}

    def act(self, inputs: Any, *, role: str = "", params: Any = None) -> Any:
        """skrl asks the entropy of what stands under ``stddev``, which its categorical form leaves undefined."""
        actions, outputs = CategoricalMixin.act(self, inputs, role=role, params=params)
        return actions, {**outputs, "stddev": outputs["net_output"]}


class Critic(DeterministicMixin, Model):
    """What is still to come for a seat."""

    features: int = 0

    def __init__(self, observation_space: Any, action_space: Any, features: int, **kwargs: Any) -> None:
        Model.__init__(self, observation_space=observation_space, action_space=action_space, **kwargs)
        self.features = features
        DeterministicMixin.__init__(self)

    @nn.compact
    def __call__(self, inputs: Any, role: str) -> Any:
        return _layers(inputs["observations"][:, : self.features] * SCALE, 1, 1.0), {}


def train(name: str, seed: int, steps: int, worlds: int, say: Any) -> Network:
    """The policy after so many steps of worlds (at least), from one seed. ``say`` is told each point of the curve."""
    config = preset_config(name)
    set_seed(seed)
    env = Seats(config, worlds, seed * 10_000_000)
    told_every = env.worlds.horizon
    models: dict[str, Any] = {
        "policy": Actor(env.observation_space, env.action_space, env.features),
        "value": Critic(env.observation_space, env.action_space, env.features),
    }
    for role, model in models.items():
        model.init_state_dict(role=role)
    agent = PPO(
        models=models,
        memory=Rollout(memory_size=ROLLOUT, num_envs=env.num_envs),
        observation_space=env.observation_space,
        action_space=env.action_space,
        cfg={**SETTINGS, "rollouts": ROLLOUT, "rewards_shaper": lambda rewards, *_: rewards * SCALE},
    )
    agent.init()
    agent.enable_training_mode(True)
    began, spent = time.monotonic(), time.process_time()
    curve: list[tuple[int, float]] = []
    observed, _ = env.reset()
    timesteps = -(-steps // (told_every * worlds)) * told_every
    for step in range(timesteps):
        actions, _ = agent.act(observed, None, timestep=step, timesteps=timesteps)
        after, rewards, terminated, truncated, _ = env.step(actions)
        agent.record_transition(
            observations=observed,
            states=None,
            actions=actions,
            rewards=rewards,
            next_observations=after,
            next_states=None,
            terminated=terminated,
            truncated=truncated,
            infos={},
            timestep=step,
            timesteps=timesteps,
        )
        agent.post_interaction(timestep=step, timesteps=timesteps)
        observed = after
        if (step + 1) % told_every == 0:
            curve.append(((step + 1) * worlds, round(float(np.mean(env.totals)), 4)))
            env.totals.clear()
            say(f"{name}, seed {seed}: {curve[-1][0]} steps, normalised reward {curve[-1][1]:.4f}")
    wall, own = time.monotonic() - began, time.process_time() - spent
    learnt = models["policy"].state_dict.params["params"]
    layers = [(np.asarray(learnt[f"Dense_{n}"]["kernel"]), np.asarray(learnt[f"Dense_{n}"]["bias"])) for n in range(3)]
    layers[0] = (layers[0][0] * SCALE, layers[0][1])
    record = {"seed": seed, "steps": curve[-1][0], "seconds": round(wall), "processor_seconds": round(own)}
    thinned = curve[:: max(1, len(curve) // 50)] + curve[-1:]
    return Network.rounded(layers, {**about(name, config), **record, "curve": thinned})


def judged(config: AdaSocietyConfig, network: Network, runs: int, greedy: bool = False) -> list[float]:
    """The normalised reward of so many runs that were not learnt from, one seat's actions drawn by its odds."""
    worlds, chance = Worlds(config, runs), np.random.default_rng(0)
    worlds.begin(range(HELD_OUT, HELD_OUT + runs))
    while worlds.step < worlds.horizon:
        seen = worlds.see()
        odds = network.odds(features(worlds.layout, seen), seen["action_mask"])
        if greedy:
            worlds.act(odds.argmax(axis=-1))
            continue
        upto = odds.cumsum(axis=-1)
        drawn = chance.integers(0, upto[..., -1:])
        worlds.act((upto <= drawn).sum(axis=-1))
    totals = worlds.returns.sum(axis=1) / 1e6 / oracle(config).total
    return [float(total) for total in totals]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", help="contract-easy, contract-hard ...")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps of worlds")
    parser.add_argument("--worlds", type=int, default=32)
    parser.add_argument("--out", type=Path, default=Path("trained"), help="a folder")
    parser.add_argument("--name", help="of the file; the preset's, with the seed")
    asked = parser.parse_args(arguments)
    say = lambda line: print(line, flush=True)  # noqa: E731, T201 - a command's output
    network = train(asked.preset, asked.seed, asked.steps, asked.worlds, say)
    name = asked.name or f"{asked.preset}-{asked.seed}"
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / f"{name}.npz").write_bytes(network.packed())
    (asked.out / "agents.yaml").write_text(f'default: {{policy: trained, params: {{weights: "{name}"}}}}\n', "utf-8")
    config = preset_config(asked.preset)
    for how, greedy in (("drawn", False), ("greedy", True)):
        scores = judged(config, network, 64, greedy)
        say(f"{name}: {how}: {np.mean(scores):.4f} over 64 held-out runs, sd {np.std(scores, ddof=1):.4f}")


if __name__ == "__main__":
    main()
