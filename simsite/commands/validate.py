"""`polity validate`: everything that is wrong with a file, before anything is played."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from simsite.commands.printing import as_json, say, summary
from simsite.commands.shelf import shelf

if TYPE_CHECKING:
    from games.lab.seating import Seated


def validate(
    file: Annotated[str, typer.Argument(help="A scenario or experiment file, or GAME/PRESET.", show_default=False)],
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Check a file and every file it refers to: a short summary, or each error with its path in the file."""
    from games.lab.faults import Refused
    from games.lab.scenario import load

    try:
        found = load(file, shelf())
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
    """A policy by its name, a model by its own or by its label."""
    return seat.policy if seat.kind == "policy" else f"{seat.kind} {seat.label or seat.profile.model}"


def _counted(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in names}
