"""What can be set. Every field is used; its title, description and bounds make the form, the check and the docs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings, setting
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")


class OrchardConfig(Settings):
    """The settings of one run."""

    words = WORDS

    pickers: int = setting(4, 1, 100, unit="seats", group="rules")
    rounds: int = setting(20, 1, 10_000, unit="rounds", group="rules")
    apples: int = setting(60, 0, 1_000_000, unit="apples", group="rules")
    room: int = setting(100, 1, 1_000_000, unit="apples", group="rules")
    basket: int = setting(5, 1, 1000, unit="apples", group="rules")
    growth: int = setting(20, 0, 100, unit="%", group="rules")
    frost: float = setting(0.1, 0, 1, unit="probability", group="rules")

    @model_validator(mode="after")
    def _apples_fit(self) -> OrchardConfig:
        if self.apples > self.room:
            raise ConfigError(WORDS.fault("too_many_apples", apples=self.apples, room=self.room))
        return self
