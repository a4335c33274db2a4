"""`polity report`: an experiment's statistics as a page that opens from disk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say


def report(
    run_dir: Annotated[Path, typer.Argument(help="A run folder.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="Where to write; RUN_DIR/report, if left out.")] = None,
    language: Annotated[str, typer.Option(metavar="en|zh", help="The report's language.")] = "en",
    json: Annotated[bool, typer.Option("--json", help="Print the result for programs; write nothing.")] = False,
) -> int:
    """Test what was declared, and write the answer with its figures and the CSV behind them. Nothing is played."""
    from games.core.prompts import LANGUAGES
    from games.errors.faults import Refused
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.reporting import result_of, write_report

    if language not in LANGUAGES:
        raise Refused(f"--language: {language!r}; {' or '.join(LANGUAGES)}")
    folder = RunFolder(run_dir, registry())
    with progress(f"reading {run_dir}") as tell:
        result = result_of(folder, lambda done, total: tell(done, total, ""))
    if json:
        as_json(result.plain())
        return 0
    page = write_report(folder, result, out or run_dir / "report", language)
    for one in result.comparisons:
        asked = one.comparison
        p = "-" if one.p_adjusted is None else f"{one.p_adjusted:.3g}"
        say(f"{one.verdict:11} {asked.hypothesis} ({'; '.join(asked.weights)}): corrected p {p}")
    say(f"written: {page}")
    return 0
