"""`polity story`: what came of a run and how, in a few sentences made by rule from its log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, is_path, say

if TYPE_CHECKING:
    from games.lab.story import Story


def story(
    run: Annotated[
        str, typer.Argument(metavar="RUN_DIR|RUN_ID", help="A run folder, or a run of the site.", show_default=False)
    ],
    condition: Annotated[
        str | None, typer.Option("--condition", help="Of a folder: runs of this condition alone.")
    ] = None,
    replicate: Annotated[int | None, typer.Option("--replicate", help="Of a folder: this replicate alone.")] = None,
    language: Annotated[str, typer.Option("--language", help="en or zh.")] = "en",
    json: Annotated[bool, typer.Option("--json", help="For programs: in both languages, with the steps.")] = False,
) -> int:
    """Who won, by how much, when it turned, who kept their word and who did not move."""
    from games.core.prompts import LANGUAGES
    from games.errors.faults import Refused

    if language not in LANGUAGES:
        raise Refused(f"--language: {language!r}; {' or '.join(LANGUAGES)}")
    if not Path(run).is_dir():
        if is_path(run):
            raise Refused(f"{run}: there is no such folder")
        told, name = stored(run)
        if json:
            as_json(told)
        else:
            tell(told, language, name)
        return 0
    from games.lab.folders.reading import RunFolder
    from games.lab.folders.telling import story_of
    from games.lab.scenarios.naming import agent_label
    from games.lab.wire.run import said_of

    folder = RunFolder(Path(run), registry())
    chosen = [
        one for one in folder.entries if condition in (None, one.condition) and replicate in (None, one.replicate)
    ]
    if not chosen:
        raise Refused(f"{run}: no run of that condition and replicate; conditions: {', '.join(folder.conditions)}")
    rows = []
    for entry in chosen:
        told = story_of(folder, entry)
        if json:
            rows.append({"condition": entry.condition, "replicate": entry.replicate, "story": told})
            continue
        config = folder.config(entry.condition)
        agents = folder.conditions[entry.condition]["agents"]
        name = said_of([{"name": one["name"], "agent": agent_label(folder.pack, config, one)} for one in agents])
        if len(chosen) > 1:
            say(f"# {entry}, seed {entry.seed}")
        tell(told, language, name)
    if json:
        as_json(rows)
    return 0


def tell(told: Story, language: str, name: Callable[[int], str]) -> None:
    """The outcome, then a line a sentence with the rounds that it tells."""
    from games.lab.story import plain_text

    say(plain_text(told["title"], language, name))
    for one in told["sentences"]:
        say(f"  {one['span'][language]}\t{plain_text(one['said'], language, name)}")


def stored(run_id: str) -> tuple[Story, Callable[[int], str]]:
    """The story of a run of the site, and what its seats are called. Raises `Refused` where there is none."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from django.db import DatabaseError

    from games.lab.wire.run import said_of
    from games.site.audience import Viewer, sight
    from games.site.record.selectors import NotFound, run_get
    from games.site.record.stories import story_of
    from games.site.record.summary import labels_of

    try:
        run = run_get(run_id)
        told = story_of(run, sight(run, Viewer(operator=True, member=True)))
        labels = labels_of(run)
        seats = [{"name": seat.name, "agent": labels[seat.index]} for seat in run.seats.order_by("index")]
    except NotFound as error:
        raise Refused(f"{run_id}: no folder of that name, and no run of the site: {error}") from None
    except DatabaseError:
        raise Refused(f"{run_id}: no folder of that name, and no site has been started here") from None
    if told is None:
        raise Refused(f"{run_id}: nothing has been played yet")
    return told, said_of(seats)
