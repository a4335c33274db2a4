"""Collusion: what a step leaves in a trace, and which pairs of traces agree beyond chance.

Source: contract, "Epoch Boundary", 5. Two workers who both do little but gather are alike by chance alone, so the
suspicion is Cohen's kappa: agreement beyond what the two workers' own frequencies make likely, 1 at most.
Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.economist.money import MICRO, Micro
from games.catalog.economist.shapes import ActView
from games.catalog.economist.state import RESOURCES, Action, Book, Deal, Flag
from games.core.game import Seat

BLANK: Final = 0
"""A step in which nothing was done: frozen, out of energy, or idle. To do nothing together is no conspiracy."""
ACTS: Final = ("noop", "move", "gather", "build", "buy", "sell", "shift", "misreport", "cancel")
BOOST_MAX: Final = 5 * MICRO
_ORDERS: Final = 16
_CODES: Final = {name: code for code, name in enumerate(ACTS)}
NEAR: Final = 1e-5
"""How far below a threshold a pair is still looked at exactly: more than scores are rounded by."""
AT_ONCE: Final = 2_000_000
"""Numbers in one table of the detector: a block of workers is as large as that allows."""


def encoded(action: Action) -> int:
    """What the detector sees of an action: its name, and of an order also resource and price."""
    if isinstance(action, Deal):
        return _ORDERS + ((round(action.price * MICRO) * 2 + (action.resource == "stone")) * 2 + (action.do == "sell"))
    return _CODES[action.do]


def offered(action: Action, books: Sequence[Book]) -> int:
    """The same of an offer above what the market's last step still bid; any other action is no sign of a fixed price.

    Whoever sells at that bid takes the market's price, and so do all who see it.
    """
    if not isinstance(action, Deal) or action.do != "sell":
        return BLANK
    waiting = next((order.price for order in books[RESOURCES.index(action.resource)].bids if order.left), 0)
    return encoded(action) if round(action.price * MICRO) > waiting else BLANK


def standing_offers(books: Sequence[Book], workers: int) -> tuple[int, ...]:
    """Where orders stand: of each worker its cheapest offer that stands above what is still bid, BLANK for none.

    No sign of a fixed price is an offer where nobody bids, and one at 1 coin, a unit's income in kind, to which
    competition leads.
    """
    row = [BLANK] * workers
    for place, book in enumerate(books):
        waiting = next((order.price for order in book.bids if order.left), 0)
        for order in reversed(book.asks):  # the best comes last, and stays
            if waiting and order.left and order.price > max(waiting, MICRO):
                row[order.by] = _ORDERS + (order.price * 2 + place) * 2 + 1
    return tuple(row)


def decoded(code: int) -> ActView:
    """An entry of a trace in words: ``do``, and ``resource`` and ``price`` of an order."""
    if code < _ORDERS:
        return {"do": ACTS[code]}
    rest, is_sale = divmod(code - _ORDERS, 2)
    price, is_stone = divmod(rest, 2)
    return {"do": "sell" if is_sale else "buy", "resource": RESOURCES[is_stone], "price": price / MICRO}


def scores(shared: int, equal: int, pairs: int) -> tuple[float, float]:
    """Similarity and suspicion (kappa; 0 where the two could not have differed)."""
    beyond = shared * shared - pairs
    kappa = (equal * shared - pairs) / beyond if beyond else 0.0
    return round(equal / shared, 6), round(max(0.0, kappa), 6)


def detect(traces: Sequence[Sequence[int]], least: int, similarity: float, suspicion: float) -> list[Flag]:
    """A flag for each pair, in seat order, that shares enough steps and reaches both thresholds.

    ``traces`` by worker, aligned by step and equally long. All pairs are counted at once, in whole numbers; the
    `scores` of those that are near or above both thresholds decide.
    """
    if len(traces) < 2 or not traces[0]:
        return []
    acted, did = _bits(np.array(traces, dtype=np.int64))
    workers, codes, words = did.shape
    rows = max(1, AT_ONCE // (workers * (codes + 1) * words))
    flags = []
    for first in range(0, workers, rows):
        block = slice(first, first + rows)
        shared = _count(acted[block, None] & acted[None])
        equal = _count(did[block, None] & did[None]).sum(axis=2)
        ours = _count(did[block, None] & acted[None, :, None])  # by worker of the block, other, code
        theirs = _count(did[None] & acted[block, None, None])
        pairs = (ours * theirs).sum(axis=2)
        alike = (shared >= least) & (equal >= (similarity - NEAR) * shared)
        beyond = (equal * shared - pairs >= (suspicion - NEAR) * (shared * shared - pairs)) | (suspicion <= 0)
        later = np.arange(workers) > np.arange(first, first + len(shared))[:, None]
        near = np.nonzero(later & alike & beyond)
        counts = zip(*(array.tolist() for array in (*near, shared[near], equal[near], pairs[near])), strict=True)
        for row, other, *counted in counts:
            alike, kappa = scores(*counted)
            if alike >= similarity and kappa >= suspicion:
                flags.append(flag(traces, (first + row, other), alike, kappa))
    return flags


def _bits(traces: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The steps in which each worker did anything, and those in which it did each code, 64 steps to a word.

    Shapes (workers, words) and (workers, codes, words). Codes of one worker alone are left out: they equal nothing.
    """
    workers, steps = traces.shape
    padded = np.full((workers, -(-steps // 64) * 64), BLANK)
    padded[:, :steps] = traces
    codes = np.unique(traces)
    did = padded[:, None, :] == codes[codes != BLANK][None, :, None]
    common = did.any(axis=2).sum(axis=0) > 1
    return _packed(padded != BLANK), _packed(did[:, common])


def _packed(steps: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.packbits(steps, axis=-1).view(np.uint64)


def _count(bits: NDArray[np.uint64]) -> NDArray[np.int32]:
    """How many bits are set along the last axis."""
    counts = np.bitwise_count(bits)
    return counts[..., 0].astype(np.int32) if bits.shape[-1] == 1 else counts.sum(axis=-1, dtype=np.int32)


def flag(traces: Sequence[Sequence[int]], pair: tuple[Seat, Seat], alike: float, kappa: float) -> Flag:
    """The flag of one pair with these `scores`."""
    left, right = (traces[seat] for seat in pair)
    kept = [both for both in zip(left, right, strict=True) if BLANK not in both]
    ours, theirs = zip(*kept, strict=True)
    return Flag(pair, alike, kappa, ours, theirs)


def blanked(traces: Sequence[tuple[int, ...]], flags: Sequence[Flag]) -> tuple[tuple[int, ...], ...]:
    """The traces, a row a step, without what the flagged did: a deed counts in one flag's epoch only."""
    seats = {seat for flag in flags for seat in flag.pair}
    return tuple(tuple(BLANK if seat in seats else code for seat, code in enumerate(row)) for row in traces)


def boosted(boost: Micro, flags: int, by: Micro) -> Micro:
    """A worker's audit boost after an epoch: more for each flag, up to 5; half where there was none."""
    return min(BOOST_MAX, boost + flags * by) if flags else boost // 2
