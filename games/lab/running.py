"""Plays every run of a scenario, in this process or in several; the result is the same whatever their number."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from typing import Final

from games.lab.aggregates import write_aggregates
from games.lab.calllog import Keep
from games.lab.cells import Cell, Played, cells_of, play_cell
from games.lab.costing import real_models
from games.lab.folder import AGGREGATES, Gathering, fresh, manifest_of, write_manifest
from games.lab.scenario import Scenario

WORTH_A_POOL_S: Final = 2.0
"""Other processes take about a second to start; below this much remaining work they are not worth it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is: runs done, runs in all, and steps done in the run at hand (where it is played here)."""

    done: int
    runs: int
    steps: int = 0


Watcher = Callable[[Progress], None]
Where = Callable[[int], Path | None]


def run(
    scenario: Scenario,
    out: Path | None = None,
    jobs: int | None = None,
    force: bool = False,
    watch: Watcher | None = None,
    keep: Keep = "full",
) -> list[Played]:
    """Play everything; with ``out``, into a run folder of that name. ``jobs`` None: as many as pay.

    Calls of real models are noted beside ``out`` as they come, until the folder is whole: broken off and begun again,
    the same runs pay for none of them twice. ``keep`` "hash" leaves the texts of prompts out.

    Raises `BadFolder` before anything is played where ``out`` is taken, `RunFailed` where a game raises.
    """
    journals = None if out is None or not real_models(scenario) else journals_of(out)
    cells = cells_of(scenario, keep, journals)
    if out is None:
        return list(played(cells, lambda number: None, jobs, watch))
    started = datetime.now(UTC)
    with fresh(out, force) as folder:
        if journals is not None:
            journals.mkdir(parents=True, exist_ok=True)
        gathering = Gathering(folder, len(cells))
        done: list[Played] = []
        for number, one in enumerate(played(cells, gathering.part, jobs, watch)):
            gathering.add(number, one)
            done.append(one)
        digests = gathering.close()
        write_aggregates(folder / AGGREGATES, done)
        write_manifest(folder, manifest_of(scenario, done, digests, started))
    if journals is not None:
        shutil.rmtree(journals, ignore_errors=True)
    return done


def journals_of(out: Path) -> Path:
    """Where the calls of an unfinished run folder are noted."""
    return out.parent / f".{out.name}.calls"


def played(cells: Sequence[Cell], where: Where, jobs: int | None, watch: Watcher | None) -> Iterator[Played]:
    """The runs' results in the order of the cells. The first is played here, to see whether others pay."""
    tell = watch or (lambda progress: None)
    total = len(cells)
    here = total if jobs == 1 else min(1, total) if jobs is None else 0
    number, began = 0, time.perf_counter()
    while number < here:
        tell(Progress(number, total))
        yield play_cell(cells[number], where(number), partial(_tell, tell, number, total))
        number += 1
        if jobs is None and (time.perf_counter() - began) / number * (total - number) < WORTH_A_POOL_S:
            here = total
    if number < total:
        workers = min(cores() if jobs is None else jobs, total - number)
        yield from _pooled(cells, where, number, workers, tell)
    tell(Progress(total, total))


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tell(tell: Watcher, number: int, total: int, steps: int) -> None:
    tell(Progress(number, total, steps))


def _pooled(cells: Sequence[Cell], where: Where, start: int, workers: int, tell: Watcher) -> Iterator[Played]:
    """Runs in other processes, a few handed out ahead, their results taken in order."""
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _serve_the_parent)
    waiting: deque[Future[Played]] = deque()
    ahead, done = start, start
    try:
        while done < len(cells):
            while ahead < len(cells) and len(waiting) < workers * 4:
                with _interrupts_held():  # the first hand-out starts the processes, which inherit this
                    waiting.append(pool.submit(play_cell, cells[ahead], where(ahead)))
                ahead += 1
            tell(Progress(done, len(cells)))
            yield waiting.popleft().result()
            done += 1
        pool.shutdown()
    finally:
        if done < len(cells):
            children = multiprocessing.active_children()
            pool.shutdown(wait=False, cancel_futures=True)
            for child in children:
                child.terminate()
            for child in children:
                child.join(5)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the block is over; processes that start inside never hear it, not even while they import.

    They inherit the mask. In this process the mask is not enough, since other threads (of numpy) may take the signal.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _serve_the_parent() -> None:
    """Leave interrupts to the parent, and end when it does, however it dies: nobody would take the result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), name="lifeline", daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
