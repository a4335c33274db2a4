"""Drives one run: takes the lease, asks, resolves, stores. The only writer of steps.

A run is driven in slices of time. Each step is one transaction whose first statement moves the run's head from n-1 to n
on condition that the lease is still ours and the run still active: a stale driver, a pause and a stop are all the same
to it, a condition that no longer holds. Policies are asked again after a crash, since they are pure; answers that cost
something are stored on arrival and read back.
"""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from agents_app import deciders
from agents_app.deciders.contract import SeatedAgent, SpendStop
from games import calls, selectors
from games.asking import Accounts, Asking
from games.core import codec
from games.core.agents import Decider, Decision, deciding
from games.core.engine import Ask, News, Position, drive, hosted
from games.core.game import Seat, Step
from games.doorbell import ring
from games.lease import EARLY, LEASE, Lease, LeaseLost, is_dead
from games.models import ACTIVE, Queue, Run, RunStatus, SeatKind
from games.models import Seat as SeatRow
from games.people import People, Waits, is_answered
from games.queueing import enqueue
from games.selectors import Playing
from games.storing import Made, rows_of

log = logging.getLogger(__name__)

SLICE_S = {Queue.LIVE: 4.0, Queue.BULK: 8.0}
"""How long one task drives before it lets others have the worker."""
BATCH = 32
"""Steps of an unpaced run that are stored in one transaction."""
BATCH_S = 0.2


def conduct(run_id: str, queue: str) -> None:
    """Drive the run for a slice, then let go of it. Does nothing where it is not due, not free or not active."""
    lease = Lease.take(run_id, queue)
    if lease is None:
        return
    again = False
    try:
        with asyncio.Runner() as runner:
            again = _Driver(lease, time.monotonic() + SLICE_S[Queue(queue)], runner).drive()
    except LeaseLost:
        log.info("run %s: no longer ours", run_id)
    except SpendStop as limit:
        lease.held().update(status=RunStatus.PAUSED, error=str(limit)[:2000])
        ring(run_id)
    except (OperationalError, InterfaceError) as error:
        log.warning("run %s: the database is not to be had: %s; the sweep goes on with it", run_id, error)
    except Exception as error:
        log.exception("run %s failed", run_id)
        _fail(lease, error)
    finally:
        with suppress(OperationalError, InterfaceError):
            lease.release()
    if again:
        enqueue(run_id, queue)


def sweep() -> None:
    """Re-enqueue every active run that is due and that nobody drives. Idempotent; once a second is enough.

    A lease whose holder died on this machine is void at once; one of another machine when it expires.
    """
    now = timezone.now()
    held = Run.objects.filter(status__in=ACTIVE, lease_until__gt=now)
    for run_id, generation, owner in held.values_list("pk", "lease_generation", "lease_owner"):
        if is_dead(owner):
            Run.objects.filter(pk=run_id, lease_generation=generation).update(lease_until=now)
    for run_id, queue in selectors.due_runs():
        enqueue(run_id, queue)


def _fail(lease: Lease, error: Exception) -> None:
    """Mark the run failed at its step, with what happened; what is stored stays and can be replayed up to there."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    told = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
    lease.held().update(status=RunStatus.FAILED, error=told[:2000], ended=timezone.now())
    ring(lease.run_id)


def _without(held: Mapping[Seat, Any], seats: set[Seat]) -> dict[Seat, Any]:
    return {seat: value for seat, value in held.items() if seat not in seats}


@dataclass(slots=True)
class _Driver:
    lease: Lease
    until: float
    runner: asyncio.Runner
    play: Playing = field(init=False)
    asking: Asking = field(init=False)
    people: People | None = field(init=False, default=None)
    policies: dict[Seat, Decider] = field(init=False)
    hash: str = field(init=False, default=codec.GENESIS)
    memories: dict[Seat, Any] = field(init=False, default_factory=dict)
    plans: dict[Seat, Any] = field(init=False, default_factory=dict)
    bug: Exception | None = field(init=False, default=None)

    def drive(self) -> bool:
        """Make steps until the slice, the pace or the run ends it; True: call again at once."""
        run = selectors.run_get(self.lease.run_id)
        self.play = selectors.playing(run)
        if not self.play.is_current:
            raise RuntimeError(
                f"the run was begun under rules {run.rules_version}, these are {self.play.game.rules_version}; "
                "its stored steps can be seen, but it cannot go on"
            )
        self._seat_agents(run)
        self.lease.held().update(started=run.started or timezone.now(), status=RunStatus.RUNNING, error="")
        since = None
        before: Any = None
        if run.head >= 0:
            since, self.hash = selectors.position(self.play)
            fresh = {seat.index for seat in selectors.seats_of(run) if seat.since == run.head}
            since = replace(since, memories=_without(since.memories, fresh), plans=_without(since.plans, fresh))
            self.memories, self.plans = dict(since.memories), dict(since.plans)
            before = since.last.state
        steps = self._steps(since)
        while True:
            self._nap(run)
            try:
                batch = self._batch(steps, run, before)
            except Waits as waits:
                return self._wait(waits)
            if not batch:
                self._finish()
                return False
            before = batch[-1].step.state
            run = self._store(batch)
            if run.pause_at is not None and run.head >= run.pause_at:
                self.lease.held().update(status=RunStatus.PAUSED, pause_at=None)
                ring(run.pk)
                return False
            if time.monotonic() >= self.until:
                return True
            if run.wake_at is not None and run.wake_at - timezone.now() > EARLY:
                return False

    def _wait(self, waits: Waits) -> bool:
        """Leave the run until people have answered; True where they have meanwhile."""
        self.lease.held().update(status=RunStatus.WAITING, wake_at=waits.until)
        ring(self.lease.run_id)
        if not is_answered(self.lease.run_id, waits.step):
            if waits.until is not None:
                left = (waits.until - timezone.now()).total_seconds()
                enqueue(self.lease.run_id, self.play.run.queue, max(0.01, left))
            return False
        self.lease.held().update(status=RunStatus.QUEUED, wake_at=None)
        return True

    def _nap(self, run: Run) -> None:
        """Wait until the pace allows the next step."""
        if run.wake_at is not None:
            time.sleep(max(0.0, min(EARLY, run.wake_at - timezone.now()).total_seconds()))

    def _steps(self, since: Position[Any, Any] | None) -> Iterator[Step[Any, Any]]:
        loop = drive(self.play.game, self.play.config, self.play.run.seed, since, self.asking.reflecting)
        return hosted(loop, self._decisions, self._memories)

    def _decisions(self, ask: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
        """Policies answer here, models and recordings through `Asking`, people through `People`."""
        if self.people is not None:
            self.people.open(ask, self.lease.held())
        made = {seat: self.policies[seat](ask.requests[seat]) for seat in ask.requests if seat in self.policies}
        made |= self.asking.decisions(ask)
        if self.people is not None:
            made |= self.people.decisions(ask)
        for seat, decision in made.items():
            self.memories[seat], self.plans[seat] = decision.memory, decision.plan
        return made

    def _memories(self, news: News[Any, Any]) -> dict[Seat, Any]:
        rewritten = self.asking.memories(news)
        self.memories.update(rewritten)
        return rewritten

    def _seat_agents(self, run: Run) -> None:
        """Who answers for each seat."""
        specs = self.play.game.seats(self.play.config)
        self.policies = {}
        agents: dict[Seat, SeatedAgent] = {}
        people: dict[Seat, SeatRow] = {}
        for seat in selectors.seats_of(run):
            match seat.kind:
                case SeatKind.POLICY:
                    spec = self.play.pack.policies[seat.agent["policy"]]
                    self.policies[seat.index] = deciding(spec.bind(seat.agent.get("params")))
                case SeatKind.MODEL | SeatKind.RECORDING:
                    said = calls.recorded(seat.agent) if seat.kind == SeatKind.RECORDING else ()
                    agents[seat.index] = deciders.seated_agent(
                        self.play.pack, self.play.config, specs[seat.index], seat.agent, said
                    )
                case SeatKind.PERSON:
                    people[seat.index] = seat
                case _:
                    raise RuntimeError(f"seat {seat.name}: kind {seat.kind} cannot play yet")
        self.people = People.of(self.play, people) if people else None
        self.asking = Asking(self.play, self.lease, agents, Accounts.of(run), self.runner)

    def _batch(self, steps: Iterator[Step[Any, Any]], run: Run, before: Any) -> list[Made]:
        """The next steps, measured: one where somebody waits for each, a watcher, a model or a person, else a batch."""
        single = run.pace > 0 or run.pause_at is not None or bool(self.asking.agents) or self.people is not None
        made: list[Made] = []
        began = time.monotonic()
        while (step := self._next(steps, made)) is not None:
            metrics = None if step.index == 0 else self.play.pack.metrics.measure(self.play.config, before, step)
            made.append(Made(step, metrics, dict(self.memories), dict(self.plans)))
            before = step.state
            now = time.monotonic()
            if single or len(made) >= BATCH or now - began >= BATCH_S or now >= self.until:
                break
        return made

    def _next(self, steps: Iterator[Step[Any, Any]], made: list[Made]) -> Step[Any, Any] | None:
        """The next step; None at the end. A bug in the rules waits until the steps before it are stored."""
        if self.bug is not None:
            raise self.bug
        try:
            return next(steps, None)
        except (LeaseLost, Waits):
            raise
        except Exception as error:
            if not made:
                raise
            self.bug = error
            return None

    def _store(self, batch: list[Made]) -> Run:
        """The batch in one transaction, then the doorbell; `LeaseLost`, and nothing stored, where it is not ours."""
        first, last = batch[0].step.index, batch[-1].step.index
        rows = rows_of(self.play, batch, self.hash)
        now = timezone.now()
        with transaction.atomic():
            moved = self.lease.held().filter(head=first - 1)
            spent = self.asking.accounts.run.spent.usd
            stored = {"head": last, "head_hash": rows.hash, "lease_until": now + LEASE, "cost_usd": spent}
            if self.people is not None:
                stored["open_turn"] = None
            if not moved.update(**stored):
                raise LeaseLost
            rows.insert()
            run = Run.objects.only("id", "head", "pace", "pause_at", "wake_at", "status").get(pk=self.lease.run_id)
            if run.pace > 0:
                run.wake_at = now + timedelta(seconds=1 / run.pace)
                self.lease.held().update(wake_at=run.wake_at)
        self.hash = rows.hash
        ring(self.lease.run_id)
        return run

    def _finish(self) -> None:
        self.lease.held().update(status=RunStatus.FINISHED, ended=timezone.now(), wake_at=None, open_turn=None)
        ring(self.lease.run_id)
