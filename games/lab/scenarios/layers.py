"""Layers of a scenario: what is merged over what, and where each part stands, so that a fault can name its place.

Over a list a mapping changes the entries that it names, by number or by a text that one of them alone holds: so
`piles.wood.count` is a setting like any other.
Over a mapping whose names are free (AdaSociety's roles) a layer takes a name out by setting it to null, as a JSON merge
patch does (RFC 7396).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from agents_app.people import PeopleSettings
from games.core.pack import Pack
from games.core.settings import Settings
from games.errors.faults import BadScenario, Fault, faults_of, shown
from games.lab.scenarios.form import AgentForm
from games.lab.scenarios.yamlfile import parse_yaml

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Layer:
    """One part of what is merged, and where it stands: in which file, under which paths."""

    source: str
    config: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, AgentForm] = field(default_factory=dict)
    config_at: str = "config"
    seats_at: str = "seats"
    folder: Path | None = None
    """Where the layer's references to agent files start; None where it may have none."""
    people: Mapping[str, Any] = field(default_factory=dict)
    people_at: str = "people"
    profile: Mapping[str, Any] = field(default_factory=dict)
    """Merged over the profile of every model, whatever layer seats it."""
    profile_at: str = "profile"


def merged(under: Any, over: Any) -> Any:
    """Mappings key by key; entries of a list that a mapping names; anything else replaced whole. What takes a name out
    stays as null; see `without_gone`.
    """
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: merged(under[key], value) if key in under else value for key, value in over.items()}}
    if isinstance(under, list | tuple) and isinstance(over, Mapping) and over:
        named = {_place(under, str(key)): value for key, value in over.items()}
        if None not in named:
            return [merged(one, named[place]) if place in named else one for place, one in enumerate(under)]
    return over


def _place(entries: Sequence[Any], name: str) -> int | None:
    """Which entry of a list is meant: by its number, from 0, or by a text that it alone holds, as its name."""
    if name.isdecimal():
        return int(name) if int(name) < len(entries) else None
    found = [place for place, one in enumerate(entries) if isinstance(one, Mapping) and name in one.values()]
    return found[0] if len(found) == 1 else None


def merge_config(pack: Pack, layers: Sequence[Layer], faults: list[Fault]) -> BaseModel | None:
    """The layers merged and validated; None, and a fault each, where they cannot be."""
    parts = [_Part(layer.source, layer.config_at, layer.config) for layer in layers]
    return _validated(pack.game.config_type, parts, faults)


def merge_people(layers: Sequence[Layer], faults: list[Fault]) -> PeopleSettings | None:
    """The terms for people, merged and validated like a config."""
    return _validated(PeopleSettings, [_Part(layer.source, layer.people_at, layer.people) for layer in layers], faults)


def without_gone(kind: Any, data: Any) -> Any:
    """``data``, of the type ``kind``, without the free names that are set to null, unless null may stand there."""
    if not isinstance(data, Mapping):
        return data
    for option in _options(kind):
        if isinstance(option, type) and issubclass(option, BaseModel):
            fields = option.model_fields
            return {
                name: without_gone(fields[name].annotation, value) if name in fields else value
                for name, value in data.items()
            }
        if get_origin(option) is dict:
            inner = get_args(option)[1]
            gone = () if NoneType in _options(inner) else (None,)
            return {name: without_gone(inner, value) for name, value in data.items() if value not in gone}
    return data


def _options(kind: Any) -> Iterator[Any]:
    """The types that a value may have."""
    if get_origin(kind) is Annotated:
        yield from _options(get_args(kind)[0])
    elif get_origin(kind) in (Union, UnionType):
        for option in get_args(kind):
            yield from _options(option)
    else:
        yield kind


@dataclass(frozen=True, slots=True)
class _Part:
    """A mapping that is merged over others, and where it stands."""

    source: str
    at: str
    data: Mapping[str, Any]


def strictly(kind: type[M], data: Any) -> M:
    """Plain data as a model, each value of the kind that it is written as: neither ``true`` nor ``"10"`` is a number.

    `Settings` see to that themselves; others are read as JSON, since lists stand for tuples there. Raises
    ValidationError.
    """
    if issubclass(kind, Settings):
        return kind.model_validate(data)
    return kind.model_validate_json(json.dumps(data), strict=True)


def _validated(kind: type[M], parts: Sequence[_Part], faults: list[Fault]) -> M | None:
    data: Any = {}
    for part in parts:
        data = merged(data, part.data)
    try:
        return strictly(kind, without_gone(kind, data))
    except ValidationError as error:
        for path, note in faults_of(error, kind):
            part = _sets(parts, path)
            faults.append(Fault.of(part.source, ".".join(name for name in (part.at, *path) if name), note))
        return None


def _sets(parts: Sequence[_Part], path: Sequence[str]) -> _Part:
    """The last part that sets what stands at a path, or else the last that sets anything."""
    for length in range(len(path), -1, -1):
        for part in reversed(parts):
            here: Any = part.data
            for name in path[:length]:
                here = here.get(name, None) if isinstance(here, Mapping) else None
            if here:
                return part
            if length and here is not None:
                return part
    return parts[-1]


def set_layer(settings: Iterable[str]) -> Layer:
    """``key=value`` texts as one layer over the config; dots go into nested keys, values are read as YAML."""
    config: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        parts = key.strip().split(".")
        if not equals or not all(parts):
            raise BadScenario([Fault("--set", "", f"{shown(setting)}; write key=value")])
        read: Any = parse_yaml(value, f"--set {key.strip()}")
        for part in reversed(parts):
            read = {part: read}
        config = merged(config, read)
    return Layer("--set", config, config_at="")
