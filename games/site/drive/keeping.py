"""What seats of models answered, and the calls of which it was made, kept when it comes and read back after a crash."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

from channels.db import database_sync_to_async
from django.db import IntegrityError, transaction
from django.db.models import Model

from agents_app.budget import MemoryLedger, Meter
from agents_app.ports import CallRecord
from games.core.agents import Purpose
from games.core.game import Seat
from games.site.drive.batches import RunMail
from games.site.drive.lease import Lease, LeaseLost, ours_among
from games.site.drive.together import AWAY, together
from games.site.models import Call, Run
from games.site.models import Decision as DecisionRow
from games.site.record import calls
from games.site.record.inserting import insert

log = logging.getLogger(__name__)

PATIENCE_S = 600.0
"""How long a call that cannot be stored is held and tried again; then it is lost, and is asked, and paid for, anew."""
AGAIN_S = 1.0
DROPPED = "dropped"
"""The purpose of calls whose answers nobody plays."""
DROPPED_FROM = 10**9
"""Their first attempt where another driver had made the call; those of agents that were replaced stand below."""


class Renewable(Protocol):
    """A lease that can be kept; `renew` raises where it is lost, `is_ours` says so and holds it for a transaction."""

    def renew(self) -> None: ...
    def is_ours(self) -> bool: ...


class RunLedger(MemoryLedger):
    """One seat's calls at one step, in the database, and booked on the accounts of the seat and of the run."""

    def __init__(
        self,
        run_id: str,
        seat: Seat,
        step: int,
        kept: Sequence[CallRecord],
        meters: Sequence[Meter],
        lease: Renewable,
    ) -> None:
        super().__init__(seat, step, list(kept), meters)
        self.mail = RunMail(run_id)
        self.run_id, self.lease = run_id, lease
        self._last: CallRecord | None = None

    async def store(self, call: CallRecord) -> None:
        """Keep a call, which was paid for: while the database is away it is tried again, for `PATIENCE_S`.

        Raises `LeaseLost` where the run is another driver's by now, or this call was made by another before.
        """
        await self._keep(_Kept(self, call))
        await super().store(call)

    async def hold(self, call: CallRecord) -> None:
        self._last = call

    async def answered(self, purpose: Purpose, answer: str) -> str:
        """Keep a seat's answer, and the call of which it was made if that is held; the answer that is kept, which is
        the first that arrived. As `store`.
        """
        kept = await asyncio.shield(self._keep(_Kept(self, self._last, purpose, answer)))
        if self._last is not None:
            await super().store(self._last)
        return kept

    async def _keep(self, kept: _Kept) -> str:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                told = await together.store(kept)
                break
            except AWAY as error:
                if kept.call is None or time.monotonic() >= until:
                    raise
                log.warning("run %s, step %s, seat %s: a call is not stored yet: %s", *self._at(), error)
                await asyncio.sleep(AGAIN_S)
        if told is None:
            log.warning("run %s, step %s, seat %s: a call was made twice", *self._at())
            raise LeaseLost
        return told

    def resume(self, tokens: int) -> None:
        self._held.append(tokens)  # the accounts hold room for all that is in batches

    def _at(self) -> tuple[str, int, Seat]:
        return self.run_id, self.step, self.seat

    async def known(self, prompt_hash: str, address: str) -> CallRecord | None:
        told: CallRecord | None
        told = await database_sync_to_async(calls.usable_reply, thread_sensitive=False)(prompt_hash, address)
        return told

    def _store(self, call: CallRecord) -> bool:
        """Store it once, however often that is tried; False where the seat's call is, or will be, another driver's.

        Such a call was paid for too and stays on the account, as `DROPPED`.
        """
        rows = Call.objects.filter(run_id=self.run_id, step=call.step, seat=call.seat)
        values = _values(call)
        if self.lease.is_ours():
            first = rows.filter(purpose=call.purpose, attempt=call.attempt).first()
            if first is None:
                Call.objects.create(run_id=self.run_id, **values)
                return True
            if _is_same(first, call):
                return True
        dropped = list(rows.filter(purpose=DROPPED).order_by("attempt"))
        if not any(_is_same(row, call) for row in dropped) and Run.objects.filter(pk=self.run_id).exists():
            attempt = max(DROPPED_FROM, *(row.attempt + 1 for row in dropped), 0)
            Call.objects.create(run_id=self.run_id, **{**values, "purpose": DROPPED, "attempt": attempt})
        return False


@dataclass(frozen=True, slots=True)
class _Kept:
    """A call, or the answer of a seat, or both, to keep at once.

    What comes of it is the answer that is kept; None where the call is not the seat's. Raises `LeaseLost` where only an
    answer was to be kept and the run is another driver's.
    """

    ledger: RunLedger
    call: CallRecord | None
    purpose: Purpose = "act"
    answer: str | None = None

    @property
    def lease(self) -> Renewable:
        return self.ledger.lease

    def __call__(self) -> str | None:
        if self.call is not None and not self.ledger._store(self.call):
            return None
        if self.answer is None:
            return ""
        if self.call is None and not self.lease.is_ours():
            raise LeaseLost
        at = self.ledger
        return decision_store(run_id=at.run_id, step=at.step, seat=at.seat, purpose=self.purpose, answer=self.answer)

    def _decision(self) -> dict[str, Any]:
        at = self.ledger
        asked = {"run_id": at.run_id, "step": at.step, "seat": at.seat, "purpose": self.purpose}
        return {**asked, "answer": self.answer}

    @staticmethod
    def of_many(works: Sequence[_Kept]) -> list[str | None]:
        """Insert them all; each by itself where one was stored before, or belongs to a run that is not ours."""
        made = [{"run_id": one.ledger.run_id, **_values(one.call)} for one in works if one.call is not None]
        answers = [one._decision() for one in works if one.answer is not None]
        if _are_ours([work.lease for work in works]) and _are_new({Call: made, DecisionRow: answers}):
            return [work.answer or "" for work in works]
        return [work() for work in works]


def _are_ours(leases: Sequence[Renewable]) -> bool:
    """Whether no other driver has taken one of the runs; inside a transaction, none does before that ends."""
    known = {lease for lease in leases if isinstance(lease, Lease)}
    return len(ours_among(known)) == len(known) and all(isinstance(one, Lease) or one.is_ours() for one in leases)


def _are_new(tables: Mapping[type[Model], Sequence[Mapping[str, Any]]]) -> bool:
    """Insert rows of some tables, all or none; False where one of them is there already."""
    try:
        with transaction.atomic():
            for model, rows in tables.items():
                insert(model, rows)
    except IntegrityError:
        return False
    return True


CALL_VALUES = tuple(part.name for part in fields(CallRecord))


def _values(call: CallRecord) -> dict[str, Any]:
    return {name: getattr(call, name) for name in CALL_VALUES}


def decision_store(*, run_id: str, step: int, seat: Seat, purpose: Purpose, answer: str, client_id: str = "") -> str:
    """Keep one answer of one seat at one step; the answer that is kept, which is the first that arrived."""
    try:
        with transaction.atomic():
            DecisionRow.objects.create(
                run_id=run_id, step=step, seat=seat, purpose=purpose, answer=answer, client_id=client_id
            )
    except IntegrityError:
        return DecisionRow.objects.values_list("answer", flat=True).get(
            run_id=run_id, step=step, seat=seat, purpose=purpose
        )
    return answer


def _is_same(row: Call, call: CallRecord) -> bool:
    """Whether a row is of this very call: asked the same at the same moment, with the same reply."""
    names = ("model", "prompt_hash", "at", "reply", "response_id")
    return all(getattr(row, name) == getattr(call, name) for name in names)


def calls_kept(run_id: str, step: int, seats: Sequence[Seat]) -> Mapping[Seat, list[CallRecord]]:
    kept: dict[Seat, list[CallRecord]] = defaultdict(list)
    asked = Call.objects.filter(run_id=run_id, step=step, seat__in=seats).order_by("seat", "attempt")
    rows = asked.values(*CALL_VALUES)
    for row in rows:
        kept[row["seat"]].append(CallRecord(**row))
    return kept
