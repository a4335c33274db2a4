"""Where the commands look for games: the catalog, and the places that POLITY_GAMES names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from simsite.environment import game_packages

if TYPE_CHECKING:
    from games.core.registry import Registry


def registry() -> Registry:
    """What this process finds from now on."""
    from games.core.registry import Registry, look_in, looked_in

    files = [place for place in looked_in() if place.endswith(".py")]
    look_in((*game_packages(), *files))
    return Registry()


def game_target(target: str) -> str:
    """A scenario or game by name; ``path/to/game.py`` or ``path/to/game.py:PRESET`` is the game in that file, which
    this process finds from now on. Raises `Refused` where there is no such file."""
    path, _, preset = target.partition(":")
    if not path.endswith(".py"):
        return target
    from games.core.registry import look_in, looked_in
    from games.errors.faults import Refused

    if not Path(path).is_file():
        raise Refused(f"{path}: there is no such file")
    look_in((*looked_in(), str(Path(path).resolve())))
    slug = Path(path).stem
    return f"{slug}/{preset}" if preset else slug
