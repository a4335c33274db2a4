"""Bulk runs that only policies play, side by side: one batch of columns makes the rounds of them all.

Runs of one scenario and config that stand before their start are taken together, each under a lease of its own. What
they come to is stored by each one's driver, as if it had played alone; see `games.core.batch`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from games.core.answers import JSON
from games.core.batch import Round
from games.core.game import Step
from games.core.pack import NoBatch
from games.core.written import Written
from games.site.drive.lease import Lease
from games.site.models import ACTIVE, Queue, Run, SeatKind
from games.site.record import selectors
from games.site.record.capacity import bulk_processes
from games.site.record.rows import NewStep
from games.site.record.selectors import Playing

log = logging.getLogger(__name__)
MOST: Final = 32
"""Runs that are played together: more are hardly faster, and each waits for the others."""
STEPS: Final = 2048
"""Steps of all runs together that are made before the first of them is stored."""
MAKING_S: Final = 1.0
"""How long they are made; storing them takes as long again, and leases must last."""
SLICES: Final = 3
"""How many slices of a run alone they have; what is not over by then goes on alone."""
_broken = set[int]()
"""Scenarios whose batch form broke in this process: their runs are played one by one, and fail by themselves."""


@dataclass(frozen=True, slots=True)
class _Seated:
    policy: str
    params: Mapping[str, Any]


class _Made(NamedTuple):
    """A round of all runs, measured and written where columns tell it."""

    before: Sequence[Step[Any, Any] | None]
    steps: Sequence[Step[Any, Any] | None]
    measures: Sequence[Mapping[str, JSON]] | None
    written: Sequence[Written] | None


@dataclass(slots=True)
class Batch:
    """The rounds of runs side by side, made some at a time: the next when one of the runs asks for them.

    ``is_broken``  the batch form raised; what it made before that can be stored
    """

    play: Playing
    rounds: Iterator[Sequence[Step[Any, Any] | None]]
    many: int
    is_broken: bool = False
    _made: list[_Made] = field(default_factory=list)
    _times: int = 0

    def takes(self, run: Run) -> bool:
        """Whether the run, which is ours by now, is still one of them."""
        return _is_fit(run) and _agents(run) == _agents(self.play.run)

    def steps(self, number: int, time_: int) -> Iterator[NewStep]:
        """What one of the runs stores the first, second ... time; nothing: it is over, or the batch is broken.

        Each of the runs has to ask for one time before any asks for the next.
        """
        if time_ == self._times:
            self._make()
        assert time_ == self._times - 1
        for made in self._made:
            step = made.steps[number]
            if step is None:
                return
            measures = made.measures[number] if made.measures is not None else self._measured(made, number, step)
            yield NewStep(step, measures, {}, {}, made.written[number] if made.written is not None else None)

    def _make(self) -> None:
        self._times += 1
        before: Sequence[Step[Any, Any] | None] = self._made[-1].steps if self._made else ()
        self._made, until = [], time.monotonic() + MAKING_S
        try:
            for steps in self.rounds:
                measures, written = (steps.measures(), steps.written()) if isinstance(steps, Round) else (None, None)
                self._made.append(_Made(before, steps, measures, written))
                before = steps
                if len(self._made) * self.many >= STEPS or time.monotonic() >= until:
                    return
        except Exception:
            log.exception("%s: the batch form broke; its runs go on one by one", self.play.pack.slug)
            self.is_broken = True
            _broken.add(self.play.run.scenario_id)

    def _measured(self, made: _Made, number: int, step: Step[Any, Any]) -> Mapping[str, JSON] | None:
        if not made.before:
            return None
        last = made.before[number]
        assert last is not None
        return self.play.pack.metrics.measure(self.play.config, last.state, step)


_BEFORE_ITS_START: Final = {
    "queue": Queue.BULK, "head": -1, "parent_id": None, "pace": 0, "pause_at": None, "rounds_left": None
}  # fmt: skip
"""Of a run that goes on to its end as fast as it can."""


def taken(play: Playing) -> tuple[Batch, list[Lease]] | None:
    """A batch whose first run is this one, which is ours, and the leases of the others; None where it goes alone."""
    run, batch = play.run, play.pack.batch
    if batch is None or not _is_fit(run) or run.scenario_id in _broken:
        return None
    seats = selectors.seats_of(run)
    if any(play.pack.policies[seat.agent["policy"]].play_all is None for seat in seats):
        return None  # of what one remembers no column tells
    seated = {seat.index: _Seated(seat.agent["policy"], seat.agent.get("params") or {}) for seat in seats}
    alike = selectors.idle_runs().filter(**_BEFORE_ITS_START, scenario=run.scenario_id, config_hash=run.config_hash)
    share = min(MOST, -(-Run.objects.filter(queue=Queue.BULK, status__in=ACTIVE).count() // bulk_processes()))
    try:
        batch(play.config, [run.seed], seated)
        found, leases = {run.pk: run.seed}, list[Lease]()
        for pk, seed in alike.exclude(pk=run.pk).order_by("created").values_list("pk", "seed")[: max(0, share - 1)]:
            if (lease := Lease.take(pk, Queue.BULK)) is not None:
                found[pk] = seed
                leases.append(lease)
        return (Batch(play, batch(play.config, list(found.values()), seated), len(found)), leases) if leases else None
    except NoBatch:
        return None


def _is_fit(run: Run) -> bool:
    is_at_start = all(getattr(run, name) == value for name, value in _BEFORE_ITS_START.items())
    return is_at_start and all(seat.kind == SeatKind.POLICY and seat.since < 0 for seat in selectors.seats_of(run))


def _agents(run: Run) -> list[Any]:
    return [seat.agent for seat in selectors.seats_of(run)]
