"""Plans and events of a round as JSON, those of all worlds in one pass: what `news` words, written from columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, repeat
from typing import Final, TypeAlias

import numpy as np

from games.catalog.mining.columns.standing import structs
from games.catalog.mining.columns.world import FAR, Contests, Mined, Plans, Settlement, Worlds
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.grid import grid
from games.catalog.mining.news import message_event
from games.catalog.mining.state import KINDS, NOBODY, Item, Message, Plan
from games.core.batch import Played
from games.core.codec import SNAPSHOT_EVERY, as_it_stands, canonical_plain, dump, encode_event, encode_turn
from games.core.draws import Ints
from games.core.game import Seat, Turn
from games.core.steps import everybody
from games.core.written import EventForms, Form, Parts, Words, Written, lists, text_of

DEFENDED: Final = EventForms({"plots_defended": ("plots",)}, ["plots"])
CLAIMED: Final = EventForms({"plot_claimed": ("plot", "by"), "claim_drawn": ("plot", "by", "claimants")}, ["claimants"])
RAID: Final = ("plot", "raiders", "from", "owner")
TAKEN: Final = (*RAID, "by")
RAIDED: Final = EventForms(
    {"raid_void": RAID, "raid_repelled": RAID, "plot_taken": TAKEN, "raid_drawn": TAKEN}, ["raiders", "from"]
)
MINED: Final = EventForms({"gold_mined": ("by", "gold", "plots", "mined", "lost")}, ["plots", "mined", "lost"], to=True)
LEVIED: Final = EventForms({"levy_paid": ("by", "raids", "captures", "due", "paid")})
SHARED: Final = EventForms({"treasury_shared": ("share", "left")})
VERDICT: Final = ("plot", "captor", "first")
JUDGED: Final = EventForms({"capture_upheld": VERDICT, "plot_restored": VERDICT})
TOTALS: Final = ("round", "output", "held", "plots", "claims", "raids", "captures", "repelled", "defences", "treasury")
CLOSED: Final = EventForms({"round_closed": TOTALS})


def written(rounds: Sequence[Played[Worlds, Plans]], index: int) -> Sequence[Written]:
    """Round by round, and in each by world, the step as it is kept."""
    actions = [text for one in rounds for text in _actions(one.after, one.actions)]
    gains = [list(enumerate(row)) for one in rounds for row in one.after.last.gains.tolist()]  # type: ignore[union-attr]
    rows, many = zip(actions, events(rounds), gains, strict=True), rounds[0].after.many
    seats = everybody(rounds[0].after.miners)
    made: list[Written] = []
    for number, one in enumerate(rounds, index):
        turn = encode_turn(Turn((("round", one.after.round),), "act", seats))
        told = map(as_it_stands, map(canonical_plain, structs(one))) if number % SNAPSHOT_EVERY == 0 else repeat(None)
        made += [Written(number, turn, *row, state) for row, state in zip(islice(rows, many), told, strict=False)]
    return made


# --- plans ----------------------------------------------------------------------------------------

Said: TypeAlias = tuple[tuple[Seat, tuple[Message, ...]], ...]


def _actions(after: Worlds, plans: Plans) -> list[str]:
    """By world what each seat carries out."""
    put, seats, many = plans.items >= 0, after.miners, after.many
    said = tuple(plans.offers.items())
    codes, counts = plans.items[put], put.sum(axis=1)
    items, form = _plan_form(after.config.rows, after.config.cols, seats, plans.stamina, said)
    return lists([form.written(np.full(many, seats), [items.several(codes, counts)], np.tile(np.arange(seats), many))])


@lru_cache(maxsize=8)
def items_of(rows: int, cols: int, stamina: int) -> Sequence[Item]:
    """The item of each code: see `Plans.put`."""
    return [Item(kind, cell, s) for kind in KINDS for cell in grid(rows, cols).cells for s in range(stamina + 1)]


@lru_cache(maxsize=16)
def _plan_form(rows: int, cols: int, seats: int, stamina: int, said: Said) -> tuple[Words, Form]:
    """Items by their codes, and how each seat's are written."""
    plans = [text_of([seat, dump(Plan, Plan((), dict(said).get(seat, ())))]) for seat in range(seats)]
    return (
        Words(map(text_of, dump(list[Item], items_of(rows, cols, stamina)))),
        Form([f",{plan}".replace('"items":[]', '"items":[\n]').split("\n") for plan in plans]),
    )


# --- events ---------------------------------------------------------------------------------------


def events(rounds: Sequence[Played[Worlds, Plans]]) -> list[str]:
    """Round by round, and in each by world, the list of what happened."""
    many, config = rounds[0].before.many, rounds[0].before.config
    after = Worlds.beside([one.after for one in rounds])
    last = after.last
    assert last is not None
    places, seats = _places(config.rows, config.cols), _seats(config.miners)
    return lists([
        _talk([one.actions for one in rounds], many), _defences(last, places),
        _claims(last.claims, places, seats, after.many), _raids(after, last, places, seats),
        _mining(last.mined, after, places, seats), *_authority(after, last, places),
        _totals(after, last, np.repeat([one.after.round for one in rounds], many)),
    ])  # fmt: skip


@lru_cache(maxsize=64)
def _places(rows: int, cols: int) -> Words:
    """Places by plot; the last stands for none."""
    return Words([*(f"[{row},{col}]" for row, col in grid(rows, cols).cells), "null"])


@lru_cache(maxsize=64)
def _seats(miners: int) -> Words:
    """Seats; the last stands for none."""
    return Words([*range(miners), "null"])


def _talk(plans: Sequence[Plans], many: int) -> Parts:
    words = [_said(tuple(one.offers.items())) for one in plans]
    return [told for told in words for _ in range(many)]


@lru_cache(maxsize=64)
def _said(said: Said) -> str:
    told = [message_event(seat, message) for seat, messages in sorted(said) for message in messages]
    return "".join([f",{text_of(encode_event(event))}" for event in told])


def _defences(last: Settlement, places: Words) -> Parts:
    counts = last.defended.sum(axis=1)
    some = counts > 0
    return DEFENDED.parts(some.astype(np.int64), places.several(np.nonzero(last.defended)[1], counts[some]))


def _claims(claims: Contests, places: Words, seats: Words, many: int) -> Parts:
    is_drawn = claims.counts > 1
    drawn = seats.several(claims.seats[is_drawn.repeat(claims.counts)], np.where(is_drawn, claims.counts, 0))
    columns = places.one(claims.plot), seats.one(claims.winner), drawn
    return CLAIMED.parts(np.bincount(claims.world, minlength=many), *columns, kinds=is_drawn.astype(np.int64))


def _raids(after: Worlds, last: Settlement, places: Words, seats: Words) -> Parts:
    raids = last.raids
    owners = np.where(raids.owner == NOBODY, after.miners, raids.owner)
    return RAIDED.parts(
        np.bincount(raids.world, minlength=after.many), places.one(raids.plot),
        seats.several(raids.seats, raids.counts), places.several(_sources(after.config, last), raids.counts),
        seats.one(owners), seats.one(raids.winner),
        kinds=np.where(raids.winner == NOBODY, raids.repelled, 2 + (raids.counts > 1)),
    )  # fmt: skip


def _sources(config: MiningConfig, last: Settlement) -> Ints:
    """For each who raids its own plot that is closest to the target when the raids come, of those as close
    the one of the lowest number; past all plots if it has none."""
    contest, raider = last.raids.each()
    world, plot = last.raids.world[contest], last.raids.plot[contest]
    raid, own = (last.met.astype(np.int16)[world] == raider.astype(np.int16)[:, None]).nonzero()
    (down, right), (row, col) = np.divmod(own, config.cols), np.divmod(plot[raid], config.cols)
    nearest = np.full(len(raider), FAR)
    np.minimum.at(nearest, raid, (abs(down - row) + abs(right - col)) * config.plots + own)
    return np.where(nearest < FAR, nearest % config.plots, config.plots)


def _mining(mined: Mined, after: Worlds, places: Words, seats: Words) -> Parts:
    lines, held, gold = after.many * after.miners, mined.held, mined.gold
    some = mined.line[np.diff(mined.line, prepend=-1) > 0]
    paid, lost = (np.bincount(mined.line[which], minlength=lines)[some] for which in (held, ~held))
    sums = np.bincount(mined.line, gold, lines)[some].astype(np.int64)
    amounts, seat = np.unique(gold[held]), seats.one(some % after.miners)
    return MINED.parts(
        np.bincount(some // after.miners, minlength=after.many), seat, Words.numbers(sums),
        places.several(mined.plot[held], paid), Words(amounts.tolist()).several(amounts.searchsorted(gold[held]), paid),
        places.several(mined.plot[~held], lost), seat,
    )  # fmt: skip


def _authority(after: Worlds, last: Settlement, places: Words) -> Iterator[Parts]:
    terms, raids, many = after.terms, last.raids, after.many
    if terms.tax.any() or terms.fine.any():
        world, seat = np.nonzero(last.due)
        levies = (seat, *(one[world, seat] for one in (last.attempts, last.captures, last.due, last.paid)))
        yield LEVIED.parts(np.bincount(world, minlength=many), *map(Words.numbers, levies))
    if terms.shares.any():
        some = last.share > 0
        yield SHARED.parts(some.astype(np.int64), *map(Words.numbers, (last.share[some], after.treasury[some])))
    if terms.adjudication.any():
        world, plot = raids.world[last.judged], raids.plot[last.judged]
        columns = raids.winner[last.judged], after.first[world, plot]
        kinds = last.restored.astype(np.int64)
        yield JUDGED.parts(
            np.bincount(world, minlength=many), places.one(plot), *map(Words.numbers, columns), kinds=kinds
        )


def _totals(after: Worlds, last: Settlement, rounds: Ints) -> Parts:
    raids, many = last.raids, after.many
    claimed = np.bincount(last.claims.world, last.claims.counts, many).astype(np.int64)
    tried, captured = after.raid_counts()
    repelled = np.bincount(raids.world, raids.counts * raids.repelled, many).astype(np.int64)
    held, defended = (after.owners != NOBODY).sum(axis=1), last.defended.sum(axis=1)
    plots = np.full(many, after.plots)
    numbers = (rounds, last.output, held, plots, claimed, tried, captured, repelled, defended, after.treasury)
    return CLOSED.parts(np.ones(many, np.int64), *map(Words.numbers, numbers))
