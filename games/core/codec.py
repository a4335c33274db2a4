"""State, action and event to and from JSON, and the hash chain over a run's log.

Dataclasses and pydantic models alike are read and written by one pydantic `TypeAdapter` a type. The canonical bytes of
a value are its JSON with sorted keys, so that a store which reorders keys changes no hash.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Annotated, Any, Final, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray
from pydantic import PlainSerializer, PlainValidator, TypeAdapter, WithJsonSchema

from games.core.answers import SENTENCE, Note
from games.core.game import A, C, Event, Game, O, S, Seat, Step, Turn

SCHEMA: Final = 2
"""Version of the record's own layout; a game's `rules_version` covers what stands inside."""
SCHEMAS_READ: Final = (1, 2)
"""Layouts that can be read. In the first, notes are sentences."""
SNAPSHOT_EVERY: Final = 16
"""At steps divisible by this the chained hash also covers the whole state."""
GENESIS: Final = "0" * 32

COVERED: Final = ("actions", "events", "payoffs")
"""The parts of a record that the chained hash covers, beside its number."""


class Kept(Protocol):
    """A step, made or written: what of it the chain covers beside its record."""

    @property
    def index(self) -> int: ...
    @property
    def state(self) -> Any: ...


def _frozen(value: Any) -> NDArray[Any]:
    array = np.array(value)
    array.flags.writeable = False
    return array


Array = Annotated[
    NDArray[Any],
    PlainValidator(_frozen),
    PlainSerializer(lambda array: array.tolist()),
    WithJsonSchema({"type": "array"}),
]
"""A numpy array inside a state: nested lists in JSON, read-only when read back. Integers and booleans stay so."""


@lru_cache(maxsize=256)
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The one reader and writer of a type."""
    return TypeAdapter(kind)


@lru_cache(maxsize=64)
def _many(kind: Any) -> TypeAdapter[Any]:
    """The one reader and writer of a list of that type: a call for all seats of a step."""
    return TypeAdapter(list[kind])


def dump(kind: Any, value: Any) -> Any:
    """A typed value as plain JSON data."""
    return adapter(kind).dump_python(value, mode="json")


def load(kind: Any, data: Any) -> Any:
    """A typed value from plain JSON data; raises pydantic's ValidationError."""
    return adapter(kind).validate_python(data)


def plain(value: Any) -> Any:
    """Tuples to lists and integer keys to strings, as JSON would have it."""
    return json.loads(canonical(value))


_written: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def canonical(value: Any) -> bytes:
    """The bytes that are hashed and compared: JSON, keys sorted, no spaces, UTF-8. ValueError for NaN and infinity."""
    return _written(value).encode()


in_order: Final = msgspec.json.Encoder().encode
"""The JSON of plain data with keys in their order."""
as_it_stands: Final = msgspec.Raw
"""A part of plain data that is JSON already."""


def struct_of(kind: Any) -> Callable[..., Any]:
    """Makes structs with the fields of a dataclass that has slots: written as its mapping is, and made at once."""
    return msgspec.defstruct(kind.__name__, kind.__slots__, gc=False)


_sorted: Final = msgspec.json.Encoder(order="sorted").encode
_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")


def canonical_plain(value: Any) -> bytes:
    """`canonical` of plain JSON data, several times as fast: by msgspec, and anew where the two may differ.

    ValueError for NaN and infinity.
    """
    try:
        written = _sorted(value)
    except (TypeError, OverflowError):
        return canonical(value)
    return canonical(value) if differs(written) else written


def differs(written: bytes) -> bool:
    """Whether Python's own JSON may differ from this of msgspec's. The two write exponents otherwise, and begin with
    them at other numbers; msgspec takes undefined floats for null.
    """
    return b"null" in written or b"0e" in written.translate(_DIGITS) or (b"." in written and b"0.0000" in written)


def digest(value: Any) -> str:
    """32 hexadecimal digits of blake2b over the canonical bytes."""
    return digest_of(canonical(value))


def digest_of(written: bytes) -> str:
    """The same of bytes that are canonical already."""
    return blake2b(written, digest_size=16).hexdigest()


def state_hash(game: Game[C, S, O, A], state: S) -> str:
    return digest(dump(game.state_type, state))


def config_hash(game: Game[C, S, O, A], config: C) -> str:
    return digest(config.model_dump(mode="json"))


def encode_event(event: Event) -> dict[str, Any]:
    coded: dict[str, Any] = {"kind": event.kind, "data": event.data}
    if event.to is not None:
        coded["to"] = list(event.to)
    return coded


def decode_event(data: Mapping[str, Any]) -> Event:
    to = data.get("to")
    return Event(data["kind"], data["data"], None if to is None else tuple(to))


def encode_note(note: Note) -> dict[str, Any]:
    return {"kind": note.kind, "data": note.data}


def decode_note(data: Any) -> Note:
    """The inverse of `encode_note`; a sentence of the first layout is kept as one. TypeError for anything else."""
    if isinstance(data, str):
        return Note(SENTENCE, {"text": data})
    if not (isinstance(data, Mapping) and isinstance(data.get("kind"), str) and isinstance(data.get("data"), Mapping)):
        raise TypeError("a note is {kind, data}")
    return Note(data["kind"], data["data"])


def decode_notes(pairs: Sequence[Sequence[Any]]) -> dict[Seat, tuple[Note, ...]]:
    """A record's notes by seat."""
    return {seat: tuple(map(decode_note, notes)) for seat, notes in pairs}


def encode_turn(turn: Turn) -> dict[str, Any]:
    return {"clock": [list(part) for part in turn.clock], "stage": turn.stage, "seats": list(turn.seats)}


def decode_turn(data: Mapping[str, Any]) -> Turn:
    return Turn(tuple((str(name), int(n)) for name, n in data["clock"]), data["stage"], tuple(data["seats"]))


def encode_step(game: Game[C, S, O, A], step: Step[S, A]) -> dict[str, Any]:
    """A step as its record, without the state. Mappings by seat are lists of pairs in seat order."""
    seats = sorted(step.actions)
    actions = _many(game.action_type).dump_python([step.actions[seat] for seat in seats], mode="json")
    return {
        "step": step.index,
        **encode_turn(step.turn),
        "actions": [[seat, action] for seat, action in zip(seats, actions, strict=True)],
        "notes": [[seat, [encode_note(note) for note in step.notes[seat]]] for seat in sorted(step.notes)],
        "flags": [[seat, list(step.flags[seat])] for seat in sorted(step.flags)],
        "events": [encode_event(event) for event in step.events],
        "payoffs": [[seat, step.payoffs[seat]] for seat in sorted(step.payoffs)],
    }


def decode_step(game: Game[C, S, O, A], record: Mapping[str, Any], state: S) -> Step[S, A]:
    """The inverse of `encode_step`, the state given."""
    return Step(
        record["step"],
        decode_turn(record),
        decode_actions(game, record["actions"]),
        decode_notes(record["notes"]),
        {seat: tuple(flags) for seat, flags in record["flags"]},
        tuple(decode_event(event) for event in record["events"]),
        dict(record["payoffs"]),
        state,
    )


def decode_actions(game: Game[C, S, O, A], pairs: Sequence[Sequence[Any]]) -> dict[Seat, A]:
    actions = _many(game.action_type).validate_python([data for _, data in pairs])
    return {seat: action for (seat, _), action in zip(pairs, actions, strict=True)}


def as_hashed(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the bytes that are hashed of what the chain covers, so that they are written once."""
    return {**record, **{part: _once(record[part]) for part in COVERED}}


def _once(value: Any) -> msgspec.Raw:
    return value if isinstance(value, as_it_stands) else as_it_stands(canonical_plain(value))


def chain(game: Game[C, S, O, A], previous: str, step: Kept, record: Mapping[str, Any] | None = None) -> str:
    """The chained hash after this step: previous hash, actions, events and payoffs, and every 16th state whole.

    ``record`` saves encoding the step twice, most of all `as_hashed`. Metrics, notes and flags stay outside.
    """
    coded = encode_step(game, step) if record is None else record  # type: ignore[arg-type]
    if not isinstance(coded["payoffs"], as_it_stands):
        coded = as_hashed(coded)
    parts: list[Any] = [b'"%b"' % previous.encode(), b"%d" % coded["step"], *(coded[part] for part in COVERED)]
    if step.index % SNAPSHOT_EVERY == 0:
        state = step.state
        parts.append(state if isinstance(state, as_it_stands) else canonical_plain(dump(game.state_type, state)))
    return digest_of(b"[%b]" % b",".join(parts))
