"""Best answers by training: one seat learns against a policy that all others play. Needs the extra ``polity[learn]``.

What is gained over the policy itself, in runs that nothing was learnt from, is a lower bound of its exploitability
(Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning", 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.core.agents import Decider, Decision, Request
from games.core.game import Seat
from games.core.pack import Pack
from games.errors.faults import Refused
from games.lab.learning.plan import SEEDS_APART, PPOSettings
from games.lab.learning.ppo import PPO
from games.lab.learning.solo import Solo
from games.lab.learning.stances import Stances

TRIED: Final = 0.25
"""The part of all decisions in which single stances are tried, each in one round of all worlds at least."""
LIKED: Final = 0.5
"""How likely the best of them is as learning begins."""
LOOKS: Final = 10
"""How often what was learnt is held to the best so far."""
RUN: Final = 5.0
"""What a run of the best stance earns, as rewards are told: more, and what is expected drowns what is to be done."""


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

    To take the same stance at every turn is a policy, too: the best of these is where learning begins, and what is
    learnt counts where it earned more than that in the runs in which stances were tried.
    """
    lens = Stances(pack, config, seat, others, steps)
    if not lens.turns:
        raise Refused(f"{pack.slug}: seat {seat} is never asked under these settings; choose another preset")
    field = Solo(pack.game, config, others, lens, worlds, lens.turns)
    first, size = seed * SEEDS_APART, worlds * lens.turns
    tried = max(1, int(TRIED * decisions / size / lens.actions))
    earned: list[float] = []
    for number in range(lens.actions):
        earned.append(_earned(field, first, tried, partial(_always, number)))
        tell(len(earned) * tried * size, max(earned))
    best, most = int(np.argmax(earned)), max(earned)
    settings = PPOSettings(
        stretch=min(64, lens.turns), minibatches=4, gae_lambda=0.95, entropy=0.02, entropy_last=0.0,
        reward_scale=RUN / max(abs(most), 1e-6),
    )  # fmt: skip
    learner = PPO(field.sizes, settings, seed)
    head = learner.params["actor"]
    head["bias"] = head["bias"].at[best].set(np.log(LIKED / (1 - LIKED) * lens.actions))
    kept, runs, looks = learner.params, tried * worlds, 0
    begun = done = tried * size * lens.actions
    while done < decisions:
        over = (done - begun) / (decisions - begun)
        field.begin(range(first + runs, first + runs + worlds))
        learner.learn(field, over, over)
        runs, done = runs + worlds, done + size
        tell(done, float(field.totals().mean()))
        if over * LOOKS >= looks + 1 or done >= decisions:
            now = _earned(field, first, tried, learner.player(worlds, greedy=True))
            looks, done = looks + 1, done + tried * size
            if now > most:
                kept, most = learner.params, now
    learner.params = kept

    def made() -> Decider:
        act = learner.player(1, greedy=True)

        def decide(request: Request[Any, Any]) -> Decision[Any]:
            look = lens.look(request)
            chosen = act(np.asarray(look.row)[None, None], np.asarray(look.mask, np.int8)[None, None])
            return look.decision(int(chosen[0, 0]))

        return decide

    return made


def _always(number: int, rows: Any, mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """The action of this number wherever it is open, else the first that is."""
    return np.where(mask[..., number] > 0, number, mask.argmax(-1))


def _earned(field: Solo, first: int, rounds: int, act: Callable[[Any, Any], NDArray[np.int64]]) -> float:
    """What the seat earns a run, in so many rounds of all worlds."""
    totals = []
    for number in range(rounds):
        begun = first + number * field.worlds
        field.begin(range(begun, begun + field.worlds))
        for _ in range(field.sizes.horizon):
            field.act(act(*field.see()))
        totals.append(field.totals().mean())
    return float(np.mean(totals))
