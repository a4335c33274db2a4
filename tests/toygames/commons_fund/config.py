"""What can be set."""

from __future__ import annotations

from pathlib import Path

from games.core.settings import Settings, setting
from games.core.words import Words


class CommonsFundConfig(Settings):
    """The settings of one run; money in units, whose hundredths are counted."""

    words = Words(Path(__file__).parent / "words")

    players: int = setting(4, 2, 20, unit="players", group="rules")
    rounds: int = setting(10, 1, 1000, unit="rounds", group="rules")
    endowment: int = setting(20, 1, 10_000, unit="units", group="rules")
    multiplier: float = setting(1.6, 1, 20, unit="times", group="rules")
    budget: int = setting(10, 0, 100, unit="points", group="rules")
    fine: int = setting(3, 0, 100, unit="units", group="rules")
