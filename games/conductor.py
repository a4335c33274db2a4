"""Drives one run: takes the lease, asks, resolves, stores. The only writer of steps.

A run is driven in slices of time. Each step is one transaction whose first statement moves the run's head from n-1 to n
on condition that the lease is still ours and the run still active: a stale driver, a pause and a stop are all the same
to it, a condition that no longer holds. Policies are asked again after a crash, since they are pure; answers that cost
something are stored on arrival and read back.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from agents_app import deciders
from agents_app.deciders.contract import SeatedAgent, SpendStop
from games import blobs, calls, selectors
from games.asking import Accounts, Asking
from games.core import codec
from games.core.agents import Decider, Decision, deciding
from games.core.engine import Ask, News, Position, drive
from games.core.game import MESSAGES, Seat, Step
from games.doorbell import ring
from games.models import ACTIVE, Message, Queue, Run, RunStatus, SeatKind, Snapshot
from games.models import Seat as SeatRow
from games.models import Step as StepRow
from games.people import People, Waits, is_answered
from games.queueing import enqueue
from games.selectors import Playing

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=15)
SLICE_S = {Queue.LIVE: 4.0, Queue.BULK: 8.0}
"""How long one task drives before it lets others have the worker."""
NAP_MAX_S = 1.0
"""A paced run waits this long in its worker at the most; a longer wait ends the task, and the sweep resumes it."""
BATCH = 32
"""Steps of an unpaced run that are stored in one transaction."""
BATCH_S = 0.2


class LeaseLost(Exception):
    """The run is no longer ours to write: another driver has it, or it was paused, stopped or deleted."""


@dataclass(slots=True)
class Lease:
    """The right to write a run's steps, for a while."""

    run_id: str
    generation: int

    @classmethod
    def take(cls, run_id: str, queue: str) -> Lease | None:
        """The lease if the run is active, due and free; else None."""
        now = timezone.now()
        free = Q(lease_until=None) | Q(lease_until__lte=now)
        due = Q(wake_at=None) | Q(wake_at__lte=now + timedelta(seconds=NAP_MAX_S))
        mine = Run.objects.filter(free, due, pk=run_id, queue=queue, status__in=ACTIVE, begun=True)
        taken = mine.exclude(status=RunStatus.WAITING, wake_at=None).update(
            lease_owner=_owner(), lease_until=now + LEASE, lease_generation=F("lease_generation") + 1
        )
        if not taken:
            return None
        generation, owner = Run.objects.values_list("lease_generation", "lease_owner").get(pk=run_id)
        return cls(run_id, generation) if owner == _owner() else None

    def held(self) -> Any:
        """The run, on condition that the lease is still ours and it may go on."""
        return Run.objects.filter(pk=self.run_id, lease_generation=self.generation, status__in=ACTIVE)

    def renew(self) -> None:
        """Keep it; raises `LeaseLost` where another driver has it. A paused run's answers are still awaited."""
        mine = Run.objects.filter(pk=self.run_id, lease_generation=self.generation)
        if not mine.update(lease_until=timezone.now() + LEASE):
            raise LeaseLost

    def release(self) -> None:
        Run.objects.filter(pk=self.run_id, lease_generation=self.generation).update(lease_until=None, lease_owner="")


@lru_cache
def _machine() -> str:
    """Where process numbers mean what they mean here: the host, and the name space of its processes."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return f"{socket.gethostname()}{space}"


def _owner() -> str:
    return f"{_machine()}|{os.getpid()}|{threading.get_ident()}"


def _is_dead(owner: str) -> bool:
    """Whether a lease's holder was a process of this machine that is no more."""
    machine, _, rest = owner.partition("|")
    pid, _, _ = rest.partition("|")
    if machine != _machine() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


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
        if _is_dead(owner):
            Run.objects.filter(pk=run_id, lease_generation=generation).update(lease_until=now)
    for run_id, queue in selectors.due_runs():
        enqueue(run_id, queue)


def _fail(lease: Lease, error: Exception) -> None:
    """Mark the run failed at its step, with what happened; what is stored stays and can be replayed up to there."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    told = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
    lease.held().update(status=RunStatus.FAILED, error=told[:2000], ended=timezone.now())
    ring(lease.run_id)


@dataclass(slots=True)
class _Made:
    """A step that is resolved but not yet stored."""

    step: Step[Any, Any]
    metrics: Mapping[str, Any] | None
    memories: dict[Seat, Any]
    plans: dict[Seat, Any]


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
            fresh = {seat.index for seat in run.seats.all() if seat.since == run.head}
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
            if run.wake_at is not None and (run.wake_at - timezone.now()).total_seconds() > NAP_MAX_S:
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
            time.sleep(min(NAP_MAX_S, max(0.0, (run.wake_at - timezone.now()).total_seconds())))

    def _steps(self, since: Position[Any, Any] | None) -> Iterator[Step[Any, Any]]:
        """Host the loop: policies are asked here, other agents through `Asking`."""
        loop = drive(self.play.game, self.play.config, self.play.run.seed, since, self.asking.reflecting)
        answer: Any = None
        while True:
            try:
                told = loop.send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(told, Ask):
                by_policy = [seat for seat in told.requests if seat in self.policies]
                if self.people is not None:
                    self.people.open(told, self.lease.held())
                answer = {seat: self.policies[seat](told.requests[seat]) for seat in by_policy}
                answer |= self.asking.decisions(told)
                if self.people is not None:
                    answer |= self.people.decisions(told)
                self._carry(answer)
            elif isinstance(told, News):
                answer = self.asking.memories(told)
                self.memories.update(answer)
            else:
                yield told

    def _carry(self, decisions: Mapping[Seat, Decision[Any]]) -> None:
        for seat, decision in decisions.items():
            self.memories[seat], self.plans[seat] = decision.memory, decision.plan

    def _seat_agents(self, run: Run) -> None:
        """Who answers for each seat."""
        specs = self.play.game.seats(self.play.config)
        self.policies = {}
        agents: dict[Seat, SeatedAgent] = {}
        people: dict[Seat, SeatRow] = {}
        for seat in run.seats.all():
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

    def _batch(self, steps: Iterator[Step[Any, Any]], run: Run, before: Any) -> list[_Made]:
        """The next steps, measured: one where somebody waits for each, a watcher, a model or a person, else a batch."""
        single = run.pace > 0 or run.pause_at is not None or bool(self.asking.agents) or self.people is not None
        made: list[_Made] = []
        began = time.monotonic()
        while (step := self._next(steps, made)) is not None:
            metrics = None if step.index == 0 else self.play.pack.metrics.measure(self.play.config, before, step)
            made.append(_Made(step, metrics, dict(self.memories), dict(self.plans)))
            before = step.state
            now = time.monotonic()
            if single or len(made) >= BATCH or now - began >= BATCH_S or now >= self.until:
                break
        return made

    def _next(self, steps: Iterator[Step[Any, Any]], made: list[_Made]) -> Step[Any, Any] | None:
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

    def _store(self, batch: list[_Made]) -> Run:
        """The batch in one transaction, then the doorbell; `LeaseLost`, and nothing stored, where it is not ours."""
        first, last = batch[0].step.index, batch[-1].step.index
        rows, snapshots, messages = self._rows(batch)
        now = timezone.now()
        with transaction.atomic():
            moved = self.lease.held().filter(head=first - 1)
            spent = self.asking.accounts.run.spent.usd
            stored = {"head": last, "head_hash": self.hash, "lease_until": now + LEASE, "cost_usd": spent}
            if self.people is not None:
                stored["open_turn"] = None
            if not moved.update(**stored):
                raise LeaseLost
            Snapshot.objects.bulk_create(snapshots)
            StepRow.objects.bulk_create(rows)
            Message.objects.bulk_create(messages)
            run = Run.objects.only("id", "head", "pace", "pause_at", "wake_at", "status").get(pk=self.lease.run_id)
            if run.pace > 0:
                run.wake_at = now + timedelta(seconds=1 / run.pace)
                self.lease.held().update(wake_at=run.wake_at)
        ring(self.lease.run_id)
        return run

    def _rows(self, batch: list[_Made]) -> tuple[list[StepRow], list[Snapshot], list[Message]]:
        run_id, game = self.lease.run_id, self.play.game
        rows: list[StepRow] = []
        snapshots: list[Snapshot] = []
        messages: list[Message] = []
        base: blobs.Base | None = None
        for made in batch:
            step = made.step
            record = codec.encode_step(game, step)
            self.hash = codec.chain(game, self.hash, step, record)
            kept = {**record, "metrics": made.metrics}
            held = {
                "state": codec.dump(game.state_type, step.state),
                "memories": [[seat, memory] for seat, memory in sorted(made.memories.items()) if memory is not None],
                "plans": [[seat, plan] for seat, plan in sorted(made.plans.items()) if plan is not None],
            }
            needed = blobs.snapshot_index(step.index)
            if step.index == needed:
                whole = {**held, "record": kept}
                base = blobs.Base.of(needed, whole)
                snapshots.append(Snapshot(run_id=run_id, index=needed, body=blobs.pack(whole)))
            elif base is None or base.index != needed:
                base = selectors.base_of(run_id, needed)
            rows.append(
                StepRow(
                    run_id=run_id,
                    index=step.index,
                    stage=step.turn.stage,
                    record=base.pack(kept),
                    position=base.pack(held),
                    hash=self.hash,
                )
            )
            words = [event.data for event in step.events if event.kind in MESSAGES]
            messages += [
                Message(
                    run_id=run_id, step=step.index, order=order, sender=said["by"], to=said.get("to"), text=said["text"]
                )
                for order, said in enumerate(words)
            ]
        return rows, snapshots, messages

    def _finish(self) -> None:
        self.lease.held().update(status=RunStatus.FINISHED, ended=timezone.now(), wake_at=None, open_turn=None)
        ring(self.lease.run_id)
