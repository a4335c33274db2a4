"""Bulk runs that only policies play, side by side: one batch makes the rounds of them all (`games.core.batch`).

Runs of one game whose configs and seats are alike, and which have not begun, are taken together, each under a lease of
its own. What they come to is stored by each one's driver, as if it had played alone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from games.core.answers import JSON
from games.core.batch import Round, alike, together
from games.core.codec import SNAPSHOT_EVERY
from games.core.game import Step
from games.core.pack import NoBatch, Sitting
from games.core.written import Written
from games.site.drive.lease import Lease
from games.site.models import ACTIVE, Queue, Run, SeatKind
from games.site.record import selectors
from games.site.record.capacity import bulk_processes
from games.site.record.rows import NewStep
from games.site.record.selectors import Playing

log = logging.getLogger(__name__)
MOST: Final = 64
"""Runs that are played together: more are hardly faster, and each waits for the others."""
SOUGHT: Final = 256
"""Runs that wait, among which those are looked for."""
FIRST, STEPS = 512, 4096
"""Steps of all runs together that are made before the first of them is stored: at first, and at most."""
CYCLE_S: Final = 3.0
"""How long it is to take from one time that they are stored to the next, for leases must last."""
SLICES: Final = 3
"""How many slices of a run alone they have; what is not over by then goes on alone."""
NOTHING: Final = (None, None, None)
"""What columns tell of steps that are made."""
_broken = set[str]()
"""Games whose batch form broke in this process: their runs are played one by one, and fail by themselves."""


class _Made(NamedTuple):
    """A round of all runs, measured and written where columns tell it."""

    before: Sequence[Step[Any, Any] | None]
    steps: Sequence[Step[Any, Any] | None]
    measures: Sequence[Mapping[str, JSON]] | None
    written: Sequence[Written] | None
    states: Sequence[Any] | None

    def one(self, number: int, play: Playing) -> NewStep | None:
        """What is stored of one run; None where it is over."""
        make: Any = partial(self.steps.__getitem__, number)
        kept = make() if self.written is None else self.written[number]
        if kept is None:
            return None
        measures: Mapping[str, JSON] | None = None
        if self.measures is not None:
            measures = self.measures[number]
        elif self.before and (last := self.before[number]) is not None:  # of columns it is made
            measures = play.pack.metrics.measure(play.config, last.state, make())
        return NewStep(kept, measures, {}, {}, None if self.states is None else self.states[number], make)


@dataclass(slots=True)
class Batch:
    """The rounds of runs side by side, made some at a time: the next when one of the runs asks for them.

    ``is_broken``  the batch form raised; what it made before that can be stored
    """

    game: str
    rounds: Iterator[Sequence[Step[Any, Any] | None]]
    many: int
    is_broken: bool = False
    _made: list[_Made] = field(default_factory=list)
    _times: int = 0
    _since: float = 0.0

    def steps(self, play: Playing, number: int, time_: int) -> Iterator[NewStep]:
        """What one of the runs stores the first, second ... time; nothing: it is over, or the batch is broken.

        Each of the runs has to ask for one time before any asks for the next.
        """
        if time_ == self._times:
            self._make()
        assert time_ == self._times - 1
        for made in self._made:
            if (new := made.one(number, play)) is None:
                return
            yield new

    def _make(self) -> None:
        self._times += 1
        now, room = time.monotonic(), FIRST // self.many
        before: Sequence[Step[Any, Any] | None] = ()
        if self._made:
            before = self._made[-1].steps
            room = min(STEPS // self.many, int(len(self._made) * CYCLE_S / (now - self._since)))
        if room > SNAPSHOT_EVERY:
            room -= room % SNAPSHOT_EVERY  # so that every step finds its snapshot open
        self._made, self._since = [], now
        try:
            for steps in self.rounds:
                told = (steps.measures(), steps.written(), steps.states()) if isinstance(steps, Round) else NOTHING
                self._made.append(_Made(before, steps, *told))
                before = steps
                if len(self._made) >= room or time.monotonic() - now >= CYCLE_S / 2:
                    return
        except Exception:
            self.is_broken = True
            _set_aside(self.game)


def _set_aside(game: str) -> None:
    log.exception("%s: the batch form broke; its runs go on one by one", game)
    _broken.add(game)


_BEFORE_ITS_START: Final = {
    "queue": Queue.BULK, "head": -1, "parent_id": None, "pace": 0, "pause_at": None, "rounds_left": None
}  # fmt: skip
"""Of a run that goes on to its end as fast as it can."""


def taken(play: Playing) -> tuple[Batch, list[tuple[Lease, Run]]] | None:
    """A batch whose first run is this one, which is ours, and the others with their leases; None: it goes alone."""
    run, form, agents = play.run, play.pack.batch, _agents(play.run)
    if form is None or run.game in _broken or agents is None:
        return None
    if any(play.pack.policies[agent["policy"]].play_all is None for agent in agents):
        return None  # of what one remembers no column tells
    seeds, configs = [run.seed], [play.config]
    seated = {seat: Sitting(agent["policy"], agent.get("params") or {}) for seat, agent in enumerate(agents)}
    try:
        key = alike(form, play.config)
        together(form, configs, seeds, seated)
    except NoBatch:
        return None
    except Exception:
        _set_aside(run.game)
        return None

    def fits(mate: Run | None) -> bool:
        try:
            return mate is not None and _agents(mate) == agents and alike(form, selectors.playing(mate).config) == key
        except NoBatch:
            return False

    leases = _leases(run, fits)
    at_hand, mates = selectors.runs_at_hand(lease.run_id for lease in leases), list[tuple[Lease, Run]]()
    for lease in leases:
        mate = at_hand.get(lease.run_id)
        if mate is None or not fits(mate):  # it was changed before it was ours
            lease.release()
            continue
        mates.append((lease, mate))
        seeds.append(mate.seed)
        configs.append(selectors.playing(mate).config)
    return (Batch(run.game, together(form, configs, seeds, seated), len(seeds)), mates) if mates else None


def _leases(run: Run, fits: Callable[[Run | None], bool]) -> list[Lease]:
    """Of runs that can begin with this one, so many that every process has its share of what waits."""
    share = min(MOST, -(-Run.objects.filter(queue=Queue.BULK, status__in=ACTIVE).count() // bulk_processes()))
    waiting = selectors.idle_runs().filter(**_BEFORE_ITS_START, game=run.game, rules_version=run.rules_version)
    known, chosen = dict[tuple[int, str], bool](), list[str]()
    for pk, scenario, config in waiting.order_by("created").values_list("pk", "scenario", "config_hash")[:SOUGHT]:
        kind = scenario, config
        if kind not in known:
            known[kind] = fits(selectors.runs_at_hand([pk]).get(pk))
        if known[kind]:
            chosen.append(pk)
    return Lease.take_all(Run.objects.filter(pk__in=chosen[: max(0, share - 1)]).order_by("created"))


def _agents(run: Run) -> list[dict[str, Any]] | None:
    """Who plays in a run that can begin with others: policies that sit there from the start; None where it cannot."""
    seats = selectors.seats_of(run)
    can_begin = all(getattr(run, name) == value for name, value in _BEFORE_ITS_START.items())
    is_plain = all(seat.kind == SeatKind.POLICY and seat.since < 0 for seat in seats)
    return [seat.agent for seat in seats] if can_begin and is_plain else None
