"""What is wrong with a file or an argument, and where: one line each, with value, bound and remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. ``source`` is the file as the caller named it, ``path`` the dotted way inside it."""

    source: str
    path: str
    message: str

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


def shown(value: Any) -> str:
    """A value for a message: its repr, cut to 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def among(name: str, names: Iterable[str]) -> str:
    """The remedy for an unknown name: the nearest known one, or all of them where they are few."""
    known = sorted(names)
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]}?"
    if not known:
        return "there are none"
    return "there are " + ", ".join(known[:40]) + (" ..." if len(known) > 40 else "")


_BOUNDS = {
    "greater_than_equal": ("ge", "at least {}"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "at most {}"),
    "less_than": ("lt", "less than {}"),
    "multiple_of": ("multiple_of", "a multiple of {}"),
    "literal_error": ("expected", "one of {}"),
    "enum": ("expected", "one of {}"),
    "too_short": ("min_length", "at least {} entries"),
    "too_long": ("max_length", "at most {} entries"),
    "string_too_short": ("min_length", "at least {} characters"),
    "string_too_long": ("max_length", "at most {} characters"),
    "string_pattern_mismatch": ("pattern", "written as {}"),
}
_KINDS = {
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[tuple[tuple[str, ...], str]]:
    """Every fault of a validation as ``(path, message)``; the message gives value, bound and remedy."""
    found: list[tuple[tuple[str, ...], str]] = []
    for fault in error.errors(include_url=False):
        path = tuple(str(part) for part in fault["loc"])
        found.append((path, _worded(fault["type"], fault, path, model)))
    return found


def _worded(kind: str, fault: Mapping[str, Any], path: tuple[str, ...], model: type[BaseModel]) -> str:
    value = shown(fault.get("input"))
    context: Any = fault.get("ctx", {})
    if kind == "extra_forbidden":
        return f"unknown; {among(path[-1], fields_at(model, path[:-1]))}"
    if kind == "missing":
        return "missing; it is required"
    if kind in ("value_error", "assertion_error"):
        return " ".join(str(context.get("error", fault["msg"])).split())
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        bound = context.get(key)
        whole = isinstance(bound, float) and bound.is_integer() and abs(bound) < 1e15
        return f"{value}; {words.format(int(bound) if whole else bound)}"
    if kind in _KINDS:
        return f"{value}; {_KINDS[kind]} is needed"
    return f"{value}; {' '.join(str(fault['msg']).split())}"


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
