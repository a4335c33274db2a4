"""Many runs in few files: each run's records are a Zstandard frame of their own, a thousand runs to a file, in order.

::

    runs.jsonl.zst            a line a run: what it came to, how it was played, and where its frames stand
    rounds-00000.jsonl.zst    the records of the runs 0 to 999, a frame a run; then rounds-00001.jsonl.zst
    calls-00000.jsonl.zst     their calls, where models play

Events and decisions are told by the records. `zstd -dc` makes lines of each of these files. While runs are played their
lines stand in ``runs.jsonl``, each written after its frames: what was killed goes on after the last whole one.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from games.lab.folders.aggregates import check_measures
from games.lab.folders.calllog import CALLS
from games.lab.folders.recorder import LEVEL, PACKED, ROUNDS
from games.lab.folders.runspec import Played
from games.lab.wire import zst
from games.lab.wire.plainjson import encoded

RUNS_TO_A_FILE: Final = 1000
JOURNAL: Final = "runs.jsonl"
RUNS_LOG: Final = JOURNAL + PACKED
PACKING: Final = "packed"
"""The manifest's key for how many runs stand in ``runs.jsonl.zst``, and where it is a part of the plan, which."""
AT_ONCE: Final = 2**18
"""Bytes that are unpacked at once, where lines are read."""
LINE_MAX: Final = 64 * 2**20
"""Bytes of one line, unpacked."""
Frame = tuple[int, int]
"""Where a run's bytes begin in their file, and how many they are."""


class Place(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What of a line says which run it is of and where its frames stand; the rest is passed over unread. ``n`` is the
    run's number in the plan."""

    n: int
    condition: str
    replicate: int
    seed: int
    steps: int
    hash: str | None
    rounds: Frame
    calls: Frame | None = None


class Outcome(Place, kw_only=True):
    """Also what its run came to; how it was played, the longest part, is passed over unread."""

    metrics: dict[str, Any]
    account: dict[str, Any] | None = None

    def played(self) -> Played:
        return Played(
            self.condition, self.replicate, self.seed, self.steps, self.hash, self.metrics, self.account
        )  # fmt: skip


class Row(Outcome, kw_only=True):
    """A line of ``runs.jsonl.zst``; ``told`` as in `Played`."""

    told: dict[str, Any] | None = None

    def played(self) -> Played:
        return replace(Outcome.played(self), told=self.told)

    def frame(self, log: str) -> Frame | None:
        return self.rounds if log == ROUNDS else self.calls


Line = TypeVar("Line", Row, Place, Outcome)


class Packing:
    """Takes finished runs, in the order of ``numbers``, into the files.

    A folder that was broken off is taken up: ``len()`` says how many of the numbers are there already.
    """

    def __init__(self, folder: Path, numbers: Sequence[int]) -> None:
        self.folder, self.numbers = folder, numbers
        self._done, self._ends = 0, dict[str, int]()
        self._files: dict[str, BinaryIO] = {}
        self._take_up()
        self._journal = (folder / JOURNAL).open("ab")

    def __len__(self) -> int:
        return self._done

    def _take_up(self) -> None:
        """Keep the whole lines of the journal whose frames are there; cut away all that stands behind them."""
        journal, packed, whole = self.folder / JOURNAL, self.folder / RUNS_LOG, 0
        if packed.is_file():  # it was killed while it closed
            with packed.open("rb") as source, journal.open("wb") as target:
                target.writelines(lines_in(source))
            packed.unlink()
        for line in journal.open("rb") if journal.is_file() else ():
            row = _whole(line)
            if row is None or self._done == len(self.numbers) or row.n != self.numbers[self._done]:
                break
            ends = {shard(log, row.n): sum(at) for log in (ROUNDS, CALLS) if (at := row.frame(log)) is not None}
            if any(_size(self.folder / name) < end for name, end in ends.items()):
                break
            self._ends |= ends
            self._done, whole = self._done + 1, whole + len(line)
        with journal.open("ab") as file:
            file.truncate(whole)
        for path in self.folder.glob(f"*-*.jsonl{PACKED}"):
            with path.open("ab") as file:
                file.truncate(self._ends.get(path.name, 0))
            if path.name not in self._ends:
                path.unlink()
        shutil.rmtree(self.folder / "parts", ignore_errors=True)

    def part(self, number: int) -> Path:
        """Where the run of that number writes."""
        return self.folder / "parts" / str(number)

    def add(self, number: int, played: Played) -> None:
        """Take over a finished run's files."""
        part = self.part(number)
        paths = {log: part / (log + PACKED) for log in (ROUNDS, CALLS)}
        self.take(number, played, {log: path.read_bytes() for log, path in paths.items() if path.is_file()})
        shutil.rmtree(part)

    def take(self, number: int, played: Played, frames: Mapping[str, bytes]) -> None:
        """Take over a run as its frames by log."""
        check_measures(played)
        places: dict[str, Frame] = {}
        for log, frame in frames.items():
            name = shard(log, number)
            if name not in self._files:
                for old in [one for one in self._files if one.startswith(log.partition(".")[0])]:
                    self._files.pop(old).close()
                self._files[name] = (self.folder / name).open("ab")
            self._files[name].write(frame)
            self._files[name].flush()
            places[log] = (self._ends.get(name, 0), len(frame))
            self._ends[name] = sum(places[log])
        account = None if played.account is None else dict(played.account)
        told = None if played.told is None else dict(played.told)
        row = Row(
            n=number, condition=played.condition, replicate=played.replicate, seed=played.seed, steps=played.steps,
            hash=played.hash, rounds=places[ROUNDS], calls=places.get(CALLS), metrics=dict(played.metrics),
            account=account, told=told,
        )  # fmt: skip
        self._journal.write(encoded(row) + b"\n")
        self._journal.flush()
        self._done += 1

    def close(self) -> dict[str, str]:
        """Pack the journal; all files are whole then."""
        for file in (*self._files.values(), self._journal):
            file.close()
        shutil.rmtree(self.folder / "parts", ignore_errors=True)
        building = self.folder / f"{RUNS_LOG}.partial"
        with (self.folder / JOURNAL).open("rb") as source, building.open("wb") as target:
            zst.copy(source, target, zst.compressor(LEVEL))
        building.replace(self.folder / RUNS_LOG)
        (self.folder / JOURNAL).unlink()
        return {}


_DECODER: Final = msgspec.json.Decoder(Row)


def shard(log: str, number: int) -> str:
    """The file that holds a log of the run of that number."""
    return f"{log.removesuffix('.jsonl')}-{number // RUNS_TO_A_FILE:05d}.jsonl{PACKED}"


def rows_of(path: Path) -> Iterator[Row]:
    """The lines of ``runs.jsonl.zst``; raises OSError, and ValueError where one cannot be read."""
    return _decoded(path, _DECODER)


def places_of(path: Path) -> Iterator[Place]:
    """As `rows_of`, of each line its first part alone."""
    return _decoded(path, msgspec.json.Decoder(Place))


def outcomes_of(path: Path) -> Iterator[Played]:
    """As `rows_of`, what each run came to."""
    return (row.played() for row in _decoded(path, msgspec.json.Decoder(Outcome)))


def _decoded(path: Path, decoder: msgspec.json.Decoder[Line]) -> Iterator[Line]:
    with path.open("rb") as file:
        for line in lines_in(file):
            row = decoder.decode(line)
            row.condition = sys.intern(row.condition)
            yield row


class Rows:
    """Some lines of ``runs.jsonl.zst`` after others, read through once: whoever asks may go back by a thousand."""

    def __init__(self, path: Path) -> None:
        self._lines, self._held = enumerate(_lines_of(path)), dict[int, bytes]()

    def at(self, places: Sequence[int]) -> dict[int, Row]:
        """By place, which rise. Raises OSError, and ValueError where a line cannot be read or is missing."""
        ahead = range(max(self._held, default=-1), places[-1])
        self._held |= islice(self._lines, len(ahead))
        self._held = {place: line for place, line in self._held.items() if place >= places[0] - RUNS_TO_A_FILE}
        if places[-1] not in self._held:
            raise ValueError(f"it has no line {places[-1] + 1}")
        return {place: _DECODER.decode(self._held[place]) for place in places}


def _lines_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from lines_in(file)


def frame_of(folder: Path, log: str, number: int, at: Frame) -> bytes:
    """A run's packed bytes; raises OSError, and ValueError where the file ends before they do."""
    with (folder / shard(log, number)).open("rb") as file:
        file.seek(at[0])
        found = file.read(at[1])
    if len(found) < at[1]:
        raise ValueError(f"{shard(log, number)} ends before byte {sum(at)}")
    return found


def lines_in(source: BinaryIO, most: int = LINE_MAX) -> Iterator[bytes]:
    """The lines of packed bytes, each shorter than ``most``; raises ValueError where there are none of that kind."""
    try:
        with BufferedReader(zst.opened(source), AT_ONCE) as unpacked:
            while line := unpacked.readline(most):
                if len(line) == most:
                    raise ValueError(f"a line of {most} bytes or more")
                yield line
    except zst.Unreadable as error:
        raise ValueError(str(error)) from None


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else -1


def _whole(line: bytes) -> Row | None:
    try:
        return _DECODER.decode(line) if line.endswith(b"\n") else None
    except msgspec.DecodeError:
        return None
