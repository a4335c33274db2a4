"""The states of many worlds, told from columns: as values, and as what `codec.dump` gives of these."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, starmap
from typing import Any, TypeVar

import numpy as np

from games.catalog.mining.columns.world import COLUMNS, Contests, Plans, Worlds
from games.catalog.mining.state import NOBODY, Claim, MiningState, Raid, RoundRecord, Verdict
from games.core.batch import Played
from games.core.codec import as_it_stands, in_order, struct_of
from games.core.draws import Ints

T = TypeVar("T")
STATE, RECORD, CLAIM, RAID, VERDICT = map(struct_of, (MiningState, RoundRecord, Claim, Raid, Verdict))


def structs(played: Played[Worlds, Plans]) -> list[Any]:
    """By world the state after a round, to be encoded."""
    return [
        STATE(*row, RECORD(list(starmap(CLAIM, claims)), list(starmap(RAID, raids)), defended,
                           list(starmap(VERDICT, judged)), output))
        for row, (claims, raids, defended, judged, output) in _rows(played.after)
    ]  # fmt: skip


def states(played: Played[Worlds, Plans]) -> list[Any]:
    """The same as the JSON of what `codec.dump` gives."""
    return list(map(as_it_stands, map(in_order, structs(played))))


def state_of(after: Worlds, world: int) -> MiningState:
    (now, *columns, treasury), (claims, raids, defended, judged, output) = _rows(after)[world]
    claimed, raided, verdicts = starmap(Claim, claims), starmap(Raid, raids), starmap(Verdict, judged)
    record = RoundRecord(tuple(claimed), tuple(raided), tuple(defended), tuple(verdicts), output)
    values: list[Any] = [now, *map(tuple, columns), treasury, record]
    return MiningState(*values)


def _rows(after: Worlds) -> Sequence[tuple[Sequence[Any], Sequence[Any]]]:
    """By world the values of a state but for its record, and those of that; its parts are rows of values. Made once."""
    last = after.last
    assert last is not None
    if not after.rows:
        raids, judged = last.raids, last.judged
        columns = {name: getattr(after, name).tolist() for name in COLUMNS}
        columns |= dict(zip(("alpha", "stamina"), zip(*after.fixed, strict=True), strict=True))
        claimed = zip(*_contests(last.claims), strict=True)
        plots, winners, seats = _contests(raids)
        outcomes = map(_outcome, winners, raids.repelled.tolist())
        raided = zip(plots, raids.owner.tolist(), seats, outcomes, winners, strict=True)
        world, plot = raids.world[judged], raids.plot[judged]
        of_verdicts = (plot, raids.winner[judged], after.first[world, plot], last.restored.astype(bool))
        where, defended = np.nonzero(last.defended)
        parts = ((last.claims.world, claimed), (raids.world, raided), (where, defended.tolist()))
        verdicts = zip(*(column.tolist() for column in of_verdicts), strict=True)
        by_world = (_by_world(after.many, of, list(items)) for of, items in (*parts, (world, verdicts)))
        records = zip(*by_world, last.output.tolist(), strict=True)
        rounds = [after.round] * after.many
        after.rows = list(zip(zip(rounds, *columns.values(), strict=True), records, strict=True))
    return after.rows


def _contests(of: Contests) -> tuple[list[int], list[int], list[tuple[int, ...]]]:
    """Plots, winners and those who take part."""
    seats, starts, counts = of.seats.tolist(), of.starts.tolist(), of.counts.tolist()
    alone = [(seat,) for seat in range(max(seats, default=0) + 1)]
    takers = [
        alone[seats[start]] if count == 1 else tuple(seats[start : start + count])
        for start, count in zip(starts, counts, strict=True)
    ]
    return of.plot.tolist(), of.winner.tolist(), takers


def _outcome(winner: int, repelled: bool) -> str:
    return "taken" if winner != NOBODY else "repelled" if repelled else "void"


def _by_world(many: int, worlds: Ints, items: Sequence[T]) -> list[Sequence[T]]:
    """The items of each world, which stand by world."""
    bounds = np.searchsorted(worlds, np.arange(many + 1)).tolist()
    return [items[start:end] for start, end in pairwise(bounds)]
