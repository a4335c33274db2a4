"""Resolved steps as the rows that keep them: each record chained by its hash and packed against its snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from games.core import codec
from games.core.codec import as_it_stands
from games.core.game import MESSAGES, Seat, Step
from games.core.written import Written
from games.lab.wire.plainjson import decoded, encoded
from games.site.models import Message, Snapshot
from games.site.models import Step as StepRow
from games.site.record import blobs, selectors
from games.site.record.inserting import insert
from games.site.record.selectors import Playing


@dataclass(frozen=True, slots=True)
class NewStep:
    """A step that is resolved but not yet stored, with its measures and what the seats carry on from it.

    ``kept``   the step, or where columns tell it what is kept of it
    ``state``  its state as JSON, where columns tell that
    ``make``   makes a step that is only written
    """

    kept: Step[Any, Any] | Written
    metrics: Mapping[str, Any] | None
    memories: Mapping[Seat, Any]
    plans: Mapping[Seat, Any]
    state: Any = None
    make: Callable[[], Step[Any, Any]] | None = None

    @property
    def step(self) -> Step[Any, Any]:
        if isinstance(self.kept, Step):
            return self.kept
        assert self.make is not None
        return self.make()

    def record(self, play: Playing) -> dict[str, Any]:
        """What happened, without its measures: the part that the hash chain covers."""
        return self.kept.record() if isinstance(self.kept, Written) else codec.encode_step(play.game, self.kept)

    def position(self, play: Playing) -> dict[str, Any]:
        """Where the run stands after it, for whoever goes on from here."""
        return {
            "state": codec.dump(play.game.state_type, self.step.state) if self.state is None else self.state,
            "memories": _given(self.memories),
            "plans": _given(self.plans),
        }


@dataclass(slots=True)
class Rows:
    """What steps that follow one another add to the tables; ``hash`` is the chained hash of the last, at first of the
    step before them.

    Each is written as it comes: hundreds of records at once, as data, are what a search for garbage goes through.
    """

    play: Playing
    hash: str
    base: blobs.Base | None = None
    clock: list[list[Any]] = field(default_factory=list)
    """The labels of the last."""
    steps: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[dict[str, Any]] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    _open: int | None = None
    """The snapshot that steps are still taken into."""
    _lines: list[bytes] = field(default_factory=list)

    def add(self, made: NewStep) -> dict[str, Any]:
        """Take a step in; gives its record as it will be read. Of one that was written from columns the actions are
        JSON, and the events messages alone.
        """
        run_id, index = self.play.run.pk, made.kept.index
        record = made.record(self.play)
        hashed, measures = codec.as_hashed(record), encoded(made.metrics)
        self.hash = codec.chain(self.play.game, self.hash, made.kept, hashed)
        text = encoded({**hashed, "metrics": as_it_stands(measures)})
        kept, position = self._placed(index, text, encoded(made.position(self.play)))
        self.steps.append(
            {
                "run_id": run_id,
                "index": index,
                "stage": record["stage"],
                "record": kept,
                "position": position,
                "hash": self.hash,
            }
        )
        self.clock = record["clock"]
        if isinstance(made.kept, Written):  # its measures are plain
            record["events"], record["metrics"] = _messages_of(record["events"]), made.metrics
        else:
            record["metrics"] = decoded(measures)
        self.messages += _messages(run_id, record)
        return record

    def _placed(self, index: int, *texts: bytes) -> list[bytes]:
        """What a step's row holds of its texts: lines of the snapshot while that is open, else frames against it."""
        needed = blobs.snapshot_index(index)
        if index == needed:
            self.close()
            self._open = needed
        if self._open == needed:
            names = [blobs.named(len(self._lines) + number) for number in range(len(texts))]
            self._lines += texts
            if sum(map(len, self._lines)) >= blobs.ROOM:
                self.close()
            return names
        if self.base is None or self.base.index != needed:
            self.base = selectors.base_of(self.play.run.pk, needed)
        return [self.base.pack(text) for text in texts]

    def close(self) -> None:
        """No more steps come to the snapshot that is open; to be called before the rows are inserted."""
        if self._open is None:
            return
        text, index = b"\n".join(self._lines), self._open
        self.base, self._open, self._lines = blobs.Base(index, text), None, []
        self.snapshots.append({"run_id": self.play.run.pk, "index": index, "body": blobs.packed(text)})


def insert_all(many: Sequence[Rows]) -> None:
    """Add the rows of several runs, or none where one is there already."""
    insert(Snapshot, [row for rows in many for row in rows.snapshots])
    insert(StepRow, [row for rows in many for row in rows.steps])
    insert(Message, [row for rows in many for row in rows.messages])


class _Event(msgspec.Struct):
    kind: str
    data: msgspec.Raw


_MARKS: Final = tuple(f'"{kind}"'.encode() for kind in sorted(MESSAGES))
_EVENTS: Final = msgspec.json.Decoder(list[_Event])


def _messages_of(events: msgspec.Raw) -> list[dict[str, Any]]:
    """The messages among a record's events, which are JSON; without their hearers."""
    text = bytes(events)
    if not any(kind in text for kind in _MARKS):
        return []
    return [{"kind": one.kind, "data": decoded(one.data)} for one in _EVENTS.decode(text) if one.kind in MESSAGES]


def _messages(run_id: str, record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The words that were said in a step, for search."""
    said: Iterator[Mapping[str, Any]] = (event["data"] for event in record["events"] if event["kind"] in MESSAGES)
    for order, data in enumerate(said):
        at = {"run_id": run_id, "step": record["step"], "order": order}
        yield {**at, "sender": data["by"], "to": data.get("to"), "text": data["text"]}


def _given(held: Mapping[Seat, Any]) -> list[list[Any]]:
    return [[seat, value] for seat, value in sorted(held.items()) if value is not None]
