"""Plays every run of a scenario, in this process or in several; the result is the same whatever their number."""

from __future__ import annotations

import shutil
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from games.core.answers import JSON
from games.core.bulk import in_bulk
from games.errors.faults import BadScenario, Fault
from games.lab.folders.additions import Aggregates
from games.lab.folders.calllog import Keep
from games.lab.folders.folder import Gathering, manifest_of
from games.lab.folders.mailing import BATCHES, Office
from games.lab.folders.packing import PACKING, RUNS_LOG, Packing, outcomes_of
from games.lab.folders.place import UNFINISHED, fresh, set_aside
from games.lab.folders.playing import play_spec
from games.lab.folders.processes import WORTH_A_POOL_S, cores, processes
from games.lab.folders.runspec import Additions, Played, RunFailed, RunSpec, RunStopped, specs_of
from games.lab.folders.sealing import seal_of, write_manifest
from games.lab.folders.sidebyside import grouped, in_turn, play_all, play_group
from games.lab.scenarios.costing import asks_by_batch, check_keys, real_models
from games.lab.scenarios.scenario import Scenario

RUNS_AT_ONCE: Final = 64
"""Runs whose models are asked by batch that are under way at once."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is: runs done, runs in all, and steps done in the run at hand (where it is played here)."""

    done: int
    runs: int
    steps: int = 0


class BrokenOff(RuntimeError):
    """Ctrl-C or SIGTERM while runs were played; the text says what is kept."""


Watcher = Callable[[Progress], None]
Group = tuple[Sequence[int], Sequence[RunSpec], Sequence[Path | None]]
"""Places of runs among those that are left, the runs, and where each is written."""
Groups = Generator[tuple[Sequence[int], Iterable[Played]], None, None]
Where = Callable[[int], Path | None]
Part = tuple[int, int]
STARTED: Final = "started"
"""The file of a folder that is being built which says since when."""


def run(
    scenario: Scenario,
    out: Path | None = None,
    jobs: int | None = None,
    force: bool = False,
    watch: Watcher | None = None,
    keep: Keep = "full",
    additions: Additions | None = None,
    *,
    is_plain: bool = False,
    part: Part | None = None,
) -> Collection[Played]:
    """Play everything; with ``out``, into a run folder of that name. ``jobs`` None: as many as pay.

    Several runs are packed unless ``is_plain``, and go on where a process was killed or broken off. ``part`` (i, n)
    plays every n-th run from the i-th on, for `merging`.

    Calls of real models are noted beside ``out`` as they come, until the folder is whole: broken off and begun again,
    the same runs pay for none of them twice. ``keep`` "hash" leaves the texts of prompts out. ``additions`` go into the
    folder beside what every folder has.

    Raises `BadScenario` where a model's key is missing and `BadFolder` where ``out`` is taken, before anything is
    played; `RunFailed` where a game raises and `RunStopped` where a limit is reached (with ``out``, what was played is
    kept beside it then); `BrokenOff` on Ctrl-C.
    """
    journals = None if out is None or not real_models(scenario) else journals_of(out)
    check_keys(scenario)
    several = part is not None or sum(len(scenario.seeds_of(one)) for one in scenario.conditions) > 1
    is_packed = out is not None and not is_plain and several
    specs = specs_of(scenario, keep, journals, additions, is_packed)
    numbers = range(len(specs)) if part is None else range(part[0] - 1, len(specs), part[1])
    office: Office | None = None
    if asks_by_batch(scenario):
        if jobs is not None and jobs > 1:
            raise BadScenario([Fault("--jobs", "", f"{jobs}; models that are asked by batch play in one process")])
        office = Office(None if journals is None else journals / BATCHES)

    def many(where: Where, done: int = 0) -> Iterator[Played]:
        left = [specs[number] for number in numbers[done:]]

        def place(index: int) -> Path | None:
            return where(numbers[done + index])

        def tell(now: Progress) -> None:
            if watch is not None:
                watch(Progress(done + now.done, len(numbers), now.steps))

        return played(left, place, jobs, tell) if office is None else by_batch(left, place, office, tell)

    try:
        if out is None:
            return list(many(lambda number: None))
        plan = _Writing(scenario, specs, numbers, out, force, additions or Aggregates(), journals, part)
        return plan.packed(many, keep) if is_packed else plan.plain(many)
    except (RunFailed, RunStopped) as error:
        error.add_note(_go_on(out, journals))
        raise
    except KeyboardInterrupt as error:
        kept = [*getattr(error, "__notes__", ()), _answered(journals)]
        raise BrokenOff("; ".join(filter(None, kept)) or "nothing was kept") from None


Many = Callable[..., Iterator[Played]]


@dataclass(frozen=True)
class _Writing:
    """What is played into a folder: plain, or packed so that it can be gone on with."""

    scenario: Scenario
    specs: Sequence[RunSpec]
    numbers: Sequence[int]
    out: Path
    force: bool
    additions: Additions
    journals: Path | None
    part: Part | None

    def plain(self, many: Many) -> list[Played]:
        started, done = datetime.now(UTC), list[Played]()
        with fresh(self.out, self.force or self.additions.may_replace(self.out)) as folder:
            gathering = Gathering(folder, len(self.specs))

            def finish(whole: int, unfinished: Mapping[str, JSON]) -> None:
                manifest = manifest_of(self.scenario, done, gathering.close(), started)
                write_manifest(folder, {**self.additions.finish(folder, done[:whole], manifest), **unfinished})

            def add(number: int, one: Played) -> None:
                gathering.add(number, one)
                done.append(one)

            self._play(folder, many(gathering.part), add, lambda: len(done), finish)
        self._forget()
        return done

    def packed(self, many: Many, keep: Keep) -> Collection[Played]:
        with fresh(self.out, self.force, self._name(keep)) as folder:
            started = _started(folder)
            packing = Packing(folder, self.numbers)

            def finish(whole: int, unfinished: Mapping[str, JSON]) -> None:
                part = {} if self.part is None else {"part": self.part[0], "of": self.part[1]}
                packing.close()
                (folder / STARTED).unlink()
                manifest = {**manifest_of(self.scenario, None, {}, started), PACKING: {"runs": len(packing), **part}}
                write_manifest(folder, {**self.additions.finish(folder, Kept(folder, whole), manifest), **unfinished})

            try:
                self._play(folder, many(packing.part, len(packing)), packing.add, lambda: len(packing), finish)
            except KeyboardInterrupt as error:
                if len(packing):
                    told = f"{len(packing)} of {len(self.numbers)} runs are kept; the same command goes on with them"
                    error.add_note(told)
                raise
        self._forget()
        return Kept(self.out)

    def _name(self, keep: Keep) -> str | None:
        """What a folder of the same runs, played by the same program, would be called while it is built."""
        if type(self.additions) is not Aggregates:
            return None  # a program's own functions sit there, which nothing can tell from others
        plan = manifest_of(self.scenario, None, {}, datetime.fromtimestamp(0, UTC)) | {"keep": keep, "part": self.part}
        del plan["timestamps"]
        return seal_of(plan)[:8]

    def _play(
        self,
        folder: Path,
        runs: Iterator[Played],
        add: Callable[[int, Played], None],
        count: Callable[[], int],
        finish: Callable[[int, Mapping[str, JSON]], None],
    ) -> None:
        if self.journals is not None:
            self.journals.mkdir(parents=True, exist_ok=True)
        try:
            for one in runs:
                add(self.numbers[count()], one)
        except (RunFailed, RunStopped) as error:
            done, of = count(), len(self.numbers)
            kept = error.kept if error.kept is not None and self._is_next(error.kept, done) else None
            if kept is not None:
                add(self.numbers[done], kept)
            if count():
                finish(done, {UNFINISHED: {"why": str(error), "runs": done, "of": of}})
                place = set_aside(folder, self.out)
                error.add_note("" if place is None else f"{place}: {_many(done, of, kept)}")
            raise
        finish(count(), {})

    def _is_next(self, run: Played, done: int) -> bool:
        """Whether that run comes after so many; among runs that are played together another one may have failed."""
        spec = self.specs[self.numbers[done]]
        return (run.condition, run.replicate, run.seed) == (spec.condition, spec.replicate, spec.seed)

    def _forget(self) -> None:
        if self.journals is not None:
            shutil.rmtree(self.journals, ignore_errors=True)


class Kept(Collection[Played]):
    """What the runs of a packed folder came to, the first ``most`` of them, read anew each time."""

    def __init__(self, path: Path, most: int | None = None) -> None:
        self.path, self.most = path, most

    def __iter__(self) -> Iterator[Played]:
        return islice(outcomes_of(self.path / RUNS_LOG), self.most)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, one: object) -> bool:
        return any(one == other for other in self)


def _started(folder: Path) -> datetime:
    """When the folder was begun, by whichever process."""
    path = folder / STARTED
    try:
        return datetime.fromisoformat(path.read_text("ascii"))
    except (OSError, ValueError):
        now = datetime.now(UTC)
        path.write_text(now.isoformat(), "ascii")
        return now


def _many(done: int, of: int, kept: Played | None) -> str:
    step = "" if kept is None else f", and the next up to step {kept.steps}"
    return f"what was played is kept there: {done} of {of} runs{step}"


def _go_on(out: Path | None, journals: Path | None) -> str:
    """How to go on after a run that failed."""
    answered = _answered(journals)
    if answered:
        return f"{answered}."
    return "Nothing was kept; with --out DIR it would be." if out is None else ""


def _answered(journals: Path | None) -> str:
    """Where the calls that were paid for are; "" where there are none."""
    if journals is None or not journals.is_dir() or not any(journals.iterdir()):
        return ""
    return (
        f"The calls that were answered are kept in {journals}; the same command goes on with them and pays none twice"
    )


def journals_of(out: Path) -> Path:
    """Where the calls of an unfinished run folder are noted."""
    return out.parent / f".{out.name}.calls"


def played(specs: Sequence[RunSpec], where: Where, jobs: int | None, watch: Watcher | None) -> Iterator[Played]:
    """The runs' results in the order of the specs. The first is played here, to see whether others pay."""
    tell = watch or (lambda progress: None)
    total, began = len(specs), time.perf_counter()
    number = 1 if jobs is None and total else 0
    workers = min(jobs or cores(), total - number)
    tell(Progress(0, total))
    with ExitStack() as stack:
        pool = stack.enter_context(processes(workers)) if jobs is not None and workers > 1 else None

        def look(*at: int) -> None:
            """Whether what is left takes so long, by now, that others pay: they start while the first run goes on."""
            nonlocal pool
            is_long = (time.perf_counter() - began) * (total - 1) >= WORTH_A_POOL_S
            if pool is None and workers > 1 and is_long:
                pool = stack.enter_context(processes(workers))
            _tell(tell, total, 0, *at)

        if number:
            first = play_spec(specs[0], where(0), look)
            look(first.steps)
            yield first
        left = specs[number:]
        groups = [
            (group, [left[place] for place in group], [where(number + place) for place in group])
            for group in grouped(left, 1 if pool is None else workers)
        ]
        ahead = _here(groups, number, partial(_tell, tell, total)) if pool is None else _pooled(groups, pool, workers)
        for one in in_turn(ahead):
            number += 1
            yield one
            tell(Progress(number, total))
    tell(Progress(total, total))


def _here(groups: Sequence[Group], done: int, tell: Callable[..., None]) -> Groups:
    """Groups of runs by their places, played in this process."""
    for places, specs, folders in groups:
        yield places, play_group(specs, folders, partial(tell, done))
        done += len(places)


def by_batch(specs: Sequence[RunSpec], where: Where, office: Office, watch: Watcher | None) -> Iterator[Played]:
    """The runs' results in the order of the specs. Many are under way at once, so that their calls share batches."""
    tell = watch or (lambda progress: None)
    pool = ThreadPoolExecutor(min(len(specs), RUNS_AT_ONCE), thread_name_prefix="run")
    try:
        with in_bulk(), office:
            made = [pool.submit(play_spec, spec, where(number), None, office) for number, spec in enumerate(specs)]
            for number, one in enumerate(made):
                tell(Progress(number, len(specs)))
                yield one.result()
    finally:
        pool.shutdown(cancel_futures=True)
    tell(Progress(len(specs), len(specs)))


def _tell(tell: Watcher, total: int, before: int, *at: int) -> None:
    """``at`` is a group's runs that are done, where there is a group, and the steps of what is under way."""
    tell(Progress(before + sum(at[:-1]), total, at[-1]))


def _pooled(groups: Sequence[Group], pool: ProcessPoolExecutor, workers: int) -> Groups:
    """Groups of runs by their places, played in other processes, a few handed out ahead."""
    waiting: deque[Future[tuple[list[Played], Exception | None]]] = deque()
    ahead = iter(groups)
    for places, _, _ in groups:
        while len(waiting) < workers * 4 and (group := next(ahead, None)) is not None:
            waiting.append(pool.submit(play_all, *group[1:]))
        runs, error = waiting.popleft().result()
        yield places, runs
        if error is not None:
            raise error
