"""Seats whose agents answer with I/O: all at once, stored on arrival, never asked twice for what is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents_app.deciders.contract import CallRecord, SpendStop
from games import conductor
from games.conductor import conduct
from games.core.agents import Decision
from games.models import Call, Run, Seat, Step
from games.models import Decision as DecisionRow
from tests.core.toys import Say

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]


class Scribe:
    """An agent that calls once a decision, counts how many are under way, and keeps its calls in its ledger."""

    under_way = 0
    most = 0
    made: list[tuple[int, int]] = []  # noqa: RUF012 - a ledger of the whole test
    fault: Any = None

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

    def die(driver: Any, batch: Any) -> Any:
        raise SystemExit

    with monkeypatch.context() as deadly:
        deadly.setattr(conductor._Driver, "_store", lambda d, b: die(d, b) if b[0].step.index == 4 else real(d, b))
        with pytest.raises(SystemExit):
            conduct(run.pk, "live")
    assert DecisionRow.objects.filter(run=run, step=4).count() == 2
    expire(run)
    conduct(run.pk, "live")
    assert stored(run) == stored(undisturbed)
    assert len(scribe.made) == len(set(scribe.made)), "no call twice"


real = conductor._Driver._store


def test_a_call_that_was_stored_by_an_agent_that_had_not_decided_is_not_paid_twice(
    make_run: MakeRun, scribe: type[Scribe]
) -> None:
    run = with_models(make_run(days=2))
    Call.objects.create(run=run, step=2, seat=0, attempt=1, model="mock", prompt_hash="h", reply="hymn")
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "finished"
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
    from games.services.runs import run_play

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
    assert Reflecting.heard == [(index, seat, f"after {index - 1}") for index, seat in asked]
