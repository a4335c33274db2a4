"""Every game as an environment of the libraries for learning: PettingZoo's for all seats, Gymnasium's for one.

``parallel_env("mining/baseline")`` (`pettingzoo.utils.parallel_to_aec` makes the other form of it) and
``SeatEnv("dilemma", others="TFT")``, of which `gymnasium.vector.SyncVectorEnv` steps many. Games and presets are named
as everywhere, declared ones too. An observation is a row of whole numbers made of what the seat is told (`reading`) and
the mask of its actions (`stances`): first what each of the game's policies would do, then single answers. Needs the
extra ``polity[rl]``.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from games.core.agents import Decider, Decision, deciding
from games.core.game import Seat
from games.core.pack import Pack
from games.core.registry import Registry
from games.core.rng import SEED_MAX
from games.errors.faults import Refused, among
from games.lab.learning.outside import Outside
from games.lab.learning.reading import MOST
from games.lab.learning.solo import Look
from games.lab.learning.stances import Stances
from games.lab.scenarios.scenario import load

FEATURES: Final = 1024
STEPS: Final = 10_000
"""Turns of a seat that are looked through for answers that are listed."""


def _found(name: str) -> tuple[Pack, Any]:
    """A game with its own settings, or a preset's with its first condition's."""
    registry = Registry()
    if "/" in name:
        scenario = load(name, registry)
        return scenario.pack, scenario.conditions[0].config
    pack = registry.get(name)
    return pack, pack.game.config_type()


def _others(pack: Pack, config: Any, named: str | Mapping[int, str] | None) -> dict[Seat, Decider]:
    """A decider for every seat: the policy named, by seat or for all who can play it, else the default of the role."""
    found: dict[Seat, Decider] = {}
    for seat, spec in enumerate(pack.game.seats(config)):
        name = named.get(seat) if isinstance(named, Mapping) else named
        if name is not None and name not in pack.policies:
            raise Refused(f"others {name!r}: there is no such policy; {among(name, pack.policies)}")
        if name is None or not pack.policies[name].can_play(spec.role):
            name = pack.default_for(spec.role)
        found[seat] = deciding(pack.policies[name].bind())
    return found


class _Seeds:
    """The seed that is asked for; without one that after the last, the first drawn afresh."""

    def __init__(self) -> None:
        self._last: int | None = None

    def next(self, asked: int | None) -> int:
        after = secrets.randbelow(SEED_MAX) if self._last is None else self._last + 1
        self._last = after if asked is None else int(asked)
        return self._last


def _space(lens: Stances) -> spaces.Dict:
    row = spaces.Box(-MOST, MOST, (lens.features,), np.int16)
    return spaces.Dict({"observation": row, "action_mask": spaces.Box(0, 1, (lens.actions,), np.int8)})


def _told(lens: Stances, look: Look | None) -> dict[str, Any]:
    """The arrays of an open request; of one who is not asked nothing, and the first action, which is passed over."""
    if look is None:
        mask = np.zeros(lens.actions, np.int8)
        mask[0] = 1
        return {"observation": np.zeros(lens.features, np.int16), "action_mask": mask}
    return {"observation": np.asarray(look.row, np.int16), "action_mask": np.asarray(look.mask, np.int8)}


def _decided(look: Look, name: str, action: Any) -> Decision[Any]:
    """The decision of a number; what the mask shuts is no answer, for which the game's default is played."""
    if int(action) != action or not 0 <= action < len(look.mask):
        raise ValueError(f"{name}: action {action}; a whole number from 0 to {len(look.mask) - 1}")
    return look.decision(int(action)) if look.mask[int(action)] else Decision(None)


class GameEnv(ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """All seats of a game. A step is one turn of it; of who is not on turn the action is passed over."""

    metadata: ClassVar[dict[str, Any]] = {"name": "polity_v1", "render_modes": [], "is_parallelizable": True}

    def __init__(self, game: str) -> None:
        pack, config = _found(game)
        self.render_mode = None
        self.possible_agents = [spec.name for spec in pack.game.seats(config)]
        self.agents: list[str] = []
        self._run, self._seeds = Outside(pack.game, config, {}), _Seeds()
        usual = _others(pack, config, None)
        lenses: dict[str, Stances] = {}
        for seat, spec in enumerate(pack.game.seats(config)):
            if spec.role not in lenses:
                rest = {other: decider for other, decider in usual.items() if other != seat}
                lenses[spec.role] = Stances(pack, config, seat, rest, STEPS, FEATURES)
        self._lenses = [lenses[spec.role] for spec in pack.game.seats(config)]
        self._looks: dict[int, Look] = {}
        self.observation_spaces = {
            name: _space(lens) for name, lens in zip(self.possible_agents, self._lenses, strict=True)
        }
        self.action_spaces = {
            name: spaces.Discrete(lens.actions) for name, lens in zip(self.possible_agents, self._lenses, strict=True)
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin the run of ``seed``; without one, that of the seed after the last. ``options`` are passed over."""
        self._run.begin(self._seeds.next(seed))
        self.agents = list(self.possible_agents)
        return self._observed(), {name: {} for name in self.agents}

    def _observed(self) -> dict[str, dict[str, Any]]:
        self._looks = {seat: self._lenses[seat].look(request) for seat, request in self._run.asked.items()}
        return {
            name: _told(self._lenses[seat], self._looks.get(seat)) for seat, name in enumerate(self.possible_agents)
        }

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, dict[str, Any]], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """One turn. Raises ValueError for an action that is none."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        names = self.possible_agents
        self._run.paid = [0.0] * len(names)
        decided = {seat: _decided(look, names[seat], actions[names[seat]]) for seat, look in self._looks.items()}
        self._run.answer(decided)
        told, over = self._observed(), not self._run.asked
        if over:
            self.agents = []
        rewards = dict(zip(names, self._run.paid, strict=True))
        return told, rewards, dict.fromkeys(names, over), dict.fromkeys(names, False), {name: {} for name in names}

    def render(self) -> None:
        """Runs are drawn by the site, from their log."""

    def close(self) -> None:
        self.agents, self._looks = [], {}


parallel_env = GameEnv


class SeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """One seat of a game; ``others`` names the policy of the others, for all of them or by seat."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as its base declares it

    def __init__(self, game: str, seat: int = 0, others: str | Mapping[int, str] | None = None) -> None:
        pack, config = _found(game)
        deciders = _others(pack, config, others)
        if seat not in deciders:
            raise Refused(f"seat {seat}: {game} has the seats 0 to {len(deciders) - 1}")
        del deciders[seat]
        self._seat, self._seeds = seat, _Seeds()
        self._run = Outside(pack.game, config, deciders)
        self._lens = Stances(pack, config, seat, deciders, STEPS, FEATURES)
        self._look: Look | None = None
        self.observation_space = _space(self._lens)
        self.action_space = spaces.Discrete(self._lens.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the run of ``seed``; without one, that of the seed after the last."""
        super().reset(seed=seed)
        self._run.begin(self._seeds.next(seed))
        return self._observed(), {}

    def _observed(self) -> dict[str, Any]:
        request = self._run.asked.get(self._seat)
        self._look = None if request is None else self._lens.look(request)
        return _told(self._lens, self._look)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """On to the seat's next turn, or to the end of the run."""
        if self._look is None:
            raise RuntimeError("the run is over: reset the environment")
        self._run.paid[self._seat] = 0.0
        self._run.answer({self._seat: _decided(self._look, f"seat {self._seat}", action)})
        told = self._observed()
        return told, self._run.paid[self._seat], self._look is None, False, {}
