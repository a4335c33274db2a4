"""What a seat may answer, and what is said of an answer, or of a setting, that cannot stand.

A game speaks of answers in these words too; `games.core.game` has all the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeAlias, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from games.core.faults import flaw, shown

JSON: TypeAlias = "None | bool | int | float | str | Sequence[JSON] | Mapping[str, JSON]"
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Note:
    """Why a part of an answer was struck out or changed. As for an `Event`, the game's words have its sentence by kind.

    ``data`` is JSON of a bounded size: what was asked for, and the bound that it was held to. What makes an input
    unusable as a whole is a note too; `games.errors.sentences` has the sentences of those that all games share.
    """

    kind: str
    data: Mapping[str, JSON] = field(default_factory=dict)


SENTENCE = "sentence"
"""The kind of a note that is a sentence already, ``text``: in records of the first layout all of them are."""
SAID = "said"
"""The kind of a note that brings its sentence with it in every language: its data, by language."""


PATH_SHOWN = 120
"""Characters of a place that a note keeps: keys of an answer are its author's."""
SAID_MAX = 400
"""Characters of what pydantic says of a fault: for a wrong tag it repeats the tag whole."""


class BadValue(ValueError):
    """What somebody gave cannot be used. Its text is one line with value, bound and remedy; ``note`` says the same in
    any language, and is the line itself where it was written in one alone.
    """

    def __init__(self, text: str, note: Note | None = None) -> None:
        super().__init__(text)
        self.note = note or Note(SENTENCE, {"text": text})


class BadAction(BadValue):
    """An answer that cannot be read as an action at all."""

    @classmethod
    def told(cls, note: Note) -> Self:
        """By a game, in every language."""
        return cls(str(note.data["en"]), note)


class ConfigError(BadValue):
    """A fault that a model finds in its own fields."""

    def __init__(self, note: Note) -> None:
        super().__init__(str(note.data["en"]), note)


def first_fault(error: ValidationError) -> tuple[str, Note]:
    """The first fault of a validation: as ``path: what (value)`` in one line, and as a note with its ``path``.

    pydantic writes out every fault it found, so it is asked once; how many there can be is the door's to bound.
    """
    return fault_told(error.errors(include_url=False)[0])


def read_as(adapter: TypeAdapter[A], raw: Any, refusal: type[BadAction] = BadAction) -> A:
    """Untrusted JSON as a value of a type; raises `BadAction`, or the kind of it that is given."""
    try:
        return adapter.validate_python(raw)
    except ValidationError as error:
        raise refusal(*first_fault(error)) from None


def fault_told(fault: ErrorDetails) -> tuple[str, Note]:
    """One fault of a validation, as `first_fault` gives it."""
    path = ".".join(str(part) for part in fault["loc"])
    said = shortened(" ".join(fault["msg"].split()), SAID_MAX)
    text = f"{shortened(path or 'value', PATH_SHOWN)}: {said} (got {shown(fault.get('input'), 80)})"
    return text, placed(note_of(fault), path)


def placed(note: Note, path: str) -> Note:
    """The note with its place in the input, where it has one; sentences name theirs themselves."""
    if not path or note.kind in (SENTENCE, SAID):
        return note
    return Note(note.kind, {"path": shortened(path, PATH_SHOWN), **note.data})


def shortened(text: str, length: int) -> str:
    """The text, at most so long."""
    return text if len(text) <= length else text[: length - 3] + "..."


def note_of(fault: ErrorDetails) -> Note:
    """What a validation found, without its place: a validator's own words, or a kind of `games.core.faults`."""
    if fault["type"] not in ("value_error", "assertion_error"):
        return Note(*flaw(fault))
    error = fault.get("ctx", {}).get("error", fault["msg"])
    return error.note if isinstance(error, ConfigError) else Note(SENTENCE, {"text": " ".join(str(error).split())})


@dataclass(frozen=True, slots=True)
class ActionSpec(Generic[A]):
    """What one seat may answer at this moment: one schema for form, prompt, parser and mask.

    ``schema``   JSON Schema of an answer; names nothing that the seat does not know
    ``read``     untrusted JSON to an action; raises `BadAction`. Content that is merely illegal is left to ``clean``
    ``options``  every legal action where they can be listed, else None
    """

    schema: Mapping[str, JSON]
    read: Callable[[Any], A]
    options: tuple[A, ...] | None = None

    @classmethod
    def of(cls, kind: Any, options: tuple[A, ...] | None = None) -> ActionSpec[A]:
        """A spec from any type that pydantic can read. Costs milliseconds: make it once per distinct type."""
        adapter: TypeAdapter[A] = TypeAdapter(kind)
        return cls(adapter.json_schema(), lambda raw: read_as(adapter, raw), options)

    def bounded(self, **bounds: tuple[int, int]) -> ActionSpec[A]:
        """The spec with bounds on numbers of an answer, by field: forms keep to them, and what is beyond ``clean``
        repairs with a note, since ``read`` lets it pass."""
        fields: Any = self.schema.get("properties", {})
        shown = {name: {**fields[name], "minimum": low, "maximum": high} for name, (low, high) in bounds.items()}
        return replace(self, schema={**self.schema, "properties": {**fields, **shown}})
