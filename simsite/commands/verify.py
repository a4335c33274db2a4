"""`polity verify`: resolves runs again and compares every hash."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, is_path, progress, say

if TYPE_CHECKING:
    from games.lab.folders.reading import RunFolder
    from games.site.models import Experiment

EACH: Final = 20
"""So many runs are told one by one; of more, those that differ and a sum."""


def verify(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN_DIR|RUN_ID|EXPERIMENT|REPORT.html",
            help="A run folder, a run or an experiment of the site, or a report beside its folder.",
            show_default=False,
        ),
    ],
    folder_of: Annotated[
        Path | None, typer.Option("--folder", help="The run folder of a report; the one that it lies in, if left out.")
    ] = None,
    recording: Annotated[
        bool, typer.Option("--recording", help="Let the models' stored replies play it again; nobody is called.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=256, help="Processes, for a run folder; as many as pay, if left out.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Resolve again from seed and actions: "identical n/n", or the first round that differs and in what."""
    from games.errors.faults import Refused

    if run.endswith(".html") and Path(run).is_file():
        return verify_report(Path(run), folder_of, json)
    if folder_of is not None:
        raise Refused("--folder: it says where a report’s runs are; name a report.html")
    if not Path(run).is_dir():
        if is_path(run):
            raise Refused(f"{run}: there is no such folder")
        return verify_stored(run, recording, json)
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.verifying import unexplained, verify

    folder = RunFolder(Path(run), registry())
    if recording:
        return verify_recording(folder, json)
    verdicts = []
    with progress(f"verifying {run}") as tell:
        for verdict in verify(folder, jobs):
            verdicts.append(verdict)
            tell(len(verdicts), len(folder.entries), "")
    wrong = [verdict for verdict in verdicts if verdict.difference is not None]
    altered = unexplained(folder) or ([] if wrong else beside(folder))
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
        many = len(verdicts) > EACH
        for verdict in wrong if many else verdicts:
            say(str(verdict))
        if many:
            say(f"{len(verdicts)} runs: {f'{len(wrong)} differ' if wrong else 'all identical'}")
        for line in altered:
            say(line)
    return 1 if wrong or altered else 0


def beside(folder: RunFolder) -> list[str]:
    """Files of the report that lies in a folder which are not what the folder says."""
    from games.errors import extras
    from games.lab.folders.reporting import PAGE, report_faults

    page = folder.path / "report" / PAGE
    if not page.is_file() or not extras.has("scipy"):
        return []
    told = [f"report/{line}" for line in report_faults(page, folder)]
    return [*told, "a report that another version wrote reads otherwise; polity report makes it anew"] if told else []


def verify_report(page: Path, folder: Path | None, json: bool) -> int:
    """A report against the folder that it was made of: everything is computed again."""
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.reporting import report_faults

    faults = report_faults(page, RunFolder(folder or page.absolute().parents[1], registry()))
    if json:
        as_json({"identical": not faults, "files": faults})
    else:
        for line in faults or [f"{page}: it says what the folder says"]:
            say(line)
    return 1 if faults else 0


def verify_recording(folder: RunFolder, json: bool) -> int:
    """The runs of a folder from their recordings."""
    from games.lab.folders.rerunning import rerun_folder

    told = []
    with progress(f"playing {folder.path} again") as tell:
        for entry, again in rerun_folder(folder):
            told.append((entry, again))
            tell(len(told), len(folder.entries), "")
    if json:
        runs = [{"condition": one.condition, "replicate": one.replicate, **asdict(again)} for one, again in told]
        as_json({"identical": not any(again.difference for _, again in told), "runs": runs})
    else:
        for entry, again in told:
            say(f"{entry}, from its recording, {again.calls} calls: {again}")
    return 1 if any(again.difference for _, again in told) else 0


def verify_stored(run_id: str, recording: bool, json: bool) -> int:
    """A run of the site, by its id."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from django.db import DatabaseError

    from games.site.models import Experiment
    from games.site.record.selectors import NotFound
    from games.site.record.verification import rerun_run, verify_run

    try:
        if not recording and (found := Experiment.objects.filter(slug=run_id).first()) is not None:
            return verify_experiment(found, json)
        if recording:
            again = rerun_run(run_id)
            if json:
                as_json({"run_id": run_id, **asdict(again)})
            else:
                say(f"{run_id}, from its recording, {again.calls} calls: {again}")
            return 1 if again.difference else 0
        verdict = verify_run(run_id)
    except NotFound as error:
        raise Refused(f"{run_id}: no folder of that name, and no run of the site: {error}") from None
    except DatabaseError:
        raise Refused(f"{run_id}: no folder of that name, and no site has been started here") from None
    if json:
        as_json({"identical": verdict.difference is None, "runs": [asdict(verdict)]})
    else:
        say(str(verdict))
    return 0 if verdict.difference is None else 1


def verify_experiment(experiment: Experiment, json: bool) -> int:
    """An experiment of the site: its rows against its entry of the register, and all its runs."""
    from games.site.experiments.verifying import experiment_faults

    with progress(f"verifying {experiment.slug}") as tell:
        faults = list(experiment_faults(experiment, lambda done, of: tell(done, of, "")))
    if json:
        as_json({"identical": not faults, "faults": faults})
    else:
        for line in faults or [f"{experiment.slug}: its runs and its plan are what was registered and played"]:
            say(line)
    return 1 if faults else 0
