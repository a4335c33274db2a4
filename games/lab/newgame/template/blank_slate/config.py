"""What can be set. Every field is used; its words (``words/en.yaml``) and bounds make form, check and docs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings, setting
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")


class BlankSlateConfig(Settings):
    """The settings of one run."""

    words = WORDS

    pairs: int = setting(2, 1, 50, unit="pairs", group="people")
    rounds: int = setting(10, 1, 5000, unit="rounds", group="rules")
    pie: int = setting(10, 1, 1_000_000, unit="units", group="rules")
    reserve: int = setting(4, 0, 1_000_000, unit="units", group="rules")

    @model_validator(mode="after")
    def _a_reserve_is_no_more_than_a_pie(self) -> BlankSlateConfig:
        if self.reserve > self.pie:
            raise ConfigError(WORDS.fault("reserve_above_pie", reserve=self.reserve, pie=self.pie))
        return self
