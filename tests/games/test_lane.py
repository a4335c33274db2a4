"""Runs of models have threads of their own: whoever waits for a model holds up nobody who does not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from games.site.drive import conductor
from games.site.models import Queue, Run, SeatKind
from games.site.record import selectors
from games.site.workers import tasks
from games.site.workers.pool import Pool

PATIENCE_S = 30


class Work:
    """Begins when it is called, and ends when it is told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.began = threading.Semaphore(0)
        self.may_end = threading.Event()

    def __call__(self, run_id: str) -> None:
        self.begun.append(run_id)
        self.began.release()
        assert self.may_end.wait(PATIENCE_S)

    def wait(self, count: int) -> None:
        for _ in range(count):
            assert self.began.acquire(timeout=PATIENCE_S)


@pytest.fixture
def work(db: None) -> Work:
    return Work()


@pytest.fixture
def busy(work: Work) -> Pool[str]:
    """A lane of one thread, which drives a run."""
    lane = Pool[str]("run", work, 1)
    lane.take("first")
    work.wait(1)
    return lane


def test_runs_are_driven_in_the_order_in_which_they_came_and_one_that_stands_in_line_is_not_taken_twice(
    work: Work, busy: Pool[str]
) -> None:
    for run in ("second", "third", "second", "third", "second"):
        busy.take(run)
    work.may_end.set()
    work.wait(2)
    busy.close()
    assert work.begun == ["first", "second", "third"]


def test_a_run_that_is_being_driven_may_stand_in_line_for_its_next_slice(work: Work, busy: Pool[str]) -> None:
    busy.take("first")
    work.may_end.set()
    work.wait(1)
    busy.close()
    assert work.begun == ["first", "first"]


def test_a_driver_that_breaks_off_keeps_no_thread_from_the_next_run(db: None) -> None:
    done = threading.Event()

    def drive(run_id: str) -> None:
        if run_id == "broken":
            raise RuntimeError("a bug")
        done.set()

    lane = Pool[str]("run", drive, 1)
    lane.take("broken")
    lane.take("sound")
    assert done.wait(PATIENCE_S)
    lane.close()


def test_an_ending_worker_drives_nothing_more_of_its_line(work: Work, busy: Pool[str]) -> None:
    busy.take("in line")
    busy.close()
    busy.take("too late")
    assert not busy.is_empty(within_s=0)
    work.may_end.set()
    assert busy.is_empty(within_s=PATIENCE_S)
    assert work.begun == ["first"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("kinds", "waits"),
    [
        ((SeatKind.MODEL, SeatKind.POLICY, SeatKind.MODEL), True),
        ((SeatKind.POLICY, SeatKind.POLICY, SeatKind.RECORDING), False),
        ((SeatKind.MODEL, SeatKind.PERSON, SeatKind.POLICY), False),
    ],
)
def test_only_runs_of_models_without_people_go_to_the_lane(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch, kinds: tuple[SeatKind, ...], waits: bool
) -> None:
    run = make_run()
    for seat, kind in zip(selectors.seats_of(run), kinds, strict=True):
        seat.kind = kind
        seat.save()
    taken: list[Any] = []
    driven: list[Any] = []
    monkeypatch.setattr(tasks.MODELS, "take", taken.append)
    monkeypatch.setattr(conductor, "conduct", lambda *which: driven.append(which))
    tasks.step_live(run.pk)
    assert (taken, driven) == (([run.pk], []) if waits else ([], [(run.pk, Queue.LIVE)]))
