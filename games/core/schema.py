"""JSON Schema as games and pydantic write it: what it refers to, which form an answer takes, its numbers and bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.core.answers import JSON

DEEP: Final = 6
"""A schema that refers to itself is followed this far."""
TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


class Schema:
    """A schema with what it refers to."""

    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._named: Mapping[str, Any] = whole.get("$defs", {})

    def met(self, part: Any) -> Mapping[str, Any]:
        """The part itself where it only names one."""
        while isinstance(part, Mapping) and "$ref" in part:
            part = self._named.get(str(part["$ref"]).rpartition("/")[2], {})
        return part if isinstance(part, Mapping) else {}

    def form_of(self, part: Any, raw: Any) -> Mapping[str, Any]:
        """Of the forms that a part may take the one that an answer has, as far as types and constants tell."""
        met = self.met(part)
        for branch in map(self.met, branches(met)):
            fixed = [(name, one["const"]) for name, one in branch.get("properties", {}).items() if "const" in one]
            kind = kind_of(branch)
            is_kind = isinstance(raw, TYPES[kind]) if kind else raw in branch.get("enum", [branch.get("const")])
            if is_kind and (not isinstance(raw, dict) or all(raw.get(name) == value for name, value in fixed)):
                return self.form_of(branch, raw)
        return met

    def beyond(self, part: Any, raw: Any, at: str = "answer") -> Iterator[str]:
        """Each number of an answer that lies beyond its bounds, or is none of those that are listed, as a line."""
        part = self.form_of(part, raw)
        if isinstance(raw, dict):
            inner = part.get("properties", {})
            for name, value in raw.items():
                yield from self.beyond(inner.get(name, {}), value, f"{at}.{name}")
        elif isinstance(raw, list):
            places = part.get("prefixItems", ())
            for number, value in enumerate(raw):
                inner = places[number] if number < len(places) else part.get("items", {})
                yield from self.beyond(inner, value, f"{at}.{number}")
        elif isinstance(raw, int | float) and not isinstance(raw, bool):
            low, high = part.get("minimum", raw), part.get("maximum", raw)
            above, below = part.get("exclusiveMinimum"), part.get("exclusiveMaximum")
            listed = part.get("enum", (raw,))
            if not low <= raw <= high or (above is not None and raw <= above) or (below is not None and raw >= below):
                yield f"{at} is {raw}"
            elif raw not in listed:
                yield f"{at} is {raw}, none of {list(listed)}"

    def numbers(self, part: Any, at: str = "answer", depth: int = 0) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every number that an answer may hold, by its path."""
        part = self.met(part)
        if depth >= DEEP or "const" in part or "enum" in part:
            return
        for branch in branches(part):
            yield from self.numbers(branch, at, depth + 1)
        if kind_of(part) in ("integer", "number"):
            yield at, part
        for name, inner in part.get("properties", {}).items():
            yield from self.numbers(inner, f"{at}.{name}", depth + 1)
        for inner in (*part.get("prefixItems", ()), *([part["items"]] if part.get("items") else ())):
            yield from self.numbers(inner, f"{at}.*", depth + 1)


def branches(part: Mapping[str, Any]) -> Sequence[Any]:
    """The forms of which an answer takes one."""
    return part.get("oneOf") or part.get("anyOf") or part.get("allOf") or ()


def kind_of(part: Mapping[str, Any]) -> str | None:
    """The first of its types; an object where only properties tell it."""
    kind = part.get("type", "object" if "properties" in part else None)
    first = kind[0] if isinstance(kind, list) else kind
    return None if first is None else str(first)


def option(key: str, name: str, title: str = "", **fields: Mapping[str, Any]) -> dict[str, Any]:
    """An object that is told by one of its keys. Fields with a default may be left out."""
    return {
        **({"title": title} if title else {}),
        "type": "object",
        "properties": {key: {"const": name}, **fields},
        "required": [key, *(field for field, schema in fields.items() if "default" not in schema)],
        "additionalProperties": False,
    }


def record(properties: Mapping[str, JSON], required: Sequence[str] = (), title: str = "") -> dict[str, JSON]:
    """An object of these properties and no others."""
    named: dict[str, JSON] = {"title": title} if title else {}
    return {
        "type": "object",
        **named,
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
