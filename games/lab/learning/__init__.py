"""Games as environments for learning agents: a folder for each game that has any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from games.core.answers import JSON


def learnable() -> list[str]:
    """GAME/PRESET of all that `polity learn` takes."""
    games = [module.name for module in iter_modules(__path__) if module.ispkg]
    return [f"{game}/{preset}" for game in games for preset in import_module(f"{__name__}.{game}.field").PRESETS]


def learners_timings(slug: str, repeats: int) -> Sequence[Mapping[str, JSON]]:
    """Rows for `polity bench` of a game's environments, the best of so many repeats; none for a game without any."""
    games, timing = {module.name for module in iter_modules(__path__) if module.ispkg}, f"{__name__}.{slug}.timing"
    if slug not in games or find_spec(timing) is None:
        return ()
    rows: Sequence[Mapping[str, JSON]] = import_module(timing).timings(repeats)
    return rows
