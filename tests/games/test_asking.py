"""Seats whose agents answer with I/O: all at once, stored on arrival, never asked twice for what is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from agents_app.ports import CallRecord, SpendStop
from games.core.agents import Decision
from games.site.drive import conductor, keeping, model_seats
from games.site.drive.conductor import conduct
from games.site.models import Call, Run, Seat, Step
from games.site.models import Decision as DecisionRow
from tests.core.toys import Say

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]


class Scribe:
    """An agent that calls once a decision, counts how many are under way, and keeps its calls in its ledger."""

    under_way = 0
    most = 0
    made: list[tuple[int, int]] = []  # noqa: RUF012 - a ledger of the whole test
    fault: Any = None
    is_asked_at_end = False

    def __init__(self, reflects: bool = False) -> None:
        self.reflects = reflects

    async def decide(self, request: Any, ledger: Any) -> Decision[Any]:
        kept = ledger.earlier("act")
        if not kept:
            cls = type(self)
            cls.under_way += 1
            cls.most = max(cls.most, cls.under_way)
            await asyncio.sleep(0.002)
            cls.under_way -= 1
            cls.made.append((request.index, request.seat))
            call = CallRecord(request.seat, request.index, "act", 1, "mock", "h", "p", request.observation.known[-1])
            await ledger.store(call)
            kept = [call]
        if self.fault is not None:
            type(self).fault(request)
        return Decision(Say(kept[0].reply), memory=(request.memory or 0) + 1)

    async def reflect(self, news: Any, ledger: Any) -> Any:
        return f"after {news.index}"


@pytest.fixture(autouse=True)
def scribe(monkeypatch: pytest.MonkeyPatch) -> type[Scribe]:
    class Fresh(Scribe):
        made: list[tuple[int, int]] = []  # noqa: RUF012

    monkeypatch.setattr("agents_app.deciders.seated_agent", lambda *_: Fresh(), raising=False)
    return Fresh


def with_models(run: Run) -> Run:
    Seat.objects.filter(run=run, index__in=(0, 1)).update(kind="model", agent={"kind": "model"})
    return run


def stored(run: Run) -> list[str]:
    return list(Step.objects.filter(run=run).order_by("index").values_list("hash", flat=True))


def expire(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_all_seats_of_a_turn_are_asked_at_once_and_the_run_equals_one_by_policies(
    make_run: MakeRun, scribe: type[Scribe]
) -> None:
    plain, asked = make_run(days=4), with_models(make_run(days=4))
    conduct(plain.pk, "live")
    conduct(asked.pk, "live")
    assert stored(asked) == stored(plain)
    assert scribe.most == 2
    assert DecisionRow.objects.filter(run=asked).count() == 4 * 4, "solo, pair, and two in all, each of four days"


def test_a_driver_that_dies_after_some_answers_came_asks_only_for_the_rest(
    make_run: MakeRun, scribe: type[Scribe], monkeypatch: Any
) -> None:
    undisturbed, run = with_models(make_run(days=3)), with_models(make_run(days=3))
    conduct(undisturbed.pk, "live")
    scribe.made.clear()

    def die() -> Any:
        raise SystemExit

    with monkeypatch.context() as deadly:
        deadly.setattr(conductor._Driver, "_store", lambda d, first, *b: die() if first == 4 else real(d, first, *b))
        with pytest.raises(SystemExit):
            conduct(run.pk, "live")
    assert DecisionRow.objects.filter(run=run, step=4).count() == 2
    expire(run)
    conduct(run.pk, "live")
    assert stored(run) == stored(undisturbed)
    assert len(scribe.made) == len(set(scribe.made)), "no call twice"


real = conductor._Driver._store


def test_a_call_that_was_stored_by_an_agent_that_had_not_decided_is_not_paid_twice(
    make_run: MakeRun, scribe: type[Scribe], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = with_models(make_run(days=2))
    Call.objects.create(run=run, step=2, seat=0, attempt=1, model="mock", prompt_hash="h", reply="hymn")
    monkeypatch.setitem(conductor.SLICE_S, "live", 0.0)  # its driver died before step 2: another takes it up there
    while run.status != "finished":
        conduct(run.pk, "live")
        run.refresh_from_db()
    assert (2, 0) not in scribe.made
    assert Call.objects.filter(run=run, step=2, seat=0).count() == 1


def test_an_agent_that_raises_is_flagged_and_the_run_goes_on(make_run: MakeRun, scribe: type[Scribe]) -> None:
    run = with_models(make_run(days=2))

    def fault(request: Any) -> None:
        if request.seat == 1:
            raise ConnectionResetError("peer")

    scribe.fault = staticmethod(fault)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "finished"
    row = DecisionRow.objects.filter(run=run, seat=1).first()
    assert row is not None
    assert "agent_error" in row.answer
    assert "ConnectionResetError" in row.answer


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The database is away for the storing of so many calls."""
    left = {"tries": 0}
    store = keeping.RunLedger._store

    def storing(ledger: Any, call: CallRecord) -> bool:
        if left["tries"] > 0:
            left["tries"] -= 1
            raise OperationalError("database is locked")
        return store(ledger, call)

    monkeypatch.setattr(keeping.RunLedger, "_store", storing)
    monkeypatch.setattr(keeping, "_are_new", lambda *tables: False)  # so that each is stored by itself
    monkeypatch.setattr(keeping, "AGAIN_S", 0.0)
    return left


def test_a_database_that_is_away_for_a_moment_costs_no_answer_and_no_second_call(
    make_run: MakeRun, scribe: type[Scribe], away: dict[str, int]
) -> None:
    plain, run = make_run(days=2), with_models(make_run(days=2))
    conduct(plain.pk, "live")
    away["tries"] = 3
    conduct(run.pk, "live")
    assert stored(run) == stored(plain)
    assert len(scribe.made) == len(set(scribe.made)), "no call twice"
    assert not any("agent_error" in row.answer for row in DecisionRow.objects.filter(run=run))


def test_a_database_that_stays_away_ends_the_slice_and_no_default_is_stored_for_a_model(
    make_run: MakeRun, scribe: type[Scribe], away: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, run = make_run(days=2), with_models(make_run(days=2))
    conduct(plain.pk, "live")
    monkeypatch.setattr(keeping, "PATIENCE_S", -1.0)
    away["tries"] = 1
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.head, run.error) == ("running", 1, "")
    assert list(DecisionRow.objects.filter(run=run)) == []
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "finished"
    assert stored(run) == stored(plain)


def test_a_database_that_is_away_while_a_memory_is_rewritten_leaves_the_memory_to_be_rewritten(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Reflecting(Scribe):
        made: list[tuple[int, int]] = []  # noqa: RUF012
        tries = 0

        def __init__(self) -> None:
            super().__init__(reflects=True)

        async def decide(self, request: Any, ledger: Any) -> Decision[Any]:
            return Decision(Say("hymn"), request.memory)

        async def reflect(self, news: Any, ledger: Any) -> Any:
            type(self).tries += 1
            if self.tries == 1:
                raise InterfaceError("connection already closed")
            return f"after {news.index}"

    monkeypatch.setattr("agents_app.deciders.seated_agent", lambda *_: Reflecting(), raising=False)
    run = with_models(make_run(days=2))
    conduct(run.pk, "live")
    assert not DecisionRow.objects.filter(run=run, answer__contains="agent_error").exists()
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "finished"
    assert not DecisionRow.objects.filter(run=run, answer__contains="agent_error").exists()


def test_a_lease_is_kept_though_the_database_was_away_when_it_was_to_be_renewed(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = with_models(make_run(days=2))
    renew, tries = conductor.Lease.renew, []

    def renewing(lease: Any) -> None:
        tries.append(lease)
        if len(tries) == 1:
            raise OperationalError("database is locked")
        renew(lease)

    class Slow(Scribe):
        made: list[tuple[int, int]] = []  # noqa: RUF012

        async def decide(self, request: Any, ledger: Any) -> Decision[Any]:
            await asyncio.sleep(0.01)
            return await super().decide(request, ledger)

    monkeypatch.setattr("agents_app.deciders.seated_agent", lambda *_: Slow(), raising=False)
    monkeypatch.setattr(conductor.Lease, "renew", renewing)
    monkeypatch.setattr(model_seats, "RENEW_S", 0.003)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert len(tries) > 1
    assert run.status == "finished"


def test_a_spend_stop_pauses_the_run_and_keeps_the_answers_that_came(make_run: MakeRun, scribe: type[Scribe]) -> None:
    run = with_models(make_run(days=2))

    def stop(request: Any) -> None:
        if request.index == 4 and request.seat == 1:
            raise SpendStop("spent 2.00 of 2.00 USD; raise the limit and resume")

    scribe.fault = staticmethod(stop)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.head) == ("paused", 3)
    assert run.error.startswith("spent 2.00 of 2.00 USD")
    assert DecisionRow.objects.filter(run=run, step=4, seat=0).exists()
    scribe.fault = None
    from games.site.runs.creating import run_play

    run_play(run_id=run.pk)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.error) == ("finished", "")
    assert len(scribe.made) == len(set(scribe.made))


def test_memories_that_are_rewritten_after_the_news_survive_a_crash(make_run: MakeRun, monkeypatch: Any) -> None:
    class Reflecting(Scribe):
        made: list[tuple[int, int]] = []  # noqa: RUF012
        heard: list[Any] = []  # noqa: RUF012

        def __init__(self) -> None:
            super().__init__(reflects=True)

        async def decide(self, request: Any, ledger: Any) -> Decision[Any]:
            self.heard.append((request.index, request.seat, request.memory))
            return Decision(Say("hymn"), request.memory)

    monkeypatch.setattr("agents_app.deciders.seated_agent", lambda *_: Reflecting(), raising=False)
    monkeypatch.setattr(conductor, "SLICE_S", {"live": 0.0, "bulk": 0.0})
    run = with_models(make_run(days=2))
    while Run.objects.get(pk=run.pk).status != "finished":
        conduct(run.pk, "live")
    asked = ((2, 0), (3, 0), (4, 0), (4, 1), (6, 0), (7, 0), (8, 0), (8, 1))
    assert Reflecting.heard == [(index, seat, "after 4" if index > 4 else None) for index, seat in asked]
