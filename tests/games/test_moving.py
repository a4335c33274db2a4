"""Steps of many runs are stored in one transaction; drivers whose answers have come go on one at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from django.db import OperationalError

from games.core import codec
from games.site.drive import lease as module
from games.site.drive.conductor import conduct
from games.site.drive.lane import Lane
from games.site.drive.lease import Lease, Moved
from games.site.drive.moving import Move
from games.site.drive.together import Together
from games.site.models import Run, Step
from games.site.record.rows import Rows
from games.site.record.selectors import playing

pytestmark = pytest.mark.django_db(transaction=True)


def move(run: Run, then: Callable[[Moved], None], generation: int | None = None) -> Move:
    lease = Lease.take(run.pk, run.queue)
    assert lease is not None
    step = {"run_id": run.pk, "index": 0, "stage": "s", "record": b"{}", "position": b"{}", "hash": codec.GENESIS}
    lease = Lease(run.pk, lease.generation if generation is None else generation)
    return Move(lease, 0, {"head": 0}, Rows(playing(run), codec.GENESIS, steps=[step]), then)


def test_the_step_of_a_run_that_another_driver_has_is_not_stored_and_hurts_no_other(
    make_run: Callable[..., Run],
) -> None:
    runs = [make_run() for _ in range(3)]
    seen: list[str] = []
    moves = [move(run, lambda at: seen.append(at.pk), 99 if n == 1 else None) for n, run in enumerate(runs)]
    told = Move.of_many(moves)
    assert [at and (at.pk, at.head) for at in told] == [(runs[0].pk, 0), None, (runs[2].pk, 0)]
    assert set(Step.objects.values_list("run", flat=True)) == {runs[0].pk, runs[2].pk} == set(seen)


def test_a_step_that_is_stored_twice_is_refused_the_second_time(make_run: Callable[..., Run]) -> None:
    one, together = move(make_run(), lambda at: None), Together()
    assert together.begin(one).result() is not None
    assert together.begin(one).result() is None
    assert Step.objects.count() == 1


def test_the_error_of_what_a_thread_stores_reaches_it(make_run: Callable[..., Run]) -> None:
    def broken(at: Moved) -> None:
        raise ZeroDivisionError(at.pk)

    run = make_run()
    with pytest.raises(ZeroDivisionError, match=run.pk):
        Together().begin(move(run, broken)).result()
    assert not Step.objects.exists()


def test_who_waits_lets_others_go_on_and_goes_on_only_when_they_wait() -> None:
    lane, order = Lane(), list[str]()

    async def nothing() -> None:
        await asyncio.sleep(0)

    def second() -> None:
        lane.run(nothing())
        order.append("second")
        lane.leave()

    lane.run(nothing())
    thread = threading.Thread(target=second)
    thread.start()
    thread.join(0.2)
    assert (thread.is_alive(), order) == (True, []), "the second has its answer, and this thread the turn"
    lane.wait(thread.join)
    assert order == ["second"]
    lane.leave()


def test_a_lease_that_could_not_be_released_is_released_when_the_database_is_back(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, real, tries = make_run(), Lease.release, list[str]()

    def away_twice(lease: Lease) -> None:
        tries.append(lease.run_id)
        if len(tries) < 3:
            raise OperationalError("the database is away")
        real(lease)

    monkeypatch.setattr(Lease, "release", away_twice)
    monkeypatch.setattr(module, "AGAIN_S", 0.01)
    conduct(run.pk, run.queue)
    for thread in threading.enumerate():
        if thread.name == "releases":
            thread.join()
    run.refresh_from_db()
    assert (tries, run.lease_until, run.lease_owner) == ([run.pk] * 3, None, "")
