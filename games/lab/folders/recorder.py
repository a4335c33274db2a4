"""One run's lines as they come: a round a step, an event an event, a decision a seat, a call a call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from agents_app.ports import CallRecord
from games.core.answers import JSON
from games.core.codec import GENESIS, chain, encode_step
from games.core.game import Step
from games.core.pack import Export, Pack
from games.lab.folders.calllog import CALLS, line_of
from games.lab.folders.runspec import RunSpec
from games.lab.wire.plainjson import encoded

ROUNDS: Final = "rounds.jsonl"
EVENTS: Final = "events.jsonl"
DECISIONS: Final = "decisions.jsonl"
LOGS: Final = (ROUNDS, EVENTS, DECISIONS)
EXPORT: Final = "export"


class Recorder:
    """Writes one run's lines: a round a step, an event an event, a decision a seat."""

    def __init__(self, pack: Pack, spec: RunSpec, config: Any, folder: Path) -> None:
        self.pack, self.spec, self.config, self.folder = pack, spec, config, folder
        self.hash, self.last = GENESIS, -1
        run = f'{{"condition":{json.dumps(spec.condition)},"replicate":{spec.replicate},'
        self._head = f'{run}"seed":{spec.seed},'.encode()
        self._run = f'{run}"step":'.encode()
        self._export: Export | None = None
        self._calls: BinaryIO | None = None

    def __enter__(self) -> Recorder:
        self.folder.mkdir(parents=True)
        self._rounds, self._events, self._decisions = [(self.folder / name).open("wb") for name in LOGS]
        if self.pack.export is not None:
            target = self.folder / EXPORT
            target.mkdir()
            self._export = self.pack.export(self.config, target)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        files = (self._rounds, self._events, self._decisions, self._calls, self._export)
        with ExitStack() as stack:
            if kind is not None:
                stack.enter_context(suppress(OSError))  # a full disk has been told already
            for file in files:
                if file is not None:
                    stack.callback(file.close)

    def add(
        self, step: Step[Any, Any], measured: Mapping[str, JSON] | None, fields: Mapping[str, Any] | None = None
    ) -> None:
        """A step with its measures; ``fields`` stand first in its round's record."""
        record = encode_step(self.pack.game, step)
        found = chain(self.pack.game, self.hash, step, record)
        tail = b',"hash":"%b","metrics":%b}\n' % (found.encode(), encoded(measured))
        line = self._head + encoded(record)[1:-1] + tail
        self._rounds.write(encoded(fields)[:-1] + b"," + line[1:] if fields else line)
        here = self._run + str(step.index).encode() + b","
        self._events.writelines(
            b'%b"n":%d,%b\n' % (here, n, encoded(event)[1:]) for n, event in enumerate(record["events"])
        )
        self._decisions.writelines(b"%b%b\n" % (here, encoded(made)[1:]) for made in decisions_of(record))
        if self._export is not None:
            self._export.add(step)
        self.hash, self.last = found, step.index

    def add_call(self, call: CallRecord) -> None:
        """A line of the calls' file, which is there only where models play."""
        if self._calls is None:
            self._calls = (self.folder / CALLS).open("wb")
        self._calls.write(self._run + b"%d,%b\n" % (call.step, encoded(line_of(call, self.spec.keep))[1:]))


def decisions_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each seat of a round did, after cleaning, with what was said about it."""
    notes, flags = dict(record["notes"]), dict(record["flags"])
    return [
        {"seat": seat, "action": action, "notes": notes.get(seat, []), "flags": flags.get(seat, [])}
        for seat, action in record["actions"]
    ]
