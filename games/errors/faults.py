"""What is wrong with a file or an argument, and where: one line each, with value, bound and remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from games.core.answers import JSON, Note, note_of
from games.core.faults import shown as shown
from games.errors import sentences

NAMED_AT_MOST: Final = 40
"""Known names that a remedy lists."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. ``source`` is the file as the caller named it, ``path`` the dotted way inside it."""

    source: str
    path: str
    message: str
    note: Note | None = field(default=None, compare=False)
    """The same for readers of any language, where it has been said so."""

    @classmethod
    def of(cls, source: str, path: str, note: Note) -> Fault:
        return cls(source, path, sentences.fault(note), note)

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.path, self.message) if part)


class Refused(ValueError):
    """Input that cannot be used: a caller's mistake, told in one line for each fault. Nothing was written."""

    def __init__(self, faults: Sequence[Fault] | str) -> None:
        self.faults: tuple[Fault, ...] = (Fault("", "", faults),) if isinstance(faults, str) else tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.faults,)


class BadScenario(Refused):
    """A scenario, experiment or agent file that cannot be played."""


class BadFolder(Refused):
    """A run folder that cannot be written, read or trusted."""


def among(name: str, names: Iterable[str]) -> str:
    """The remedy for an unknown name: the nearest known one, or all of them where they are few."""
    known = sorted(names)
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]}?"
    if not known:
        return "there are none"
    return "there are " + ", ".join(known[:NAMED_AT_MOST]) + (" ..." if len(known) > NAMED_AT_MOST else "")


def no_such(name: str, names: Iterable[str], kind: str = "no_such", **values: JSON) -> Note:
    """What is wrong with a name that is none of these: ``KIND_near``, ``KIND_among`` or, where there are none,
    ``KIND_none``.
    """
    values = {"value": shown(name), **values}
    known = sorted(names)
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return Note(f"{kind}_near", {**values, "near": near[0]})
    if not known:
        return Note(f"{kind}_none", values)
    some = [*known[:NAMED_AT_MOST], *(["..."] if len(known) > NAMED_AT_MOST else [])]
    return Note(f"{kind}_among", {**values, "known": some})


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[tuple[tuple[str, ...], Note]]:
    """Every fault of a validation as ``(path, note)``; the note gives value, bound and remedy."""
    found: list[tuple[tuple[str, ...], Note]] = []
    faults = error.errors(include_url=False)
    numbers = {
        fault["loc"][:-1] for fault in faults if fault["type"] == "float_type" and fault["loc"][-1:] == ("float",)
    }
    for fault in faults:
        path = tuple(str(part) for part in fault["loc"])
        if fault["loc"][:-1] in numbers:  # of a number that may be whole or not: told once
            if fault["type"] != "float_type":
                continue
            path = path[:-1]
        if fault["type"] == "extra_forbidden":
            found.append((path, no_such(path[-1], fields_at(model, path[:-1]), "unknown")))
        else:
            found.append((path, note_of(fault)))
    return found


def fields_at(model: type[BaseModel], path: Sequence[str]) -> list[str]:
    """The field names of the model that stands at a path inside another; none where it is no model."""
    here: Any = model
    for part in path:
        if get_origin(here) is dict:
            here = get_args(here)[1]
        else:
            fields: Mapping[str, Any] = getattr(here, "model_fields", {})
            here = fields[part].annotation if part in fields else None
        while get_origin(here) in (Annotated, Union, UnionType):
            here = next((option for option in get_args(here) if option is not type(None)), None)
    return list(getattr(here, "model_fields", {}))
