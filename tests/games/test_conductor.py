"""The conductor: one writer, one transaction a step, and the same run as without a site."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.db.models import Model
from django.utils import timezone

from games.core import codec
from games.core.agents import deciding
from games.core.engine import play
from games.core.game import All, Public, SeatEyes
from games.errors.requests import BadRequest
from games.lab.wire import zst
from games.site.drive import conductor, sweeping
from games.site.drive.conductor import Lease, LeaseLost, conduct
from games.site.models import Message, Run, Snapshot, Step
from games.site.record import blobs, selectors
from games.site.record.inserting import insert
from games.site.record.verification import verify_run
from games.site.runs import creating as services
from tests.core.toys import PARADE, Parade, ParadeConfig

MakeRun = Callable[..., Run]


def undisturbed(days: int, seed: int = 1) -> list[str]:
    decider = deciding(PARADE.policies["latest"].bind())
    previous, hashes = codec.GENESIS, []
    for step in play(Parade(), ParadeConfig(days=days), seed, dict.fromkeys(range(3), decider)):
        previous = codec.chain(Parade(), previous, step)
        hashes.append(previous)
    return hashes


def stored(run: Run) -> list[str]:
    return list(Step.objects.filter(run=run).order_by("index").values_list("hash", flat=True))


def test_a_run_through_the_conductor_equals_play(make_run: MakeRun) -> None:
    run = make_run(days=20)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "finished"
    assert stored(run) == undisturbed(20)
    assert run.head == 80
    assert run.head_hash == undisturbed(20)[-1]
    assert run.lease_until is None


def test_stored_steps_decode_to_what_was_played(make_run: MakeRun) -> None:
    run = make_run(days=6)
    conduct(run.pk, "live")
    decider = deciding(PARADE.policies["latest"].bind())
    played = list(play(Parade(), ParadeConfig(days=6), 1, dict.fromkeys(range(3), decider)))
    kept = list(selectors.steps(selectors.playing(selectors.run_get(run.pk)), -1, 99))
    assert [k.step.state for k in kept] == [step.state for step in played]
    assert [list(k.step.events) for k in kept] == [list(step.events) for step in played]
    assert kept[-1].metrics == PARADE.metrics.measure(ParadeConfig(days=6), played[-2].state, played[-1])
    assert kept[-1].memories[0] == 18
    assert Snapshot.objects.filter(run=run).count() == 2


@pytest.mark.parametrize(
    ("at_once", "room", "lines"), [(6, blobs.ROOM, [12, 4]), (99, 1, [2, 2]), (1, blobs.ROOM, [2, 2])]
)
def test_steps_are_read_wherever_those_that_are_stored_together_end(
    make_run: MakeRun, monkeypatch: Any, at_once: int, room: int, lines: list[int]
) -> None:
    monkeypatch.setattr(conductor, "BATCH", {"live": at_once})
    monkeypatch.setattr(blobs, "ROOM", room)
    run = make_run(days=6)
    conduct(run.pk, "live")
    bodies = Snapshot.objects.filter(run=run).order_by("index").values_list("body", flat=True)
    assert [len(zst.unpack(body).split(b"\n")) for body in bodies] == lines
    play_ = selectors.playing(selectors.run_get(run.pk))
    assert [one.hash for one in selectors.steps(play_, -1, 99)] == undisturbed(6)
    assert verify_run(run.pk).identical == 24


def test_a_run_that_is_driven_in_many_slices_is_the_same_run(make_run: MakeRun, monkeypatch: Any, queued: Any) -> None:
    monkeypatch.setattr(conductor, "SLICE_S", {"live": 0.0, "bulk": 0.0})
    run = make_run(days=10)
    slices = 0
    while Run.objects.get(pk=run.pk).status != "finished":
        conduct(run.pk, "live")
        slices += 1
    assert slices > 40
    assert queued.count((run.pk, "live")) == slices - 1
    assert stored(run) == undisturbed(10)


def test_only_one_driver_holds_the_lease(make_run: MakeRun) -> None:
    run = make_run()
    first = Lease.take(run.pk, "live")
    assert first is not None
    assert Lease.take(run.pk, "live") is None
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    second = Lease.take(run.pk, "live")
    assert second is not None
    assert second.generation == first.generation + 1
    assert not first.held().exists()


def test_a_stale_driver_stores_nothing(make_run: MakeRun, monkeypatch: Any) -> None:
    run = make_run()
    real = conductor._Driver._store

    def usurped(*batch: Any) -> Any:
        Run.objects.filter(pk=run.pk).update(lease_generation=99)
        return real(*batch)

    monkeypatch.setattr(conductor._Driver, "_store", usurped)
    conduct(run.pk, "live")
    assert stored(run) == []
    assert Run.objects.get(pk=run.pk).head == -1


def test_the_wrong_queue_does_not_take_a_run(make_run: MakeRun) -> None:
    run = make_run()
    conduct(run.pk, "bulk")
    assert stored(run) == []


def test_a_step_that_cannot_be_stored_whole_is_not_stored_at_all(make_run: MakeRun, monkeypatch: Any) -> None:
    run = make_run(days=20)
    monkeypatch.setattr(conductor, "BATCH", {"live": 8})

    def full(model: type[Model], rows: Any) -> None:
        if model is Message:
            raise OperationalError("disk full")
        insert(model, rows)

    with monkeypatch.context() as broken:
        broken.setattr("games.site.record.rows.insert", full)
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.head, stored(run)) == ("running", -1, [])
    conduct(run.pk, "live")
    assert stored(run) == undisturbed(20)


def test_a_bug_in_the_rules_fails_the_run_and_keeps_what_was_stored(make_run: MakeRun, monkeypatch: Any) -> None:
    run = make_run(days=20, pace=0)
    expected, real = undisturbed(20), Parade.resolve

    def broken(game: Any, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        if state.day == 15:
            raise ZeroDivisionError("division by zero")
        return real(game, config, state, actions, rng)

    monkeypatch.setattr(conductor, "BATCH", {"live": 4})
    monkeypatch.setattr(Parade, "resolve", broken)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "failed"
    assert "ZeroDivisionError: division by zero" in run.error
    assert run.head == 56, "step 57 is the dawn of day 15"
    assert stored(run) == expected[:57]


def test_a_paced_run_sets_when_it_wakes_and_the_sweep_finds_only_what_is_due(make_run: MakeRun, queued: Any) -> None:
    run = make_run(days=20, pace=0.2)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.head == 0
    assert run.wake_at is not None
    queued.clear()
    sweeping.sweep()
    assert queued == []
    Run.objects.filter(pk=run.pk).update(wake_at=timezone.now() - timedelta(seconds=1))
    sweeping.sweep()
    assert queued == [(run.pk, "live")]


def test_the_sweep_takes_up_a_run_whose_driver_died(make_run: MakeRun, queued: Any) -> None:
    run = make_run()
    assert Lease.take(run.pk, "live")
    queued.clear()
    sweeping.sweep()
    assert queued == []
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweeping.sweep()
    assert queued == [(run.pk, "live")]


def test_a_slice_ends_with_its_step_where_the_process_is_to_end(
    make_run: MakeRun, queued: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(days=20)
    ending = threading.Event()
    monkeypatch.setattr(conductor, "ENDING", ending)
    monkeypatch.setitem(conductor.BATCH, "live", 1)
    ending.set()
    queued.clear()
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.head, run.status, run.lease_until) == (0, "running", None)
    assert queued == [(run.pk, "live")], "another process goes on with it"


def test_a_run_that_stands_in_line_is_not_asked_for_each_second(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, sent, broker, asked = make_run(), [], [True], {}
    monkeypatch.setattr(sweeping, "enqueue", lambda run_id, queue: sent.append(run_id) or broker[0])
    for _ in range(3):
        sweeping.sweep(asked)
    assert sent == [run.pk], "its lease is as it was: it stands in a worker's line"
    Run.objects.filter(pk=run.pk).update(lease_generation=7)
    sweeping.sweep(asked)
    assert sent == [run.pk] * 2, "somebody drove it meanwhile, and let go"
    asked[run.pk] = (7, time.monotonic() - sweeping.AGAIN_S)
    broker[0] = False
    sweeping.sweep(asked)
    sweeping.sweep(asked)
    assert sent == [run.pk] * 4, "what was asked for may be lost; what no broker took is asked for at once"


def test_a_lease_whose_holder_died_on_this_machine_is_void_at_once(make_run: MakeRun, queued: Any) -> None:
    run = make_run()
    assert Lease.take(run.pk, "live")
    mine = Run.objects.get(pk=run.pk).lease_owner
    gone = subprocess.Popen(["true"])
    gone.wait()
    machine, _, thread = mine.split("|")
    for owner, freed in ((f"elsewhere|{gone.pid}|1", False), (mine, False), (f"{machine}|{gone.pid}|{thread}", True)):
        queued.clear()
        Run.objects.filter(pk=run.pk).update(lease_owner=owner)
        sweeping.sweep()
        assert queued == ([(run.pk, "live")] if freed else [])


def test_step_makes_as_many_steps_as_asked_and_pauses_again(make_run: MakeRun) -> None:
    run = make_run(days=20, start=False)
    services.run_step(run_id=run.pk)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.head, run.status, run.pause_at) == (0, "paused", None)
    services.run_step(run_id=run.pk, steps=3)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.head, run.status) == (3, "paused")
    services.run_play(run_id=run.pk)
    conduct(run.pk, "live")
    assert stored(run) == undisturbed(20)


def test_a_round_is_gone_on_with_until_its_last_step(make_run: MakeRun) -> None:
    """A day of the parade has four steps."""
    run = make_run(days=20, start=False)
    for order, head in (({}, 0), ({}, 4), ({"steps": 1}, 5), ({}, 8), ({"rounds": 2}, 16)):
        services.run_step(run_id=run.pk, **order)
        conduct(run.pk, "live")
        run.refresh_from_db()
        assert (run.head, run.status, run.rounds_left, run.pause_at) == (head, "paused", None, None), order
    assert run.clock == [["day", 4]]
    services.run_play(run_id=run.pk)
    conduct(run.pk, "live")
    assert stored(run) == undisturbed(20)


@pytest.mark.parametrize(("days", "waits"), [(None, [1, 0, 0, 0, 1]), (20, [0.25] * 5)])
def test_a_pace_is_of_rounds(make_run: MakeRun, monkeypatch: Any, days: int | None, waits: list[float]) -> None:
    """Spread over the steps of a round where it is known how many it has, else waited at its end."""
    monkeypatch.setattr(Parade, "horizon", lambda game, config: days and 4 * days)
    monkeypatch.setattr(Parade, "rounds", lambda game, config: days)
    run = make_run(days=20, start=False, pace=0.001)
    found = []
    for _ in waits:
        services.run_step(run_id=run.pk, steps=1)
        began = timezone.now()
        conduct(run.pk, "live")
        run.refresh_from_db()
        found.append((run.wake_at - began).total_seconds() / 1000 if run.wake_at else 0)
    assert found == pytest.approx(waits, abs=0.01)


def test_a_pause_while_a_step_is_being_made_discards_it_and_loses_nothing(make_run: MakeRun, monkeypatch: Any) -> None:
    run = make_run(days=20)
    real = conductor._Driver._store
    monkeypatch.setattr(conductor, "BATCH", {"live": 4})

    def paused(driver: Any, first: int, *batch: Any) -> Any:
        if first == 8:
            services.run_pause(run_id=run.pk)
        return real(driver, first, *batch)

    with monkeypatch.context() as once:
        once.setattr(conductor._Driver, "_store", paused)
        conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.head) == ("paused", 7)
    services.run_play(run_id=run.pk)
    conduct(run.pk, "live")
    assert stored(run) == undisturbed(20)


def test_a_stopped_run_stays_stopped(make_run: MakeRun) -> None:
    run = make_run()
    services.run_stop(run_id=run.pk)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, run.head) == ("stopped", -1)
    with pytest.raises(BadRequest, match="play: the run is stopped; it must be paused"):
        services.run_play(run_id=run.pk)


def test_a_run_of_older_rules_is_shown_but_does_not_go_on(make_run: MakeRun, monkeypatch: Any) -> None:
    run = make_run(days=5, start=False)
    services.run_step(run_id=run.pk, steps=3)
    conduct(run.pk, "live")
    monkeypatch.setattr(Parade, "rules_version", 2)
    services.run_play(run_id=run.pk)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert run.status == "failed"
    assert "begun under rules 1, these are 2" in run.error
    assert len(list(selectors.steps(selectors.playing(run), -1, 99))) == run.head + 1


def test_the_same_run_on_a_store_that_reorders_keys(make_run: MakeRun, monkeypatch: Any) -> None:
    run = make_run(days=8, start=False)
    services.run_step(run_id=run.pk, steps=10)
    conduct(run.pk, "live")
    row = Run.objects.get(pk=run.pk)
    Run.objects.filter(pk=run.pk).update(config=dict(reversed(list(row.config.items()))))
    services.run_play(run_id=run.pk)
    conduct(run.pk, "live")
    assert stored(run) == undisturbed(8)


def test_views_differ_by_eyes_in_what_is_read_from_the_store(make_run: MakeRun) -> None:
    run = make_run()
    conduct(run.pk, "live")
    play = selectors.playing(selectors.run_get(run.pk))
    from games.site.audience import Sight

    purses = [selectors.snapshot(play, Sight(eyes))["view"]["purses"] for eyes in (All(), Public(), SeatEyes(2))]  # type: ignore[index]
    assert None not in purses[0]
    assert purses[1] == [None] * 3
    assert purses[2] == [None, None, purses[0][2]]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"seed": -1}, "seed: -1"),
        ({"pace": float("nan")}, "pace: nan"),
        ({"pace": -1}, "pace: -1"),
        ({"pace": 1e9}, "to 1000 rounds a second"),
        ({"condition": "no"}, "condition: 'no'; there are base"),
        ({"audience": {"kind": "everyone"}}, "audience: 'everyone'"),
        ({"audience": {"kind": "delayed"}}, "audience.delay: None"),
    ],
)
def test_a_run_that_cannot_be_is_refused_with_its_bound_and_nothing_is_created(
    make_run: MakeRun, how: dict[str, Any], told: str
) -> None:
    with pytest.raises(BadRequest, match=told):
        make_run(**how)
    assert not Run.objects.exists()


def test_losing_the_lease_is_no_failure(make_run: MakeRun, monkeypatch: Any) -> None:
    run = make_run()

    def lost(driver: Any) -> bool:
        raise LeaseLost

    monkeypatch.setattr(conductor._Driver, "drive", lost)
    conduct(run.pk, "live")
    assert Run.objects.get(pk=run.pk).error == ""
