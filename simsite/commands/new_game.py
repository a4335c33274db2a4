"""`polity new-game`: a new game's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import say


def new_game(
    name: Annotated[str, typer.Argument(help="Lower-case, as in fish_pond.", show_default=False)],
    into: Annotated[Path | None, typer.Option(help="A package of games; the catalog, if left out.")] = None,
) -> int:
    """Copy the simplest game into a new folder, renamed throughout, ready to be changed."""
    from games.core.registry import package_of
    from games.lab.newgame.copying import make

    folder = make(name, into)
    say(f"made {folder}")
    found = "" if into is None else f"POLITY_GAMES={package_of(into)} "
    say(f"try: {found}polity run {name}/baseline")
    say(f"and: pytest {folder}; then docs/adding-a-game.md says what to change first")
    return 0
