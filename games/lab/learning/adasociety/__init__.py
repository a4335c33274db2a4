"""AdaSociety for learners: many worlds side by side as arrays, and the field that policies learn in."""

from __future__ import annotations

from functools import lru_cache

from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.lab.scenarios.scenario import load_preset


@lru_cache(maxsize=64)
def preset_config(name: str) -> AdaSocietyConfig:
    """The configuration of a preset, such as ``contract-easy``; raises `Refused`."""
    config = load_preset(f"adasociety/{name}").conditions[0].config
    assert isinstance(config, AdaSocietyConfig)
    return config
