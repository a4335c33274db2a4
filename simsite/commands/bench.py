"""`polity bench`: rounds per second of the bulk loop."""

from __future__ import annotations

import platform
from typing import Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say, table


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="These games; all, if left out.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long each of the three repeats of a case takes.")] = 0.5,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Rounds per second for each case of a game, beside a loop of plain arithmetic on the same machine."""
    from games.errors.faults import Refused
    from games.lab.folders.benching import cases_of, measure
    from games.lab.learning import learners_timings
    from games.lab.scenarios.finding import game_target, pack_named

    if not 0.01 <= seconds <= 60:
        raise Refused(f"--seconds: {seconds}; from 0.01 to 60")
    games = [game_target(game) for game in games] if games else None
    found = registry()
    cases = [case for slug in games or found.modules() for case in cases_of(pack_named(found, slug))]
    timings = []
    with progress("measuring") as tell:
        for done, case in enumerate(cases):
            tell(done, len(cases), f"{case.pack.slug}, {case.name}, {case.policy}")
            timings.append(measure(case, seconds))
    further = {}
    for slug in games or found.modules():
        timed = pack_named(found, slug).timings
        if rows := [*(timed(3) if timed else ()), *learners_timings(slug, 3)]:
            further[slug] = rows
    if json:
        machine = {"system": platform.system(), "machine": platform.machine(), "python": platform.python_version()}
        cases_told = [timing.plain() for timing in timings]
        as_json({"machine": machine, "seconds": "processor time", "cases": cases_told, "further": further})
        return 0
    table(
        ["game", "case", "policy", "seats", "stored", "rounds/s", "per 1000 loops"],
        [
            [
                one.game,
                one.case,
                one.policy,
                str(one.seats),
                "yes" if one.stored else "",
                f"{one.rounds_per_s:,.0f}",
                f"{1000 * one.per_loop:.3f}",
            ]
            for one in timings
        ],
        numbers=2,
    )
    if timings:
        pace = max(one.loops_per_s for one in timings)
        say("one world, one process; best of three, in processor time; stored: with its measures, into a run folder")
        say(f"a loop is one 64-bit mix in plain Python; {pace:,.0f} of them a second here")
    for slug, rows in further.items():
        say(f"{slug}, its own timings (best of three or more):")
        for row in rows:
            say("  " + ", ".join(f"{key} {_short(value)}" for key, value in row.items() if value is not None))
    return 0


def _short(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)
