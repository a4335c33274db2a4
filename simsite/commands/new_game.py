"""`polity new-game`: a new game's file, or its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import say


def new_game(
    name: Annotated[str, typer.Argument(help="Lower-case, as in fish_pond.", show_default=False)],
    into: Annotated[Path | None, typer.Option(help="A package of games; the catalog, if left out.")] = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="A game of Gambit, .nfg or .efg, or line-ups, .json, that become the file."),
    ] = None,
    folder: Annotated[bool, typer.Option("--folder", help="A folder with all its parts, for a large game.")] = False,
) -> int:
    """Make a small game in one file, ready to be changed; with --folder one in a folder of its own."""
    from games.core.registry import package_of
    from games.errors.faults import Refused
    from games.lab.newgame.copying import make, make_file, make_from

    if source is not None and folder:
        raise Refused("--from makes a file; leave out --folder, and `polity eject` makes a folder of it later")
    made = (
        make_from(name, source, into) if source is not None else make(name, into) if folder else make_file(name, into)
    )
    say(f"made {made}")
    found = "" if into is None else f"POLITY_GAMES={package_of(into)} "
    say(f"try: {found}polity run {name}{'/baseline' if folder else ''}")
    guide = (
        "docs/adding-a-game.md says what to change first" if folder else "docs/first-game.md explains every word of it"
    )
    say(f"then {guide}")
    return 0
