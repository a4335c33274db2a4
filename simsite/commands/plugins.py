"""`polity plugins`: what other packages and folders bring, with version and digest, and what cannot be used."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, say, table


def plugins(json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> int:
    """All that other packages and folders plug in. Ends with status 1 where one cannot be used."""
    from games.core.registry import plugged

    found = [asdict(one) for one in plugged(registry())]
    broken = [row for row in found if row["why"]]
    if json:
        as_json({"plugins": found, "broken": {row["name"]: row["why"] for row in broken}})
    elif found:
        columns = ("kind", "name", "package", "version", "digest", "target")
        table(columns, [[str(row[column]) for column in columns] for row in found])
    else:
        say("nothing is plugged in")
    sys.stderr.writelines(f"broken, and left out: {row['why']}\n" for row in broken)
    return 1 if broken else 0
