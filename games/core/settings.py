"""The base of whatever can be set: a game's config, the models inside it, a policy's parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError


class Settings(BaseModel, frozen=True, extra="forbid"):
    """Values that are frozen, refuse keys that they do not know, and read true, 1 and "1" as three different things."""

    @field_validator("*", mode="before")
    @classmethod
    def _only_numbers_are_numbers(cls, value: Any, info: ValidationInfo) -> Any:
        """The value as it came; raises where true or a text stands in place of a number, in lists and mappings too."""
        kinds = set(_kinds(cls.model_fields[str(info.field_name)].annotation))
        numbers = kinds & {int, float}
        if object in kinds:
            return value
        if not numbers:
            if bool in kinds and not isinstance(value, bool) and isinstance(value, int | float | str):
                raise PydanticKnownError("bool_type")
            return value
        has_texts = str in kinds or any(isinstance(kind, str) for kind in kinds)
        wrong = tuple(kind for kind, may_be in ((bool, bool in kinds), (str, has_texts)) if not may_be)
        if wrong and _holds(wrong, value, any(map(_is_model, kinds))):
            raise PydanticKnownError("float_type" if float in numbers else "int_type")
        return value


def _kinds(annotation: Any) -> Iterator[Any]:
    """The types that stand anywhere in an annotation."""
    if annotation is Any:
        yield object
    elif get_origin(annotation) is None:
        yield annotation
    else:
        for part in get_args(annotation):
            yield from _kinds(part)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _holds(wrong: tuple[type, ...], value: Any, has_models: bool) -> bool:
    """Whether something of a wrong type stands in the value; models inside look after their own fields."""
    if isinstance(value, wrong):
        return True
    match value:
        case list() | tuple():
            return any(_holds(wrong, part, has_models) for part in value)
        case Mapping() if not has_models:
            return any(_holds(wrong, part, has_models) for part in value.values())
    return False
