"""`polity bench`: rounds per second of the bulk loop, beside plain arithmetic and beside peers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say, table

if TYPE_CHECKING:
    from games.lab.folders.benching import Case, Timing
    from games.lab.speed.beside import Pair
    from games.lab.speed.peers import Peer


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="These games; all, if left out.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long each of the three repeats of a case takes.")] = 0.5,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PEER[=FOLDER]",
            help="Only what this peer plays too, by turns with it: axelrod as installed, loop (plain arithmetic), "
            "polity (another of its own cases), or a checkout of adasociety, axelrod, coopeval, meltingpot, swarm, or "
            "of an older Polity (before). FOLDER/.venv is its Python, if it is there. May be repeated.",
        ),
    ] = None,
    growth: Annotated[
        bool, typer.Option("--growth", help="Only how the cost grows with seats, rounds, worlds and runs.")
    ] = False,
    keep: Annotated[Path | None, typer.Option(help="Write the JSON into this file, too.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Rounds per second for each case of a game, beside a loop of plain arithmetic here or beside peers."""
    from games.errors.faults import Refused
    from games.lab.folders.benching import cases_of, measure
    from games.lab.learning import learners_timings
    from games.lab.scenarios.finding import game_target, pack_named
    from games.lab.speed.machine import machine
    from games.lab.speed.peers import peer

    if not 0.01 <= seconds <= 60:
        raise Refused(f"--seconds: {seconds}; from 0.01 to 60")
    if keep is not None and not keep.parent.is_dir():
        raise Refused(f"--keep {keep}: there is no folder {keep.parent}")
    games = [game_target(game) for game in games] if games else None
    found = registry()
    slugs = games or list(found.modules())
    every = [case for slug in slugs for case in cases_of(pack_named(found, slug))]
    cases = [case for case in every if bool(case.grows_with) == growth] if growth or not beside else []
    timings = []
    with ExitStack() as running, progress("measuring") as tell:
        peers = [running.enter_context(peer(named)) for named in beside or ()]
        where = machine()
        pairs, failed = _pairs(slugs, every, peers, seconds, tell)
        for done, case in enumerate(cases):
            tell(done, len(cases), f"{case.pack.slug}, {case.name}, {case.policy}")
            timings.append(measure(case, seconds))
    further = {}
    for slug in () if beside or growth else slugs:
        timed = pack_named(found, slug).timings
        if rows := [*(timed(3) if timed else ()), *learners_timings(slug, 3)]:
            further[slug] = rows
    result = {
        "machine": {**where, "load_after": machine()["load"]},
        "seconds": "processor time",
        "cases": [timing.plain() for timing in timings],
        "further": further,
        "peers": {one.name: one.facts for one in peers},
        "pairs": [pair.plain() for pair in pairs],
        "failed": failed,
    }
    if keep is not None:
        import json as jsonlib

        keep.write_text(jsonlib.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if json:
        as_json(result)
        return 1 if failed else 0
    _show_pairs(pairs)
    _show(timings)
    for slug, rows in further.items():
        say(f"{slug}, its own timings (best of three or more):")
        for row in rows:
            say("  " + ", ".join(f"{key} {_short(value)}" for key, value in row.items() if value is not None))
    if failed:
        raise Refused("; ".join(failed))
    return 0


def _pairs(
    slugs: Sequence[str], cases: Sequence[Case], peers: Sequence[Peer], seconds: float, tell: Any
) -> tuple[list[Pair], list[str]]:
    """What each peer plays beside these games, measured, and of what failed why: the rest is not lost by it.

    Raises `Refused` for a peer that plays nothing there.
    """
    from games.errors.faults import Refused
    from games.lab.speed.beside import measure_beside, works_of
    from games.lab.speed.works import works

    if not peers:
        return [], []
    both = [*works_of(cases), *works(slugs)]
    for one in peers:
        if not any(one.name in work.beside for work in both):
            raise Refused(f"--beside {one.name}: it plays nothing beside {', '.join(slugs)}")
    chosen = [(work, one) for work in both for one in peers if one.name in work.beside]
    pairs, failed = [], []
    for done, (work, one) in enumerate(chosen):
        tell(done, len(chosen), f"{work.game}, {work.name}, beside {one.name}")
        try:
            pairs.append(measure_beside(work, one, seconds))
        except Refused as error:
            failed.append(f"{work.game}, {work.name}: {error}")
    return pairs, failed


def _show_pairs(pairs: Sequence[Pair]) -> None:
    if not pairs:
        return
    table(
        ["game", "case", "policy", "peer", "rounds/s", "peer's steps/s", "times"],
        [
            [
                one.game,
                one.case,
                one.policy,
                one.peer,
                *map(_figure, (one.rounds_per_s, one.peer_steps_per_s, one.times)),
            ]
            for one in pairs
        ],
        numbers=4,
    )
    say("by turns in one run, best of three, in processor time of each one's own process")


def _show(timings: Sequence[Timing]) -> None:
    if not timings:
        return
    table(
        ["game", "case", "policy", "seats", "stored", "rounds/s", "per 1000 loops"],
        [
            [
                one.game,
                f"{one.case}, {one.at} {one.grows_with}" if one.grows_with else one.case,
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
    pace = max(one.loops_per_s for one in timings)
    say("one process; best of three, in processor time; stored: with its measures, into a run folder")
    say(f"a loop is one 64-bit mix in plain Python; {pace:,.0f} of them a second here")


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _short(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)
