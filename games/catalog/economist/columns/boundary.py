"""An epoch's end and the planner's turn over columns: `economist.boundary` and `economist.audit` by their names."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.economist.boundary import is_planned
from games.catalog.economist.collusion import ACTS, BLANK, BOOST_MAX, NEAR, scores
from games.catalog.economist.columns.world import LARGEST, Ended, Plans, Worlds
from games.catalog.economist.money import MICRO, micro
from games.catalog.economist.settings import CollusionSettings
from games.catalog.economist.state import NEVER
from games.catalog.economist.statistics import Statistics, added_up, welfare
from games.catalog.economist.tax import damped, schedule_of, tax_due
from games.core.draws import Draws, Flags, Ints

AT_ONCE: Final = 250_000
"""Numbers in one table of the detector: a block of worlds, or of pairs, is as large as that allows."""


def end_epoch(before: Worlds, after: Worlds, plans: Plans, draws: Draws) -> None:
    """Steps 1 to 5, and what comes next: the planner, the next epoch, or the end."""
    config, had = after.config, after.had
    frozen = np.count_nonzero(had.frozen >= after.epoch, axis=1)
    is_last = after.epoch + 1 == config.epochs
    if config.gaming.taxed_at_the_end and is_last:
        had.gross += had.deferred
        had.deferred[:] = 0
    reported, paid, caught = collect_taxes(after, draws)
    freeze_repeaters(after, caught)
    share_out(after)
    detect_collusion(after)
    gross = had.gross.copy()
    totals = _statistics(after, paid, frozen)
    after.welfare = [welfare(config, one) for one in totals]
    after.ended = Ended(replace(before, ended=None, made={}), plans, draws, gross, reported, totals)
    after.planning = is_planned(config, after.epoch)
    if not is_last and not after.planning:
        reset(after)


def collect_taxes(after: Worlds, draws: Draws) -> tuple[Ints, Ints, Flags]:
    """What each reports and pays, and who is caught: the audits of those who hide something, and of the boosted."""
    had, terms = after.had, after.config.misreporting
    after.tally.events += after.config.workers
    reported = had.gross - had.gross * had.stance // MICRO
    owed = taxes(after, reported)
    paid = np.minimum(owed, had.coin)
    had.coin -= paid
    after.treasury = after.treasury + paid.sum(axis=1)
    hidden = had.gross - reported
    hides = hidden > 0
    if not terms.enabled:
        return reported, paid, np.zeros_like(hides)
    seats, base = np.arange(after.config.workers), terms.audit_probability
    if not hides.any():
        caught = hides
    else:
        share = np.minimum(1.0, base * (1 + terms.risk_based_audit_multiplier * hidden / np.where(hides, had.gross, 1)))
        chance = np.minimum(1.0, share + had.boost / MICRO * base)
        caught = hides & (draws[:, None].unit("audit", seats) < chance)
        evaded = np.maximum(0, taxes(after, had.gross) - owed)
        fine = np.minimum(np.rint(evaded * terms.fine_multiplier).astype(np.int64), had.coin) * caught
        had.coin -= fine
        after.treasury += fine.sum(axis=1)
        had.fines += fine
        had.audits += caught
        had.catches += caught
    chance = np.minimum(1.0, had.boost / MICRO * base)
    checked = ~hides & (had.boost > 0) & (draws[:, None].unit("check", seats) < chance)
    had.audits += checked
    after.tally.events += np.count_nonzero(hides | checked, axis=1)
    return reported, paid, caught


def taxes(worlds: Worlds, incomes: Ints) -> Ints:
    """`tax_due` of each worker's income under its world's schedule."""
    sigma = worlds.config.terms.smoothing
    if sigma > 0:
        due = [
            [tax_due(schedule, income, sigma) for income in row]
            for schedule, row in zip(worlds.schedules, incomes.tolist(), strict=True)
        ]
        return np.array(due)
    parts, edges = np.zeros_like(incomes), [threshold for threshold, _ in worlds.config.schedule]
    for place, (low, high) in enumerate(pairwise([*edges, LARGEST])):
        parts += np.clip(incomes - low, 0, high - low) * worlds.rates[:, place, None]
    return parts // MICRO


def freeze_repeaters(after: Worlds, caught: Flags) -> None:
    had, terms = after.had, after.config.misreporting
    frozen = caught & (had.catches >= terms.freeze_after_n_catches) & terms.freeze_on_repeat
    thaws = ~frozen & (had.frozen == after.epoch)
    np.copyto(had.frozen, after.epoch + terms.freeze_duration_epochs, where=frozen)
    np.copyto(had.frozen, NEVER, where=thaws)
    after.tally.events += np.count_nonzero(frozen | thaws, axis=1)


def share_out(after: Worlds) -> None:
    if after.config.taxation.redistribution == "none":
        return
    each = after.treasury // after.config.workers
    after.treasury = after.treasury - each * after.config.workers
    after.had.coin += each[:, None]
    after.tally.events += after.config.workers * (each > 0)


def detect_collusion(after: Worlds) -> None:
    """Flag pairs, boost the audits of whoever was flagged, and ban them from the market for whole epochs to come."""
    had, terms = after.had, after.config.collusion
    if not terms.enabled:
        return
    steps = np.stack(after.traces, axis=-1)
    at_once = max(1, AT_ONCE // steps.shape[1] ** 2)
    blocks = [detect(steps[first : first + at_once], terms) for first in range(0, len(steps), at_once)]
    flags, number = (np.concatenate(part) for part in zip(*blocks, strict=True))
    by, flagged = micro(terms.response_audit_multiplier) - MICRO, flags > 0
    if ban := terms.response_trade_restriction_epochs:
        np.copyto(had.banned, after.epoch + ban, where=flagged)
    had.boost[:] = np.where(flagged, np.minimum(BOOST_MAX, had.boost + flags * by), had.boost // 2)
    after.tally.events += number
    after.tally.exploits += number
    if terms.counted_once:
        after.traces = tuple(np.where(flagged, BLANK, row) for row in after.traces)


def detect(steps: Ints, terms: CollusionSettings) -> tuple[Ints, Ints]:
    """How many flags each worker is in, and how many there are by world.

    Chance agreement on orders is bounded at first: it is none at least, and at most as if all orders were alike. Pairs
    that this leaves open, and those near a threshold, are decided on the same `scores` as in `collusion.detect`.
    """
    workers = steps.shape[1]
    acted, orders = _signs(steps != BLANK), steps >= len(ACTS)
    shared = acted @ acted.swapaxes(1, 2)
    equal, chance = np.zeros_like(shared), np.zeros_like(shared)
    for code in np.flatnonzero(np.bincount(steps[~orders])).tolist():
        if code != BLANK:
            did = _signs(steps == code)
            ours = did @ acted.swapaxes(1, 2)
            equal += did @ did.swapaxes(1, 2)
            chance += ours * ours.swapaxes(1, 2)
    for row, dealt_in in zip(np.moveaxis(steps, 2, 0), np.moveaxis(orders, 2, 0), strict=True):
        if dealt_in.any():
            equal += (row[:, :, None] == row[:, None]) & dealt_in[:, None]
    dealt = _signs(orders) @ acted.swapaxes(1, 2)
    most, square = chance + dealt * dealt.swapaxes(1, 2), shared * shared
    similarity, suspicion = terms.similarity_threshold, terms.suspicion_score_threshold
    later = np.tri(workers, k=-1, dtype=np.bool_).T
    open_ones = later & (shared >= terms.min_shared_steps) & (equal >= (similarity - NEAR) * shared)
    if suspicion > 0:
        open_ones &= (square > chance) & (equal * shared - chance >= (suspicion - NEAR) * (square - chance))
    flagged = open_ones & (equal >= (similarity + NEAR) * shared)
    flagged &= equal * shared - most >= (suspicion + NEAR) * (square - most)
    flagged &= square > most
    world, left, right = near = np.nonzero(open_ones & ~flagged)
    counts = (column[near].astype(np.int64).tolist() for column in (shared, equal))
    scored = (scores(*counted) for counted in zip(*counts, _pairs(steps, world, left, right), strict=True))
    flagged[near] = [alike >= similarity and kappa >= suspicion for alike, kappa in scored]
    return np.count_nonzero(flagged, axis=1) + np.count_nonzero(flagged, axis=2), np.count_nonzero(flagged, axis=(1, 2))


def _signs(steps: Flags) -> NDArray[np.float32]:
    """1 where it is so: sums of these are exact below 2**24."""
    return steps.astype(np.float32)


def _pairs(steps: Ints, world: Ints, left: Ints, right: Ints) -> list[int]:
    """For each pair, in how many pairs of its shared steps the one did in one what the other did in the other."""
    found: list[int] = []
    at_once = max(1, AT_ONCE // steps.shape[-1] ** 2)
    for first in range(0, len(world), at_once):
        block = slice(first, first + at_once)
        ours, theirs = steps[world[block], left[block]], steps[world[block], right[block]]
        both = (ours != BLANK) & (theirs != BLANK)
        ours, theirs = np.where(both, ours, -1), np.where(both, theirs, -2)
        found += (ours[:, :, None] == theirs[:, None]).sum(axis=(1, 2)).tolist()
    return found


def _statistics(after: Worlds, paid: Ints, frozen: Ints) -> list[Statistics]:
    """`statistics` of each world's report."""
    had = after.had
    sums = (column.sum(axis=1).tolist() for column in (paid, had.built, had.coin))
    return list(map(added_up, had.gross.tolist(), *sums, frozen.tolist()))


def update_taxes(worlds: Worlds, plans: Plans) -> Worlds:
    """The planner's turn: step 6, the damped way towards its target, and step 7."""
    by = worlds.config.terms.damping
    schedules = [
        damped(old, schedule_of(target.brackets), by) if target.brackets else old
        for old, target in zip(worlds.schedules, plans.targets, strict=True)
    ]
    after = replace(
        worlds, had=worlds.had.copy(), tally=worlds.tally, schedules=schedules, before=worlds.schedules,
        memories=plans.memories, log=None, gained=None, welfare=(), made={},
    )  # fmt: skip
    reset(after)
    return after


def reset(after: Worlds) -> None:
    """Step 7: accounts begin anew with what was deferred; energy is full; the next epoch begins."""
    had = after.had
    had.gross[:] = had.deferred
    had.shifted[:] = had.deferred[:] = had.stance[:] = 0
    had.energy[:] = after.config.terms.energy
    after.tally = after.tally.cleared()
    after.planning, after.epoch, after.step = False, after.epoch + 1, 0
