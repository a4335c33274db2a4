"""A database that was away, and a second driver that took the run meanwhile: no run fails for it, no answer is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import DataError, InternalError, transaction

from agents_app.ports import CallRecord
from games.core.agents import Decision
from games.site.drive import conductor, together
from games.site.drive.conductor import conduct
from games.site.drive.lease import Lease, LeaseLost
from games.site.models import Call, Run
from games.site.models import Decision as DecisionRow
from tests.games.test_asking import Scribe, expire, stored, with_models

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]


class Late(Scribe):
    """An agent beside whose first call something happens, before that call is stored."""

    made: list[tuple[int, int]] = []  # noqa: RUF012
    meanwhile: Callable[[CallRecord], None] | None = None

    async def decide(self, request: Any, ledger: Any) -> Decision[Any]:
        store = ledger.store

        async def storing(call: CallRecord) -> None:
            if Late.meanwhile is not None:
                happens, Late.meanwhile = Late.meanwhile, None
                await database_sync_to_async(happens, thread_sensitive=False)(call)
            await store(call)

        ledger.store = storing
        return await super().decide(request, ledger)


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> type[Late]:
    monkeypatch.setattr("agents_app.deciders.seated_agent", lambda *_: Late(), raising=False)
    monkeypatch.setattr(Late, "made", [])
    monkeypatch.setattr(Late, "meanwhile", None)
    return Late


def play_to_the_end(run: Run) -> str:
    for _ in range(5):
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.error == ""
    return str(run.status)


def twin(call: CallRecord, run: Run, reply: str = "march") -> Call:
    """The row that another driver would store for this call."""
    return Call(run=run, step=call.step, seat=call.seat, purpose=call.purpose, attempt=1, model="mock", reply=reply)


def test_a_call_whose_storing_was_answered_by_a_broken_line_is_stored_once(
    make_run: MakeRun, late: type[Late], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, lost = with_models(make_run(days=2)), []
    once = together._in_one

    def twice(writes: Any) -> None:
        once(writes)
        if not lost and Call.objects.filter(run=run).exists():
            lost.append(True)
            once(writes)  # as `_do` does where the line broke after the commit

    monkeypatch.setattr(together, "_in_one", twice)
    assert play_to_the_end(run) == "finished"
    assert lost
    assert len(late.made) == len(set(late.made)) == Call.objects.filter(run=run).count()


def test_a_call_that_another_driver_stored_first_is_taken_for_the_seats_own(
    make_run: MakeRun, late: type[Late]
) -> None:
    run = with_models(make_run(days=2))
    late.meanwhile = lambda call: twin(call, run).save()
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.error, run.lease_until) == ("running", "", None)
    assert play_to_the_end(run) == "finished"
    first = Call.objects.filter(run=run, purpose="act").order_by("pk").first()
    assert first is not None
    answer = DecisionRow.objects.get(run=run, step=first.step, seat=first.seat, purpose="act").answer
    assert "march" in answer, "the answer of the call that is kept"
    assert Call.objects.get(run=run, purpose="dropped").reply != "march", "what was paid for too is on the account"


def test_a_driver_whose_lease_another_has_taken_writes_no_answer(make_run: MakeRun, late: type[Late]) -> None:
    run = with_models(make_run(days=2))

    def taken(call: CallRecord) -> None:
        expire(run)
        assert Lease.take(run.pk, "live") is not None

    late.meanwhile = taken
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "running"
    assert not DecisionRow.objects.filter(run=run).exists()
    assert set(Call.objects.filter(run=run).values_list("purpose", flat=True)) == {"dropped"}
    expire(run)
    plain = make_run(days=2)
    conduct(plain.pk, "live")
    assert play_to_the_end(run) == "finished"
    assert stored(run) == stored(plain)


def test_a_lease_that_another_has_taken_is_not_ours(make_run: MakeRun) -> None:
    run = with_models(make_run(days=2))
    lease = Lease.take(run.pk, "live")
    assert lease is not None
    with transaction.atomic():
        assert lease.is_ours()
    expire(run)
    assert Lease.take(run.pk, "live") is not None
    with transaction.atomic():
        assert not lease.is_ours()
    with pytest.raises(LeaseLost):
        lease.renew()


@pytest.mark.parametrize("fault", [InternalError("aborted"), OSError(28, "No space left on device")])
def test_what_the_machine_does_ends_a_slice_and_no_run(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    run = make_run(days=2)

    def full(*_: Any) -> Any:
        raise fault

    with monkeypatch.context() as bad:
        bad.setattr(conductor._Driver, "_store", full)
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.error, run.lease_until) == ("running", "", None)
    assert play_to_the_end(run) == "finished"


@pytest.mark.parametrize("fault", [DataError("value too long"), MemoryError("no room")])
def test_what_does_not_end_by_itself_pauses_a_run_and_says_why(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    run = make_run(days=2)

    def refused(*_: Any) -> Any:
        raise fault

    with monkeypatch.context() as bad:
        bad.setattr(conductor._Driver, "_store", refused)
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "paused"
    assert repr(fault) in run.error


@pytest.mark.parametrize("fault", [InternalError("aborted"), OSError(28, "No space left on device")])
def test_a_run_that_could_not_be_read_at_its_end_is_measured_later_and_not_left_without_figures(
    make_run: MakeRun, late: type[Late], monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    run = with_models(make_run(days=2))

    def away(*_: Any) -> Any:
        raise fault

    with monkeypatch.context() as bad:
        bad.setattr(conductor, "answers_of", away)
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.metrics) == ("running", None)
    assert play_to_the_end(run) == "finished"
    run.refresh_from_db()
    assert run.metrics is not None


def test_a_driver_that_lost_its_lease_at_the_end_changes_neither_the_run_nor_its_seats(
    make_run: MakeRun, late: type[Late], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, real = with_models(make_run(days=2)), conductor.answers_of

    def frozen(*of: Any) -> Any:
        seats = real(*of)
        expire(run)
        assert Lease.take(run.pk, "live") is not None
        return seats

    with monkeypatch.context() as slow:
        slow.setattr(conductor, "answers_of", frozen)
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "running"
    assert {seat.decisions for seat in run.seats.all()} == {None}, "nothing is counted yet"
    expire(run)
    assert play_to_the_end(run) == "finished"
    assert {seat.decisions for seat in run.seats.all()} != {None}
