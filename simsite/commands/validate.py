"""`polity validate`: everything that is wrong with a file, before anything is played."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, say, summary

if TYPE_CHECKING:
    from games.lab.scenarios.seating import Seated


def validate(
    file: Annotated[str, typer.Argument(help="A scenario or experiment file, or GAME/PRESET.", show_default=False)],
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Check a file and every file it refers to: a short summary, or each error with its path in the file."""
    from games.errors.faults import Refused
    from games.lab.scenarios.finding import game_target
    from games.lab.scenarios.scenario import load
    from games.site.studies.loading import is_study, study_file

    try:
        if is_study(file):
            checked = study_file(file)
            if json:
                as_json({"ok": True, "study": checked.form.study, "hash": checked.hash, "arms": list(checked.arms)})
            else:
                say(f"{file}: good. Study {checked.form.study}, {checked.hash}, {len(checked.names())} steps")
            return 0
        found = load(game_target(file), registry())
    except Refused as error:
        faults = [{"source": one.source, "path": one.path, "message": one.message} for one in error.faults]
        if json:
            as_json({"ok": False, "errors": faults})
        else:
            sys.stderr.write(f"{error}\n")
        return 2
    conditions = [
        {
            "name": one.name,
            "seats": len(one.seats),
            "agents": _counted(sorted(_named(seat) for seat in one.seats)),
        }
        for one in found.conditions
    ]
    if json:
        as_json({"ok": True, "game": found.pack.slug, "seeds": list(found.seeds), "conditions": conditions})
        return 0
    say(f"{file}: good. {summary(found)}")
    for told in conditions:
        seated = ", ".join(f"{n} {name}" for name, n in dict(told["agents"]).items())  # type: ignore[call-overload]
        say(f"  {told['name']}: {seated}")
    return 0


def _named(seat: Seated) -> str:
    """A policy by its name, a model or a recording by its label, a person with who plays in their stead."""
    match seat.kind:
        case "policy":
            return seat.policy
        case "person" | "program":
            return f"{seat.kind} ({seat.policy} stands in)"
        case "function":
            return f"{seat.kind} {seat.label}"
        case _:
            return f"{seat.kind} {seat.label or seat.profile.model}"


def _counted(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in names}
