"""The presets of this game by name, for its own commands and doors; runs load them through the scenario reader."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from games.catalog.adasociety.setup.config import AdaSocietyConfig


class UnknownPreset(LookupError):
    """No preset has that name; the message lists those that exist."""


@lru_cache(maxsize=64)
def preset_config(name: str) -> AdaSocietyConfig:
    """The configuration of a preset, such as ``contract-easy``; raises `UnknownPreset`."""
    files = {path.stem: path for path in sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))}
    if name not in files:
        raise UnknownPreset(f"preset {name!r}: there is none of that name; there are {', '.join(files)}")
    return AdaSocietyConfig.model_validate(_settings(files, name))


def _settings(files: Mapping[str, Path], name: str) -> Mapping[str, Any]:
    """What a preset sets, over what the presets set that it rests on: mappings key by key, anything else whole."""
    written: Mapping[str, Any] = yaml.safe_load(files[name].read_text("utf-8"))
    base: str | None = written.get("base")
    own: Mapping[str, Any] = written.get("config", {})
    if base is None:
        return own
    settings: Mapping[str, Any] = _over(_settings(files, base.rpartition("/")[2]), own)
    return settings


def _over(under: Any, over: Any) -> Any:
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: _over(under.get(key), value) for key, value in over.items()}}
    return over
