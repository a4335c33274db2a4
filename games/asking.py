"""Asks the seats whose agents answer with I/O: all of a turn at once, each answer stored when it arrives.

After a crash what was stored is read back, and only what is missing is asked again; a call that was stored by an agent
that had not yet decided is offered to it through its ledger. The lease is kept while answers are awaited.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, TypeVar

from channels.db import database_sync_to_async
from django.db import IntegrityError, close_old_connections, transaction

from agents_app.budget import MemoryLedger, Meter
from agents_app.deciders.contract import CallRecord, Ledger, SeatedAgent, SpendStop
from agents_app.profile import Limits
from games import calls
from games.core import codec
from games.core.agents import Decision, Memory, Purpose, Request, begin, carry_on
from games.core.engine import Ask, News
from games.core.game import Seat
from games.models import Call, Run
from games.models import Decision as DecisionRow
from games.selectors import Playing

log = logging.getLogger(__name__)

RENEW_S = 5.0
T = TypeVar("T")


class Renewable(Protocol):
    """A lease that can be kept; `renew` raises where it is lost."""

    def renew(self) -> None: ...


class RunLedger(MemoryLedger):
    """One seat's calls at one step, in the database, and booked on the accounts of the seat and of the run."""

    def __init__(self, run_id: str, seat: Seat, step: int, kept: Sequence[CallRecord], meters: Sequence[Meter]) -> None:
        super().__init__(seat, step, list(kept), meters)
        self._run_id = run_id

    async def store(self, call: CallRecord) -> None:
        await database_sync_to_async(self._store, thread_sensitive=False)(call)
        await super().store(call)

    def _store(self, call: CallRecord) -> None:
        Call.objects.create(run_id=self._run_id, **{part.name: getattr(call, part.name) for part in fields(CallRecord)})


@dataclass(frozen=True, slots=True)
class Accounts:
    """What a run and each of its models have spent, against their limits."""

    run: Meter
    seats: Mapping[Seat, Meter]

    @classmethod
    def of(cls, run: Run) -> Accounts:
        """From the stored calls; limits are the run's own and those of each seat's profile."""
        spent = calls.spent_by_seat(run)
        return cls(
            Meter("the run", Limits.model_validate(run.limits), calls.sum_of(spent.values())),
            {
                seat.index: Meter(
                    seat.name,
                    Limits.model_validate((seat.agent.get("profile") or {}).get("limits") or {}),
                    spent.get(seat.index),
                )
                for seat in run.seats.all()
            },
        )

    def of_seat(self, seat: Seat) -> tuple[Meter, Meter]:
        return self.seats[seat], self.run


@dataclass(slots=True)
class Asking:
    """The agents of one driven run, and the event loop that they live in while it is driven."""

    play: Playing
    lease: Renewable
    agents: Mapping[Seat, SeatedAgent]
    accounts: Accounts
    runner: asyncio.Runner

    @property
    def reflecting(self) -> tuple[Seat, ...]:
        return tuple(sorted(seat for seat, agent in self.agents.items() if agent.reflects))

    def decisions(self, ask: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
        """The answer of each of our seats in this turn, in seat order. Raises `SpendStop`."""
        controller = self.play.pack.controller
        requests = {seat: request for seat, request in ask.requests.items() if seat in self.agents}
        answers: dict[Seat, Decision[Any]] = {}
        for seat, request in requests.items():
            standing = carry_on(controller, request)
            if isinstance(standing, Decision):
                answers[seat] = standing
        open_ = {seat: request for seat, request in requests.items() if seat not in answers}

        async def decide(request: Request[Any, Any], ledger: Ledger) -> str:
            return encode_decision(self.play, await self._decision(request, ledger))

        for seat, text in self._stored_or_asked(ask.index, "act", open_, decide).items():
            answers[seat] = begin(controller, requests[seat], decode_decision(self.play, text))
        return {seat: answers[seat] for seat in sorted(answers)}

    def memories(self, news: News[Any, Any]) -> dict[Seat, Memory]:
        """The rewritten memory of each reflecting seat. Raises `SpendStop`."""

        async def reflect(request: Request[Any, Any], ledger: Ledger) -> str:
            try:
                memory = await self.agents[request.seat].reflect(request, ledger)
            except SpendStop:
                raise
            except Exception as error:
                log.exception("run %s, step %s, seat %s: reflecting", self.play.run.pk, request.index, request.seat)
                return json.dumps({"memory": request.memory, "flags": ["agent_error"], "error": repr(error)[:500]})
            return json.dumps({"memory": memory})

        texts = self._stored_or_asked(news.index, "reflect", news.requests, reflect)
        return {seat: json.loads(text)["memory"] for seat, text in texts.items()}

    async def _decision(self, request: Request[Any, Any], ledger: Ledger) -> Decision[Any]:
        try:
            return await self.agents[request.seat].decide(request, ledger)
        except SpendStop:
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
    ) -> dict[Seat, str]:
        """The answers as they are stored; those that are missing are asked for, all at once."""
        if not requests:
            return {}
        run_id = self.play.run.pk
        rows = DecisionRow.objects.filter(run_id=run_id, step=step, purpose=purpose, seat__in=list(requests))
        texts = dict(rows.values_list("seat", "answer"))
        missing = [seat for seat in requests if seat not in texts]
        if missing:
            kept = _calls(run_id, step, missing)
            ledgers = {seat: RunLedger(run_id, seat, step, kept[seat], self.accounts.of_seat(seat)) for seat in missing}

            async def answer(seat: Seat) -> str:
                text = await ask(requests[seat], ledgers[seat])
                return await database_sync_to_async(decision_store, thread_sensitive=False)(
                    run_id=run_id, step=step, seat=seat, purpose=purpose, answer=text
                )

            close_old_connections()  # many may wait at once, and a database has not as many connections to give
            told = self.runner.run(self._while_leased([answer(seat) for seat in missing]))
            texts.update(zip(missing, told, strict=True))
        return {seat: texts[seat] for seat in sorted(texts)}

    async def _while_leased(self, answers: Sequence[Awaitable[T]]) -> list[T]:
        """All answers, the lease renewed meanwhile. Every answer is awaited before the first error is raised."""
        keeper = asyncio.ensure_future(self._keep())
        gathered = asyncio.gather(*answers, return_exceptions=True)
        try:
            await asyncio.wait({keeper, gathered}, return_when=asyncio.FIRST_COMPLETED)
            if keeper.done():
                gathered.cancel()
                keeper.result()
            results = await gathered
        finally:
            keeper.cancel()
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return list(results)  # type: ignore[arg-type]

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            await database_sync_to_async(self.lease.renew, thread_sensitive=False)()


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


def encode_decision(play: Playing, decision: Decision[Any]) -> str:
    action = None if decision.action is None else codec.dump(play.game.action_type, decision.action)
    return json.dumps(
        {
            "action": action,
            "memory": decision.memory,
            "plan": decision.plan,
            "flags": list(decision.flags),
            "trace": dict(decision.trace),
        },
        ensure_ascii=False,
        allow_nan=False,
    )


def decode_decision(play: Playing, text: str) -> Decision[Any]:
    told = json.loads(text)
    action = None if told["action"] is None else codec.load(play.game.action_type, told["action"])
    return Decision(action, told["memory"], told["plan"], tuple(told["flags"]), told["trace"])


def flags_of(text: str) -> tuple[str, ...]:
    """How a stored answer came about, without reading what it says."""
    return tuple(json.loads(text)["flags"])


def _calls(run_id: str, step: int, seats: Sequence[Seat]) -> Mapping[Seat, list[CallRecord]]:
    kept: dict[Seat, list[CallRecord]] = defaultdict(list)
    names = [part.name for part in fields(CallRecord)]
    rows = Call.objects.filter(run_id=run_id, step=step, seat__in=seats).order_by("seat", "attempt").values(*names)
    for row in rows:
        kept[row["seat"]].append(CallRecord(**row))
    return kept
