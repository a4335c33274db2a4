"""One run's lines as they come: a round a step, an event an event, a decision a seat, a call a call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any, Final

from agents_app.ports import CallRecord
from games.core.answers import JSON
from games.core.codec import GENESIS, as_hashed, as_it_stands, canonical_plain, chain, encode_step
from games.core.game import Game, Step
from games.core.pack import Export, Pack
from games.core.written import Written
from games.lab.analysis.tally import ByRound, Tally
from games.lab.folders.calllog import CALLS, line_of
from games.lab.folders.runspec import RunSpec
from games.lab.wire import zst
from games.lab.wire.plainjson import encoded

ROUNDS: Final = "rounds.jsonl"
STEPS: Final = "steps.jsonl"
"""Records of steps that are no rounds, where a command keeps these apart (`Additions.is_round`)."""
EVENTS: Final = "events.jsonl"
DECISIONS: Final = "decisions.jsonl"
LOGS: Final = (ROUNDS, EVENTS, DECISIONS)
EXPORT: Final = "export"
PACKED: Final = ".zst"
"""After the name of a log that is packed."""
LEVEL: Final = 7
SHORTEST: Final = 6
"""The first match of at least so many bytes is taken: two thirds of the time, and 12% more bytes."""

_COMPRESSOR: Final = zst.quick(LEVEL, SHORTEST)
_PACKING: Final = Lock()
"""Held while the compressor is used, which packs one thing at a time."""
IN_MEMORY: Final = 2**22
"""Bytes of an unfinished run's log that are kept in memory; what is longer stands in a file without a name."""


class _Held:
    """The lines of a log that is packed when its run is over."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self._lines = list[bytes]()
        self._size = 0
        self._file: IO[bytes] | None = None

    def write(self, line: bytes) -> None:
        self._lines.append(line)
        self._size += len(line)
        if self._size > IN_MEMORY:
            self._file = self._file or TemporaryFile(dir=str(self.target.parent))  # noqa: SIM115  # closed by `close`
            self._file.writelines(self._lines)
            self._lines, self._size = [], 0

    def close(self) -> None:
        """Pack them, with one compressor after the other: each takes 8 MB, and to set it up 5 ms."""
        with self._file or nullcontext() as file, _PACKING, self.target.open("wb") as target:
            if file is None:
                target.write(zst.pack(b"".join(self._lines), _COMPRESSOR))
            else:
                file.writelines(self._lines)
                file.seek(0)
                zst.copy(file, target, _COMPRESSOR)


class Lines:
    """The lines of one run's records, one step after the other; ``hash`` is the chained one of the last."""

    def __init__(self, game: Game[Any, Any, Any, Any], condition: str, replicate: int, seed: int) -> None:
        self.game, self.hash = game, GENESIS
        self.run = f'{{"condition":{json.dumps(condition)},"replicate":{replicate},'
        self._head = f'{self.run}"seed":{seed},'.encode()

    def next(self, step: Step[Any, Any] | Written, measured: Mapping[str, JSON] | None) -> tuple[dict[str, Any], bytes]:
        """The record of the next step, and its line."""
        record = step.record() if isinstance(step, Written) else encode_step(self.game, step)
        hashed = as_hashed(record)
        self.hash = chain(self.game, self.hash, step, hashed)
        tail = b',"hash":"%b","metrics":%b}\n' % (self.hash.encode(), encoded(measured))
        return record, self._head + encoded(hashed)[1:-1] + tail


class Recorder:
    """Writes one run's lines: a round a step, an event an event, a decision a seat; packed, the rounds and calls alone.

    ``told`` is how the run was played, as statistics want it.
    """

    def __init__(self, pack: Pack, spec: RunSpec, config: Any, folder: Path) -> None:
        self.pack, self.spec, self.config, self.folder = pack, spec, config, folder
        self.lines, self.last = Lines(pack.game, spec.condition, spec.replicate, spec.seed), -1
        self._run = f'{self.lines.run}"step":'.encode()
        self._export: Export | None = None
        self._files: dict[str, Any] = {}
        self.tally, self.by_round = Tally(), ByRound(spec.by_round)

    def _open(self, name: str) -> Any:
        return _Held(self.folder / (name + PACKED)) if self.spec.is_packed else (self.folder / name).open("wb")

    def _log(self, name: str) -> Any:
        """A log that is there from its first line on."""
        if name not in self._files:
            self._files[name] = self._open(name)
        return self._files[name]

    def __enter__(self) -> Recorder:
        self.folder.mkdir(parents=True)
        self._files = {name: self._open(name) for name in (LOGS if not self.spec.is_packed else (ROUNDS,))}
        if self.pack.export is not None and not self.spec.is_packed:
            target = self.folder / EXPORT
            target.mkdir()
            self._export = self.pack.export(self.config, target)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with ExitStack() as stack:
            if kind is not None:
                stack.enter_context(suppress(OSError))  # a full disk has been told already
            for file in self._files.values():
                stack.callback(file.close)
            if self._export is not None:
                stack.callback(self._export.close)

    def add(
        self,
        step: Step[Any, Any] | Written,
        measured: Mapping[str, JSON] | None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        """A step with its measures; ``fields`` stand first in its round's record. `Written` ones are packed alone."""
        record, line = self.lines.next(step, measured)
        added = self.spec.additions
        is_round = added is None or isinstance(step, Written) or added.is_round(step)
        log = self._log(ROUNDS if is_round else STEPS)
        log.write(encoded(fields)[:-1] + b"," + line[1:] if fields else line)
        if self.spec.is_packed:
            gather(self.tally, self.by_round, record, measured)
        else:
            here = self._run + str(step.index).encode() + b","
            self._files[EVENTS].writelines(event_lines(here, record))
            self._files[DECISIONS].writelines(decision_lines(here, record))
        if self._export is not None and isinstance(step, Step):
            self._export.add(step)
        self.last = step.index

    def add_call(self, call: CallRecord) -> None:
        """A line of the calls' file, which is there only where models play."""
        self._log(CALLS).write(self._run + b"%d,%b\n" % (call.step, encoded(line_of(call, self.spec.keep))[1:]))

    @property
    def hash(self) -> str:
        return self.lines.hash

    @property
    def told(self) -> dict[str, Any]:
        return told_of(self.tally, self.by_round)


def gather(tally: Tally, by_round: ByRound, record: Mapping[str, Any], measured: Mapping[str, Any] | None) -> None:
    """Count a step as its record tells it."""
    noted = sum(bool(notes) for _, notes in record["notes"])
    tally.add(record["step"], record["payoffs"], record["seats"], noted, record["flags"])
    by_round.add(record["step"], record["clock"], measured or {})


def told_of(tally: Tally, by_round: ByRound) -> dict[str, Any]:
    """What statistics want of a run's rounds, as JSON: its tally, and the means of measures by round, in pairs."""
    means = {name: [[number, value] for number, value in of.items()] for name, of in by_round.means().items()}
    return {**tally.plain(), "payoffs": list(map(float, tally.by_seat)), "rounds": means}


def event_lines(here: bytes, record: Mapping[str, Any]) -> Iterator[bytes]:
    """The lines of a record's events; ``here`` is how each begins."""
    for n, event in enumerate(record["events"]):
        kind_first = {"kind": event["kind"], **event, "data": as_it_stands(canonical_plain(event["data"]))}
        yield b'%b"n":%d,%b\n' % (here, n, encoded(kind_first)[1:])


def decision_lines(here: bytes, record: Mapping[str, Any]) -> Iterator[bytes]:
    return (b"%b%b\n" % (here, encoded(made)[1:]) for made in decisions_of(record))


def decisions_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each seat of a round did, after cleaning, with what was said about it."""
    notes, flags = dict(record["notes"]), dict(record["flags"])
    written = ((seat, as_it_stands(canonical_plain(action))) for seat, action in record["actions"])
    return [
        {"seat": seat, "action": action, "notes": notes.get(seat, []), "flags": flags.get(seat, [])}
        for seat, action in written
    ]
