"""Asks the seats whose agents answer with I/O: all of a turn at once, each answer stored when it arrives.

After a crash what was stored is read back, and only what is missing is asked again; a call that was stored by an agent
that had not yet decided is offered to it through its ledger. The lease is kept while answers are awaited.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.db import close_old_connections, connection
from django.db.models import Count

from agents_app.deciders.llm import ModelAgent
from agents_app.ports import BatchWaits, Ledger, ModelStop, RunStop, SeatedAgent
from agents_app.staggered import gathered
from agents_app.watching import check_answers, is_due
from games.core.agents import Decision, Memory, Purpose, Request
from games.core.engine import Ask, News
from games.core.game import Seat
from games.site.drive.accounts import Accounts
from games.site.drive.keeping import Renewable, RunLedger, calls_kept
from games.site.drive.lane import lane
from games.site.drive.lease import LeaseLost
from games.site.drive.together import AWAY
from games.site.models import Decision as DecisionRow
from games.site.record.decisions import decode_decision, encode_decision, flags_of
from games.site.record.notices import LOADING, notice
from games.site.record.selectors import Playing

log = logging.getLogger(__name__)

RENEW_S = 5.0
NOT_ITS_FAULT = (RunStop, BatchWaits, LeaseLost, DatabaseError)
"""What an agent passes on and did not cause: never an answer, so nothing is stored in place of one."""
T = TypeVar("T")


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
            kept = {} if is_new else calls_kept(run_id, step, missing)
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
