"""The states of many worlds as plain data, told from columns: what `codec.dump` gives of the state of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from games.catalog.mining.columns.world import COLUMNS, Contests, Plans, Worlds
from games.catalog.mining.state import NOBODY
from games.core.batch import Played
from games.core.draws import Ints

T = TypeVar("T")


def states(played: Played[Worlds, Plans]) -> list[dict[str, Any]]:
    """By world the state after a round, in the order of `MiningState` and `RoundRecord`."""
    after = played.after
    rows = zip(*(getattr(after, name).tolist() for name in COLUMNS), strict=True)
    return [
        {"round": after.round, **dict(zip(COLUMNS, row, strict=True)), "last": record}
        for row, record in zip(rows, _records(after), strict=True)
    ]


def _records(after: Worlds) -> list[dict[str, Any]]:
    last = after.last
    assert last is not None
    raids = last.raids
    claimed = [
        {"plot": plot, "winner": winner, "claimants": seats}
        for plot, winner, seats in zip(*_contests(last.claims), strict=True)
    ]
    raided = [
        {"plot": plot, "owner": owner, "raiders": seats, "outcome": _outcome(winner, repelled), "winner": winner}
        for plot, winner, seats, owner, repelled in zip(
            *_contests(raids), raids.owner.tolist(), raids.repelled.tolist(), strict=True
        )
    ]
    world, plot = raids.world[last.judged], raids.plot[last.judged]
    columns = (plot, raids.winner[last.judged], after.first[world, plot], last.restored.astype(bool))
    judged = [
        dict(zip(("plot", "captor", "first", "restored"), row, strict=True))
        for row in zip(*(column.tolist() for column in columns), strict=True)
    ]
    where, defended = np.nonzero(last.defended)
    parts = zip(
        _by_world(after.many, last.claims.world, claimed), _by_world(after.many, raids.world, raided),
        _by_world(after.many, where, defended.tolist()), _by_world(after.many, world, judged), last.output.tolist(),
        strict=True,
    )  # fmt: skip
    return [dict(zip(("claims", "raids", "defended", "verdicts", "output"), part, strict=True)) for part in parts]


def _contests(of: Contests) -> tuple[list[int], list[int], list[list[int]]]:
    """Plots, winners and those who take part."""
    seats, starts, counts = of.seats.tolist(), of.starts.tolist(), of.counts.tolist()
    takers = [seats[start : start + count] for start, count in zip(starts, counts, strict=True)]
    return of.plot.tolist(), of.winner.tolist(), takers


def _outcome(winner: int, repelled: bool) -> str:
    return "taken" if winner != NOBODY else "repelled" if repelled else "void"


def _by_world(many: int, worlds: Ints, items: Sequence[T]) -> list[Sequence[T]]:
    """The items of each world, which stand by world."""
    bounds = np.searchsorted(worlds, np.arange(many + 1)).tolist()
    return [items[start:end] for start, end in pairwise(bounds)]
