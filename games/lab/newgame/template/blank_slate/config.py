"""What can be set. Every field is used; its title, description and bounds make the form, the check and the docs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import Field, model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")


class BlankSlateConfig(Settings):
    """The settings of one run."""

    pairs: int = Field(
        2,
        ge=1,
        le=50,
        title="Pairs",
        description="Proposers, and as many responders.",
        json_schema_extra={"unit": "pairs", "group": "people"},
    )
    rounds: int = Field(
        10,
        ge=1,
        le=5000,
        title="Rounds",
        description="The run ends after this many, each of an offer and a reply.",
        json_schema_extra={"unit": "rounds", "group": "rules"},
    )
    pie: int = Field(
        10,
        ge=1,
        le=1_000_000,
        title="Pie",
        description="What a pair has to divide in a round.",
        json_schema_extra={"unit": "units", "group": "rules"},
    )
    reserve: int = Field(
        4,
        ge=0,
        le=1_000_000,
        title="Reserve",
        description="The most that a responder may have elsewhere if it declines; drawn for each from 0.",
        json_schema_extra={"unit": "units", "group": "rules"},
    )

    @model_validator(mode="after")
    def _a_reserve_is_no_more_than_a_pie(self) -> BlankSlateConfig:
        if self.reserve > self.pie:
            raise ConfigError(WORDS.fault("reserve_above_pie", reserve=self.reserve, pie=self.pie))
        return self
