"""Best answers by training: one seat learns against a policy that all others play. Needs the extra ``polity[learn]``.

What is gained over the policy itself, in runs that nothing was learnt from, is a lower bound of its exploitability
(Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning", 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from games.core.agents import Decider, Decision, Request
from games.core.game import Seat
from games.core.pack import Pack
from games.errors.faults import Refused
from games.lab.learning.plan import SEEDS_APART, PPOSettings
from games.lab.learning.ppo import PPO
from games.lab.learning.solo import Solo
from games.lab.learning.stances import Stances


def learnt(
    pack: Pack,
    config: Any,
    seat: Seat,
    others: Mapping[Seat, Decider],
    decisions: int,
    steps: int,
    tell: Callable[[int, float], None],
    seed: int = 1,
    worlds: int = 16,
) -> Callable[[], Decider]:
    """What is learnt in so many decisions of the seat, in runs of ``steps`` of its turns at most, as a maker of
    deciders, each for one run, that take the action they like most. ``tell`` gets the decisions so far and what was
    earned.
    """
    lens = Stances(pack, config, seat, others, steps)
    if not lens.turns:
        raise Refused(f"{pack.slug}: seat {seat} is never asked under these settings; choose another preset")
    field = Solo(pack.game, config, others, lens, worlds, lens.turns)
    scale = _scale(field)
    settings = PPOSettings(stretch=min(64, lens.turns), reward_scale=scale, entropy=0.05, entropy_last=0.005)
    learner, done, runs = PPO(field.sizes, settings, seed), 0, 0
    while done < decisions:
        field.begin(range(seed * SEEDS_APART + runs, seed * SEEDS_APART + runs + worlds))
        learner.learn(field, min(1.0, done / decisions), done / decisions)
        runs += worlds
        done += worlds * lens.turns
        tell(done, float(field.totals().mean()))

    def made() -> Decider:
        act = learner.player(1, greedy=True)

        def decide(request: Request[Any, Any]) -> Decision[Any]:
            look = lens.look(request)
            chosen = act(np.asarray(look.row)[None, None], np.asarray(look.mask, np.int8)[None, None])
            return look.decision(int(chosen[0, 0]))

        return decide

    return made


def _scale(field: Solo) -> float:
    """What makes a run's rewards of answers at random about as large as its turns."""
    chance = np.random.Generator(np.random.PCG64(0))
    field.begin(range(field.worlds))
    size = 0.0
    for _ in range(field.sizes.horizon):
        _, mask = field.see()
        size += float(np.abs(field.act((chance.random(mask.shape) * mask).argmax(-1))).mean())
    return min(1e3, max(1e-6, field.sizes.horizon / size)) if size else 1.0
