"""Asks the seats whose agents answer with I/O: all of a turn at once, each answer stored when it arrives.

After a crash what was stored is read back, and only what is missing is asked again; a call that was stored by an agent
that had not yet decided is offered to it through its ledger. The lease is kept while answers are awaited.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Protocol, TypeVar

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.db import IntegrityError, close_old_connections, connection, transaction
from django.db.models import Count, Model

from agents_app.budget import MemoryLedger, Meter
from agents_app.deciders.llm import ModelAgent
from agents_app.ports import BatchWaits, CallRecord, Ledger, ModelStop, RunStop, SeatedAgent
from agents_app.staggered import gathered
from agents_app.watching import check_answers, is_due
from games.core.agents import Decision, Memory, Purpose, Request
from games.core.engine import Ask, News
from games.core.game import Seat
from games.site.drive.accounts import Accounts
from games.site.drive.batches import RunMail
from games.site.drive.lane import lane
from games.site.drive.lease import Lease, LeaseLost, ours_among
from games.site.drive.together import AWAY, together
from games.site.models import Call, Run
from games.site.models import Decision as DecisionRow
from games.site.record import calls
from games.site.record.decisions import decode_decision, encode_decision, flags_of
from games.site.record.inserting import insert
from games.site.record.notices import LOADING, notice
from games.site.record.selectors import Playing

log = logging.getLogger(__name__)

RENEW_S = 5.0
PATIENCE_S = 600.0
"""How long a call that cannot be stored is held and tried again; then it is lost, and is asked, and paid for, anew."""
AGAIN_S = 1.0
NOT_ITS_FAULT = (RunStop, BatchWaits, LeaseLost, DatabaseError)
"""What an agent passes on and did not cause: never an answer, so nothing is stored in place of one."""
DROPPED = "dropped"
"""The purpose of calls whose answers nobody plays."""
DROPPED_FROM = 10**9
"""Their first attempt where another driver had made the call; those of agents that were replaced stand below."""
T = TypeVar("T")


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


@dataclass(slots=True)
class Asking:
    """The agents of one driven run."""

    play: Playing
    lease: Renewable
    agents: Mapping[Seat, SeatedAgent]
    accounts: Accounts
    fresh: set[Seat] = field(default_factory=set)
    """Seats that were asked in this turn, and whose answers were not there before."""
    counts: dict[Seat, int] = field(default_factory=dict)
    """How many answers are stored of each seat; counted once, then with each answer."""

    @property
    def reflecting(self) -> tuple[Seat, ...]:
        return tuple(sorted(seat for seat, agent in self.agents.items() if agent.reflects))

    @property
    def asked_at_end(self) -> tuple[Seat, ...]:
        return tuple(sorted(seat for seat, agent in self.agents.items() if agent.is_asked_at_end))

    def decisions(self, ask: Ask[Any, Any], *, is_new: bool = False) -> dict[Seat, Decision[Any]]:
        """The answer of each of our seats in this turn whose plan does not go on, in seat order. Raises `RunStop`.

        ``is_new``: this driver stored the step before, so that nobody can have been asked in this one yet.
        """
        requests = {
            seat: request for seat, request in ask.requests.items() if seat in self.agents and request.standing is None
        }

        async def decide(request: Request[Any, Any], ledger: Ledger) -> str:
            return encode_decision(self.play, await self._decision(request, ledger))

        texts = self._stored_or_asked(ask.index, "act", requests, decide, is_new)
        self._watch(requests)
        return {seat: decode_decision(self.play, text) for seat, text in texts.items()}

    def _watch(self, requests: Mapping[Seat, Request[Any, Any]]) -> None:
        """Hold the seats that are to be looked at after this answer against their bounds. Raises `RunStop`."""
        profiles = {
            seat: agent.profile
            for seat, agent in self.agents.items()
            if seat in requests and isinstance(agent, ModelAgent) and seat in self.fresh
        }
        strict = [seat for seat, profile in profiles.items() if profile.fallbacks_at_most < 1]
        if not strict:
            return
        rows = partial(DecisionRow.objects.filter, run_id=self.play.run.pk, purpose="act")
        if self.counts:
            self.counts.update({seat: self.counts.get(seat, 0) + 1 for seat in self.fresh})
        else:
            self.counts = dict(rows().values("seat").annotate(number=Count("id")).values_list("seat", "number"))
        for seat in strict:
            if is_due(self.counts.get(seat, 0)):
                texts = rows(seat=seat).order_by("step").values_list("answer", flat=True)
                name = self.play.game.seats(self.play.config)[seat].name
                check_answers(name, profiles[seat].fallbacks_at_most, [flags_of(text) for text in texts])

    def memories(self, news: News[Any, Any]) -> dict[Seat, Memory]:
        """The rewritten memory of each reflecting seat. Raises `RunStop`."""

        async def reflect(request: Request[Any, Any], ledger: Ledger) -> str:
            try:
                memory = await self.agents[request.seat].reflect(request, ledger)
            except NOT_ITS_FAULT:
                raise
            except Exception as error:
                log.exception("run %s, step %s, seat %s: reflecting", self.play.run.pk, request.index, request.seat)
                return json.dumps({"memory": request.memory, "flags": ["agent_error"], "error": repr(error)[:500]})
            return json.dumps({"memory": memory})

        texts = self._stored_or_asked(news.index, "reflect", news.requests, reflect)
        return {seat: json.loads(text)["memory"] for seat, text in texts.items()}

    def looking_back(self, told: Mapping[Seat, Request[Any, Any]]) -> None:
        """Ask what is asked when the match is over; who has answered already is not asked again. Raises `RunStop`."""

        async def look_back(request: Request[Any, Any], ledger: Ledger) -> str:
            await self.agents[request.seat].look_back(request, ledger)
            return "{}"

        step = next((request.index for request in told.values()), 0)
        self._stored_or_asked(step, "end", told, look_back)

    async def _decision(self, request: Request[Any, Any], ledger: Ledger) -> Decision[Any]:
        try:
            return await self.agents[request.seat].decide(request, ledger)
        except NOT_ITS_FAULT:
            raise
        except Exception as error:
            log.exception("run %s, step %s, seat %s: deciding", self.play.run.pk, request.index, request.seat)
            return Decision(None, request.memory, None, ("agent_error",), {"error": repr(error)[:500]})

    def _stored_or_asked(
        self,
        step: int,
        purpose: Purpose,
        requests: Mapping[Seat, Request[Any, Any]],
        ask: Callable[[Request[Any, Any], Ledger], Awaitable[str]],
        is_new: bool = False,
    ) -> dict[Seat, str]:
        """The answers as they are stored; those that are missing are asked for, all at once. ``is_new``: none is."""
        self.fresh = set()
        if not requests:
            return {}
        run_id = self.play.run.pk
        texts: dict[Seat, str] = {}
        if not is_new:
            rows = DecisionRow.objects.filter(run_id=run_id, step=step, purpose=purpose, seat__in=list(requests))
            texts.update(rows.values_list("seat", "answer"))
        missing = [seat for seat in requests if seat not in texts]
        self.fresh = set(missing)
        if missing:
            kept = {} if is_new else _calls(run_id, step, missing)
            ledgers = {
                seat: RunLedger(run_id, seat, step, kept.get(seat, []), self.accounts.of_seat(seat), self.lease)
                for seat in missing
            }

            async def answer(seat: Seat) -> str:
                return await ledgers[seat].answered(purpose, await ask(requests[seat], ledgers[seat]))

            self._tell_of_loading(missing)
            if connection.vendor != "sqlite":  # many may wait at once, and a server has not as many connections to give
                close_old_connections()
            told = lane.run(self._while_leased([answer(seat) for seat in missing]))
            texts.update(zip(missing, told, strict=True))
        return {seat: texts[seat] for seat in sorted(texts)}

    def _tell_of_loading(self, seats: Sequence[Seat]) -> None:
        """Say, on the run's page, that the first call of this worker loads a library first: that takes seconds."""
        agents = (self.agents[seat] for seat in seats)
        loads = {agent.caller.provider.loads for agent in agents if isinstance(agent, ModelAgent)} - {""}
        for what in sorted(loads):
            notice(self.play.run.pk, LOADING, data={"what": what})

    async def _while_leased(self, answers: Sequence[Awaitable[T]]) -> list[T]:
        """All answers, the lease renewed meanwhile. Every answer is awaited before the first error is raised."""
        keeper = asyncio.ensure_future(self._keep())
        all_of_them = asyncio.ensure_future(gathered(answers))
        try:
            both: set[asyncio.Future[Any]] = {keeper, all_of_them}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if keeper.done():
                all_of_them.cancel()
                keeper.result()
            results = await all_of_them
        finally:
            keeper.cancel()
        faults = [result for result in results if isinstance(result, BaseException)]
        if faults:
            raise _first(faults)
        return list(results)  # type: ignore[arg-type]

    async def _keep(self) -> None:
        """Renew the lease until cancelled; ends by `LeaseLost` alone. While the database is away nobody takes it."""
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                await database_sync_to_async(self.lease.renew, thread_sensitive=False)()
            except AWAY as error:
                log.warning("run %s: the lease is not renewed: %s", self.play.run.pk, error)


def _first(faults: Sequence[BaseException]) -> BaseException:
    """What is raised of what several seats met. Calls that are paid for are waited for before a limit stops the run;
    where a model cannot be asked, nothing is waited for.
    """
    waits = [fault for fault in faults if isinstance(fault, BatchWaits)]
    others = [fault for fault in faults if not isinstance(fault, BatchWaits)]
    if not waits or any(not isinstance(fault, RunStop) or isinstance(fault, ModelStop) for fault in others):
        return next((fault for fault in others if isinstance(fault, ModelStop)), others[0])
    return BatchWaits([letter for fault in waits for letter in fault.letters])


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


def _calls(run_id: str, step: int, seats: Sequence[Seat]) -> Mapping[Seat, list[CallRecord]]:
    kept: dict[Seat, list[CallRecord]] = defaultdict(list)
    asked = Call.objects.filter(run_id=run_id, step=step, seat__in=seats).order_by("seat", "attempt")
    rows = asked.values(*CALL_VALUES)
    for row in rows:
        kept[row["seat"]].append(CallRecord(**row))
    return kept
