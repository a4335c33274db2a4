"""Machines as tables: every pair of states of two machines is one row, so that a round is two look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from games.catalog.dilemma import draws
from games.catalog.dilemma.machines import Machine

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Tables:
    """Of some machines. Indexed by 4 x (pair of states) (+ outcome, for ``after``).

    ``meant``    the outcome where nobody mixes: 2 for A's D, 1 for B's
    ``after``    the next pair times 4
    ``reach_a``  the bits below which A cooperates, and ``reach_b`` B
    ``first``    each machine's first state
    ``mixes``    whether each machine draws
    """

    states: int
    meant: Ints
    after: Ints
    reach_a: Ints
    reach_b: Ints
    first: tuple[int, ...]
    mixes: tuple[bool, ...]

    def start(self, a: int, b: int) -> int:
        """The row at which two machines, by number, begin."""
        return 4 * (self.first[a] * self.states + self.first[b])

    @cached_property
    def lists(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """The four tables as plain lists, for look-ups one by one."""
        return self.meant.tolist(), self.after.tolist(), self.reach_a.tolist(), self.reach_b.tolist()


@lru_cache(maxsize=4)
def tables_of(machines: tuple[Machine, ...]) -> Tables:
    """The tables of these machines against each other and themselves."""
    first: list[int] = []
    reach: list[int] = []
    after: list[tuple[int, ...]] = []
    for machine in machines:
        first.append(len(reach))
        reach.extend(draws.below(chance) for chance in machine.cooperates)
        after.extend(tuple(first[-1] + state for state in row) for row in machine.after)
    states = len(reach)
    reaches = np.array(reach, dtype=np.int64)
    nexts = np.array(after, dtype=np.int64).reshape(states, 4)
    a, b, outcome = np.meshgrid(np.arange(states), np.arange(states), np.arange(4), indexing="ij")
    mirrored = np.array([0, 2, 1, 3])[outcome]
    return Tables(
        states,
        (2 * (reaches[a] == 0) + (reaches[b] == 0)).reshape(-1),
        (4 * (nexts[a, outcome] * states + nexts[b, mirrored])).reshape(-1),
        reaches[a].reshape(-1),
        reaches[b].reshape(-1),
        tuple(first),
        tuple(any(0 < chance < 1 for chance in machine.cooperates) for machine in machines),
    )
