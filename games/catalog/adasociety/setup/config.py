"""Settings that fit each other, so that a run can be made of them."""

from __future__ import annotations

from pydantic import model_validator

from games.catalog.adasociety.setup.checks import faults
from games.catalog.adasociety.setup.settings import Settings
from games.catalog.adasociety.setup.structures import NAMED, WORDS, Structure
from games.core.answers import ConfigError


class AdaSocietyConfig(Settings):
    """All settings of a run. The defaults are the paper's Contract Easy."""

    words = WORDS

    @model_validator(mode="after")
    def _fits(self) -> AdaSocietyConfig:
        found = faults(self)
        if found:
            raise ConfigError(found[0])
        return self


def structure_at(config: AdaSocietyConfig, step: int) -> Structure | None:
    """The structure that the schedule puts in place when so many steps are resolved; None where nothing changes."""
    for milestone in config.schedule:
        if milestone.at == step:
            if isinstance(milestone.structure, str):
                return NAMED[config.seat_count][milestone.structure]
            return milestone.structure
    return None
