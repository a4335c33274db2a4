"""Layers of a scenario: what is merged over what, and where each part stands, so that a fault can name its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from games.core.registry import Pack
from games.lab.faults import BadScenario, Fault, faults_of, shown
from games.lab.form import AgentForm
from games.lab.yamlfile import parse_yaml


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


def merged(under: Any, over: Any) -> Any:
    """Mappings key by key, anything else replaced whole."""
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: merged(under[key], value) if key in under else value for key, value in over.items()}}
    return over


def merge_config(pack: Pack, layers: Sequence[Layer], faults: list[Fault]) -> BaseModel | None:
    """The layers merged and validated; None, and a fault each, where they cannot be."""
    data: Any = {}
    for layer in layers:
        data = merged(data, layer.config)
    kind: type[BaseModel] = pack.game.config_type
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        for path, text in faults_of(error, kind):
            layer = _sets(layers, path)
            faults.append(Fault(layer.source, ".".join(part for part in (layer.config_at, *path) if part), text))
        return None


def _sets(layers: Sequence[Layer], path: Sequence[str]) -> Layer:
    """The last layer that sets what stands at a path of the config, or else the last that sets anything."""
    for length in range(len(path), -1, -1):
        for layer in reversed(layers):
            here: Any = layer.config
            for part in path[:length]:
                here = here.get(part, None) if isinstance(here, Mapping) else None
            if here:
                return layer
            if length and here is not None:
                return layer
    return layers[-1]


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
