"""Drives one run: takes the lease, asks, resolves, stores. The only writer of steps.

A run is driven in slices of time. Each step is one transaction whose first statement moves the run's head from n-1 to n
on condition that the lease is still ours and the run still active: a stale driver, a pause and a stop are all the same
to it, a condition that no longer holds. Policies are asked again after a crash, since they are pure; answers that cost
something are stored on arrival and read back.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, transaction

from agents_app import deciders
from agents_app.ports import BatchWaits, RunStop, SeatedAgent, SpendStop
from agents_app.tracing import span
from games.core import codec
from games.core.agents import Decider, Decision, Teams, deciding, teams_of
from games.core.bulk import in_bulk
from games.core.engine import Answers, Ask, Carried, Position, answered, drive, hosted
from games.core.game import Seat
from games.core.requests import news
from games.core.rng import Rng
from games.site.accounts.webhooks import run_happened
from games.site.drive import abreast
from games.site.drive.abreast import Batch
from games.site.drive.accounts import Accounts
from games.site.drive.batches import is_answered_by_batch
from games.site.drive.lane import lane
from games.site.drive.lease import EARLY, LEASE, Lease, LeaseLost, Moved
from games.site.drive.model_seats import Asking
from games.site.drive.moving import Move
from games.site.drive.person_seats import People, Waits, is_over
from games.site.drive.together import together
from games.site.models import JOINED, Queue, Run, RunStatus, SeatKind
from games.site.models import Seat as SeatRow
from games.site.notify.doorbell import ring
from games.site.notify.queueing import enqueue
from games.site.record import calls, clock, selectors
from games.site.record.blobs import Base
from games.site.record.outcome import Account, account_of, answers_of
from games.site.record.rows import NewStep, Rows
from games.site.record.selectors import Playing

log = logging.getLogger(__name__)

AWAITED = timedelta(minutes=10)
"""A run that waits for a batch is woken by its answer; should that be lost, after so long."""
SLICE_S = {Queue.LIVE: 4.0, Queue.BULK: 8.0}
"""How long one task drives before it lets others have the worker."""
MODELS_SLICE_S = 20.0
"""The same of a run of models alone, which has a thread to itself: to take a run up costs as much as a round of two."""
ENDING = threading.Event()
"""Set when this process is to end: each slice ends with its step."""
BATCH = {Queue.LIVE: 32, Queue.BULK: 512}
"""Steps of an unpaced run that are stored in one transaction, at most."""
BATCH_S = {Queue.LIVE: 0.2, Queue.BULK: 1.0}
"""How long steps are gathered for it: what a kill costs, and what somebody who watches waits for."""
PASSING = (OperationalError, InterfaceError, InternalError, OSError)
"""What ends by itself: a database or a disk that is away, full or locked. A run waits for it, and never fails."""


def conduct(run_id: str, queue: str, slice_s: float | None = None) -> None:
    """Drive the run for a slice, then let go of it. Does nothing where it is not due, not free or not active.

    ``slice_s``: how long; None: as long as its queue usually does.
    """
    lease = Lease.take(run_id, queue)
    if lease is None:
        return
    bulk = in_bulk() if queue == Queue.BULK else nullcontext()
    with bulk, together.open():
        until = time.monotonic() + (SLICE_S[Queue(queue)] if slice_s is None else slice_s)
        drivers = [_Driver(lease, queue, until)]
        while drivers:
            drivers = [going for driver in drivers for going in _forward(driver)]


def _forward(driver: _Driver) -> Sequence[_Driver]:
    """Drive a run on, to the end of its slice where it goes alone. Who goes on in this slice: nobody then, else those
    that have just joined it, and it when they have come as far.
    """
    lease, again, goes_on = driver.lease, False, False
    try:
        with span("run", {"polity.run.id": lease.run_id, "polity.queue": driver.queue}):
            told = driver.drive()
        goes_on, again = told is None, bool(told)
    except LeaseLost:
        log.info("run %s: no longer ours", lease.run_id)
    except BatchWaits as waits:
        again = _let_go(lease, waits)
    except RunStop as limit:
        _pause(lease, str(limit), "limit" if isinstance(limit, SpendStop) else "models")
    except PASSING as error:
        log.warning("run %s: the machine stands in its way: %r; the sweep goes on with it", lease.run_id, error)
    except (DatabaseError, MemoryError) as error:
        log.exception("run %s is paused", lease.run_id)
        why = f"it could not be stored or held in memory: {error!r}; it is whole up to here: mend that and resume"
        _pause(lease, why, "storage")
    except Exception as error:
        log.exception("run %s failed", lease.run_id)
        _fail(lease, error)
    finally:
        lane.leave()
        if not goes_on:
            _release(lease)
    if again:
        enqueue(lease.run_id, driver.queue)
    return [*driver.joined(), *[driver][: int(goes_on)]]


def _release(lease: Lease) -> None:
    try:
        lease.release()
    except PASSING:
        lease.release_when_back()


def _let_go(lease: Lease, waits: BatchWaits) -> bool:
    """Leave the run until an answer of a batch is there; True where one has come meanwhile."""
    lease.held().update(wake_at=clock.now() + AWAITED)
    ring(lease.run_id)
    if not is_answered_by_batch(waits.letters):
        return False
    lease.held().update(wake_at=None)
    return True


def _fail(lease: Lease, error: Exception) -> None:
    """Mark the run failed at its step, with what happened; what is stored stays and can be replayed up to there."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    told = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
    with transaction.atomic():
        if lease.held().update(status=RunStatus.FAILED, error=told[:2000], ended=clock.now()):
            run_happened("run.ended", lease.run_id)
    ring(lease.run_id)


def _pause(lease: Lease, told: str, why: str) -> None:
    """Let the run stand still, for a reason that nobody asked for."""
    with transaction.atomic():
        if lease.held().update(status=RunStatus.PAUSED, error=told[:2000]):
            run_happened("run.paused", lease.run_id, why)
    ring(lease.run_id)


def _is_counted(at: Run | Moved) -> bool:
    """Whether somebody waits for each of its steps, or has said how many there are to be."""
    return at.pace > 0 or at.rounds_left is not None or at.pause_at is not None


@dataclass(slots=True)
class _Driver:
    """Drives one run for a slice. ``batch`` makes its steps and those of the runs beside it; None: it goes alone."""

    lease: Lease
    queue: str
    until: float
    batch: Batch | None = None
    number: int = 0
    """Of this run in the batch."""
    run: Run | None = None
    """Itself, where it was read since it is ours."""
    mates: list[_Driver] = field(init=False, default_factory=list)
    play: Playing = field(init=False)
    at: Run | Moved | None = field(init=False, default=None)
    """How the run stands; None before it was looked at."""
    alone: Iterator[NewStep] = field(init=False)
    asking: Asking = field(init=False)
    people: People | None = field(init=False, default=None)
    policies: dict[Seat, Decider] = field(init=False)
    teams: Teams = field(init=False)
    hash: str = field(init=False, default=codec.GENESIS)
    base: Base | None = field(init=False, default=None)
    carried: Carried = field(init=False, default_factory=Carried)
    bug: Exception | None = field(init=False, default=None)
    stored: int = field(init=False, default=0)
    """How often steps were stored in this slice."""
    account: Account | None = field(init=False, default=None)
    """Of a run that is driven from its start to its end in one go: it need not be read again to be measured."""

    def drive(self) -> bool | None:
        """Make steps until the slice, the pace or the run ends it; True: call again at once. None, where others go
        beside it: call again when they have come as far.
        """
        if self.at is None:
            self.at = self._begin()
        while (again := self._forward(self.at)) is None and self.batch is None:
            pass
        return again

    def joined(self) -> list[_Driver]:
        """Who goes beside it from now on."""
        mates, self.mates = self.mates, []
        return mates

    def _begin(self) -> Run:
        run = selectors.run_get(self.lease.run_id) if self.run is None else self.run
        self.play = selectors.playing(run)
        if not self.play.is_current:
            raise RuntimeError(
                f"the run was begun under rules {run.rules_version}, these are {self.play.game.rules_version}; "
                "its stored steps can be seen, but it cannot go on"
            )
        self._seat_agents(run)
        self.lease.held().update(started=run.started or clock.now(), status=RunStatus.RUNNING, error="")
        since = None
        if run.head < 0:
            self.account = Account.of(self.play)
        else:
            since, self.hash = selectors.position(self.play)
        self.alone = self._alone(since)
        if self.batch is None and self.queue == Queue.BULK and (taken := abreast.taken(self.play)) is not None:
            self.batch, others = taken
            self.until = time.monotonic() + abreast.SLICES * (self.until - time.monotonic())
            self.mates = [
                _Driver(lease, self.queue, self.until, self.batch, number, run)
                for number, (lease, run) in enumerate(others, 1)
            ]
        return run

    def _forward(self, at: Run | Moved) -> bool | None:
        """Make and store some steps; None: it goes on, else as `drive`."""
        self._nap(at)
        try:
            with span("step", {"polity.run.id": at.pk, "polity.game": self.play.pack.slug}) as kept:
                first = at.head + 1
                last, rows = self._gathered(at)
                if last is None:
                    if self.batch is not None and self.batch.is_broken:
                        return True
                    kept.note("end")
                    self._look_back()
                    self._finish()
                    return False
                self.at = at = self._store(first, last, rows)
                kept.note(told={"polity.step.first": first, "polity.step.last": at.head})
        except Waits as waits:
            return self._wait(waits)
        if at.rounds_left == 0 or (at.pause_at is not None and at.head >= at.pause_at):
            self.lease.held().update(status=RunStatus.PAUSED, rounds_left=None, pause_at=None)
            ring(at.pk)
            return False
        if time.monotonic() >= self.until or ENDING.is_set() or (self.batch is not None and _is_counted(at)):
            return True
        return False if at.wake_at is not None and at.wake_at - clock.now() > EARLY else None

    def _wait(self, waits: Waits) -> bool:
        """Leave the run until people have answered; True where they have meanwhile."""
        self.lease.held().update(status=RunStatus.WAITING, wake_at=waits.until)
        ring(self.lease.run_id)
        if not is_over(self.lease.run_id, waits.step):
            if waits.until is not None:
                left = (waits.until - clock.now()).total_seconds()  # none: it is not known yet what is given back
                enqueue(self.lease.run_id, self.play.run.queue, left if left > 0 else 1.0)
            return False
        self.lease.held().update(status=RunStatus.QUEUED, wake_at=None)
        return True

    def _nap(self, run: Run | Moved) -> None:
        """Wait until the pace allows the next step."""
        if run.wake_at is not None:
            lane.leave()
            time.sleep(max(0.0, min(EARLY, run.wake_at - clock.now()).total_seconds()))

    def _alone(self, since: Position[Any, Any] | None) -> Iterator[NewStep]:
        """Its steps after ``since``, each measured."""
        play, reflecting, carried = self.play, self.asking.reflecting, self.carried
        loop = drive(play.game, play.config, play.run.seed, since, reflecting, play.pack.controller, carried)
        before = None if since is None else since.last.state
        for step in hosted(loop, self._decisions, self.asking.memories):
            metrics = None if step.index == 0 else play.pack.metrics.measure(play.config, before, step)
            yield NewStep(step, metrics, carried.memories, carried.plans)
            before = step.state

    def _decisions(self, ask: Ask[Any, Any]) -> Answers[Any] | dict[Seat, Decision[Any]]:
        """Policies answer here, models and recordings through `Asking`, people through `People`."""
        if not self.asking.agents and self.people is None:
            return answered(ask, self.policies, self.teams)
        if self.people is not None:
            opened = self.people.open(ask, self.lease.held(), rings=bool(self.asking.agents), is_new=bool(self.stored))
        requests = ask.requests.items()
        made = {seat: self.policies[seat](one) for seat, one in requests if seat in self.policies and not one.standing}
        made |= self.asking.decisions(ask, is_new=bool(self.stored))
        if self.people is not None:
            made |= self.people.decisions(ask, self.people.look() if self.asking.agents else opened)
        return made

    def _seat_agents(self, run: Run) -> None:
        """Who answers for each seat."""
        specs = self.play.game.seats(self.play.config)
        self.policies = {}
        agents: dict[Seat, SeatedAgent] = {}
        people: dict[Seat, SeatRow] = {}
        for seat in selectors.seats_of(run):
            if seat.kind == SeatKind.POLICY:
                policy = self.play.pack.policies[seat.agent["policy"]]
                self.policies[seat.index] = deciding(policy.bind(seat.agent.get("params")))
            elif seat.kind in JOINED:
                people[seat.index] = seat
            else:
                spec, said = specs[seat.index], partial(calls.recorded, seat.agent)
                agents[seat.index] = deciders.seated_agent(self.play.pack, self.play.config, spec, seat.agent, said)
        self.teams = teams_of(self.policies, Rng.root(run.seed))
        self.people = People.of(self.play, people) if people else None
        accounts = Accounts.of(run) if agents else Accounts.unused(run)
        self.asking = Asking(self.play, self.lease, agents, accounts)

    def _gathered(self, at: Run | Moved) -> tuple[NewStep | None, Rows]:
        """The last of the next steps (None: there are none), and the rows of all: one step where somebody waits for
        each, a watcher, a model or a person, else many."""
        single = _is_counted(at) or bool(self.asking.agents) or self.people is not None
        queue = Queue(self.queue)
        until = min(self.until, time.monotonic() + BATCH_S[queue])
        made = self.alone if self.batch is None else self.batch.steps(self.play, self.number, self.stored)
        rows, last = Rows(self.play, self.hash, self.base), None
        while (new := self._next(made, last)) is not None:
            record = rows.add(new)
            if self.account is not None:
                self.account.add(record)
            last = new
            if self.batch is None and (single or len(rows.steps) >= BATCH[queue] or time.monotonic() >= until):
                break
        rows.close()
        return last, rows

    def _next(self, made: Iterator[NewStep], last: NewStep | None) -> NewStep | None:
        """The next step; None at the end. A bug in the rules waits until the steps before it are stored."""
        if self.bug is not None:
            raise self.bug
        try:
            return next(made, None)
        except (LeaseLost, Waits):
            raise
        except Exception as error:
            if last is None:
                raise
            self.bug = error
            return None

    def _store(self, first: int, last: NewStep, rows: Rows) -> Moved:
        """The batch in one transaction, then the doorbell; `LeaseLost`, and nothing stored, where it is not ours."""
        now = clock.now()
        stored = {"head": last.kept.index, "head_hash": rows.hash, "clock": rows.clock, "lease_until": now + LEASE}
        if self.asking.agents:
            stored["cost_usd"] = self.asking.accounts.run.spent.usd
        if self.people is not None:
            stored["open_turn"] = None
        move = Move(self.lease, first, stored, rows, partial(self._measure, last, now))
        if self.asking.agents:
            run = lane.wait(together.begin(move).result)
        else:
            with transaction.atomic():
                run = move()
        if run is None:
            raise LeaseLost
        self.hash, self.base, self.stored = rows.hash, rows.base, self.stored + 1
        ring(self.lease.run_id)
        return run

    def _measure(self, last: NewStep, now: datetime, run: Moved) -> None:
        """Count the rounds that are still to be played, and say when the pace allows the next step.

        A round's time is spread over its steps where it is known how many there are; else it is waited at its end.
        """
        if not run.rounds_left and run.pace <= 0:
            return
        changes: dict[str, Any] = {}
        is_over = self.play.game.ends_round(self.play.config, last.step)
        if run.rounds_left and is_over:
            changes["rounds_left"] = run.rounds_left = run.rounds_left - 1
        if run.pace > 0:
            steps, rounds = self.play.game.horizon(self.play.config), self.play.game.rounds(self.play.config)
            share = rounds / steps if steps and rounds else float(is_over)
            changes["wake_at"] = run.wake_at = now + timedelta(seconds=share / run.pace)
        if changes:
            self.lease.held().update(**changes)

    def _look_back(self) -> None:
        """The match is over: ask the models what they are asked then. Raises `RunStop`."""
        if seats := self.asking.asked_at_end:
            play = selectors.playing(selectors.run_get(self.lease.run_id))
            position, _ = selectors.position(play)
            self.asking.looking_back(news(play.game, play.config, play.run.seed, position, seats))
            spent = self.asking.accounts.run.spent.usd
            self.lease.held().update(cost_usd=spent)

    def _finish(self) -> None:
        try:
            account = account_of(self.play.run) if self.account is None else self.account
            outcome = account.outcome(self.play)
            seats = answers_of(self.play.run, account) if self.asking.agents else []
        except PASSING:
            raise
        except Exception:
            log.exception("run %s is over, but could not be measured", self.lease.run_id)
            outcome, seats = {}, []
        ended = {"status": RunStatus.FINISHED, "ended": clock.now(), "wake_at": None, "open_turn": None}
        with transaction.atomic():
            if not self.lease.held().update(**ended, **outcome):
                raise LeaseLost
            SeatRow.objects.bulk_update(seats, ("decisions", "fallbacks"))
            run_happened("run.ended", self.lease.run_id)
        ring(self.lease.run_id)
