"""`polity backup`, `restore`, `purge`: what is kept of a site, put away, brought back, let go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import say


def backup(
    file: Annotated[
        Path, typer.Argument(help="The archive to write, such as polity-2026-01-31.tar.", show_default=False)
    ],
) -> int:
    """Write the database and the secret key into one archive, also while the site runs."""
    from simsite.keeping import backed_up
    from simsite.setup import set_django_up

    set_django_up()
    say(backed_up(file))
    return 0


def restore(
    file: Annotated[Path, typer.Argument(help="An archive of `polity backup`.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace a database that holds runs.")] = False,
) -> int:
    """Bring a site back as it was; no part of it may run meanwhile."""
    from simsite.keeping import restored
    from simsite.setup import set_django_up

    set_django_up()
    say(restored(file, force=force))
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
