"""Where the commands look for games: the catalog, and the places that POLITY_GAMES names."""

from __future__ import annotations

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
