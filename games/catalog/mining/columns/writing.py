"""Plans and events of a round as JSON, those of all worlds in one pass: what `telling` words, written from columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from games.catalog.mining.columns.telling import step
from games.catalog.mining.columns.world import Contests, Mined, Plans, Settlement, Worlds
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.grid import grid
from games.catalog.mining.news import message_event
from games.catalog.mining.state import KINDS, NOBODY, Item, Message, Plan
from games.core.codec import SNAPSHOT_EVERY, dump
from games.core.draws import Ints
from games.core.game import Seat, Turn
from games.core.written import Text, Written, event_form

DEFENDED: Final = event_form("plots_defended", "plots")
CLAIMED: Final = event_form("plot_claimed", "plot", "by")
DRAWN: Final = event_form("claim_drawn", "plot", "by", "claimants")
RAID: Final = ("plot", "raiders", "from", "owner")
REPELLED, VOID = event_form("raid_repelled", *RAID), event_form("raid_void", *RAID)
TAKEN, TAKEN_BY_DRAW = event_form("plot_taken", *RAID, "by"), event_form("raid_drawn", *RAID, "by")
MINED: Final = event_form("gold_mined", "by", "gold", "plots", "mined", "lost", to=True)
LEVIED: Final = event_form("levy_paid", "by", "raids", "captures", "due", "paid")
SHARED: Final = event_form("treasury_shared", "share", "left")
VERDICT: Final = ("plot", "captor", "first")
RESTORED, UPHELD = event_form("plot_restored", *VERDICT), event_form("capture_upheld", *VERDICT)
TOTALS: Final = ("round", "output", "held", "plots", "claims", "raids", "captures", "repelled", "defences", "treasury")
CLOSED: Final = event_form("round_closed", *TOTALS)

PLOTS: Final = 1000
"""Larger maps are not written from here: a table of all plots by all plots would not be small."""

ByWorld: TypeAlias = list[list[tuple[str, str]]]
"""By world its events so far, each as the two parts of a `Text`."""


def written(before: Worlds, plans: Plans, after: Worlds, index: int) -> Sequence[Written]:
    """By world the step as it is kept."""
    last = after.last
    assert last is not None
    said = tuple(plans.offers.items())
    by_world: ByWorld = [list(_talk(said)) for _ in range(after.many)]
    cells = _cells(after.config.rows, after.config.cols)
    _write_defences(by_world, last, cells)
    _write_claims(by_world, last.claims, cells)
    _write_raids(by_world, after.config, last, cells)
    _write_mining(by_world, last.mined, after.miners, cells)
    _write_authority(by_world, after, last, cells)
    _write_totals(by_world, after, last)
    turn = Turn((("round", after.round),), "act", tuple(range(after.miners)))
    covers_state = index % SNAPSHOT_EVERY == 0
    return [
        Written(
            index,
            turn,
            actions,
            Text.join(events),
            list(enumerate(gains)),
            step(before, plans, after, index, world).state if covers_state else None,
        )
        for world, (actions, events, gains) in enumerate(
            zip(_actions(after, plans, said), by_world, last.gains.tolist(), strict=True)
        )
    ]


# --- plans ----------------------------------------------------------------------------------------

Said: TypeAlias = tuple[tuple[Seat, tuple[Message, ...]], ...]


def _actions(after: Worlds, plans: Plans, said: Said) -> list[Text]:
    """By world what each seat carries out."""
    put, seats = plans.items >= 0, after.miners
    codes, ends = plans.items[put].tolist(), np.cumsum(put.sum(axis=1)).tolist()
    forms = _plan_forms(after.config, seats, plans.stamina, said)
    found = []
    for items, tails in forms:
        tokens = [items[code] for code in codes]
        lines = [",".join(tokens[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
        parts = [f"{head}{line}{tail}" for (head, tail), line in zip(tails * after.many, lines, strict=True)]
        found.append([f"[{','.join(parts[at : at + seats])}]" for at in range(0, len(parts), seats)])
    return [Text(*pair) for pair in zip(*found, strict=True)]


@lru_cache(maxsize=16)
def _plan_forms(
    config: MiningConfig, seats: int, stamina: int, said: Said
) -> list[tuple[Sequence[str], list[tuple[str, str]]]]:
    """As records have it and canonical: items by their codes (`Plans.put`), and what stands around each seat's."""
    cells = grid(config.rows, config.cols).cells
    items = [Item(kind, cell, s) for kind in KINDS for cell in cells for s in range(stamina + 1)]
    words = [Text.of(one) for one in dump(list[Item], items)]
    plans = [Text.of([seat, dump(Plan, Plan((), dict(said).get(seat, ())))]) for seat in range(seats)]
    return [
        ([text[form] for text in words], [_around(plan[form]) for plan in plans]) for form in range(len(Text._fields))
    ]


def _around(plan: str) -> tuple[str, str]:
    """The parts of a plan before and after its items, of which it has none."""
    head, items, tail = plan.partition('"items":[')
    return head + items, tail


# --- events ---------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _cells(rows: int, cols: int) -> Sequence[str]:
    """Places by plot; the last stands for none."""
    return [*(f"[{row},{col}]" for row, col in grid(rows, cols).cells), "null"]


@lru_cache(maxsize=64)
def _talk(said: Said) -> Sequence[Text]:
    return [Text.of_event(message_event(seat, message)) for seat, messages in sorted(said) for message in messages]


def _bounds(of: Ints, many: int) -> list[int]:
    """Where the rows of each world (or line) begin, of rows in that order, and where the last end."""
    bounds: list[int] = np.searchsorted(of, np.arange(many + 1)).tolist()
    return bounds


def _write_defences(by_world: ByWorld, last: Settlement, cells: Sequence[str]) -> None:
    world, plot = np.nonzero(last.defended)
    places, bounds = [cells[one] for one in plot.tolist()], _bounds(world, len(by_world))
    for events, start, end in zip(by_world, bounds, bounds[1:], strict=False):
        if start < end:
            events.append(DEFENDED(f"[{','.join(places[start:end])}]"))


def _write_claims(by_world: ByWorld, claims: Contests, cells: Sequence[str]) -> None:
    seats = [str(seat) for seat in claims.seats.tolist()]
    columns = (claims.world, claims.plot, claims.winner, claims.starts, claims.counts)
    for world, plot, winner, start, count in zip(*(column.tolist() for column in columns), strict=True):
        several = f"[{','.join(seats[start : start + count])}]"
        by_world[world].append(CLAIMED(cells[plot], winner) if count == 1 else DRAWN(cells[plot], winner, several))


def _write_raids(by_world: ByWorld, config: MiningConfig, last: Settlement, cells: Sequence[str]) -> None:
    raids = last.raids
    seats, starts = [str(seat) for seat in raids.seats.tolist()], [cells[plot] for plot in _sources(config, last)]
    columns = (raids.world, raids.plot, raids.winner, raids.owner, raids.repelled, raids.starts, raids.counts)
    for world, plot, winner, owner, repelled, start, count in zip(*(one.tolist() for one in columns), strict=True):
        raiders, sources = ",".join(seats[start : start + count]), ",".join(starts[start : start + count])
        data = (cells[plot], f"[{raiders}]", f"[{sources}]", "null" if owner == NOBODY else owner)
        if winner != NOBODY:
            by_world[world].append((TAKEN if count == 1 else TAKEN_BY_DRAW)(*data, winner))
        else:
            by_world[world].append((REPELLED if repelled else VOID)(*data))


def _sources(config: MiningConfig, last: Settlement) -> list[int]:
    """For each who raids its own plot that is closest to the target when the raids come; -1 if it has none."""
    contest, raider = last.raids.each()
    if not len(contest):
        return []
    around = _by_nearness(config.rows, config.cols)[last.raids.plot[contest]]
    is_own = last.met[last.raids.world[contest][:, None], around] == raider[:, None]
    nearest = is_own.argmax(axis=1)
    at = np.arange(len(nearest)), nearest
    sources: list[int] = np.where(is_own[at], around[at], -1).tolist()
    return sources


@lru_cache(maxsize=32)
def _by_nearness(rows: int, cols: int) -> Ints:
    """By plot all plots, the closest first, of those as close the lowest number."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    steps = abs(row[:, None] - row) + abs(col[:, None] - col)
    return np.argsort(steps, axis=1, kind="stable")


def _write_mining(by_world: ByWorld, mined: Mined, miners: int, cells: Sequence[str]) -> None:
    lines, held = len(by_world) * miners, mined.held
    sums = np.bincount(mined.line, mined.gold, lines).astype(np.int64).tolist()
    places, gold = [cells[plot] for plot in mined.plot[held].tolist()], [str(one) for one in mined.gold[held].tolist()]
    gone = [cells[plot] for plot in mined.plot[~held].tolist()]
    paid, lost = _bounds(mined.line[held], lines), _bounds(mined.line[~held], lines)
    for line in np.unique(mined.line).tolist():
        world, seat = divmod(line, miners)
        own, others = slice(paid[line], paid[line + 1]), slice(lost[line], lost[line + 1])
        by_world[world].append(
            MINED(
                seat,
                sums[line],
                f"[{','.join(places[own])}]",
                f"[{','.join(gold[own])}]",
                f"[{','.join(gone[others])}]",
                f"[{seat}]",
            )
        )


def _write_authority(by_world: ByWorld, after: Worlds, last: Settlement, cells: Sequence[str]) -> None:
    config, raids = after.config, last.raids
    if config.raid_tax or config.capture_fine:
        owing, owed = np.nonzero(last.due), (last.attempts, last.captures, last.due, last.paid)
        for world, *levy in zip(*(one.tolist() for one in (*owing, *(one[owing] for one in owed))), strict=True):
            by_world[world].append(LEVIED(*levy))
    if config.share_out:
        for events, share, left in zip(by_world, last.share.tolist(), after.treasury.tolist(), strict=True):
            if share:
                events.append(SHARED(share, left))
    if config.adjudication:
        world, plot = raids.world[last.judged], raids.plot[last.judged]
        columns = (world, plot, raids.winner[last.judged], after.first[world, plot], last.restored)
        for at, place, captor, first, restored in zip(*(one.tolist() for one in columns), strict=True):
            by_world[at].append((RESTORED if restored else UPHELD)(cells[place], captor, first))


def _write_totals(by_world: ByWorld, after: Worlds, last: Settlement) -> None:
    raids, many = last.raids, after.many
    claimed = np.bincount(last.claims.world, last.claims.counts, many).astype(np.int64)
    tried, captured = after.raid_counts()
    repelled = np.bincount(raids.world, raids.counts * raids.repelled, many).astype(np.int64)
    held, defended = (after.owners != NOBODY).sum(axis=1), last.defended.sum(axis=1)
    columns = (last.output, held, claimed, tried, captured, repelled, defended, after.treasury)
    for events, (output, plots, *rest) in zip(
        by_world, zip(*(one.tolist() for one in columns), strict=True), strict=True
    ):
        events.append(CLOSED(after.round, output, plots, after.plots, *rest))
