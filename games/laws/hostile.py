"""Hostile answers, made from a request's own JSON Schema: what it bounds is exceeded, mistyped and left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final

from games.core.schema import DEEP, Schema, branches, kind_of

NUMBERS: Final[tuple[Any, ...]] = (
    0, 1, -1, 2, 2**31, 2**63, 10**400, -(10**400), 0.5, 1e308, float("nan"), float("inf"), -float("inf"), True, "3",
    None,
)  # fmt: skip
TEXTS: Final[tuple[Any, ...]] = (
    "", " ", "\x00", "\ud800", "\u202e", "no such word", "x" * 10_000, "line\nline", 7, True, None, ["x"], {"x": "x"},
)  # fmt: skip
ANYTHING: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 10**400, 1e308, float("nan"), float("inf"), "", "\x00", "x" * 10_000, ["\ud800"], [], {}, [[]],
    [None], [{}], [[0, 0]] * 1000, list(range(100_000)), {"a": {"b": {"c": {"d": []}}}}, {"__class__": "x"},
)  # fmt: skip
"""Junk of no shape, for any request."""
MANY: Final = 1000
"""Entries of a long list."""
OPTIONS_MAX: Final = 16
"""So many words of an enumeration are tried."""
ANSWERS_MAX: Final = 1500
"""So many answers are made from one schema."""


def answers(schema: Mapping[str, Any]) -> list[Any]:
    """Well-formed answers of every kind that the schema knows, and the same with one place gone wrong each."""
    return list(islice(_Hostile(schema).odd(schema), ANSWERS_MAX))


class _Hostile(Schema):
    """Goes through a schema for what it forbids."""

    def plain(self, part: Any, depth: int = 0) -> Any:
        """One well-formed answer."""
        part = self.met(part)
        if "const" in part:
            return part["const"]
        if part.get("enum"):
            return part["enum"][0]
        either = branches(part)
        if either and depth < DEEP:
            return self.plain(either[0], depth + 1)
        match kind_of(part):
            case "object" if depth < DEEP:
                return {name: self.plain(inner, depth + 1) for name, inner in part.get("properties", {}).items()}
            case "array" if depth < DEEP:
                return self._entries(part, depth)
            case "integer" | "number":
                return part.get("minimum", min(1, part.get("maximum", 1)))
            case "string":
                return "x" * max(1, part.get("minLength", 1))
            case "boolean":
                return True
        return None

    def _entries(self, part: Mapping[str, Any], depth: int) -> list[Any]:
        fixed = [self.plain(inner, depth + 1) for inner in part.get("prefixItems", ())]
        more = max(0 if fixed else 1, part.get("minItems", 0) - len(fixed))
        return fixed + [self.plain(part["items"], depth + 1)] * more if "items" in part else fixed

    def odd(self, part: Any, depth: int = 0) -> Iterator[Any]:
        """The plain answer, then others with one fault each, the outermost places first."""
        part = self.met(part)
        yield self.plain(part, depth)
        if depth >= DEEP:
            return
        yield from part.get("enum", ())[:OPTIONS_MAX]
        for branch in branches(part):
            yield from self.odd(branch, depth + 1)
        if "const" in part or "enum" in part:
            yield from TEXTS
            return
        match kind_of(part):
            case "object":
                yield from self._odd_objects(part, depth)
            case "array":
                yield from self._odd_lists(part, depth)
            case "integer" | "number":
                yield from chain(_beyond(part), NUMBERS)
            case "string":
                longest = part.get("maxLength")
                yield from (TEXTS if longest is None else ("x" * (longest + 1), "x" * longest, *TEXTS))
            case "boolean":
                yield from (True, False, 0, "true", None)
            case None if not branches(part):
                yield from ANYTHING

    def _odd_objects(self, part: Mapping[str, Any], depth: int) -> Iterator[Any]:
        inner: Mapping[str, Any] = part.get("properties", {})
        whole = {name: self.plain(one, depth + 1) for name, one in inner.items()}
        yield from ({}, {**whole, "no such field": 1})
        for name in inner:
            yield {key: value for key, value in whole.items() if key != name}
        for name, one in inner.items():
            yield from ({**whole, name: value} for value in self.odd(one, depth + 1))

    def _odd_lists(self, part: Mapping[str, Any], depth: int) -> Iterator[Any]:
        whole = self._entries(part, depth)
        yield from ([], whole * 2, whole * MANY, [*whole, None])
        for at, one in enumerate(part.get("prefixItems", ())):
            yield from ([*whole[:at], value, *whole[at + 1 :]] for value in self.odd(one, depth + 1))
        if "items" in part:
            for value in self.odd(part["items"], depth + 1):
                yield from ([value], [value] * 3)


def _beyond(part: Mapping[str, Any]) -> Iterator[Any]:
    """Each bound of a number, and the number past it."""
    for name, further in (("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1), ("exclusiveMaximum", 0)):
        if name in part:
            yield from (part[name], part[name] + further, part[name] + 1000 * (further or 1))
