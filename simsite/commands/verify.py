"""`polity verify`: resolves runs again and compares every hash."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import as_json, progress, say
from simsite.commands.shelf import shelf


def verify(
    run: Annotated[
        str, typer.Argument(metavar="RUN_DIR|RUN_ID", help="A run folder, or a run of the site.", show_default=False)
    ],
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Resolve again from seed and actions: "identical n/n", or the first round that differs and in what."""
    if not Path(run).is_dir():
        return verify_stored(run, json)
    from games.lab.reading import RunFolder
    from games.lab.verifying import unexplained, verify

    folder = RunFolder(Path(run), shelf())
    verdicts = []
    with progress(f"verifying {run}") as tell:
        for verdict in verify(folder):
            verdicts.append(verdict)
            tell(len(verdicts), len(folder.entries), "")
    wrong = [verdict for verdict in verdicts if verdict.difference is not None]
    altered = unexplained(folder) if not wrong else []
    if json:
        runs = [
            {
                "condition": one.entry.condition,
                "replicate": one.entry.replicate,
                "identical": one.identical,
                "steps": one.entry.steps,
                "difference": one.difference,
            }
            for one in verdicts
        ]
        as_json({"identical": not wrong and not altered, "runs": runs, "altered": altered})
    else:
        for verdict in verdicts:
            say(str(verdict))
        for line in altered:
            say(line)
    return 1 if wrong or altered else 0


def verify_stored(run_id: str, json: bool) -> int:
    """A run of the site, by its id."""
    from games.lab.faults import Refused

    raise Refused(f"{run_id}: there is no folder of that name")
