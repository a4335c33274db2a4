"""One world of a round as the kernel's values: its plans, its state, and what its events are worded from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from games.catalog.mining.authority import Levy
from games.catalog.mining.columns.world import Contests, Plans, Worlds
from games.catalog.mining.conflicts import Yield
from games.catalog.mining.grid import grid
from games.catalog.mining.news import Settled
from games.catalog.mining.state import KINDS, NOBODY, Claim, Item, MiningState, Plan, Raid, RoundRecord, Verdict
from games.core.draws import Ints
from games.core.game import LazyActions, LazyEvents, Seat, Step, Turn


def step(before: Worlds, plans: Plans, after: Worlds, index: int, world: int) -> Step[MiningState, Plan]:
    """One world's step. Plans and events are made when they are read."""
    settled = _Told(before, plans, after, world)
    seats = _everybody(after.miners)
    actions = LazyActions(seats, settled.plans)
    gains = dict(enumerate(after.last.gains[world].tolist())) if after.last else {}
    turn = Turn((("round", after.round),), "act", seats)
    return Step(index, turn, actions, {}, {}, LazyEvents(settled.events), gains, settled.state)


@lru_cache(maxsize=64)
def _everybody(miners: int) -> tuple[Seat, ...]:
    return tuple(range(miners))


class _Told:
    """A world's round, told from its columns."""

    __slots__ = ("_after", "_before", "_plans", "_world", "state")

    def __init__(self, before: Worlds, plans: Plans, after: Worlds, world: int) -> None:
        self._before, self._plans, self._after, self._world = before, plans, after, world
        self.state = self._state()

    def _span(self, of: Ints) -> slice:
        """Where the rows of this world stand, of rows by world."""
        return slice(*np.searchsorted(of, (self._world, self._world + 1)).tolist())

    def _state(self) -> MiningState:
        after, world = self._after, self._world
        rows = (after.owners, after.since, after.first, after.immune_until)
        owners, since, first, immune = (tuple(row[world].tolist()) for row in rows)
        alpha, stamina = after.fixed[world]
        gold, challenged = tuple(after.gold[world].tolist()), tuple(after.challenged[world].tolist())
        treasury, record = int(after.treasury[world]), self._record()
        return MiningState(
            after.round, owners, since, first, immune, alpha, stamina, gold, challenged, treasury, record
        )

    def _record(self) -> RoundRecord:
        last = self._after.last
        assert last is not None
        plots, winners, seats, *_ = self._contests(last.claims)
        claims = tuple(map(Claim, plots, winners, seats))
        plots, winners, seats, owners, outcomes = self._contests(last.raids)
        raids = tuple(map(Raid, plots, owners, seats, outcomes, winners))
        defended = tuple(np.flatnonzero(last.defended[self._world]).tolist())
        verdicts: tuple[Verdict, ...] = ()
        if len(last.judged):
            at = self._span(last.raids.world[last.judged])
            judged, restored = last.judged[at], last.restored[at].tolist()
            plots, captors = last.raids.plot[judged].tolist(), last.raids.winner[judged].tolist()
            firsts = self._after.first[self._world, last.raids.plot[judged]].tolist()
            verdicts = tuple(map(Verdict, plots, captors, firsts, restored))
        return RoundRecord(claims, raids, defended, verdicts, int(last.output[self._world]))

    def _contests(self, of: Contests) -> tuple[list[Any], ...]:
        """Plots, winners, those who take part, owners, and what came of it where they were raids."""
        at = self._span(of.world)
        if at.start == at.stop:
            return [], [], [], [], []
        starts = of.starts[at].tolist()
        end = starts[-1] + int(of.counts[at.stop - 1])
        seats = of.seats[starts[0] : end].tolist()
        if len(seats) == len(starts):
            parts: list[tuple[Seat, ...]] = list(zip(seats))
        else:
            ends = [*starts[1:], end]
            parts = [tuple(seats[a - starts[0] : b - starts[0]]) for a, b in zip(starts, ends, strict=True)]
        winners = of.winner[at].tolist()
        outcomes = [
            "taken" if winner != NOBODY else "repelled" if repelled else "void"
            for winner, repelled in zip(winners, of.repelled[at].tolist(), strict=True)
        ]
        return of.plot[at].tolist(), winners, parts, of.owner[at].tolist(), outcomes

    def plans(self) -> Mapping[Seat, Plan]:
        """What each seat carries out."""
        miners, coded = self._after.miners, self._plans
        items = _items(self._after.config.rows, self._after.config.cols, coded.stamina)
        rows = coded.items[self._world * miners : (self._world + 1) * miners].tolist()
        said = coded.offers
        return {
            seat: Plan(tuple([items[code] for code in row if code >= 0]), said.get(seat, ()))
            for seat, row in enumerate(rows)
        }

    def events(self) -> Sequence[Any]:
        after, world, last = self._after, self._world, self._after.last
        assert last is not None
        config, state = after.configs[world], self.state
        told = Settled(
            config,
            grid(config.rows, config.cols),
            after.round,
            self._talk(),
            last.met[world].tolist(),
            state.last,
            self._yields(),
            self._levies(),
            int(last.share[world]),
            state.treasury,
            config.plots - state.owners.count(NOBODY),
        )
        return tuple(told.events())

    def _talk(self) -> Mapping[Seat, Plan]:
        """The messages alone: nothing else of plans is worded."""
        return {seat: Plan((), messages) for seat, messages in self._plans.offers.items()}

    def _yields(self) -> list[Yield]:
        after, miners = self._after, self._after.miners
        assert after.last is not None
        mined = after.last.mined
        begin, end = np.searchsorted(mined.line, (self._world * miners, (self._world + 1) * miners)).tolist()
        paid: list[list[tuple[int, int]]] = [[] for _ in range(miners)]
        lost: list[list[int]] = [[] for _ in range(miners)]
        seats = (mined.line[begin:end] - self._world * miners).tolist()
        columns = (column[begin:end].tolist() for column in (mined.plot, mined.gold, mined.held))
        for seat, plot, gold, held in zip(seats, *columns, strict=True):
            if held:
                paid[seat].append((plot, gold))
            else:
                lost[seat].append(plot)
        return [
            Yield(sum(gold for _, gold in won), tuple(won), tuple(gone)) for won, gone in zip(paid, lost, strict=True)
        ]

    def _levies(self) -> list[Levy]:
        last, world = self._after.last, self._world
        assert last is not None
        rows = (last.attempts, last.captures, last.due, last.paid)
        columns = zip(*(row[world].tolist() for row in rows), strict=True)
        return [Levy(seat, *owed) for seat, owed in enumerate(columns) if owed[2]]


@lru_cache(maxsize=8)
def _items(rows: int, cols: int, stamina: int) -> Sequence[Item]:
    """The item of each code: see `Plans.put`."""
    cells = grid(rows, cols).cells
    return [Item(kind, cell, s) for kind in KINDS for cell in cells for s in range(stamina + 1)]
