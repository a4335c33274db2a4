"""Bulk runs side by side: the same rows as one by one, each under its own lease, whatever befalls one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from games.catalog.mining.columns import MiningColumns
from games.lab.scenarios.layers import set_layer
from games.lab.scenarios.scenario import load_preset
from games.site.drive import abreast, conductor
from games.site.drive.conductor import conduct
from games.site.drive.lease import Lease
from games.site.models import Message, Run, Snapshot, Step
from games.site.record.blobs import snapshot_index
from games.site.record.selectors import base_of
from games.site.runs import creating as services

MINING = "mining/mixed", "rounds=40"
PRESETS = (MINING, ("mining/talk", "rounds=12"), ("nations/mixed", "turns=12"), ("stag_hunt/default", "rounds=30"))


@pytest.fixture(autouse=True)
def one_process(settings: Any, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.POLITY_BULK_PROCESSES = 1
    monkeypatch.setattr(abreast, "_broken", set())


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many runs each batch had."""
    sizes, real = list[int](), abreast.taken

    def taken(*given: Any) -> Any:
        if (found := real(*given)) is not None:
            sizes.append(found[0].many)
        return found

    monkeypatch.setattr(abreast, "taken", taken)
    return sizes


def made(preset: str, *settings: str, seeds: Sequence[int] = (1, 2, 3), **how: Any) -> list[str]:
    scenario = load_preset(preset, [set_layer(settings)])
    return [services.run_create(scenario=scenario, seed=seed, queue="bulk", **how).pk for seed in seeds]


def conduct_all(runs: Sequence[str]) -> None:
    for run in runs:
        conduct(run, "bulk")


def rows(run: str) -> tuple[Any, ...]:
    """All that is kept of a run, but when it was and who drove it. Which texts share a frame follows from the time that
    rounds took.
    """
    steps = Step.objects.filter(run=run).order_by("index")
    messages = Message.objects.filter(run=run).order_by("step", "order")
    outcome = "status", "error", "head", "head_hash", "clock", "metrics", "tally", "story", "lease_until", "wake_at"
    return (
        [
            (row.index, row.hash, *map(base_of(run, snapshot_index(row.index)).text, (row.record, row.position)))
            for row in steps
        ],
        list(Snapshot.objects.filter(run=run).order_by("index").values_list("index", flat=True)),
        list(messages.values_list("step", "order", "sender", "to", "text")),
        Run.objects.values_list(*outcome).get(pk=run),
    )


def one_by_one(preset: str, *settings: str, seeds: Sequence[int] = (1, 2, 3)) -> list[tuple[Any, ...]]:
    runs = made(preset, *settings, seeds=seeds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(abreast, "taken", lambda play: None)
        conduct_all(runs)
    return [rows(run) for run in runs]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset[0])
def test_runs_side_by_side_leave_the_rows_of_runs_one_by_one(
    preset: tuple[str, ...], together: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abreast, "FIRST", 3 * 13)
    monkeypatch.setattr(abreast, "STEPS", 3 * 13)
    runs, alone = made(*preset), one_by_one(*preset)
    conduct(runs[0], "bulk")
    assert together == [3], "one task drives them all"
    assert [rows(run) for run in runs] == alone
    assert {row[3][0] for row in alone} == {"finished"}
    has_talk = preset[0] in ("mining/talk", "nations/mixed")
    assert [bool(row[2]) for row in alone] == [has_talk] * 3, "what was said is kept for search"


def test_conditions_of_an_experiment_go_side_by_side(together: list[int]) -> None:
    conditions = [(*MINING, f"mine_cap={cap}", f"raid_tax={tax}") for cap in (2, 3) for tax in (0, 1)]
    runs = [run for one in conditions for run in made(*one)]
    conduct(runs[0], "bulk")
    assert together == [12]
    assert [rows(run) for run in runs] == [run for one in conditions for run in one_by_one(*one)]


def test_seats_that_remember_are_driven_one_by_one(together: list[int]) -> None:
    runs = made("dilemma/tft-vs-alld", "rounds=10")
    conduct_all(runs)
    assert not together
    assert [rows(run) for run in runs] == one_by_one("dilemma/tft-vs-alld", "rounds=10")


def test_a_bent_column_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real, alone = MiningColumns.measures, one_by_one(*MINING)

    def bent(rounds: Any) -> Any:
        return [{**one, "gini": 0.5} for one in real(rounds)]

    monkeypatch.setattr(MiningColumns, "measures", staticmethod(bent))
    runs = made(*MINING)
    conduct(runs[0], "bulk")
    assert [rows(run) for run in runs] != alone


def test_only_runs_that_begin_alike_are_taken_and_no_more_than_a_processs_share(
    together: list[int], settings: Any
) -> None:
    first, *alike = made(*MINING, seeds=range(1, 6))
    made(*MINING, seeds=[6], pace=1)
    made("mining/mixed", "rounds=41", seeds=[7])
    begun, held, paused = made(*MINING, seeds=[8, 9, 10])
    Run.objects.filter(pk=begun).update(head=3)
    Lease.take(held, "bulk")
    services.run_pause(run_id=paused)
    settings.POLITY_BULK_PROCESSES = 3
    conduct(first, "bulk")
    assert together == [3], "of nine that are under way"
    settings.POLITY_BULK_PROCESSES = 1
    conduct(alike[-1], "bulk")
    assert together == [3, 2]
    assert set(Run.objects.filter(status="finished").values_list("pk", flat=True)) == {first, *alike}


@pytest.fixture
def storing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[str, int], None]], None]]:
    """Sets what befalls a run before it stores the steps from one on; ten rounds are stored at once."""
    monkeypatch.setattr(abreast, "FIRST", 3 * 10)
    monkeypatch.setattr(abreast, "STEPS", 3 * 10)
    real = conductor._Driver._store
    with pytest.MonkeyPatch.context() as patch:

        def befall(happens: Callable[[str, int], None]) -> None:
            def store(driver: conductor._Driver, first: int, *more: Any) -> Any:
                happens(driver.lease.run_id, first)
                return real(driver, first, *more)

            patch.setattr(conductor._Driver, "_store", store)

        yield befall


@pytest.mark.parametrize("after", [0, 10, 20])
@pytest.mark.parametrize("who", [0, 1, 2])
def test_after_a_kill_in_the_middle_of_a_slice_each_run_goes_on_from_its_last_stored_step(
    who: int, after: int, storing: Any
) -> None:
    alone, runs = one_by_one(*MINING), made(*MINING)

    def killed(run: str, first: int) -> None:
        if (run, first) == (runs[who], after):
            raise SystemExit

    storing(killed)
    with pytest.raises(SystemExit):
        conduct(runs[0], "bulk")
    assert {Run.objects.get(pk=run).head for run in runs} <= {after - 1, after + 9, after + 19}
    storing(lambda run, first: None)
    Run.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    conduct_all(runs[::-1])
    assert [rows(run) for run in runs] == alone


def test_a_run_that_is_paused_stopped_or_taken_over_leaves_the_others_alone(storing: Any) -> None:
    seeds = range(1, 7)
    alone, runs = one_by_one(*MINING, seeds=seeds), made(*MINING, seeds=seeds)
    *others, paused, stopped, taken_over = runs

    def befallen(run: str, first: int) -> None:
        if (run, first) == (paused, 5):
            services.run_pause(run_id=run)
        if (run, first) == (stopped, 5):
            services.run_stop(run_id=run)
        if (run, first) == (taken_over, 5):
            Run.objects.filter(pk=run).update(lease_generation=F("lease_generation") + 1)

    def stand() -> list[tuple[str, int]]:
        return [Run.objects.values_list("status", "head").get(pk=run) for run in (paused, stopped, taken_over)]

    storing(befallen)
    conduct(runs[0], "bulk")
    assert [rows(run) for run in others] == alone[:3]
    assert stand() == [("paused", 4), ("stopped", 4), ("running", 4)]
    storing(lambda run, first: None)
    services.run_play(run_id=paused)
    Run.objects.filter(pk=taken_over).update(lease_until=None)
    conduct_all(runs)
    assert stand() == [("finished", 40), ("stopped", 4), ("finished", 40)]
    assert [rows(paused), rows(taken_over)] == [alone[3], alone[5]]


def test_a_run_that_breaks_fails_at_its_step_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, together: list[int]
) -> None:
    """Nations are measured run by run."""
    from games.catalog.nations.metrics import NationsMetrics

    real, calls = NationsMetrics.measure, list[int]()

    def broken(self: Any, config: Any, before: Any, step: Any) -> Any:
        calls.append(step.index)
        if calls.count(5) == 2 and step.index == 5:
            raise ZeroDivisionError("nothing to share")
        return real(self, config, before, step)

    monkeypatch.setattr(NationsMetrics, "measure", broken)
    runs = made("nations/mixed", "turns=12")
    conduct(runs[0], "bulk")
    assert together == [3]
    found = Run.objects.order_by("seed").values_list("status", "head")
    assert list(found) == [("finished", 12), ("failed", 4), ("finished", 12)]
    assert "ZeroDivisionError: nothing to share" in Run.objects.get(pk=runs[1]).error


def test_where_the_batch_form_breaks_the_runs_go_on_one_by_one(
    monkeypatch: pytest.MonkeyPatch, together: list[int], queued: list[tuple[str, str]]
) -> None:
    alone, real, rounds = one_by_one(*MINING), MiningColumns.resolve, list[int]()

    def broken(*given: Any) -> Any:
        rounds.append(1)
        if len(rounds) == 13:
            raise ZeroDivisionError
        return real(*given)

    monkeypatch.setattr(MiningColumns, "resolve", staticmethod(broken))
    runs = made(*MINING)
    queued.clear()
    conduct(runs[0], "bulk")
    assert set(Run.objects.filter(pk__in=runs).values_list("head", "status")) == {(12, "running")}
    assert sorted(queued) == sorted((run, "bulk") for run in runs)
    conduct_all(runs)
    assert [rows(run) for run in runs] == alone
    made(*MINING)
    conduct_all(made(*MINING, seeds=[1]))
    assert together == [3], "nor is it tried again in this process"


def test_runs_that_are_not_over_when_their_slice_ends_go_on_one_by_one(
    monkeypatch: pytest.MonkeyPatch, queued: list[tuple[str, str]], storing: Any
) -> None:
    alone, runs = one_by_one(*MINING), made(*MINING)
    monkeypatch.setattr(conductor, "SLICE_S", {"bulk": 0.0})
    queued.clear()
    conduct(runs[0], "bulk")
    assert set(Run.objects.filter(pk__in=runs).values_list("head", "lease_until")) == {(9, None)}
    assert sorted(queued) == sorted((run, "bulk") for run in runs)
    while Run.objects.filter(pk__in=runs).exclude(status="finished").exists():
        conduct_all(runs)
    assert [rows(run) for run in runs] == alone
