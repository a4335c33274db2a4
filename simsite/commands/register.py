"""`polity register`: what the site has registered, and whether its chain holds."""

from __future__ import annotations

from typing import Annotated

import typer

from simsite.commands.printing import as_json, say, table


def register(
    last: Annotated[int, typer.Option(min=1, help="So many of the last entries.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="All entries, for programs.")] = False,
) -> int:
    """Show the last entries and the head of the register; status 1 where an entry was changed or is missing."""
    from simsite.setup import set_django_up

    set_django_up()
    from games.site.experiments.registering import faults
    from games.site.models import RegisterEntry

    wrong = list(faults())
    entries = list(RegisterEntry.objects.order_by("number"))
    if json:
        rows = [
            {
                "number": one.number,
                "at": one.at.isoformat(),
                "kind": one.kind,
                "subject": one.subject,
                "digest": one.digest,
                "hash": one.hash,
                "document": one.document,
            }
            for one in entries
        ]
        as_json({"entries": rows, "faults": wrong})
        return 1 if wrong else 0
    if entries:
        head = ["entry", "time", "what", "of", "digest"]
        cells = [[str(one.number), f"{one.at:%Y-%m-%d %H:%M:%S}", one.kind, one.subject, one.digest] for one in entries]
        table(head, cells[-last:], numbers=0)
    for line in wrong:
        say(line)
    if not wrong:
        say(f"{len(entries)} entries, the chain holds" + (f"; head {entries[-1].hash}" if entries else ""))
    return 1 if wrong else 0
