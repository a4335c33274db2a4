"""Well-formed answers drawn from a JSON Schema, as games and pydantic write it. A draw depends on its key alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.core.rng import Rng
from games.core.schema import DEEP, Schema, branches, kind_of

SMALL: Final = 12
"""Numbers without an upper bound are drawn up to so much above their lower one."""
MORE: Final = 3
"""Lists without an upper bound have so many entries at most above their lower one."""
EDGE: Final = 0.3
"""How often a number is one of its bounds."""


def samples(schema: Mapping[str, Any], key: Rng, count: int) -> Iterator[Any]:
    """``count`` answers."""
    for number in range(count):
        yield sample(schema, key.at("sample", number))


def sample(schema: Mapping[str, Any], key: Rng) -> Any:
    """One answer that the schema allows."""
    return _Sampler(schema).drawn(schema, key, 0)


class _Sampler(Schema):
    """Draws each part of an answer under a key of its own."""

    def drawn(self, part: Any, key: Rng, depth: int) -> Any:
        part = self.met(part)
        if "const" in part:
            return part["const"]
        if part.get("enum"):
            return part["enum"][key.below(len(part["enum"]), "word")]
        either = branches(part)
        if either and depth < DEEP:
            return self.drawn(either[key.below(len(either), "branch")], key.at("in"), depth + 1)
        match kind_of(part):
            case "object" if depth < DEEP:
                return self._object(part, key, depth)
            case "array" if depth < DEEP:
                return self._array(part, key, depth)
            case "integer":
                return _integer(part, key)
            case "number":
                return _number(part, key)
            case "string":
                least = part.get("minLength", 0)
                most = min(part.get("maxLength", least + SMALL), least + SMALL)
                return "x" * (least + key.below(most - least + 1, "length"))
            case "boolean":
                return key.chance(0.5, "yes")
        return None

    def _object(self, part: Mapping[str, Any], key: Rng, depth: int) -> dict[str, Any]:
        """All that is required, and of the rest each half of the time."""
        required = part.get("required", ())
        return {
            name: self.drawn(inner, key.at(name), depth + 1)
            for name, inner in part.get("properties", {}).items()
            if name in required or key.chance(0.5, "has", len(name), ord(name[0]))
        }

    def _array(self, part: Mapping[str, Any], key: Rng, depth: int) -> list[Any]:
        places = enumerate(part.get("prefixItems", ()))
        fixed = [self.drawn(inner, key.at("place", at), depth + 1) for at, inner in places]
        if "items" not in part or not part["items"]:
            return fixed
        least = max(0, part.get("minItems", 0) - len(fixed))
        most = min(part.get("maxItems", len(fixed) + least + MORE) - len(fixed), least + MORE)
        count = least + key.below(max(0, most - least) + 1, "count")
        return fixed + [self.drawn(part["items"], key.at("item", at), depth + 1) for at in range(count)]


def _bounds(part: Mapping[str, Any], step: float) -> tuple[float, float]:
    low = part.get("minimum", part["exclusiveMinimum"] + step if "exclusiveMinimum" in part else None)
    high = part.get("maximum", part["exclusiveMaximum"] - step if "exclusiveMaximum" in part else None)
    low = (min(0, high - SMALL) if high is not None else -1) if low is None else low
    return low, max(low, low + SMALL if high is None else high)


def _integer(part: Mapping[str, Any], key: Rng) -> int:
    low, high = (int(bound) for bound in _bounds(part, 1))
    if key.chance(EDGE, "edge"):
        return high if key.chance(0.5, "high") else low
    among = high - low if key.chance(0.5, "any") else min(high - low, SMALL)
    return low + key.below(among + 1, "whole")


def _number(part: Mapping[str, Any], key: Rng) -> float:
    low, high = _bounds(part, 0.01)
    if key.chance(EDGE, "edge"):
        return high if key.chance(0.5, "high") else low
    return round(low + (min(high, low + SMALL) - low) * key.unit("part"), 2)
