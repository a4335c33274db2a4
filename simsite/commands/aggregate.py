"""`polity aggregate`: metrics anew from the rounds of a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say


def aggregate(
    run_dir: Annotated[Path, typer.Argument(help="A run folder.", show_default=False)],
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Measure every run anew from its rounds and write aggregates.parquet; doing it twice changes nothing."""
    from games.lab.folders.aggregates import write_aggregates
    from games.lab.folders.aggregating import measured
    from games.lab.folders.folder import AGGREGATES
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.sealing import seal_again

    folder = RunFolder(run_dir, registry())
    folder.check_unaltered(leave_out=(AGGREGATES,))
    played = []
    with progress(f"measuring {run_dir}") as tell:
        for one in measured(folder):
            played.append(one)
            tell(len(played), len(folder.entries), "")
    write_aggregates(folder.path / AGGREGATES, played)
    seal_again(folder.path, folder.manifest, (AGGREGATES,))
    if json:
        as_json({"runs": [one.plain() for one in played]})
    else:
        say(f"{run_dir / AGGREGATES}: {len(played)} runs measured")
    return 0
