"""The end of an epoch, in the contract's order, and the planner's turn after it.

Source: contract, "Epoch Boundary": 1 tax, 2 audits, 3 penalties, 4 freezing, 5 collusion detection, 6 planner, 7 reset.
The workers' last step does 1 to 5; the planner's own turn 6 and 7. Where the planner has no turn, 7 comes at once.
"""

from __future__ import annotations

from itertools import combinations

from games.catalog.economist.audit import audit, collect_taxes, freeze_repeaters, share_out
from games.catalog.economist.collusion import BLANK, blanked, boosted, detect
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.desk import Desk
from games.catalog.economist.money import MICRO, micro
from games.catalog.economist.state import Flag, Report, SetTaxes, Tally
from games.catalog.economist.tax import damped, schedule_of
from games.core.game import Seat
from games.core.rng import Rng


def end_epoch(desk: Desk, rng: Rng) -> None:
    """Steps 1 to 5, the report of the epoch, and what comes next: the planner, the next epoch, or the end."""
    before = len(desk.facts)
    frozen = sum(until >= desk.epoch for until in desk.frozen)
    if desk.config.gaming.taxed_at_the_end and desk.epoch + 1 == desk.config.epochs:
        book_deferred(desk)
    accounts = collect_taxes(desk)
    audit(desk, accounts, rng)
    freeze_repeaters(desk, accounts)
    share_out(desk, accounts)
    flags = detect_collusion(desk)
    desk.count(desk.facts[before:])
    pairs, allied = count_pairs(desk)
    if flags and desk.config.collusion.counted_once:
        desk.traces = blanked(desk.traces, flags)
    desk.report = Report(
        epoch=desk.epoch,
        accounts=tuple(accounts),
        coins=tuple(desk.coin),
        owned=tuple(desk.built),
        schedule=desk.schedule,
        tally=desk.tally,
        flags=tuple(flags),
        pairs=pairs,
        allied=allied,
        frozen=frozen,
    )
    desk.facts.append(("epoch_ended", -1, desk.report))
    if desk.epoch + 1 == desk.config.epochs:
        return
    if is_planned(desk.config, desk.epoch):
        desk.planning = True
    else:
        reset(desk)


def book_deferred(desk: Desk) -> None:
    """What was deferred to an epoch that will not come is income of the last one, less its friction."""
    desk.gross = [gross + deferred for gross, deferred in zip(desk.gross, desk.deferred, strict=True)]
    desk.deferred = [0] * len(desk.deferred)


def is_planned(config: EconomistConfig, epoch: int) -> bool:
    """Whether the planner has a turn at this epoch's end: every k-th epoch, and none after the last."""
    return epoch + 1 < config.epochs and (epoch + 1) % config.planner.update_interval_epochs == 0


def detect_collusion(desk: Desk) -> list[Flag]:
    """Flag pairs, boost the audits of whoever was flagged, and ban them from the market for whole epochs to come."""
    terms = desk.config.collusion
    if not terms.enabled:
        return []
    traces = list(zip(*desk.traces, strict=True))
    flags = detect(traces, terms.min_shared_steps, terms.similarity_threshold, terms.suspicion_score_threshold)
    by = micro(terms.response_audit_multiplier) - MICRO
    ban = terms.response_trade_restriction_epochs
    counts = [0] * len(desk.cell)
    for flag in flags:
        for seat in flag.pair:
            counts[seat] += 1
            if ban:
                desk.banned[seat] = desk.epoch + ban
        desk.facts.append(("collusion_detected", -1, flag, ban > 0))
    desk.boost = [boosted(boost, count, by) for boost, count in zip(desk.boost, counts, strict=True)]
    return flags


def count_pairs(desk: Desk) -> tuple[int, int]:
    """Pairs of workers that did something in the window, and those of one coalition among them."""
    if not desk.config.collusion.enabled:
        return 0, 0
    active = [seat for seat, trace in enumerate(zip(*desk.traces, strict=True)) if any(code != BLANK for code in trace)]
    allied = sum(are_allied(desk.config, pair) for pair in combinations(active, 2)) if desk.config.coalitions else 0
    return len(active) * (len(active) - 1) // 2, allied


def are_allied(config: EconomistConfig, pair: tuple[Seat, Seat]) -> bool:
    """Whether the two are in the same coalition."""
    one, other = (config.coalition(seat) for seat in pair)
    return one == other != ""


def update_taxes(desk: Desk, target: SetTaxes) -> None:
    """Step 6: the damped way towards the planner's target; an empty target keeps the schedule."""
    old = desk.before = desk.schedule
    if target.brackets:
        desk.schedule = damped(old, schedule_of(target.brackets), desk.terms.damping)
    assert desk.report is not None
    kind = "planner_update" if desk.schedule != old else "planner_kept"
    desk.facts.append((kind, -1, old, desk.schedule, desk.report))


def reset(desk: Desk) -> None:
    """Step 7: accounts begin anew with what was deferred; energy is full; the next epoch begins."""
    workers = len(desk.cell)
    desk.gross = list(desk.deferred)
    desk.shifted, desk.deferred, desk.stance = [0] * workers, [0] * workers, [0] * workers
    desk.energy = [desk.terms.energy] * workers
    desk.tally = Tally()
    desk.planning = False
    desk.epoch += 1
    desk.step = 0
