"""The seats of one policy in all worlds, and how far the plan of each has come."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from games.catalog.mining.columns.world import CLAIM, DEFEND, MINE, RAID, Holdings, Plans, Worlds
from games.catalog.mining.policies import offer
from games.core.draws import Draws, Flags, Ints, spread


class Party:
    """What a policy's members carry: lists of them are arrays of their numbers here, mostly called ``at``.

    By member: ``world``, ``seat``, ``line``, ``own`` (how many plots it holds), ``left`` (stamina that its plan has not
    used up), ``cap`` and ``place`` (where in its plan the next item goes). Each part of a plan moves the last two on.
    """

    def __init__(self, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
        self.worlds, self.seats, self.plans, self.draws = worlds, seats, plans, Draws(draws.keys.reshape(-1))
        self.world, self.seat, self.line, self.all = _members(worlds.many, worlds.miners, *seats.tolist())
        self.cap = worlds.terms.cap[self.world]
        self.left = worlds.stamina.reshape(-1)[self.line]
        self.place = np.zeros_like(self.left)
        self.own = worlds.holdings.counts[self.line]
        self.frees = worlds.free[2][self.world]

    def missing(self) -> Ints:
        """How many more plots would use up each one's stamina."""
        short: Ints = -(-self.left // self.cap) - self.own
        return short

    def spared(self) -> Flags:
        """By member and seat: who offered it peace with its last plan."""
        found = np.zeros((len(self.line), self.worlds.miners), np.bool_)
        found[:, list(self.worlds.offers)] = True
        found[self.all, self.seat] = False
        return found

    def say(self, language: str) -> None:
        """The offer of peace of all, where there is talk."""
        if messages := offer(self.worlds.config, language):
            self.plans.offers.update(dict.fromkeys(self.seats.tolist(), messages))

    # --- parts of plans ---

    def put(self, member: Ints, rank: Ints, kind: int, plot: Ints, s: Ints | int = 1) -> None:
        """Items, counted by ``rank`` from where each one's plan has come to."""
        self.plans.put(self.line[member], self.place[member] + rank, kind, plot, s)

    def spend(self, at: Ints, count: Ints, cost: Ints) -> None:
        """So many items were put, for so much stamina."""
        self.place[at] += count
        self.left[at] -= cost

    def some(self, kind: int, at: Ints, held: Holdings, lines: Ints) -> None:
        """An item of one stamina on each of the first plots of those lines, until the stamina is spent."""
        count = np.minimum(held.counts[lines], np.maximum(self.left[at], 0))
        run, rank, found = spread(held.starts[lines], count)
        self.put(at[run], rank, kind, held.plot[found])
        self.spend(at, count, count)

    def mine_to_cap(self, at: Ints, plots: Ints | None = None) -> None:
        """The cap on each own plot, row by row or in the order of ``plots``, until the stamina is spent."""
        held, left, cap = self.worlds.holdings, np.maximum(self.left[at], 0), self.cap[at]
        count = np.minimum(self.own[at], -(-left // cap))
        run, rank, found = spread(held.starts[self.line[at]], count)
        s = np.minimum(cap[run], left[run] - cap[run] * rank)
        self.put(at[run], rank, MINE, (held.plot if plots is None else plots)[found], s)
        self.spend(at, count, np.minimum(left, cap * self.own[at]))

    def hold_the_core(self, at: Ints) -> None:
        """From the core outward, each own plot defended and then mined to the cap, until the stamina is spent."""
        if not len(at):
            return
        held, left, each = self.worlds.holdings, np.maximum(self.left[at], 0), self.cap[at] + 1
        run, rank, found = spread(held.starts[self.line[at]], np.minimum(self.own[at], -(-left // each)))
        plot, s = self.worlds.core_first[found], np.minimum(each[run] - 1, left[run] - each[run] * rank - 1)
        self.put(at[run], 2 * rank, DEFEND, plot)
        mines = s > 0
        self.put(at[run[mines]], 2 * rank[mines] + 1, MINE, plot[mines], s[mines])
        used = np.minimum(left, each * self.own[at])
        self.spend(at, used // each * 2 + np.minimum(used % each, 2), used)

    def nearest_free(self, at: Ints, most: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """The unowned plots nearest to the own ones, a drawn start if there are none: how many each of ``at`` gets, and
        of each plot the place in ``at``, the rank and the number."""
        count = np.clip(most, 0, self.frees[at])
        wanting = np.flatnonzero(count)
        run, rank, _ = spread(np.zeros_like(wanting), count[wanting])
        if not len(wanting):
            return count, run, rank, run
        members, worlds = at[wanting], self.worlds
        free, begins, frees = worlds.free
        near, _, found = spread(worlds.holdings.starts[self.line[members]], self.own[members])
        homeless = np.flatnonzero(self.own[members] == 0)
        where = self.world[members[homeless]]
        home = free[begins[where] + self.draws[members[homeless]].below(frees[where], "home")]
        starts = np.concatenate((near, homeless)), np.concatenate((worlds.holdings.plot[found], home))
        plots = worlds.nearest(self.world[members], starts, int(count.max()))
        return count, wanting[run], rank, plots[run, rank]

    def claim_nearest(self, at: Ints, most: Ints) -> None:
        """Claims of the unowned plots nearest to the own ones."""
        count, which, rank, plot = self.nearest_free(at, np.minimum(most, self.left[at]))
        self.put(at[which], rank, CLAIM, plot)
        self.spend(at, count, count)

    def raid_largest(self, at: Ints, spared: Flags | None = None) -> None:
        """Raids on the border of the largest other holder that is not spared, row by row."""
        at = at[self.left[at] > 0]
        if not len(at):
            return
        largest = self.worlds.largest_but(self.line[at], None if spared is None else spared[at])
        self.some(RAID, at[largest >= 0], self.worlds.targets, largest[largest >= 0])

    def claim_else_raid(self) -> None:
        """`claim_nearest` with all that is left; with what no unowned plot is left for, `raid_largest`."""
        self.claim_nearest(self.all, self.left)
        self.raid_largest(self.all)


@lru_cache(maxsize=64)
def _members(worlds: int, miners: int, *seats: int) -> tuple[Ints, Ints, Ints, Ints]:
    """By member its world, its seat, its line and its number."""
    world, seat = np.repeat(np.arange(worlds), len(seats)), np.tile(seats, worlds)
    return world, seat, world * miners + seat, np.arange(len(world))
