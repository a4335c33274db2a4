"""`polity export`: a run as one file that opens anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsite.commands.built import bundle
from simsite.commands.printing import say
from simsite.commands.shelf import shelf

if TYPE_CHECKING:
    from games.lab.reading import Entry, RunFolder


def export(
    run: Annotated[
        str, typer.Argument(metavar="RUN_DIR|RUN_ID", help="A run folder, or a run of the site.", show_default=False)
    ],
    html: Annotated[Path, typer.Option("--html", help="The file to write: a replay that opens from disk.")],
    condition: Annotated[str | None, typer.Option(help="Of a folder: the condition, where it has several.")] = None,
    replicate: Annotated[int | None, typer.Option(help="Of a folder: the replicate, where it has several.")] = None,
    eyes: Annotated[
        str, typer.Option("--as", metavar="all|public|SEAT", help="Through whose eyes: the file holds nothing else.")
    ] = "all",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> int:
    """Write one run as an HTML file with the page and the frames in it, which asks no network."""
    from games.lab.faults import Refused

    if html.exists() and not force:
        raise Refused(f"--html: {html} already exists; name another file, or replace it with --force")
    if not html.parent.is_dir():
        raise Refused(f"--html: {html}: there is no folder {html.parent}")
    if eyes not in ("all", "public") and not eyes.isdecimal():
        raise Refused(f"--as: {eyes!r}; all, public, or the number of a seat")
    if Path(run).is_dir():
        body = _of_folder(Path(run), condition, replicate, eyes)
    elif condition is not None or replicate is not None:
        raise Refused(f"{run}: no folder of that name; --condition and --replicate choose among the runs of a folder")
    else:
        body = _of_site(run, eyes)
    html.write_bytes(body)
    say(f"{html}: {len(body) / 1024:.0f} kB")
    return 0


def _of_folder(path: Path, condition: str | None, replicate: int | None, eyes: str) -> bytes:
    from games.core.game import Public
    from games.lab.reading import RunFolder
    from games.lab.reel import Reel, eyes_of
    from games.lab.replayfile import of_reel

    folder = RunFolder(path, shelf())
    entry = _chosen(folder, condition, replicate)
    seat = int(eyes) if eyes.isdecimal() else None
    seen = Public() if eyes == "public" else eyes_of(seat, len(folder.conditions[entry.condition]["agents"]))
    return of_reel(bundle(), Reel(folder, entry, seen), seat)


def _chosen(folder: RunFolder, condition: str | None, replicate: int | None) -> Entry:
    """The run that is meant; `Refused` where several could be."""
    from games.lab.faults import Refused, among

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
    from games.lab.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from django.db import DatabaseError

    from games.audience import Refused as NotSeen
    from games.audience import Sight, Viewer, sight
    from games.core.game import Public
    from games.replays import replay
    from games.selectors import NotFound, playing, run_get

    try:
        found = run_get(run_id)
        seen = Sight(Public()) if eyes == "public" else sight(found, Viewer(operator=True), _seat(eyes))
        bundle()
        return replay(playing(found), seen)
    except NotSeen as error:
        raise Refused(str(error)) from None
    except (NotFound, DatabaseError) as error:
        raise Refused(f"{run_id}: no folder of that name, and no run of the site: {error}") from None


def _seat(eyes: str) -> int | None:
    return int(eyes) if eyes.isdecimal() else None
