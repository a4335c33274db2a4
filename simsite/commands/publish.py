"""`polity publish`: an experiment as a package that others can open, check and cite."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from simsite.commands.built import built
from simsite.commands.packages import registry
from simsite.commands.printing import is_path, say

LICENCE: Final = "https://creativecommons.org/licenses/by/4.0/"


def publish(
    experiment: Annotated[
        str, typer.Argument(metavar="RUN_DIR|EXPERIMENT", help="A run folder, or an experiment of the site.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR|FILE.zip", help="What to write; it must not exist yet.")],
    language: Annotated[str, typer.Option(metavar="en|zh", help="Of report and codebook.")] = "en",
    licence: Annotated[str, typer.Option(help="Address of the licence under which it may be used.")] = LICENCE,
    author: Annotated[list[str] | None, typer.Option(help="A name; may be repeated. None is given otherwise.")] = None,
    replay: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION-REPLICATE", help="A run to add as a page; the first of each condition if left out."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Publish what was shown without asking.")] = False,
) -> int:
    """Write data with a codebook, declaration, report, figures, replays and runs as an RO-Crate. Nothing is sent."""
    from games.errors.faults import Refused

    check_wanted(out, language, licence)
    told = language, licence, tuple(author or ()), tuple(replay or ())
    if Path(experiment).is_dir():
        return _publish(Path(experiment), out, told, yes, None)
    if is_path(experiment):
        raise Refused(f"{experiment}: there is no such folder")
    from simsite.commands.transfer import export_experiment

    with tempfile.TemporaryDirectory(prefix="polity-publish-") as place:
        folder = Path(place) / "runs"
        export_experiment(experiment, folder, False)
        from games.site.experiments.publishing import register_entry
        from games.site.experiments.reading import experiment_get

        return _publish(folder, out, told, yes, register_entry(experiment_get(experiment)))


def check_wanted(out: Path, language: str, licence: str) -> None:
    """Refuse what cannot be written, before anything is read."""
    from games.core.prompts import LANGUAGES
    from games.errors.faults import Refused

    if language not in LANGUAGES:
        raise Refused(f"--language: {language!r}; {' or '.join(LANGUAGES)}")
    if not licence.startswith(("http://", "https://")):
        raise Refused(f"--licence: {licence!r}; an address, such as {LICENCE}")
    if out.exists():
        raise Refused(f"--out: {out} already exists; name another")
    if not out.absolute().parent.is_dir():
        raise Refused(f"--out: {out}: there is no folder {out.parent}")


def check_sure(yes: bool) -> None:
    """Ask whether texts may be published as they stand; refuse where nobody can be asked."""
    from games.errors.faults import Refused

    if not yes:
        if not sys.stdin.isatty():
            raise Refused("what people and models wrote is published as it stands; repeat the command with --yes")
        if not typer.confirm("What people and models wrote is published as it stands. Write it?", err=True):
            raise Refused("nothing was written")


def _publish(folder: Path, out: Path, told: Any, yes: bool, register: Mapping[str, Any] | None) -> int:
    from games.errors.faults import Refused
    from games.lab.folders.publishing import Wanted, chosen, publish
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.scrubbing import private_in

    language, licence, authors, replays = told
    opened, bundle = RunFolder(folder, registry()), built()
    if replays and bundle is None:
        raise Refused("--replay: it needs the pages, which are not built here; start polity serve or polity view once")
    replays = chosen(opened, replays) if bundle is not None else ()
    for line in found if (found := private_in(opened)) else ["nothing private was found"]:
        say(line)
    say(f"licence: {licence}; authors: {', '.join(authors) or 'none named'}; replays: {', '.join(replays) or 'none'}")
    check_sure(yes)
    files = publish(opened, out, Wanted(language, licence, authors, replays, bundle, register), registry())
    say(f"written: {out}, {len(files)} files beside the runs")
    return 0
