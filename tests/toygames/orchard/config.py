"""What can be set. Every field is used; its title, description and bounds make the form, the check and the docs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import Field, model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")


class OrchardConfig(Settings):
    """The settings of one run."""

    pickers: int = Field(
        4,
        ge=1,
        le=100,
        title="Pickers",
        description="Seats in play.",
        json_schema_extra={"unit": "seats", "group": "rules"},
    )
    rounds: int = Field(
        20,
        ge=1,
        le=10_000,
        title="Rounds",
        description="The run ends after this many.",
        json_schema_extra={"unit": "rounds", "group": "rules"},
    )
    apples: int = Field(
        60,
        ge=0,
        le=1_000_000,
        title="Apples",
        description="The stock at the start.",
        json_schema_extra={"unit": "apples", "group": "rules"},
    )
    room: int = Field(
        100,
        ge=1,
        le=1_000_000,
        title="Room",
        description="The most that the trees hold.",
        json_schema_extra={"unit": "apples", "group": "rules"},
    )
    basket: int = Field(
        5,
        ge=1,
        le=1000,
        title="Basket",
        description="The most that one seat may ask for in a round.",
        json_schema_extra={"unit": "apples", "group": "rules"},
    )
    growth: int = Field(
        20,
        ge=0,
        le=100,
        title="Growth",
        description="Regrowth of what is left after picking, rounded down.",
        json_schema_extra={"unit": "%", "group": "rules"},
    )
    frost: float = Field(
        0.1,
        ge=0,
        le=1,
        title="Frost",
        description="Chance that nothing grows in a round.",
        json_schema_extra={"unit": "probability", "group": "rules"},
    )

    @model_validator(mode="after")
    def _apples_fit(self) -> OrchardConfig:
        if self.apples > self.room:
            raise ConfigError(WORDS.fault("too_many_apples", apples=self.apples, room=self.room))
        return self
