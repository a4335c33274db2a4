"""The source's comparators and heuristics over columns: the rules of `mining.policies`, for all their seats at once."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.catalog.mining.columns.party import Party
from games.catalog.mining.columns.world import DEFEND, FAR, MINE, RAID, Plans, Worlds
from games.catalog.mining.policies import EnvoyParams, offer
from games.catalog.mining.state import NOBODY
from games.core.draws import Draws, Flags, Ints, ranks, scaled, spread
from games.core.rng import fold_array

ATTEMPTS: Final = 24
"""Attempts of the random policy that are reckoned at once; who needs more gets twice as many."""


def guided(_params: Any, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
    """See `mining.policies.guided`."""
    party = Party(worlds, seats, draws, plans)
    missing = party.missing()
    wanting = np.flatnonzero(missing > 0)
    has_free = party.frees[wanting] > 0
    party.claim_nearest(wanting[has_free], missing[wanting[has_free]])
    _even_out(party, wanting[~has_free], missing)
    provoked = worlds.provoked[party.line]
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


def greedy_mine(_params: Any, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
    """See `mining.policies.greedy_mine`."""
    party = Party(worlds, seats, draws, plans)
    party.mine_to_cap(party.all)
    party.claim_else_raid()


def defend_then_mine(_params: Any, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
    """See `mining.policies.defend_then_mine`."""
    _defend_then_mine(Party(worlds, seats, draws, plans))


def _defend_then_mine(party: Party) -> None:
    party.some(DEFEND, party.all, party.worlds.holdings, party.line)
    party.mine_to_cap(party.all)
    party.claim_else_raid()


def tit_for_tat_raid(_params: Any, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
    """See `mining.policies.tit_for_tat_raid`."""
    party = Party(worlds, seats, draws, plans)
    member, target = _targets(party)
    rank = ranks(member)
    party.put(member, rank, RAID, target)
    count = np.bincount(member, minlength=len(party.line))
    party.spend(party.all, count, count)
    _defend_then_mine(party)
    raided = np.zeros((len(party.line), worlds.plots), np.bool_)
    raided[member, target] = True
    items = plans.items[party.line]
    coded = (RAID * worlds.plots + np.arange(worlds.plots)) * (plans.stamina + 1) + 1
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


def envoy(params: EnvoyParams, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
    """See `mining.policies.envoy`."""
    party = Party(worlds, seats, draws, plans)
    party.mine_to_cap(party.all)
    party.claim_nearest(party.all, party.left)
    keeps = party.draws.chance(params.keep, "keep")
    party.raid_largest(party.all, party.spared() & keeps[:, None])
    say(worlds, seats, params.language, plans)


def say(worlds: Worlds, seats: Ints, language: str, plans: Plans) -> None:
    """The offer of peace of those seats, where there is talk."""
    if messages := offer(worlds.config, language):
        plans.offers.update(dict.fromkeys(seats.tolist(), messages))


def at_random(_params: Any, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
    """See `drawing.draw_items`: all attempts are drawn at once, since a miss shifts none of them."""
    party = Party(worlds, seats, draws, plans)
    free, begins, frees = worlds.free
    _, opens = np.nonzero(worlds.raidable)
    pool = np.concatenate((free, opens, worlds.holdings.plot))
    claims = frees[party.world]
    raids = claims + worlds.raidables[party.world]
    defences = raids + party.own
    total = defences + party.own * party.cap
    # Where in the pool an index of each kind points, once its kind's first index is taken off.
    pools = np.stack(
        (
            begins[party.world],
            len(free) + (np.cumsum(worlds.raidables) - worlds.raidables)[party.world],
            len(free) + len(opens) + worlds.holdings.starts[party.line],
        )
    )
    key, bound = party.draws.bits("item"), 8 * party.left + 8
    at, many = np.flatnonzero((total > 0) & (party.left > 0)), ATTEMPTS
    while len(at):
        attempt = np.arange(min(many, int(bound[at].max())))
        index = scaled(fold_array(key[at, None], attempt.astype(np.uint64)) >> np.uint64(1), total[at, None])
        first = np.stack((np.zeros_like(claims), claims, raids, defences))[:, at, None]
        kind = (index >= first[1]).astype(np.int64) + (index >= first[2]) + (index >= first[3])
        offset = index - np.choose(kind, first)
        which, more = np.divmod(offset, party.cap)
        mines = kind == MINE
        plot = pool[np.choose(np.minimum(kind, DEFEND), pools[:, at, None]) + np.where(mines, which, offset)]
        s = np.where(mines, more + 1, 1)
        misses = (kind == RAID) & (worlds.owners[party.world[at, None], plot] == party.seat[at, None])
        misses |= attempt >= bound[at, None]
        takes = ~misses & ~_repeats(np.where(misses, -1 - attempt, kind * worlds.plots + plot))
        cost = np.where(takes, s, 0)
        spent = np.cumsum(cost, axis=1)
        left = party.left[at, None]
        takes &= spent - cost < left
        done = (spent[:, -1] >= left[:, 0]) | (len(attempt) >= bound[at])
        row, column = np.nonzero(takes & done[:, None])
        what, rank = kind[row, column], ranks(row)
        stamina = np.minimum(s, left - (spent - cost))[row, column]
        plans.put(party.line[at[row]], rank, what, plot[row, column], stamina)
        at, many = at[~done], 2 * many


def _repeats(codes: Ints) -> Flags:
    """Which entries of each row stand in it before."""
    order = np.argsort(codes, axis=1, kind="stable")
    ordered = np.take_along_axis(codes, order, 1)
    repeats = np.zeros(codes.shape, np.bool_)
    np.put_along_axis(repeats, order[:, 1:], ordered[:, 1:] == ordered[:, :-1], 1)
    return repeats
