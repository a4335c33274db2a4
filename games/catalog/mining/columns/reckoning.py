"""Miners that weigh a raid against what it brings, over columns: the rules of `mining.reckoning`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.catalog.mining.columns.party import Party
from games.catalog.mining.columns.world import CLAIM, DEFEND, MINE, RAID
from games.catalog.mining.reckoning import OpportunistParams, ReckonerParams
from games.catalog.mining.state import NOBODY
from games.core.draws import Ints, ranks, spread

Floats = NDArray[np.float64]


class Prospects:
    """`Prospect` of each member of a party: arrays by member."""

    def __init__(self, party: Party, patience: int) -> None:
        worlds = party.worlds
        self.party, cap = party, party.cap
        ahead = min(patience, worlds.config.rounds - (worlds.round + 1))
        tried, taken = worlds.raid_counts()
        threat = self._threat(tried, ahead)
        bare = np.full(len(threat), float(ahead))
        np.divide(1.0, threat, out=bare, where=threat != 0)
        bare = np.minimum(bare, ahead)
        is_guarded = (cap - 1) * ahead > cap * bare
        self.rounds = np.where(is_guarded, float(ahead), bare)
        self.upkeep, self.threat = is_guarded.astype(np.int64), threat
        self.success = np.minimum((taken + 1) / (tried + 1), 1.0)[party.world]

    def _threat(self, tried: Ints, ahead: int) -> Floats:
        """How likely a plot without a guard is raided."""
        party, worlds = self.party, self.party.worlds
        terms, targets = worlds.terms, np.maximum(1, worlds.raidables)
        observed = (tried / targets)[party.world]
        worth = worlds.alpha.max(axis=1) * terms.cap * ahead
        pays = (1 - terms.adjudication) * worth - terms.fine - terms.tax > 0
        held = worlds.holdings.counts.reshape(worlds.many, -1)
        spare = np.maximum(0, worlds.stamina - terms.cap[:, None] * held)
        others = spare.sum(axis=1)[party.world] - spare.reshape(-1)[party.line]
        feared = np.maximum(observed, others / targets[party.world])
        return np.minimum(1.0, np.where(pays[party.world], feared, observed))

    def worth(self, member: Ints, plot: Ints, spare: Ints) -> Floats:
        """Gold that plots still bring to members with so much stamina to spare."""
        used = np.minimum(self.party.cap[member], spare)
        alpha = self.party.worlds.alpha[self.party.world[member], plot]
        gold: Floats = alpha * np.maximum(0, used - self.upkeep[member]) * self.rounds[member]
        return gold

    def raid(self, member: Ints, plot: Ints, spare: Ints) -> Floats:
        """Gold that raids bring."""
        worlds, terms, world = self.party.worlds, self.party.worlds.terms, self.party.world[member]
        chance = np.where(worlds.guarded[world, plot], 0.0, self.success[member])
        upheld = 1 - terms.adjudication[world] * (worlds.first[world, plot] != self.party.seat[member])
        gold: Floats = chance * (upheld * self.worth(member, plot, spare) - terms.fine[world]) - terms.tax[world]
        return gold

    def guard(self, member: Ints, plot: Ints) -> Floats:
        """Gold that guards save on own plots in this round."""
        alpha = self.party.worlds.alpha[self.party.world[member], plot]
        return self.threat[member] * alpha * self.party.cap[member] * self.rounds[member]


def opportunist(params: OpportunistParams, party: Party) -> None:
    hopes = Prospects(party, params.patience)
    party.mine_to_cap(party.all)
    party.claim_nearest(party.all, party.left)
    at = np.flatnonzero(party.left > 0)
    if len(at):
        _take_from_the_richer(party, hopes, at)
    party.say(params.language)


def _take_from_the_richer(party: Party, hopes: Prospects, at: Ints) -> None:
    """Raids that pay, on plots of those who have more and are not spared, the largest holder's first."""
    worlds, held = party.worlds, party.worlds.open_holdings
    lines = party.world[at, None] * worlds.miners + np.arange(worlds.miners)
    sizes = worlds.holdings.counts[lines]
    run, seat = np.nonzero((sizes > party.own[at, None]) & ~party.spared()[at])
    order = np.argsort(run * (worlds.plots + 1) + worlds.plots - sizes[run, seat], kind="stable")
    run, line = run[order], lines[run, seat][order]
    richer, _, found = spread(held.starts[line], held.counts[line])
    member, plot = at[run[richer]], held.plot[found]
    pays = hopes.raid(member, plot, party.cap[member]) > 0
    member, plot = member[pays], plot[pays]
    rank = ranks(member)
    takes = rank < party.left[member]
    party.put(member[takes], rank[takes], RAID, plot[takes])


def reckoner(params: ReckonerParams, party: Party) -> None:
    worlds, hopes, cap = party.worlds, Prospects(party, params.patience), party.cap
    spare = party.left - cap * party.own
    wanted = -(-np.maximum(spare, 0) // cap)
    own, order, found = spread(worlds.holdings.starts[party.line], party.own)
    plot = worlds.holdings.plot[found]
    saved = hopes.guard(own, plot)
    guards = saved > 0
    mining = worlds.alpha[party.world[own], plot].astype(np.float64)
    count, who, rank, free = party.nearest_free(party.all, np.where(wanted > 0, np.minimum(wanted, party.left), 0))
    raider, gold, turn, target = _raids(party, hopes, spare, wanted - count, params.tries)
    # Of equal gold the earlier in `order`, then what the one-world form puts first: see `age`.
    ages = (2 * order, 2 * order[guards] + 1, FIRST_CLAIM + rank, FIRST_RAID + np.arange(len(raider)))
    kinds = np.repeat((MINE, DEFEND, CLAIM, RAID), [len(age) for age in ages])
    member = np.concatenate((own, own[guards], who, raider))
    worth = np.concatenate((mining, saved[guards], hopes.worth(who, free, spare[who]), gold))
    place = np.concatenate((order, order[guards], np.zeros_like(rank), turn))
    plots = np.concatenate((plot, plot[guards], free, target))
    best = np.lexsort((np.concatenate(ages), place, -worth, member))
    _put_best(party, member[best], kinds[best], plots[best])
    party.say(params.language)


FIRST_CLAIM, FIRST_RAID = 1 << 40, 1 << 41
"""Claims stand after all own plots, raids after all claims."""


def _put_best(party: Party, member: Ints, kinds: Ints, plots: Ints) -> None:
    """Items in their order as far as each member's stamina reaches, the last one cut to it."""
    cost = np.where(kinds == MINE, party.cap[member], 1)
    total = np.cumsum(cost)
    rank = ranks(member)
    spent = total - cost - (total - cost)[np.arange(len(member)) - rank]
    s = np.minimum(cost, party.left[member] - spent)
    fits = s > 0
    member, rank = member[fits], rank[fits]
    party.plans.put(party.line[member], rank, kinds[fits], plots[fits], s[fits])


def _raids(party: Party, hopes: Prospects, spare: Ints, most: Ints, tries: float) -> tuple[Ints, Floats, Ints, Ints]:
    """The raids that bring most, of equals the earlier in drawn order, ``most`` for each; or one that tests a guard.

    Member, gold, the place in the drawn order, and the plot.
    """
    worlds = party.worlds
    at = np.flatnonzero((most > 0) & (spare > 0))
    # Row by row, as they are drawn from.
    run, plot = np.nonzero((worlds.raidable & (worlds.owners != NOBODY))[party.world[at]])
    owner = worlds.owners[party.world[at[run]], plot]
    wanted = (owner != party.seat[at[run]]) & ~party.spared()[at[run], owner]
    run, plot = run[wanted], plot[wanted]
    sizes = np.bincount(run, minlength=len(at))
    turns = party.draws[at].turns(sizes, "target")
    turn = turns[run, ranks(run)]
    gold = hopes.raid(at[run], plot, spare[at[run]])
    pays = gold > 0
    tests = ~np.isin(np.arange(len(at)), run[pays]) & party.draws[at].chance(tries, "tries")
    tested = tests[run] & (turn == 0)
    gold = np.where(tested, 1e-9, gold)
    order = np.lexsort((turn, -gold, run))
    order = order[(pays | tested)[order]]
    order = order[ranks(run[order]) < most[at][run[order]]]
    return at[run[order]], gold[order], turn[order], plot[order]


def bourgeois(_params: Any, party: Party) -> None:
    party.claim_nearest(party.all, party.missing())
    provoked = party.worlds.provoked[party.line]
    party.hold_the_core(np.flatnonzero(provoked))
    party.mine_to_cap(np.flatnonzero(~provoked), party.worlds.core_first)
