"""`polity merge`: parts of an experiment that were played apart become one run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import say


def merge(
    parts: Annotated[list[Path], typer.Argument(help="The folders of all parts, in any order.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", help="The run folder to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder that stands at --out.")] = False,
) -> int:
    """Put together what `polity run --shard 1/N` to `N/N` have written: the very bytes of one machine."""
    from games.lab.folders.merging import merge as put_together
    from games.lab.folders.reading import RunFolder

    runs = put_together([RunFolder(part, registry()) for part in parts], out, force)
    say(f"written: {out}, {runs} runs of {len(parts)} parts")
    return 0
