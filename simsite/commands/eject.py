"""`polity eject`: the folder of a declared game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import say


def eject(
    game: Annotated[str, typer.Argument(help="A game in one file, by its name or its path.", show_default=False)],
    into: Annotated[Path, typer.Option(help="A package of games; made where it is not there.")] = Path("ejected"),
) -> int:
    """Write the folder of a game in one file: its rules, words, presets and rule sheet as files of their own."""
    from games.core.registry import package_of
    from games.lab.newgame.ejecting import eject as write
    from games.lab.scenarios.finding import game_target, pack_named

    slug = game_target(game)
    folder = write(pack_named(registry(), slug), into)
    say(f"made {folder}")
    say(f"try: POLITY_GAMES={package_of(into)} polity games {folder.name}")
    say("of two games of one name the first that is found is kept: take the file away where both are looked for")
    return 0
