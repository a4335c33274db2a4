"""`polity phenomena`: which of the claims about the games' societies hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say, table

HEADS = ("row", "verdict", "difference", "95% interval", "least", "p (Holm)", "n", "claim")


def phenomena(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game; all, if left out.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="These rows; all, if left out.")] = None,
    keep: Annotated[Path | None, typer.Option(help="A file that keeps each run, to go on from.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; all cores, if left out.")] = None,
    stored: Annotated[bool, typer.Option("--stored", help="Play nothing; what was last kept.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Keep what is found in the games' folders, for /phenomena.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Play each claim beside its opposite; tell which hold. Exit status 1 where one does not."""
    from games.errors.faults import Refused, among
    from games.lab.phenomena import phenomena_of, seen, store
    from games.lab.phenomena import stored as kept
    from games.lab.scenarios.finding import game_target, pack_named

    found = registry()
    games = [game_target(game)] if game is not None else list(found.modules())
    known = [name for one in games for name in phenomena_of(pack_named(found, one))]
    if not known:
        raise Refused(f"{', '.join(games)}: no phenomena.yaml; write one beside the presets' folder")
    for name in only or ():
        if name not in known:
            raise Refused(f"row {name!r}: {among(name, known)}")
    if stored and write:
        raise Refused("--stored plays nothing that --write could keep; leave one out")
    with progress("playing") as tell:
        rows = (
            [one for one in kept(games, found) if not only or one.name in only]
            if stored
            else seen(games, found, keep, jobs, lambda at: tell(at.done, at.runs, ""), only or ())
        )
    for path in store(rows, found) if write else ():
        say(f"kept in {path}")
    holding = sum(one.verdict == "holds" for one in rows)
    if json:
        as_json({"rows": [one.plain() for one in rows], "holding": holding})
        return int(holding < len(rows))
    table(
        list(HEADS),
        [
            [
                f"{one.game}/{one.name}",
                one.verdict.replace("_", " "),
                _number(one.difference.estimate),
                f"[{_number(one.difference.low)}, {_number(one.difference.high)}]",
                _number(one.row.effect),
                "-" if one.p is None else f"{one.p:.2g}",
                str(one.n),
                one.row.claim.en,
            ]
            for one in rows
        ],
    )
    say(f"{holding} of {len(rows)} hold")
    return int(holding < len(rows))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.4g}"
