"""The lines of a run folder's logs, however they are kept: as plain files, or packed with a frame a run."""

from __future__ import annotations

import io
import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from games.lab.folders.calllog import CALLS
from games.lab.folders.packing import Frame, frame_of, lines_in, shard
from games.lab.folders.recorder import DECISIONS, EVENTS, ROUNDS, STEPS, decision_lines, event_lines
from games.lab.wire.plainjson import encoded

STEP: Final = re.compile(rb'("replicate":\d+,"seed":\d+),"step":(\d+)')
Told: TypeAlias = tuple[bytes, int]
"""A record's run, as it says, and its step."""


class Logs(Protocol):
    """Raises OSError where a file cannot be read, and ValueError where packed bytes cannot."""

    def lines(self, log: str) -> Iterator[bytes]:
        """All lines of a log, by its plain name."""
        ...

    def of_run(self, number: int, first: int, steps: int, start: int, stop: int) -> Iterator[bytes]:
        """The records of one run from step ``start`` to before ``stop``; b"" for one that is missing."""
        ...

    def calls_of(self, number: int) -> Iterator[bytes]:
        """The lines of one run's calls, of packed runs alone."""
        ...

    def where(self, number: int, record: int) -> str:
        """The place of a record, by its run's number and its own among all, counted from 0."""
        ...

    def files(self, log: str) -> tuple[str, ...]:
        """Names of the files that hold a log."""
        ...


class PlainLogs:
    """A file a log, a line a record; of the rounds two, where steps that are no rounds are kept apart."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return (ROUNDS, STEPS) if (self.path / STEPS).is_file() else (ROUNDS,)

    @cached_property
    def _places(self) -> array[int]:
        """Where each record starts, in its file's place among ``_names`` + as many times its offset."""
        files = [_starts(self.path / name) for name in self._names]
        if len(files) == 1:
            return array("Q", (offset for offset, _ in files[0]))
        places, heads = array("Q"), [next(file, None) for file in files]
        under_way: Told = (b"", 0)
        while any(heads):
            # the next step of the run under way, else the first of another
            told = [None if head is None else head[1] for head in heads]
            first = [one is not None and one[1] == 0 for one in told]
            which = told.index(under_way) if under_way in told else first.index(True) if any(first) else 0
            which = which if heads[which] else 1 - which
            offset, (run, step) = heads[which] or (0, under_way)
            places.append(len(files) * offset + which)
            heads[which], under_way = next(files[which], None), (run, step + 1)
        return places

    def lines(self, log: str) -> Iterator[bytes]:
        if log == ROUNDS and len(self._names) > 1:
            yield from self._records(0, len(self._places))
            return
        with (self.path / log).open("rb") as file:
            yield from file

    def of_run(self, number: int, first: int, steps: int, start: int, stop: int) -> Iterator[bytes]:
        yield from self._records(first + start, min(first + stop, len(self._places)))
        if start < stop and first + stop > len(self._places):
            yield b""

    def _records(self, start: int, stop: int) -> Iterator[bytes]:
        with ExitStack() as stack:
            files = [stack.enter_context((self.path / name).open("rb")) for name in self._names]
            for place in self._places[start:stop]:
                offset, which = divmod(place, len(files))
                files[which].seek(offset)
                yield files[which].readline()

    def calls_of(self, number: int) -> Iterator[bytes]:
        raise ValueError("calls of plain runs stand in one file; see lines()")

    def where(self, number: int, record: int) -> str:
        which = self._places[record] % len(self._names) if record < len(self._places) else 0
        before = sum(place % len(self._names) == which for place in self._places[:record])
        return f"{self._names[which]}:{before + 1}"

    def files(self, log: str) -> tuple[str, ...]:
        names = self._names if log == ROUNDS else (log,)
        return tuple(name for name in names if (self.path / name).is_file())


def _starts(path: Path) -> Iterator[tuple[int, Told]]:
    """Where each line of a file starts, with its run and step; step -1 of one that is no record. Nothing of no file."""
    if not path.is_file():
        return
    offset = 0
    with path.open("rb") as file:
        for line in file:
            told = STEP.search(line)
            yield offset, (told[1], int(told[2])) if told else (b"", -1)
            offset += len(line)


class PackedLogs:
    """See `packing`. Events and decisions are made of the rounds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._numbers, self._frames = array("q"), array("q")

    def add(self, number: int, rounds: Frame, calls: Frame | None) -> None:
        """Where the next run's frames stand; raises ValueError where the numbers do not rise or are none."""
        if self._numbers and number <= self._numbers[-1]:
            raise ValueError(f"run {number} after run {self._numbers[-1]}")
        try:
            self._numbers.append(number)
            self._frames.extend((*rounds, *(calls or (-1, -1))))
        except OverflowError as error:
            raise ValueError(str(error)) from None

    def lines(self, log: str) -> Iterator[bytes]:
        kept = log if self._is_kept(log) else ROUNDS
        for number in self._numbers:
            for line in self._frame(kept, number):
                yield from (line,) if kept == log else derived(log, line)

    def of_run(self, number: int, first: int, steps: int, start: int, stop: int) -> Iterator[bytes]:
        lines = self._frame(ROUNDS, number)
        found = islice(lines, start, stop)
        yield from (next(found, b"") for _ in range(start, stop))
        if stop == steps + 1 and next(lines, None) is not None:
            raise ValueError("it holds more records than the run has steps")

    def calls_of(self, number: int) -> Iterator[bytes]:
        return self._frame(CALLS, number)

    def where(self, number: int, record: int) -> str:
        return shard(ROUNDS, number)

    def files(self, log: str) -> tuple[str, ...]:
        kept = log if self._is_kept(log) else ROUNDS
        begin = self._frames[2 * (kept != ROUNDS) :: 4]
        numbers = (number for number, start in zip(self._numbers, begin, strict=True) if start >= 0)
        return tuple(dict.fromkeys(shard(kept, number) for number in numbers))

    @staticmethod
    def _is_kept(log: str) -> bool:
        return log not in (EVENTS, DECISIONS)

    def _frame(self, log: str, number: int) -> Iterator[bytes]:
        place = 4 * bisect_left(self._numbers, number) + 2 * (log != ROUNDS)
        start, size = self._frames[place : place + 2]
        return iter(()) if start < 0 else lines_in(io.BytesIO(frame_of(self.path, log, number, (start, size))))


def derived(log: str, line: bytes) -> Iterator[bytes]:
    """The lines of events or decisions that a record tells."""
    record = json.loads(line)
    run = {name: record[name] for name in ("condition", "replicate", "step")}
    here = encoded(run)[:-1] + b","
    return event_lines(here, record) if log == EVENTS else decision_lines(here, record)
