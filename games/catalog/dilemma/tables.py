"""Machines as tables: every pair of states of two machines is one row, so that a round is two look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.catalog.dilemma import draws
from games.catalog.dilemma.machines import Machine

Ints = NDArray[np.int64]
Row: TypeAlias = tuple[int | None, int, int, bool, list["Row"]]
"""A pair of states, where one match is led from pair to pair: the outcome that is meant (None where a machine mixes),
A's and B's reach, whether the pair stays as it is while no hand slips, and the pairs that follow the four outcomes.
A plain tuple, which is taken apart faster than a named one."""
SURE: Final = (0, draws.below(1))
"""What a machine reaches that never cooperates, or always does: it draws nothing."""


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
    def rows(self) -> list[Row]:
        """The tables as rows that lead to each other, one for each pair."""
        after = self.after.reshape(-1, 4).tolist()
        rows: list[Row] = []
        pairs = zip(self.meant[::4].tolist(), self.reach_a[::4].tolist(), self.reach_b[::4].tolist(), strict=True)
        for pair, (meant, reach_a, reach_b) in enumerate(pairs):
            is_sure = reach_a in SURE and reach_b in SURE
            rests = is_sure and after[pair][meant] == 4 * pair
            rows.append((meant if is_sure else None, reach_a, reach_b, rests, []))
        for row, follow in zip(rows, after, strict=True):
            row[-1].extend(rows[at // 4] for at in follow)
        return rows


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
