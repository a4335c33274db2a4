"""A JSON Schema in the form that OpenAI's strict mode takes, in which a model's tokens are held to it.

Source: OpenAI, *Structured outputs*: the root is an object, every object names all its properties as required and no
others, alternatives are `anyOf`. What may be left out may be null there; `without_nulls` takes that off the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agents_app.profile import Profile

VENDORS: Final = frozenset({"openai", "openrouter", "xai"})
"""Those that say that they hold to it. A server of one's own makes its grammar of the schema as it is."""
KEPT: Final = frozenset(
    {
        *("type", "title", "description", "enum", "items", "minItems", "maxItems", "pattern", "format", "multipleOf"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    }
)
PASSED_OVER: Final = frozenset(
    {"default", "discriminator", "examples", "$schema", "minLength", "maxLength", "uniqueItems"}
)
"""Keywords that only tell, or bound what the game's reader bounds anyway; any other makes the schema unfit."""
NULL: Final[Mapping[str, Any]] = {"type": "null"}


class Unfit(Exception):
    """The schema has no strict form."""


def is_strict(profile: Profile) -> bool:
    """Whether a profile's vendor holds to strict schemas."""
    return profile.provider in VENDORS and not profile.base_url


def strict_form(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The strict form of an object's schema; None where there is none, such as for lists of fixed places."""
    if schema.get("type") != "object" or "properties" not in schema or {"oneOf", "anyOf"} & schema.keys():
        return None
    try:
        return _strict(schema)
    except Unfit:
        return None


def _strict(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, Mapping):
        raise Unfit
    made: dict[str, Any] = {}
    for name, value in schema.items():
        if name in KEPT and name != "items":
            made[name] = value
        elif name == "const":
            made["enum"] = [value]
        elif name == "items":
            made["items"] = _strict(value)
        elif name in ("oneOf", "anyOf"):
            made["anyOf"] = [_strict(part) for part in value]
        elif name not in PASSED_OVER and not name.startswith("x-") and name not in OBJECTS:
            raise Unfit
    if "anyOf" in made:
        return {name: made[name] for name in ("anyOf", "description") if name in made}
    if made.get("type") == "object":
        if "properties" not in schema or isinstance(schema.get("additionalProperties"), Mapping):
            raise Unfit
        required = schema.get("required", ())
        parts = {name: _strict(part) for name, part in schema["properties"].items()}
        made["properties"] = {
            name: part if name in required else {"anyOf": [part, dict(NULL)]} for name, part in parts.items()
        }
        made |= {"required": list(parts), "additionalProperties": False}
    elif not {"type", "enum"} & made.keys():
        raise Unfit
    return made


OBJECTS: Final = frozenset({"properties", "required", "additionalProperties"})


def without_nulls(value: Any) -> Any:
    """An answer without the fields that are null, for which a strict schema has no other way to be left out."""
    if isinstance(value, Mapping):
        return {name: without_nulls(part) for name, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value
