"""Where the commands look for games: the catalog, and the packages that POLITY_GAMES names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simsite.environment import game_packages

if TYPE_CHECKING:
    from games.core.registry import Registry


def registry() -> Registry:
    """What this process finds from now on."""
    from games.core.registry import Registry, look_in

    look_in(game_packages())
    return Registry()
