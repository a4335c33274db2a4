"""The base of whatever can be set: a game's config, the models inside it, a policy's parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, Protocol, get_args, get_origin

from pydantic import BaseModel, Field, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError


class Described(Protocol):
    """The words that say what settings are called."""

    def settings(self) -> Mapping[str, tuple[str, str]]:
        """Label and description by path: ``piles.*.units``."""
        ...


def setting(
    default: Any = ..., least: Any = None, most: Any = None, *, unit: str = "", group: str = "",
    schema: Mapping[str, Any] | None = None, **more: Any,
) -> Any:  # fmt: skip
    """A setting, its default and bounds, where the form shows it and in what unit.

    What it is called and what it means stands in the game's words under ``config``. ``schema`` goes into its JSON
    schema; ``more`` is pydantic's: ``gt``, ``min_length``, ``exclude_if``.
    """
    shown = {"group": group, "unit": unit} if group else {"unit": unit} if unit else {}
    bounds = {name: bound for name, bound in (("ge", least), ("le", most)) if bound is not None}
    if shown or schema:
        more["json_schema_extra"] = {**shown, **(schema or {})}
    return Field(default, **bounds, **more)


class Settings(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """Values that are frozen, refuse keys that they do not know, and read true, 1 and "1" as three different things.

    ``words``: of a game's config, the words that say what its settings are called, those inside others too.
    """

    words: ClassVar[Described | None] = None

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The JSON schema, with titles and descriptions from the game's words."""
        schema = super().model_json_schema(*args, **kwargs)
        if cls.words is not None:
            _describe(schema, schema.get("$defs", {}), cls.words.settings(), "", set())
        return schema

    @field_validator("*", mode="before")
    @classmethod
    def _only_numbers_are_numbers(cls, value: Any, info: ValidationInfo) -> Any:
        """The value as it came; raises where true or a text stands in place of a number, in lists and mappings too."""
        kinds = _kinds_in(cls, str(info.field_name))
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


@lru_cache(maxsize=4096)
def _kinds_in(model: type[BaseModel], name: str) -> frozenset[Any]:
    """The types that stand anywhere in a field."""
    return frozenset(_kinds(model.model_fields[name].annotation))


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


def _describe(node: Any, models: Any, said: Mapping[str, tuple[str, str]], at: str, seen: set[str]) -> None:
    """Writes titles and descriptions into a model's JSON schema; a model inside others is of its first path."""
    for name, field in node.get("properties", {}).items():
        path = f"{at}{name}"
        if path in said:
            field["title"], text = said[path]
            if text and text != models.get(_model(field), {}).get("description"):
                field["description"] = text
        for steps, part in _parts(field):
            if (model := _model(part)) and model not in seen:
                seen.add(model)
                _describe(models[model], models, said, f"{path}{steps}.", seen)


def _model(node: Mapping[str, Any]) -> str:
    return str(node.get("$ref", "")).rpartition("/")[2]


def _parts(node: Any, steps: str = "") -> Iterator[tuple[str, Any]]:
    """What a value may be, and what lies in it, each with the steps that lead there: ``.*`` for entries."""
    yield steps, node
    for choice in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        yield from _parts(choice, steps)
    for entry in (node.get("items"), node.get("additionalProperties"), *node.get("patternProperties", {}).values()):
        if isinstance(entry, dict):
            yield from _parts(entry, f"{steps}.*")
