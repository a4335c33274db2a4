"""`polity population`: what becomes of policies when who earns more is copied, in any game."""

from __future__ import annotations

import json as jsonlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say, table


class Dynamics(StrEnum):
    """By their names in `games.lab.populations`."""

    REPLICATOR = "replicator"
    MORAN = "moran"
    IMITATION = "imitation"
    SMALL_WORLD = "small-world"


class Meeting(StrEnum):
    """By their names in `games.lab.populations`."""

    STRANGERS = "strangers"
    PARTNERS = "partners"
    REPUTATION = "reputation"


def population(
    game: Annotated[
        str, typer.Argument(metavar="GAME[/PRESET]", help="As in `polity run`; mechanisms stand after a hyphen.")
    ],
    policy: Annotated[list[str] | None, typer.Option(help="Who is in it, each once; all, if left out.")] = None,
    dynamics: Annotated[Dynamics, typer.Option(help="Who is copied how; pairs alone.")] = Dynamics.REPLICATOR,
    size: Annotated[int, typer.Option(min=2, max=100_000, help="Members.")] = 1000,
    generations: Annotated[int, typer.Option(min=1, max=10_000, help="So many at most.")] = 50,
    mutation: Annotated[float, typer.Option(min=0, max=1, help="Of moran.")] = 0.0,
    rewired: Annotated[
        float, typer.Option(min=0, max=1, help="Share of ties that leads anywhere, of small-world.")
    ] = 0.1,
    seeds: Annotated[int, typer.Option(min=1, max=10_000, help="Matches of each line-up, from --seed on.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The first.")] = 1,
    meet: Annotated[Meeting | None, typer.Option(help="Let members meet in pairs instead, round by round.")] = None,
    rounds: Annotated[int, typer.Option(min=1, max=1_000_000, help="Of --meet.")] = 1000,
    out: Annotated[Path | None, typer.Option(help="Write what each line-up earned, for `polity rate`.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Play every line-up of policies and tell their shares by generation; or let a population meet in pairs.

    Line-ups are of the preset's settings, in any game with mechanisms around it or without; --out keeps them.
    With --meet, members of policies that recall one round play a matrix game, as strangers, partners, or strangers
    whose last move is known.
    """
    from games.errors.faults import Refused
    from games.lab import populations
    from games.lab.scenarios.scenario import load

    first = load(game, registry())
    pack, config = first.pack, first.conditions[0].config
    names = populations.chosen(pack, policy or [])
    if meet is not None:
        counts = {name: size // len(names) + (at < size % len(names)) for at, name in enumerate(names)}
        met = populations.meet(pack, config, counts, rounds, seed, meet.value)
        if json:
            played, meetings = met.played.tolist(), met.meetings.tolist()
            as_json({"choices": met.choices, "played": played, "earned": met.earned, "meetings": meetings})
            return 0
        table(["policy", "members", "earned a round"], [[n, str(counts[n]), f"{x:.4f}"] for n, x in met.earned.items()])
        ends = ", ".join(
            f"{key} {met.played[0, at]:.0%} to {met.played[-1, at]:.0%}" for at, key in enumerate(met.choices)
        )
        say(f"{size} {meet.value}, {rounds} rounds: {ends}")
        return 0
    with progress("playing line-ups") as tell:
        told = populations.lineups(
            pack, config, names, range(seed, seed + seeds), lambda done, of: tell(done, of, "")
        )  # fmt: skip
    if out is not None:
        if out.exists():
            raise Refused(f"{out}: it is there already; name another file")
        out.write_text(jsonlib.dumps(told) + "\n", "utf-8")
    if told["seats"] != 2:
        if out is None:
            raise Refused(f"{told['seats']} seats: shares are of pairs; keep the line-ups by --out for `polity rate`")
        say(f"{len(told['profiles'])} line-ups kept in {out}")
        return 0
    matrix = populations.matrix_of(told)
    rows = list(populations.shares(matrix, dynamics.value, size, generations, seed, mutation, rewired))
    if json:
        as_json({"policies": names, "dynamics": dynamics.value, "shares": rows, "lineups": told})
        return 0
    order = sorted(range(len(names)), key=lambda at: -rows[-1][at])
    shown = [[names[at], f"{rows[0][at]:.1%}", f"{rows[-1][at]:.1%}"] for at in order]
    table(["policy", "at first", f"after {len(rows) - 1}"], shown, numbers=1)
    return 0
