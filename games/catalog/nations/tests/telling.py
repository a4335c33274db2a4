"""Telling from its deeds alone what a nation is after: features of one seat's orders, and the nearest centroid.

Source of the method: Tibshirani et al., Diagnosis of multiple cancer types by shrunken centroids of gene expression,
PNAS 99 (2002), without shrinkage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from games.catalog.nations.state import NationsState, Orders
from games.core.game import Seat, Step

Features = npt.NDArray[np.float64]
FEATURES: Final = (
    "attack_turns", "attacks", "mils", "targets", "on_one", "on_the_same", "on_the_guilty", "on_the_largest", "bought",
    "grants", "granted_to", "words",
)  # fmt: skip
"""By turn: whether it attacks, whom, with how many mils; the share of nations it attacked, and the largest part of its
mils that went to one; of its attacks those on a target of the turn before, on who attacked then, on who has most land;
mils bought, grants, the share of nations that it granted to, and messages."""


def features(steps: Sequence[Step[NationsState, Orders]], seat: Seat) -> Features:
    """One number for each of `FEATURES`, from the orders that the log keeps; goals and policies are not looked at."""
    turns = [step for step in steps if step.turn.seats and step.index > 0]
    sent: Counter[Seat] = Counter()
    gifts: set[Seat] = set()
    count: Counter[str] = Counter()
    before: set[Seat] = set()
    guilty: set[Seat] = set()
    for earlier, step in pairwise(steps):
        if seat not in step.actions:
            continue
        orders, owners = step.actions[seat], Counter(earlier.state.owners)
        most = max(owners[other] for other in owners if other != seat) if len(owners) > 1 else 0
        targets = {attack.on for attack in orders.attacks}
        count["attack_turns"] += bool(targets)
        count["attacks"] += len(targets)
        count["on_the_same"] += len(targets & before)
        count["on_the_guilty"] += len(targets & guilty)
        count["on_the_largest"] += sum(owners[target] == most for target in targets)
        for attack in orders.attacks:
            sent[attack.on] += attack.mils
        count["bought"] += orders.buy
        count["grants"] += len(orders.grants)
        gifts |= {grant.to for grant in orders.grants}
        count["words"] += len(orders.messages)
        before, guilty = targets, {other for other, theirs in step.actions.items() if other != seat and theirs.attacks}
    n, others, mils = len(turns) or 1, len(steps[0].state.army) - 1, sum(sent.values())
    attacks = count["attacks"] or 1
    by_turn = {name: count[name] / n for name in ("attack_turns", "attacks", "bought", "grants", "words")}
    by_attack = {name: count[name] / attacks for name in ("on_the_same", "on_the_guilty", "on_the_largest")}
    told = {
        **by_turn,
        **by_attack,
        "mils": mils / n,
        "targets": len(sent) / others,
        "on_one": max(sent.values(), default=0) / (mils or 1),
        "granted_to": len(gifts) / others,
    }
    return np.array([told[name] for name in FEATURES])


@dataclass(frozen=True, slots=True)
class Centroids:
    """Names, with the mean of each one's features and the spread of each feature within them."""

    names: tuple[str, ...]
    means: Features
    spread: Features

    @classmethod
    def of(cls, known: Mapping[str, Iterable[Features]]) -> Centroids:
        """From runs of which it is known who plays. A feature that never varies within a name counts as it is."""
        groups = [np.stack(list(found)) for found in known.values()]
        means = np.stack([group.mean(axis=0) for group in groups])
        within = np.concatenate([group - mean for group, mean in zip(groups, means, strict=True)])
        spread = within.std(axis=0) + np.median(within.std(axis=0))
        return cls(tuple(known), means, np.where(spread > 0, spread, 1.0))

    def nearest(self, one: Features) -> str:
        """The name whose mean is nearest in units of the spread; the first of several."""
        away = (((self.means - one) / self.spread) ** 2).sum(axis=1)
        return self.names[int(away.argmin())]
