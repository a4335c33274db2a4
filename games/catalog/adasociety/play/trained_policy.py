"""Plays what a network has learnt; NumPy is all that it needs.

Preferences are reckoned in whole numbers (`arrays.network`) and actions drawn under the seat's own key: the same seed
gives the same match on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import Field, model_validator

from games.catalog.adasociety.arrays import shelf
from games.catalog.adasociety.arrays.features import features
from games.catalog.adasociety.arrays.layout import Layout, numbered
from games.catalog.adasociety.arrays.network import BadNetwork, Network
from games.catalog.adasociety.arrays.tensors import encode
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import Action
from games.core.agents import Memory, PolicySpec
from games.core.answers import ConfigError
from games.core.rng import Rng
from games.core.settings import Settings
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent.parent / "words")


class TrainedParams(Settings):
    """Which network plays. ``digest`` is filled in where it is left out, and kept with the run."""

    weights: str = Field(
        default="contract-easy",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
        title="Weights",
        description="A trained network by name, as polity's training saved it.",
    )
    digest: str = Field(
        default="",
        pattern=r"^([0-9a-f]{16})?$",
        title="Digest",
        description="Of the weights' file; filled in where it is left out, refused where the file is another.",
    )
    greedy: bool = Field(default=False, title="Greedy", description="Takes the best action instead of drawing by odds.")

    @model_validator(mode="after")
    def _there(self) -> TrainedParams:
        try:
            _, found = shelf.network(self.weights)
        except shelf.NoNetwork as error:
            raise ConfigError(WORDS.fault("weights_unknown", name=self.weights, known=list(error.known))) from None
        except BadNetwork as error:
            raise ConfigError(WORDS.fault("weights_unreadable", name=self.weights, why=str(error))) from None
        if self.digest and self.digest != found:
            raise ConfigError(WORDS.fault("weights_changed", name=self.weights, asked=self.digest, found=found))
        object.__setattr__(self, "digest", found)
        return self


def play(params: TrainedParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    network, _ = shelf.network(params.weights)
    sizes = observation.graph.sizes
    shape = _layout(network, sizes[1] if len(sizes) > 1 else 0)
    if shape is None or not fits(network, observation):
        return rng.choice(observation.legal(), "random"), memory
    told = encode(shape, observation)
    mates = len(network.layers[0][0]) > shape.features
    rows, mask, carry = features(shape, told, mates), told["action_mask"], None
    if network.cell is not None:
        carry = network.cell.begun() if memory is None else np.array(memory, np.int64)
        # who has no choice is not always asked, and learnt to remember nothing of it
        carry = network.remembered(rows, carry) if mask.sum() > 1 else carry
        memory = carry.tolist()
    odds = network.odds(rows, mask, carry).tolist()
    if params.greedy:
        return shape.actions[odds.index(max(odds))], memory
    drawn = rng.below(sum(odds), "trained")
    for action, part in zip(shape.actions, odds, strict=True):
        drawn -= part
        if drawn < 0:
            return action, memory
    raise AssertionError("odds that sum to less than they do")


def fits(network: Network, observation: Observation) -> bool:
    """Whether a network was trained for the game that a seat sees itself in."""
    about, kit = network.about, observation.kit
    sizes = (kit.sight, observation.horizon, [kit.height, kit.width])
    return (
        observation.stage in (about["mini_game"], "physical")
        and list(kit.roles) == about["roles"]
        and sizes == (about["sight"], about["horizon"], about["map"])
        and len(kit.resources) == len(about["resources"])
        and all(name in ("", known) for name, known in zip(kit.resources, about["resources"], strict=True))
    )


@lru_cache(maxsize=64)
def _layout(network: Network, groups: int) -> Layout | None:
    """The arrays that a network reads; None where it was trained for others than it says."""
    about = network.about
    if any(not isinstance(about.get(key), kind) for key, kind in shelf.KEYS.items()):
        return None
    shape = numbered(about["mini_game"], tuple(about["resources"]), len(about["roles"]), groups, about["sight"])
    inputs, outputs = network.layers[0][0].shape[0], network.layers[-1][1].shape[0]
    fit = outputs == len(shape.actions) and inputs in (shape.features, shape.features + shape.seats)
    return shape if fit else None


def label(config: object, policy: str, params: Mapping[str, Any]) -> str:
    """A policy with what it plays by; of a network its name alone, since the digest says nothing to a reader."""
    if policy == TRAINED.name:
        return f"{policy} ({params['weights']}{', greedy' if params.get('greedy') else ''})"
    by = ", ".join(f"{name} {value}" for name, value in sorted(params.items()))
    return f"{policy} ({by})" if by else policy


TRAINED = PolicySpec(
    "trained",
    "What a network has learnt, drawn by its odds; in a game of other sizes any legal action is as likely.",
    'AdaSociety paper, table 2, "PPO"; trained by `polity learn`',
    play,
    TrainedParams,
    aka=("PPO",),
)
