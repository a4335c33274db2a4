"""The lines of a run folder's logs, however they are kept: as plain files, or packed with a frame a run."""

from __future__ import annotations

import io
import json
from array import array
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Protocol

from games.lab.folders.calllog import CALLS
from games.lab.folders.packing import Frame, frame_of, lines_in, shard
from games.lab.folders.recorder import DECISIONS, EVENTS, ROUNDS, decision_lines, event_lines
from games.lab.wire.plainjson import encoded


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
    """A file a log, a line a record."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _offsets(self) -> array[int]:
        """Where each record of the rounds starts, and after the last its end."""
        offsets = array("Q", [0])
        for line in self.lines(ROUNDS):
            offsets.append(offsets[-1] + len(line))
        return offsets

    def lines(self, log: str) -> Iterator[bytes]:
        with (self.path / log).open("rb") as file:
            yield from file

    def of_run(self, number: int, first: int, steps: int, start: int, stop: int) -> Iterator[bytes]:
        with (self.path / ROUNDS).open("rb") as file:
            if start < stop and first + start < len(self._offsets):
                file.seek(self._offsets[first + start])
                yield from (file.readline() for _ in range(start, stop))
            elif start < stop:
                yield b""

    def calls_of(self, number: int) -> Iterator[bytes]:
        raise ValueError("calls of plain runs stand in one file; see lines()")

    def where(self, number: int, record: int) -> str:
        return f"{ROUNDS}:{record + 1}"

    def files(self, log: str) -> tuple[str, ...]:
        return (log,) if (self.path / log).is_file() else ()


class PackedLogs:
    """See `packing`. Events and decisions are made of the rounds."""

    def __init__(self, path: Path, rows: list[tuple[int, Frame, Frame | None]]) -> None:
        self.path = path
        self._frames = {number: (rounds, calls) for number, rounds, calls in rows}

    def lines(self, log: str) -> Iterator[bytes]:
        kept = log if self._is_kept(log) else ROUNDS
        for number in self._frames:
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
        numbers = (number for number, frames in self._frames.items() if frames[kept != ROUNDS] is not None)
        return tuple(dict.fromkeys(shard(kept, number) for number in numbers))

    @staticmethod
    def _is_kept(log: str) -> bool:
        return log not in (EVENTS, DECISIONS)

    def _frame(self, log: str, number: int) -> Iterator[bytes]:
        at = self._frames[number][log != ROUNDS]
        return iter(()) if at is None else lines_in(io.BytesIO(frame_of(self.path, log, number, at)))


def derived(log: str, line: bytes) -> Iterator[bytes]:
    """The lines of events or decisions that a record tells."""
    record = json.loads(line)
    run = {name: record[name] for name in ("condition", "replicate", "step")}
    here = encoded(run)[:-1] + b","
    return event_lines(here, record) if log == EVENTS else decision_lines(here, record)
