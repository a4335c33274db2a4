"""The presets of this game by name, for its own commands and doors; runs load them through the scenario reader."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

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
    return AdaSocietyConfig.model_validate(yaml.safe_load(files[name].read_text("utf-8"))["config"])
