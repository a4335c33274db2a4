"""`polity plugins`: what other packages and folders bring, with version and digest, and what cannot be used."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, say, table


def plugins(json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> int:
    """Games, agents, providers and measures that are plugged in. Ends with status 1 where one cannot be used."""
    from pathlib import Path

    from games.core import plugs
    from games.core.registry import CATALOG, is_file

    found = [asdict(plug) for kind in plugs.KINDS for plug in plugs.plugs(kind).values()]
    games = registry()
    for slug, module in games.modules().items():
        if is_file(module):
            digest = plugs.digest_of(Path(module))
            found.append(
                {"kind": "games", "name": slug, "target": module, "package": "", "version": "", "digest": digest}
            )
        elif not module.startswith(CATALOG) and slug not in plugs.plugs("games"):
            found.append({"kind": "games", "name": slug, "target": module, "package": "", "version": "", "digest": ""})
    broken = {name: why for kind in plugs.KINDS for name, why in plugs.broken(kind).items()} | games.broken()
    if json:
        as_json({"plugins": found, "broken": broken})
    elif found:
        columns = ("kind", "name", "package", "version", "digest", "target")
        table(columns, [[str(row[column]) for column in columns] for row in found])
    else:
        say("nothing is plugged in")
    sys.stderr.writelines(f"broken, and left out: {why}\n" for why in broken.values())
    return 1 if broken else 0
