"""`polity export`: a run as one file that opens anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsite.commands.built import bundle
from simsite.commands.packages import registry
from simsite.commands.printing import is_path, say

if TYPE_CHECKING:
    from games.lab.exporters import Exported
    from games.lab.folders.reading import Entry, RunFolder


def export(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN_DIR|RUN_ID|EXPERIMENT",
            help="A run folder, or a run or an experiment of the site.",
            show_default=False,
        ),
    ],
    html: Annotated[
        Path | None, typer.Option("--html", help="The file to write: a replay that opens from disk.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder", help="Of an experiment of the site, or of a packed run folder: the plain folder to write."
        ),
    ] = None,
    exporter: Annotated[
        str | None, typer.Option("--exporter", help="A form that a package brings, by its name in `polity plugins`.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="With --exporter: the file, or the folder for it.")] = None,
    condition: Annotated[str | None, typer.Option(help="Of a folder: the condition, where it has several.")] = None,
    replicate: Annotated[int | None, typer.Option(help="Of a folder: the replicate, where it has several.")] = None,
    eyes: Annotated[
        str, typer.Option("--as", metavar="all|public|SEAT", help="Through whose eyes: the file holds nothing else.")
    ] = "all",
    force: Annotated[bool, typer.Option("--force", help="Replace what exists.")] = False,
) -> int:
    """Write one run as an HTML file that asks no network, or an experiment or a packed folder as a plain run folder."""
    from games.errors.faults import Refused

    if [html, folder, exporter].count(None) != 2:
        raise Refused("--html FILE for a run, --folder DIR for an experiment of the site, or --exporter NAME: give one")
    if exporter is not None:
        made = _by_exporter(exporter, run)
        file = (out or Path()) / made.name if out is None or out.is_dir() else out
        _check_new(file, "--out", force)
        _write(file, made.body, "--out")
        say(f"{file}: {len(made.body) / 1024:.0f} kB")
        return 0
    if folder is not None and Path(run).is_dir():
        from games.lab.folders.reading import RunFolder
        from games.lab.folders.unpacking import unpack

        say(f"written: {folder}, {unpack(RunFolder(Path(run), registry()), folder, force)} runs")
        return 0
    if folder is not None:
        from simsite.commands.transfer import export_experiment

        return export_experiment(run, folder, force)
    assert html is not None
    _check_new(html, "--html", force)
    if eyes not in ("all", "public") and not eyes.isdecimal():
        raise Refused(f"--as: {eyes!r}; all, public, or the number of a seat")
    if Path(run).is_dir():
        body = _of_folder(Path(run), condition, replicate, eyes)
    elif is_path(run):
        raise Refused(f"{run}: there is no such folder")
    elif condition is not None or replicate is not None:
        raise Refused(f"{run}: no folder of that name; --condition and --replicate choose among the runs of a folder")
    else:
        body = _of_site(run, eyes)
    _write(html, body)
    say(f"{html}: {len(body) / 1024:.0f} kB")
    return 0


def _check_new(file: Path, option: str, force: bool) -> None:
    from games.errors.faults import Refused

    if file.exists() and not force:
        raise Refused(f"{option}: {file} already exists; name another file, or replace it with --force")
    if not file.parent.is_dir():
        raise Refused(f"{option}: {file}: there is no folder {file.parent}")


def _by_exporter(exporter: str, run: str) -> Exported:
    """Of a folder as it stands, or of a run of the site."""
    from games.lab.exporters import exported

    if Path(run).is_dir():
        return exported(exporter, [Path(run)])
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from games.errors.requests import BadRequest
    from games.site.exports.folders import by_exporter
    from games.site.exports.plan import plan_of

    try:
        return by_exporter(exporter, plan_of("runs", [run], None).chosen)
    except BadRequest as error:
        raise Refused(f"{run}: no folder of that name, and no run of the site: {error}") from None


def _write(file: Path, body: bytes, option: str = "--html") -> None:
    """The whole file or none of it; what stood there before stays until then."""
    from games.errors.faults import Refused

    building = file.with_name(f".{file.name}.partial")
    try:
        building.write_bytes(body)
        building.replace(file)
    except OSError as error:
        building.unlink(missing_ok=True)
        raise Refused(f"{option}: {file} cannot be written: {error.strerror}; nothing was kept") from None


def _of_folder(path: Path, condition: str | None, replicate: int | None, eyes: str) -> bytes:
    from games.core.game import Public
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.reel import FolderFrames, eyes_of
    from games.lab.folders.replayfile import of_reel

    folder = RunFolder(path, registry())
    entry = _chosen(folder, condition, replicate)
    folder.check_unaltered()
    folder.config(entry.condition)
    seat = int(eyes) if eyes.isdecimal() else None
    seen = Public() if eyes == "public" else eyes_of(seat, len(folder.conditions[entry.condition]["agents"]))
    return of_reel(bundle(), FolderFrames(folder, entry, seen), seat)


def _chosen(folder: RunFolder, condition: str | None, replicate: int | None) -> Entry:
    """The run that is meant; `Refused` where several could be."""
    from games.errors.faults import Refused, among

    if condition is not None and condition not in folder.conditions:
        raise Refused(f"--condition: {condition!r}; {among(condition, folder.conditions)}")
    fit = [one for one in folder.entries if condition in (None, one.condition) and replicate in (None, one.replicate)]
    if len(fit) == 1:
        return fit[0]
    if not fit:
        raise Refused(f"--replicate: {replicate}; there is none of that number in {folder.path}")
    conditions = list(dict.fromkeys(one.condition for one in fit))
    if len(conditions) > 1:
        raise Refused(
            f"{folder.path}: {len(conditions)} conditions; name one: --condition {' | '.join(conditions[:20])}"
        )
    raise Refused(f"{folder.path}: {len(fit)} replicates of {conditions[0]}; name one: --replicate {fit[0].replicate}")


def _of_site(run_id: str, eyes: str) -> bytes:
    """Whoever may read the database may see all of it; ``eyes`` says how much of it goes into the file."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from django.db import DatabaseError

    from games.core.game import Public
    from games.site.audience import Forbidden, Sight, Viewer, sight
    from games.site.record.selectors import NotFound, playing, run_get
    from games.site.web.replays import replay

    try:
        found = run_get(run_id)
        seen = Sight(Public()) if eyes == "public" else sight(found, Viewer(operator=True), _seat(eyes))
        bundle()
        return replay(playing(found), seen)
    except Forbidden as error:
        raise Refused(str(error)) from None
    except NotFound as error:
        raise Refused(f"{run_id}: no folder of that name, and no run of the site: {error}") from None
    except DatabaseError:
        raise Refused(f"{run_id}: no folder of that name, and no site has been started here") from None


def _seat(eyes: str) -> int | None:
    return int(eyes) if eyes.isdecimal() else None
