"""What a validation found, as a kind with its values: the sentences stand elsewhere, by language.

Kinds are pydantic's error types where they differ for a reader, and nothing but these. A type that is not known here
keeps pydantic's own line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from pydantic_core import ErrorDetails

OTHER: Final = "other"
"""The kind of what pydantic alone can say: ``message``."""
BOUNDS: Final[Mapping[str, tuple[str, str]]] = {
    "greater_than_equal": ("at_least", "ge"),
    "greater_than": ("more_than", "gt"),
    "less_than_equal": ("at_most", "le"),
    "less_than": ("less_than", "lt"),
    "multiple_of": ("multiple_of", "multiple_of"),
    "too_short": ("entries_at_least", "min_length"),
    "too_long": ("entries_at_most", "max_length"),
    "string_too_short": ("characters_at_least", "min_length"),
    "string_too_long": ("characters_at_most", "max_length"),
    "string_pattern_mismatch": ("written_as", "pattern"),
}
"""Kind of each type that names a bound, and where pydantic's context has it."""
CHOICES: Final[Mapping[str, str]] = {
    "literal_error": "expected",
    "enum": "expected",
    "union_tag_invalid": "expected_tags",
}
KINDS: Final[Mapping[str, str]] = {
    "missing": "missing",
    "missing_argument": "missing",
    "missing_keyword_only_argument": "missing",
    "missing_positional_only_argument": "missing",
    "extra_forbidden": "unknown",
    "unexpected_keyword_argument": "unknown",
    "unexpected_positional_argument": "unknown",
    "union_tag_not_found": "tag_missing",
    "int_parsing": "whole_number",
    "int_type": "whole_number",
    "int_from_float": "whole_number",
    "int_parsing_size": "too_many_digits",
    "float_parsing": "number",
    "float_type": "number",
    "decimal_parsing": "number",
    "decimal_type": "number",
    "finite_number": "finite_number",
    "bool_parsing": "true_or_false",
    "bool_type": "true_or_false",
    "string_type": "text",
    "string_unicode": "text",
    "list_type": "list",
    "tuple_type": "list",
    "dict_type": "mapping",
    "mapping_type": "mapping",
    "model_type": "mapping",
    "model_attributes_type": "mapping",
    "dataclass_type": "mapping",
    "invalid_key": "text_keys",
    "none_required": "empty",
    "json_invalid": "json",
    "json_type": "json",
}
"""Kind of each type that needs no bound: what would have been right."""
CHOICE: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s,]+")


def shown(value: Any, length: int = 60) -> str:
    """A value for a message: its repr, cut to so many characters. What would be cut off is not written at all."""
    text = repr(_head(value, [length]))
    return text if len(text) <= length else text[: length - 3] + "..."


def _head(value: Any, left: list[int]) -> Any:
    """A list, tuple or mapping without what comes after so many values, counted through all that is nested."""
    left[0] -= 1
    if type(value) not in (list, tuple, dict):
        return value
    kept = []
    for one in value.items() if type(value) is dict else value:
        if left[0] <= 0:
            break
        kept.append((one[0], _head(one[1], left)) if type(value) is dict else _head(one, left))
    return type(value)(kept)


def flaw(fault: ErrorDetails) -> tuple[str, dict[str, Any]]:
    """One error of pydantic as a kind with values, both JSON: always ``value``, and what its sentence names."""
    kind, values = fault["type"], {"value": shown(fault.get("input"))}
    context: Mapping[str, Any] = fault.get("ctx", {})
    if kind in BOUNDS:
        named, key = BOUNDS[kind]
        return named, {**values, "bound": _bound(context.get(key))}
    if kind in CHOICES:
        expected = str(context.get(CHOICES[kind], ""))
        if "tag" in context:
            values = {"value": shown(context["tag"])}
        return "one_of", {**values, "options": [part for part in CHOICE.findall(expected) if part != "or"]}
    if kind == "union_tag_not_found":
        return KINDS[kind], {**values, "tag": str(context.get("discriminator", "")).strip("'")}
    if kind in KINDS:
        return KINDS[kind], values
    return OTHER, {**values, "message": " ".join(fault["msg"].split())}


def _bound(bound: Any) -> Any:
    """A whole number without its decimal point; what JSON has no number for, as text."""
    if isinstance(bound, float) and bound.is_integer() and abs(bound) < 1e15:
        return int(bound)
    return format(bound, "f") if isinstance(bound, Decimal) else bound
