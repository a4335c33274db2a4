"""The round over columns: claims, then raids, then mining, then the authority, as `rules` and `conflicts` tell them."""

from __future__ import annotations

import numpy as np

from games.catalog.mining.columns.world import (
    CLAIM,
    DEFEND,
    MINE,
    RAID,
    Contests,
    Mined,
    Plans,
    Settlement,
    Terms,
    Worlds,
)
from games.catalog.mining.state import NOBODY
from games.core.draws import Draws, Flags, Ints, in_order, scaled


def resolve(worlds: Worlds, plans: Plans, draws: Draws) -> Worlds:
    """Everything that one round does."""
    terms, now = worlds.terms, worlds.round + 1
    line, kind, plot, s = plans.orders
    world, seat = np.divmod(line, worlds.miners)

    def of(wanted: int) -> tuple[Ints, Ints, Ints]:
        at = kind == wanted
        return world[at], plot[at], seat[at]

    owners = worlds.owners.copy()
    claims = award_claims(of(CLAIM), owners, draws)
    met = owners.copy()
    points = defend(of(DEFEND), s[kind == DEFEND], worlds.owners.shape)
    raids = settle_raids(terms, of(RAID), points, owners, draws)
    at = kind == MINE
    mined = pay_mining(terms, of(MINE), line[at], s[at], owners, worlds.alpha)

    yields = np.bincount(mined.line, mined.gold, worlds.gold.size).astype(np.int64).reshape(worlds.gold.shape)
    gold = worlds.gold + yields
    attempts, captures, due, paid = levy(terms, raids, gold)
    treasury = worlds.treasury + paid.sum(axis=1)
    share = np.zeros_like(treasury)
    if terms.shares.any():
        share = np.where(terms.shares, treasury // worlds.miners, 0)
        treasury -= share * worlds.miners
        gold += share[:, None]

    first, immune = worlds.first.copy(), worlds.immune_until.copy()
    claimed = claims.world, claims.plot
    first[claimed] = np.where(first[claimed] == NOBODY, claims.winner, first[claimed])
    window = terms.window[claims.world]
    immune[claimed] = np.where(window > 0, now + window - 1, 0)
    judged, restored = adjudicate(terms, raids, first, draws)
    back = judged[restored]
    owners[raids.world[back], raids.plot[back]] = first[raids.world[back], raids.plot[back]]
    immune[raids.world[back], raids.plot[back]] = now + 1
    since = np.where(owners != worlds.owners, now, worlds.since)
    challenged = worlds.challenged.copy()
    theirs = raids.owner != NOBODY
    challenged[raids.world[theirs], raids.owner[theirs]] = now

    gains, output = gold - worlds.gold, yields.sum(axis=1)
    last = Settlement(
        claims, raids, points > 0, met, mined, attempts, captures, due, paid, share, gains, output, judged, restored
    )
    kept = worlds.alpha, worlds.stamina
    after = Worlds(
        worlds.configs, terms, now, owners, since, first, immune, *kept, gold, challenged, treasury, last,
        tuple(plans.offers),
    )  # fmt: skip
    after.fixed = worlds.fixed
    return after


def contests(world: Ints, plot: Ints, worlds: int, plots: int) -> tuple[Ints, ...]:
    """Who wants the same plot, by world and plot: order of the orders, and each contest's world, plot, start, count."""
    key = world * plots + plot
    order = in_order(key, worlds * plots)
    ordered = key[order]
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    starts = is_first.nonzero()[0]
    counts = np.diff(starts, append=len(ordered))
    where, which = np.divmod(ordered[starts], plots)
    return order, where, which, starts, counts


def drawn(draws: Draws, label: str, seats: Ints, found: tuple[Ints, Ints, Ints, Ints]) -> Ints:
    """The winner of each contest: the only one, or one drawn from several, keyed by the plot."""
    world, plot, starts, counts = found
    place = np.zeros_like(starts)
    several = np.flatnonzero(counts > 1)
    if len(several):
        keys = draws[world[several]].at(label, plot[several]).keys
        place[several] = scaled(keys >> np.uint64(1), counts[several])
    won: Ints = seats[starts + place]
    return won


def award_claims(claims: tuple[Ints, Ints, Ints], owners: Ints, draws: Draws) -> Contests:
    """Step 1: each claimed plot goes to its one claimant, or to one drawn from several. Changes ``owners``."""
    world, plot, seat = claims
    order, *found = contests(world, plot, *owners.shape)
    seats = seat[order]
    winner = drawn(draws, "claim", seats, (found[0], found[1], found[2], found[3]))
    owners[found[0], found[1]] = winner
    return Contests(found[0], found[1], winner, found[2], found[3], seats, winner, np.zeros(len(winner), np.bool_))


def defend(defences: tuple[Ints, Ints, Ints], s: Ints, shape: tuple[int, ...]) -> Ints:
    """Points of defence, worlds by plots."""
    points = np.zeros(shape, np.int64)
    points[defences[0], defences[1]] = s
    return points


def settle_raids(terms: Terms, raids: tuple[Ints, Ints, Ints], points: Ints, owners: Ints, draws: Draws) -> Contests:
    """Step 2: a defence that holds repels all raiders; else one takes the plot, drawn from several. Changes ``owners``.

    Void are raids on a plot that is nobody's, and one's own raid on a plot that one has just claimed.
    """
    world, plot, seat = raids
    plots = owners.shape[1]
    on_own = owners[world, plot] == seat
    # What is void because it is the raider's own is a contest of its own, told before the others on that plot.
    order, where, twice, starts, counts = contests(world, 2 * plot + ~on_own, len(owners), 2 * plots)
    seats, which = seat[order], twice // 2
    owner = owners[where, which]
    is_void = (twice % 2 == 0) | (owner == NOBODY)
    held_by = points[where, which]
    repelled = ~is_void & np.where(terms.per_point[where], held_by >= counts, held_by > 0)
    taken = ~is_void & ~repelled
    winner = np.full_like(which, NOBODY)
    winner[taken] = drawn(draws, "raid", seats, (where[taken], which[taken], starts[taken], counts[taken]))
    owners[where[taken], which[taken]] = winner[taken]
    return Contests(where, which, winner, starts, counts, seats, owner, repelled)


def pay_mining(terms: Terms, orders: tuple[Ints, Ints, Ints], line: Ints, s: Ints, owners: Ints, alpha: Ints) -> Mined:
    """Step 3: min(stamina, cap) x alpha for each plot that its miner still holds, nothing for a plot just lost."""
    world, plot, seat = orders
    held = owners[world, plot] == seat
    return Mined(line, plot, np.where(held, np.minimum(s, terms.cap[world]) * alpha[world, plot], 0), held)


def levy(terms: Terms, raids: Contests, gold: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Take taxes and fines out of ``gold``: raids, captures, gold due and paid, worlds by seats."""
    none = np.zeros_like(gold)
    if not terms.tax.any() and not terms.fine.any():
        return none, none, none, none
    contest, raider = raids.each()
    taken = raids.winner != NOBODY
    miners = gold.shape[1]
    attempts = np.bincount(raids.world[contest] * miners + raider, minlength=gold.size).reshape(gold.shape)
    captures = np.bincount(raids.world[taken] * miners + raids.winner[taken], minlength=gold.size).reshape(gold.shape)
    due = attempts * terms.tax[:, None] + captures * terms.fine[:, None]
    paid = np.minimum(due, gold)
    gold -= paid
    return attempts, captures, due, paid


def adjudicate(terms: Terms, raids: Contests, first: Ints, draws: Draws) -> tuple[Ints, Flags]:
    """The raids that a verdict is given on, and which plots go back to their first possessors, each by its own draw."""
    if not terms.adjudication.any():
        return np.zeros(0, np.int64), np.zeros(0, np.bool_)
    has_authority = terms.adjudication[raids.world] > 0
    judged = np.flatnonzero(has_authority & (raids.winner != NOBODY) & (first[raids.world, raids.plot] != raids.winner))
    world = raids.world[judged]
    return judged, draws[world].chance(terms.adjudication[world], "adjudicate", raids.plot[judged])
