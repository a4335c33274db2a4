"""Writes that are ready at the same time are stored together, and each answers for itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, connections, transaction
from django.db.backends.signals import connection_created

from agents_app.ports import CallRecord
from games.site.drive import keeping
from games.site.drive import together as module
from games.site.drive.lease import Lease, LeaseLost
from games.site.drive.together import Together
from games.site.models import Call, Decision, Run, Scenario

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many writes each transaction held."""
    seen: list[int] = []
    in_one = module._in_one

    def counted(writes: Any) -> None:
        seen.append(len(writes))
        in_one(writes)

    monkeypatch.setattr(module, "_in_one", counted)
    return seen


@pytest.fixture
def together() -> Together:
    return Together()


def scenario(name: str) -> str:
    Scenario.objects.create(name=name, game="mining", document={})
    return name


def test_what_comes_while_a_transaction_is_under_way_is_in_the_next(together: Together, sizes: list[int]) -> None:
    goes_on = threading.Event()

    def slow() -> str:
        goes_on.wait()
        return scenario("slow")

    async def all_of_them() -> list[str]:
        first = asyncio.ensure_future(together.store(slow))
        while together._waiting or not sizes:
            await asyncio.sleep(0)
        others = [asyncio.ensure_future(together.store(lambda n=n: scenario(f"{n}"))) for n in range(9)]  # type: ignore[misc]
        await asyncio.sleep(0)
        goes_on.set()
        return list(await asyncio.gather(first, *others))

    assert asyncio.run(all_of_them()) == ["slow", *map(str, range(9))]
    assert sizes == [1, 9]
    assert Scenario.objects.count() == 10


def test_one_that_is_at_fault_is_told_so_and_the_others_are_stored(together: Together) -> None:
    def fault() -> str:
        scenario("lost")
        raise ValueError("not this one")

    async def three() -> list[Any]:
        writes = (lambda: scenario("a"), fault, lambda: scenario("b"))
        return list(await asyncio.gather(*map(together.store, writes), return_exceptions=True))

    first, second, third = asyncio.run(three())
    assert (first, third) == ("a", "b")
    assert isinstance(second, ValueError)
    assert set(Scenario.objects.values_list("name", flat=True)) == {"a", "b"}


def test_a_database_that_is_away_is_told_to_all_who_wait_and_once_it_is_back_it_is_opened_anew(
    together: Together,
) -> None:
    away = True

    def write(name: str) -> str:
        if away:
            raise OperationalError("no room")
        return scenario(name)

    async def both() -> list[Any]:
        writes = (lambda: write("a"), lambda: write("b"))
        return list(await asyncio.gather(*map(together.store, writes), return_exceptions=True))

    with together.open():
        assert [type(told) for told in asyncio.run(both())] == [OperationalError, OperationalError]
        away = False
        assert asyncio.run(both()) == ["a", "b"]


def test_a_connection_that_broke_is_opened_anew_without_a_word(
    together: Together, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(connections["default"]), "is_usable", lambda self: False)
    opened: list[str] = []

    def is_opened(**_: Any) -> None:
        opened.append(threading.current_thread().name)

    def once(name: str) -> str:
        if len(opened) == 1:
            raise OperationalError("the server closed the connection")
        return scenario(name)

    connection_created.connect(is_opened)  # a pool may hand out the one that it got back
    with together.open():
        asyncio.run(together.store(lambda: connection.ensure_connection()))
        assert asyncio.run(together.store(lambda: once("after"))) == "after"
    assert opened == ["stores_0"] * 2


def test_what_was_paid_for_is_stored_though_nobody_waits_for_it_any_more(together: Together) -> None:
    goes_on, is_done = threading.Event(), threading.Event()

    def slow() -> None:
        goes_on.wait()
        scenario("paid")
        is_done.set()

    async def cancelled() -> None:
        waiting = asyncio.ensure_future(together.store(slow))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    with together.open():
        asyncio.run(cancelled())
        goes_on.set()
        assert is_done.wait(30)
    assert Scenario.objects.get().name == "paid"


def test_the_last_one_out_closes_the_connection(together: Together) -> None:
    async def is_open() -> bool:
        return await together.store(lambda: connection.connection is not None)

    def stands() -> bool:
        return bool(together._thread.submit(lambda: connection.connection is not None).result())

    with together.open():
        with together.open():
            assert asyncio.run(is_open())
        assert stands()
    assert not stands()


@dataclass(frozen=True)
class Named:
    """A scenario to store, with others at once."""

    name: str

    def __call__(self) -> str:
        return scenario(self.name)

    @staticmethod
    def of_many(works: Sequence[Named]) -> list[str]:
        Scenario.objects.bulk_create([Scenario(name=one.name, game="mining", document={}) for one in works])
        return [one.name for one in works]


def test_works_of_one_class_are_done_by_as_many_statements_as_one_of_them(
    together: Together, django_assert_num_queries: Any
) -> None:
    writes = [module._Write(Named(f"{n}"), None, None) for n in range(40)]  # type: ignore[arg-type]
    with django_assert_num_queries(3):
        module._in_one(writes)
    assert [write.result for write in writes] == [f"{n}" for n in range(40)]


def test_one_of_a_class_that_is_at_fault_is_told_so_and_the_others_are_stored(together: Together) -> None:
    scenario("there")
    writes = [module._Write(Named(name), None, None) for name in ("a", "there", "b")]  # type: ignore[arg-type]
    module._do(writes)
    assert [write.result for write in writes] == ["a", None, "b"]
    assert isinstance(writes[1].error, IntegrityError)


def test_calls_and_answers_that_come_together_are_stored_by_few_statements_and_a_stranger_s_is_dropped(
    make_run: Callable[..., Run], django_assert_num_queries: Any
) -> None:
    runs = [make_run(days=2) for _ in range(20)]
    leases = [Lease.take(run.pk, "live") for run in runs]
    call = CallRecord(model="m", prompt_hash="h", prompt="p", step=1, seat=0, attempt=0, purpose="act", reply="r")
    both = [
        keeping._Kept(keeping.RunLedger(run.pk, 0, 1, (), (), lease), call, "act", "{}")
        for run, lease in zip(runs, leases, strict=True)
        if lease is not None
    ]
    with transaction.atomic(), django_assert_num_queries(5):  # leases, two inserts, and the two ends of a savepoint
        assert keeping._Kept.of_many(both) == ["{}"] * 20
    with transaction.atomic():
        assert keeping._Kept.of_many(both) == ["{}"] * 20, "tried again after a lost answer"
    assert (Call.objects.count(), Decision.objects.count()) == (20, 20)
    Run.objects.filter(pk=runs[3].pk).update(lease_generation=99)
    later = [replace(one, call=replace(call, attempt=1, at="later")) for one in both]
    with transaction.atomic():
        assert keeping._Kept.of_many(later) == [None if run is runs[3] else "{}" for run in runs]
    assert Call.objects.filter(purpose=keeping.DROPPED).count() == 1
    answers = [replace(one, call=None) for one in both]
    with pytest.raises(LeaseLost), transaction.atomic():
        keeping._Kept.of_many(answers)
