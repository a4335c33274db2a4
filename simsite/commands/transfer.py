"""`polity import` and `polity rerun`: a run folder as an experiment of the site, and its runs once more."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import progress, say


def import_folder(
    run_dir: Annotated[Path, typer.Argument(help="A run folder.", show_default=False)],
    slug: Annotated[str, typer.Option(help="Its name in addresses; the folder's name, if left out.")] = "",
) -> int:
    """Bring a run folder into the site: an experiment with its runs, at /e/NAME. All of it or nothing."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from games.errors.requests import BadRequest
    from games.site.experiments.importing import folder_import

    name = slug or run_dir.name.lower().replace("_", "-").replace(".", "-").strip("-")[:64]
    try:
        with progress(f"bringing {run_dir} in") as tell:
            made = folder_import(path=run_dir, slug=name, tell=lambda done, total: tell(done, total, ""))
    except BadRequest as error:
        raise Refused(str(error)) from None
    say(f"{made.slug}: {made.cells.count()} runs, at /e/{made.slug}")
    return 0


def export_experiment(slug: str, out: Path, force: bool) -> int:
    """Write an experiment of the site as a run folder; as `polity export` calls it."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from games.errors.requests import BadRequest
    from games.site.experiments.exporting import experiment_folder
    from games.site.experiments.reading import experiment_get

    try:
        runs = experiment_folder(experiment=experiment_get(slug), out=out, force=force)
    except BadRequest as error:
        raise Refused(str(error)) from None
    say(f"{out}: {runs} runs")
    return 0


class Which(StrEnum):
    failed = "failed"
    unsound = "unsound"


def rerun(
    slug: Annotated[str, typer.Argument(help="The experiment's name in addresses.", show_default=False)],
    which: Annotated[
        Which, typer.Option(help="Runs that failed or were stopped, or those that their seats did not decide.")
    ] = Which.failed,
) -> int:
    """Play an experiment's failed or unsound runs once more; the old ones are kept."""
    from simsite.setup import set_django_up

    set_django_up()
    from games.errors.faults import Refused
    from games.errors.requests import BadRequest
    from games.site.experiments.reading import experiment_get
    from games.site.experiments.running import experiment_rerun

    try:
        runs = experiment_rerun(experiment=experiment_get(slug), which=which.value)
    except BadRequest as error:
        raise Refused(str(error)) from None
    say(f"{runs} {'run is' if runs == 1 else 'runs are'} played once more")
    return 0
