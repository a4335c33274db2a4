"""The source's comparators and heuristics over columns: the rules of `mining.policies`, for all their seats at once."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.catalog.mining.columns.party import Party
from games.catalog.mining.columns.world import DEFEND, FAR, MINE, RAID
from games.catalog.mining.policies import EnvoyParams
from games.catalog.mining.state import NOBODY
from games.core.draws import Flags, Ints, ranks, scaled, spread
from games.core.rng import fold_array

ATTEMPTS: Final = 12
"""Attempts of the random policy that are reckoned at once; who needs more gets twice as many."""


def guided(_params: Any, party: Party) -> None:
    missing = party.missing()
    wanting = np.flatnonzero(missing > 0)
    has_free = party.frees[wanting] > 0
    party.claim_nearest(wanting[has_free], missing[wanting[has_free]])
    _even_out(party, wanting[~has_free], missing)
    provoked = party.worlds.provoked[party.line]
    party.hold_the_core(np.flatnonzero(provoked))
    party.mine_to_cap(np.flatnonzero(~provoked))


def _even_out(party: Party, at: Ints, missing: Ints) -> None:
    """Raids on the largest holder's border in drawn order: what is missing, at most half of what it has more."""
    if not len(at):
        return
    worlds, targets = party.worlds, party.worlds.targets
    largest = worlds.largest_but(party.line[at])
    surplus = (worlds.holdings.counts[largest] - party.own[at]) // 2
    count = np.minimum(np.minimum(missing[at], surplus), party.left[at])
    raids = (largest >= 0) & (count > 0)
    at, largest, count = at[raids], largest[raids], np.minimum(count[raids], targets.counts[largest[raids]])
    if not len(at):
        return
    order = party.draws[at].shuffled(targets.counts[largest], "target")
    run, rank, _ = spread(np.zeros_like(count), count)
    party.put(at[run], rank, RAID, targets.plot[targets.starts[largest][run] + order[run, rank]])
    party.spend(at, count, count)


def greedy_mine(_params: Any, party: Party) -> None:
    party.mine_to_cap(party.all)
    party.claim_else_raid()


def defend_then_mine(_params: Any, party: Party) -> None:
    party.some(DEFEND, party.all, party.worlds.holdings, party.line)
    party.mine_to_cap(party.all)
    party.claim_else_raid()


def tit_for_tat_raid(_params: Any, party: Party) -> None:
    plans, plots = party.plans, party.worlds.plots
    member, target = _targets(party)
    rank = ranks(member)
    party.put(member, rank, RAID, target)
    count = np.bincount(member, minlength=len(party.line))
    party.spend(party.all, count, count)
    defend_then_mine(_params, party)
    raided = np.zeros((len(party.line), plots), np.bool_)
    raided[member, target] = True
    items = plans.items[party.line]
    coded = (RAID * plots + np.arange(plots)) * (plans.stamina + 1) + 1
    twice = (items[:, :, None] == np.where(raided, coded, -2)[:, None, :]).any(axis=2)
    twice[member, rank] = False
    plans.items[party.line] = np.where(twice, -1, items)


def _targets(party: Party) -> tuple[Ints, Ints]:
    """Whom to raid back: members and plots, in the order of the raiders' seats.

    Of each raider the lowest plot that it took from the member and still holds, else the lowest of its own, of those
    that may be raided; of the lowest raiders as many as the stamina allows.
    """
    worlds = party.worlds
    if worlds.last is None:
        return party.all[:0], party.all[:0]
    raids, miners = worlds.last.raids, worlds.miners
    contest, raider = raids.each()
    member_of = np.full(worlds.many * miners, -1)
    member_of[party.line] = party.all
    owner = raids.owner[contest]
    member = np.where(owner == NOBODY, -1, member_of[raids.world[contest] * miners + owner])
    mine = member >= 0
    contest, raider, member = contest[mine], raider[mine], member[mine]
    pairs, which = np.unique(member * miners + raider, return_inverse=True)
    member_by, raider_by = np.divmod(pairs, miners)
    near = ranks(member_by) < party.left[member_by]
    world, plot = raids.world[contest], raids.plot[contest]
    stolen = (raider == raids.winner[contest]) & (worlds.owners[world, plot] == raider) & worlds.raidable[world, plot]
    best = np.full(len(pairs), FAR)
    np.minimum.at(best, which[stolen], plot[stolen])
    own, line = worlds.open_holdings, party.world[member_by] * miners + raider_by
    others = (best == FAR) & (own.counts[line] > 0)
    best[others] = own.plot[own.starts[line[others]]]
    near &= best < FAR
    return member_by[near], best[near]


def envoy(params: EnvoyParams, party: Party) -> None:
    party.mine_to_cap(party.all)
    party.claim_nearest(party.all, party.left)
    keeps = party.draws.chance(params.keep, "keep")
    party.raid_largest(party.all, party.spared() & keeps[:, None])
    party.say(params.language)


def at_random(_params: Any, party: Party) -> None:
    """See `drawing.draw_items`: all attempts are drawn at once, since a miss shifts none of them."""
    worlds = party.worlds
    free, begins, frees = worlds.free
    _, opens = np.nonzero(worlds.raidable)
    pool = np.concatenate((free, opens, worlds.holdings.plot))
    claims = frees[party.world]
    raids = claims + worlds.raidables[party.world]
    defences = raids + party.own
    total = defences + party.own * party.cap
    # What an index of each kind is moved by, to be a place in the pool.
    own = len(free) + len(opens) + worlds.holdings.starts[party.line]
    open_to = len(free) + (np.cumsum(worlds.raidables) - worlds.raidables)[party.world]
    moves = np.stack((begins[party.world], open_to - claims, own - raids, -defences), 1).reshape(-1)
    key, bound = party.draws.bits("item"), 8 * party.left + 8
    at, many = np.flatnonzero((total > 0) & (party.left > 0)), ATTEMPTS
    while len(at):
        row, left, attempt = at[:, None], party.left[at, None], np.arange(min(many, int(bound[at].max())))
        index = scaled(fold_array(key[row], attempt.astype(np.uint64)) >> np.uint64(1), total[row])
        kind = (index >= claims[row]).astype(np.int64) + (index >= raids[row]) + (index >= defences[row])
        places, s = index + moves[4 * row + kind], np.ones_like(index)
        mines = kind == MINE
        of = row[mines.nonzero()[0], 0]
        which, more = np.divmod(places[mines], party.cap[of])
        places[mines], s[mines] = own[of] + which, more + 1
        plot = pool[places]
        misses = (kind == RAID) & (worlds.owners[party.world[row], plot] == party.seat[row])
        misses |= attempt >= bound[row]
        takes = ~misses & ~_repeats(np.where(misses, -1 - attempt, kind * worlds.plots + plot))
        cost = np.where(takes, s, 0)
        spent = np.cumsum(cost, axis=1)
        before = spent - cost
        done = (spent[:, -1] >= left[:, 0]) | (len(attempt) >= bound[at])
        chosen = takes & (before < left) & done[:, None]
        member = np.nonzero(chosen)[0]
        stamina = np.minimum(s, left - before)[chosen]
        party.plans.put(party.line[at[member]], ranks(member), kind[chosen], plot[chosen], stamina)
        at, many = at[~done], 2 * many


def _repeats(codes: Ints) -> Flags:
    """Which entries of each row stand in it before."""
    bits = codes.shape[1].bit_length()
    ordered = np.sort((codes << bits) + np.arange(codes.shape[1]), axis=1)
    repeats = np.zeros(codes.shape, np.bool_)
    again = np.zeros_like(repeats)
    again[:, 1:] = ordered[:, 1:] >> bits == ordered[:, :-1] >> bits
    row = np.nonzero(again)[0]
    repeats[row, ordered[again] & ((1 << bits) - 1)] = True
    return repeats
