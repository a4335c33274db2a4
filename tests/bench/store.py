"""Figures of the store: ``python -m tests.bench.store [RUNS] [--profile]``, on the database that DATABASE_URL names.

Bulk runs are driven through the conductor in this process, without a broker and with a doorbell that nobody hears, one
by one and side by side; then every stored step is read back and decoded. Beside these stand what they are to be held
against: the same runs played with nothing stored, written to a folder as `polity run --out` does, and the same blobs
inserted and selected with nothing computed. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import os
import pstats
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

PRESET = "mining/mixed"
SIDE_BY_SIDE = 20
"""Runs that a bulk worker takes together, and that the shell plays."""
TURNS = 3


class Clock:
    """Seconds of the wall and of this process's processor; on a busy machine only the second means much. What was made
    before is searched for garbage first, so that nobody pays for another's.
    """

    def __init__(self) -> None:
        self.wall = self.processor = 0.0

    def __call__(self, work: Callable[[], Any]) -> Any:
        gc.collect()
        wall, processor = time.perf_counter(), time.process_time()
        try:
            return work()
        finally:
            self.wall += time.perf_counter() - wall
            self.processor += time.process_time() - processor

    def rate(self, count: int) -> dict[str, float]:
        return {"wall_per_s": round(count / self.wall), "processor_per_s": round(count / self.processor)}


def set_up() -> None:
    import django
    from django.conf import settings
    from django.core.management import call_command

    settings.POLITY_BULK_PROCESSES = 1
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    django.setup()
    call_command("migrate", verbosity=0)


def make(count: int, first: int = 1) -> list[str]:
    from games.lab.scenarios.scenario import load
    from games.site.models import Queue
    from games.site.runs.creating import run_create

    scenario = load(PRESET)
    return [run_create(scenario=scenario, seed=seed, queue=Queue.BULK).pk for seed in range(first, first + count)]


def shell(count: int) -> None:
    """The same runs by the command, in this process."""
    from games.lab.folders.running import run
    from games.lab.scenarios.scenario import load

    with TemporaryDirectory() as folder:
        run(replace(load(PRESET), seeds=tuple(range(1, count + 1))), Path(folder) / "out", jobs=1)


def beside_the_shell() -> tuple[Clock, Clock]:
    """What a bulk worker takes for runs of one condition, and what the shell takes for them, by turns."""
    from games.site.models import Run

    bulk, alone = Clock(), Clock()
    shell(2)
    for _ in range(TURNS):
        runs = make(SIDE_BY_SIDE)
        bulk(partial(conduct_all, runs))
        alone(partial(shell, SIDE_BY_SIDE))
        Run.objects.filter(pk__in=runs).delete()
    return bulk, alone


def conduct_all(runs: list[str]) -> None:
    from games.site.drive import conductor
    from games.site.models import Run, RunStatus

    for run in runs:
        while Run.objects.get(pk=run).status != RunStatus.FINISHED:
            conductor.conduct(run, "bulk")


def play_one(seed: int) -> None:
    """The same run with nothing encoded, hashed or stored."""
    from games.core.agents import deciding
    from games.core.engine import play
    from games.lab.scenarios.scenario import load

    condition, pack = load(PRESET).conditions[0], load(PRESET).pack
    deciders = {
        seat: deciding(pack.policies[agent.policy].bind(agent.params)) for seat, agent in enumerate(condition.seats)
    }
    for _ in play(pack.game, condition.config, seed, deciders, controller=pack.controller):
        pass


def replay_all(runs: list[str]) -> tuple[int, int]:
    from games.site.record import selectors

    steps = events = 0
    for run in runs:
        for stored in selectors.steps(selectors.playing(selectors.run_get(run)), -1, 1 << 30):
            steps += 1
            events += len(stored.step.events)
    return steps, events


def bare(rows: list[tuple[Any, ...]], batch: int) -> tuple[Clock, Clock]:
    """The same rows into a table with the same unique index, and out again: what the database alone takes."""
    from django.db import connection, transaction

    serial, blob = ("bigserial", "bytea") if connection.vendor == "postgresql" else ("integer", "blob")
    into, out = Clock(), Clock()
    with connection.cursor() as cursor:
        cursor.execute(
            f"create table bare (id {serial} primary key, run varchar(16), number integer, stage varchar(64), "
            f"record {blob}, position {blob}, hash varchar(32), unique (run, number))"
        )

        def insert() -> None:
            for first in range(0, len(rows), batch):
                with transaction.atomic():
                    part = rows[first : first + batch]
                    holes = ", ".join(["(%s, %s, %s, %s, %s, %s)"] * len(part))
                    cursor.execute(
                        f"insert into bare (run, number, stage, record, position, hash) values {holes}",
                        [value for row in part for value in row],
                    )

        def select() -> None:
            for run in sorted({row[0] for row in rows}):
                cursor.execute("select record, position, hash from bare where run = %s order by number", [run])
                cursor.fetchall()

        into(insert)
        out(select)
        cursor.execute("drop table bare")
    return into, out


def measure(count: int) -> dict[str, Any]:
    from django.db import connection

    from games.site.drive import conductor
    from games.site.models import Queue, Run, Snapshot, Step

    bulk, alone = beside_the_shell()
    runs = list[str]()
    stored, replayed, played = Clock(), Clock(), Clock()
    for seed in range(1, count + 1):  # in turns, so that a load that comes and goes meets both
        runs += (made := make(1, seed))
        stored(partial(conduct_all, made))
        played(partial(play_one, seed))
    steps, events = replayed(lambda: replay_all(runs))
    rows = list(Step.objects.order_by("id").values_list("run_id", "index", "stage", "record", "position", "hash"))
    into, out = bare(rows, conductor.BATCH[Queue.BULK])
    record = sum(len(row[3]) for row in rows)
    position = sum(len(row[4]) for row in rows)
    snapshots = sum(len(body) for body in Snapshot.objects.values_list("body", flat=True))
    assert len(rows) == steps
    assert sum(Run.objects.values_list("head", flat=True)) + count == steps
    whole = record + position + snapshots
    return {
        "database": connection.vendor,
        "preset": PRESET,
        "runs": count,
        "steps": steps,
        "events": events,
        "events_stored": stored.rate(events),
        "steps_stored": stored.rate(steps),
        "events_replayed": replayed.rate(events),
        "steps_replayed": replayed.rate(steps),
        "steps_played_unstored": played.rate(steps),
        "steps_inserted_bare": into.rate(steps),
        "steps_selected_bare": out.rate(steps),
        "stored_over_bare_wall": round(stored.wall / into.wall, 1),
        "stored_over_played_processor": round(stored.processor / played.processor, 2),
        "bulk_ms_a_run": round(1000 * bulk.processor / TURNS / SIDE_BY_SIDE, 1),
        "bulk_over_shell_processor": round(bulk.processor / alone.processor, 2),
        "replayed_over_bare_wall": round(replayed.wall / out.wall, 1),
        "bytes_per_step": {
            "record": round(record / steps),
            "position": round(position / steps),
            "snapshots": round(snapshots / steps),
            "all": round(whole / steps),
        },
        "bytes_per_event": round(whole / events),
    }


def profile(count: int) -> None:
    """Where a bulk run's time goes in the conductor, and a replay's in the decoder, on standard error."""
    runs = make(count)
    for what in (lambda: conduct_all(runs), lambda: replay_all(runs)):
        seen = cProfile.Profile()
        seen.runcall(what)
        pstats.Stats(seen, stream=sys.stderr).sort_stats("cumulative").print_stats(45).sort_stats("time").print_stats(
            25
        )


def main() -> None:
    given = argparse.ArgumentParser(prog="tests.bench.store")
    given.add_argument("runs", type=int, nargs="?", default=10)
    given.add_argument("--profile", action="store_true")
    told = given.parse_args()
    set_up()
    from games.site.drive import conductor
    from games.site.runs import creating

    conductor.enqueue = creating.enqueue = lambda run_id, queue: None
    conduct_all(make(1))  # what is read once a process: scenarios, adapters, settings
    from games.site.models import Run

    Run.objects.all().delete()
    if told.profile:
        profile(told.runs)
    else:
        print(json.dumps(measure(told.runs)))  # noqa: T201


if __name__ == "__main__":
    main()
