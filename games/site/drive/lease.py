"""The right to drive a run: taken by a conditional update, renewed step by step, void when its holder is dead."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from games.site.models import ACTIVE, Run, RunStatus
from games.site.record import clock

LEASE = timedelta(seconds=15)
"""How long it is held without being renewed."""
AGAIN_S = 1.0
"""How often it is tried to release one that could not be released."""
EARLY = timedelta(seconds=1)
"""A paced run may be taken this long before its next step is due, and naps; a longer wait ends the task."""


SLACK = timedelta(seconds=5)
"""A moment that is further ahead than a lease or a pace puts it, and by more than this, is a wrong clock's."""


def _free(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Those that are active, due and driven by nobody."""
    now = clock.now()
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    due = Q(wake_at=None) | Q(wake_at__lte=now + EARLY)
    return runs.filter(free, due, status__in=ACTIVE, begun=True).exclude(status=RunStatus.WAITING, wake_at=None)


def _taken() -> dict[str, Any]:
    """What the driver that takes a run writes."""
    until, generation = clock.now() + LEASE, F("lease_generation") + 1
    return {"lease_owner": this_process(), "lease_until": until, "lease_generation": generation}


class LeaseLost(Exception):
    """The run is no longer ours to write: another driver has it, or it was paused, stopped or deleted."""


@dataclass(slots=True)
class Moved:
    """How a run goes on after a step: what a driver asks of it."""

    pk: str
    head: int
    pace: float
    pause_at: int | None
    rounds_left: int | None
    wake_at: datetime | None


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write a run's steps, for a while."""

    run_id: str
    generation: int

    @classmethod
    def take(cls, run_id: str, queue: str) -> Lease | None:
        """The lease if the run is active, due and free; else None."""
        if not _free(Run.objects.filter(pk=run_id, queue=queue)).update(**_taken()):
            return None
        generation, owner = Run.objects.values_list("lease_generation", "lease_owner").get(pk=run_id)
        return cls(run_id, generation) if owner == this_process() else None

    @classmethod
    def take_all(cls, runs: QuerySet[Run]) -> list[Lease]:
        """The leases of those of the runs that are active, due and free, by two statements for all. What another driver
        is taking at the moment is left to it."""
        with transaction.atomic():
            free = _free(runs).select_for_update(no_key=True, skip_locked=True)
            held = dict(free.values_list("pk", "lease_generation"))
            Run.objects.filter(pk__in=held).update(**_taken())
        return [cls(run_id, generation + 1) for run_id, generation in held.items()]

    def held(self) -> Any:
        """The run, on condition that the lease is still ours and it may go on."""
        return Run.objects.filter(pk=self.run_id, lease_generation=self.generation, status__in=ACTIVE)

    def move(self, first: int, **values: Any) -> Moved | None:
        """Write these columns if the run stands before step ``first``, is ours and active: how it goes on then.

        None where it may not go on. By hand, since it is asked at each step.
        """
        fields = {field.attname: field for field in Run._meta.concrete_fields}
        written = [fields[name].get_db_prep_save(value, connection) for name, value in values.items()]
        sets = ", ".join(f"{name} = %s" for name in values)
        states = ", ".join(["%s"] * len(ACTIVE))
        statement = (
            f"UPDATE {Run._meta.db_table} SET {sets} WHERE id = %s AND lease_generation = %s AND head = %s "
            f"AND status IN ({states}) RETURNING head, pace, pause_at, rounds_left, wake_at"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, [*written, self.run_id, self.generation, first - 1, *ACTIVE])
            row = cursor.fetchone()
        if row is None:
            return None
        moved = Moved(self.run_id, *row)
        if moved.wake_at is not None:
            wakes = Run._meta.get_field("wake_at").get_col(Run._meta.db_table)
            for convert in connection.ops.get_db_converters(wakes):
                moved.wake_at = convert(moved.wake_at, wakes, connection)
        return moved

    def renew(self) -> None:
        """Keep it; raises `LeaseLost` where another driver has it. A paused run's answers are still awaited."""
        mine = Run.objects.filter(pk=self.run_id, lease_generation=self.generation)
        if not mine.update(lease_until=clock.now() + LEASE):
            raise LeaseLost

    def is_ours(self) -> bool:
        """Whether no other driver has taken the run; inside a transaction, none takes it before that ends."""
        mine = Run.objects.select_for_update(no_key=True).filter(pk=self.run_id, lease_generation=self.generation)
        return bool(mine.values_list("pk"))

    def release(self) -> None:
        Run.objects.filter(pk=self.run_id, lease_generation=self.generation).update(lease_until=None, lease_owner="")

    def release_when_back(self) -> None:
        """Release it as soon as the database can be reached again; until then, nobody takes it."""
        with _lock:
            _late.add(self)
            if len(_late) == 1:
                threading.Thread(target=_release_late, name="releases", daemon=True).start()


_lock, _late = threading.Lock(), set[Lease]()


def _release_late() -> None:
    while True:
        time.sleep(AGAIN_S)
        with _lock:
            waiting = set(_late)
        try:
            for lease in waiting:
                lease.release()
        except Exception:  # still away; who has taken the run meanwhile, after the lease had ended, keeps it
            continue
        finally:
            connection.close()
        with _lock:
            _late.difference_update(waiting)
            if not _late:
                return


def ours_among(leases: Iterable[Lease]) -> set[Lease]:
    """Those whose runs no other driver has taken, by one statement; inside a transaction, as `Lease.is_ours`."""
    asked = set(leases)
    names = sorted({lease.run_id for lease in asked})
    lock = connection.ops.for_update_sql(no_key=True) if connection.features.has_select_for_update else ""
    marks = ", ".join(["%s"] * len(names))
    with connection.cursor() as cursor:  # by hand: to build this statement costs ten times what it asks
        cursor.execute(
            f"SELECT id, lease_generation FROM {Run._meta.db_table} WHERE id IN ({marks}) ORDER BY id {lock}", names
        )
        held = dict(cursor.fetchall())
    return {lease for lease in asked if held.get(lease.run_id) == lease.generation}


@lru_cache
def _machine() -> str:
    """Where process numbers mean what they mean here: the host, and the name space of its processes."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return f"{socket.gethostname()}{space}"


def this_process() -> str:
    """Who holds what is taken here and now: machine, process and thread."""
    return f"{_machine()}|{os.getpid()}|{threading.get_ident()}"


def is_dead(owner: str) -> bool:
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
