"""A resolved step as one pair of eyes may see it: the form in which pages, streams and files get it.

The shapes are checked where they are written, by mypy, and not each time one is sent: frames are the hot path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, NotRequired, TypeAlias, cast

from pydantic import Field
from typing_extensions import TypedDict

from games.core import codec
from games.core.answers import Note
from games.core.game import All, Eyes, Game, Seat, SeatEyes, Step
from games.lab.wire.plainjson import encoded
from games.lab.wire.run import RunSummary

FRAMES_MAX: Final = 500
"""Frames that one request gets at most."""

ClockLabels: TypeAlias = list[tuple[str, int]]


class EventOut(TypedDict):
    kind: str
    data: Mapping[str, Any]
    to: NotRequired[Annotated[list[int], Field(description="Seats that may know it; absent: everyone.")]]


class NoteOut(TypedDict):
    """Why a part of an answer was struck out or changed; worded as an event is."""

    kind: str
    data: Mapping[str, Any]


class Frame(TypedDict):
    """One resolved step through the asker's eyes. Pairs are [seat, value], in seat order."""

    n: int
    clock: Annotated[ClockLabels, Field(description="The game's labels, the outermost first; empty at the start.")]
    stage: str
    seats: Annotated[list[int], Field(description="Who decided.")]
    view: Annotated[Mapping[str, Any], Field(description="What is drawn; see the game's rule sheet.")]
    events: list[EventOut]
    payoffs: list[tuple[int, float]]
    actions: list[tuple[int, Any]]
    notes: Annotated[list[tuple[int, list[NoteOut]]], Field(description="What was struck out of an answer, and why.")]
    flags: list[tuple[int, list[str]]]
    metrics: dict[str, Any] | None
    hash: str


class Brief(TypedDict):
    """Of a frame what stands on the time axis."""

    n: int
    clock: ClockLabels
    payoffs: list[tuple[int, float]]
    metrics: dict[str, Any] | None
    kinds: Annotated[list[str], Field(description="Kinds of its events, each once.")]
    hash: str


class Snapshot(TypedDict):
    run: RunSummary
    frame: Frame | None


class FramePage(TypedDict):
    head: int
    frames: list[Frame]


class BriefPage(TypedDict):
    head: int
    briefs: list[Brief]


def frame(
    game: Game[Any, Any, Any, Any],
    config: Any,
    step: Step[Any, Any],
    eyes: Eyes,
    hash_: str,
    metrics: Any,
    actions: Sequence[tuple[Seat, Any]] | None = None,
) -> Frame:
    """A step as those eyes may see it. Measures are made from everything, so only omniscient eyes get them.

    ``actions`` are the step's by seat, in seat order, where they are at hand as plain data; else they are written here.
    """
    own = eyes.seat if isinstance(eyes, SeatEyes) else None
    everything = isinstance(eyes, All)

    def mine(seat: Seat) -> bool:
        return everything or seat == own

    if actions is None:
        dump = codec.adapter(game.action_type).dump_python
        actions = [(seat, dump(action, mode="json")) for seat, action in sorted(step.actions.items()) if mine(seat)]
    return {
        "n": step.index,
        "clock": list(step.turn.clock),
        "stage": step.turn.stage,
        "seats": list(step.turn.seats),
        "view": game.view(config, step.state, eyes),
        "events": cast(list[EventOut], [codec.encode_event(event) for event in step.events_for(eyes)]),
        "payoffs": [pair for pair in sorted(step.payoffs.items()) if mine(pair[0])],
        "actions": [pair for pair in actions if mine(pair[0])],
        "notes": [(seat, _notes_out(notes)) for seat, notes in sorted(step.notes.items()) if mine(seat)],
        "flags": [(seat, list(flags)) for seat, flags in sorted(step.flags.items()) if mine(seat)],
        "metrics": metrics if everything else None,
        "hash": hash_,
    }


def _notes_out(notes: Sequence[Note]) -> list[NoteOut]:
    return list(map(note_out, notes))


def note_out(note: Note) -> NoteOut:
    """A note as the page words it."""
    return cast(NoteOut, codec.encode_note(note))


def brief(step: Step[Any, Any], eyes: Eyes, hash_: str, metrics: Any) -> Brief:
    """Of a step's frame what stands on the time axis: enough to draw a long run without all its views."""
    own = eyes.seat if isinstance(eyes, SeatEyes) else None
    everything = isinstance(eyes, All)
    return {
        "n": step.index,
        "clock": list(step.turn.clock),
        "payoffs": [pair for pair in sorted(step.payoffs.items()) if everything or pair[0] == own],
        "metrics": metrics if everything else None,
        "kinds": list(dict.fromkeys(event.kind for event in step.events_for(eyes))),
        "hash": hash_,
    }


def recorded(record: Mapping[str, Any]) -> Frame:
    """A step's record as omniscient eyes get it where its state cannot be resolved again: with nothing to draw."""
    return {
        "n": record["step"],
        "clock": record["clock"],
        "stage": record["stage"],
        "seats": record["seats"],
        "view": {},
        "events": record["events"],
        "payoffs": record["payoffs"],
        "actions": record["actions"],
        "notes": [(seat, _notes_out(notes)) for seat, notes in codec.decode_notes(record["notes"]).items()],
        "flags": record["flags"],
        "metrics": record["metrics"],
        "hash": record["hash"],
    }


def frame_page(head: int, frames: Iterable[bytes]) -> bytes:
    """A `FramePage` of frames that are written already."""
    return b'{"head":%d,"frames":[%b]}' % (head, b",".join(frames))


def snapshot(run: RunSummary, written: bytes) -> bytes:
    """A `Snapshot` with a frame that is written already."""
    return b'{"run":%b,"frame":%b}' % (encoded(run), written)
