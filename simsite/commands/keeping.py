"""`polity backup`, `restore`, `purge`: what is kept of a site, put away, brought back, let go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import say


def backup(
    place: Annotated[
        Path,
        typer.Argument(help="The archive to write, or a folder, where it is named by the time.", show_default=False),
    ],
    keep: Annotated[
        int | None, typer.Option(min=1, help="Of a folder: keep the last archive of so many days, delete older ones.")
    ] = None,
    drill: Annotated[bool, typer.Option("--drill", help="Then restore it beside the site, count and verify.")] = False,
) -> int:
    """Write the database and the secret key into one archive, also while the site runs."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    if keep is not None and not place.is_dir():
        raise Refused(f"--keep {keep}: {place} is no folder; archives of several days lie in one")
    set_django_up()
    from simsite.drilling import drilled, nightly
    from simsite.keeping import backed_up

    if place.is_dir():
        for line in nightly(place, keep=keep, drill=drill):
            say(line)
        return 0
    say(backed_up(place))
    if drill:
        say(drilled(place))
    return 0


def restore(
    place: Annotated[
        Path,
        typer.Argument(help="An archive of `polity backup`, or a folder, of which the newest.", show_default=False),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace a database that holds runs.")] = False,
    drill: Annotated[
        bool,
        typer.Option("--drill", help="Only try it: restore it beside the site, count, verify some runs, let it go."),
    ] = False,
) -> int:
    """Bring a site back as it was; no part of it may run meanwhile, unless it is a drill."""
    from simsite.setup import set_django_up

    set_django_up()
    from simsite.drilling import drilled, newest
    from simsite.keeping import restored

    file = newest(place)
    say(drilled(file) if drill else restored(file, force=force))
    return 0


def purge(
    older_than: Annotated[int | None, typer.Option(min=1, help="Delete runs that ended so many days ago.")] = None,
    prompts: Annotated[
        int | None, typer.Option(min=1, help="Empty what models were asked and answered so many days ago.")
    ] = None,
    participant: Annotated[str, typer.Option(help="Forget who this participant was; what was played stays.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without it, only say what would go.")] = False,
) -> int:
    """Let go of what is old, and of sessions and answers that have run out."""
    from simsite.keeping import purged
    from simsite.setup import set_django_up

    set_django_up()
    for line in purged(older_than=older_than, prompts=prompts, participant=participant, do=yes):
        say(line)
    return 0
