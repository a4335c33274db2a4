"""`polity check`: a game held to every law, and the laws to mutants of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say

if TYPE_CHECKING:
    from games.laws.case import Case
    from games.laws.loading import Subject


def check(
    game: Annotated[str, typer.Argument(help="A game's name, its folder or its Python file.", show_default=False)],
    law: Annotated[list[str] | None, typer.Option(help="Only this law, and others.", show_default=False)] = None,
    preset: Annotated[list[str] | None, typer.Option(help="Only this preset, and others.", show_default=False)] = None,
    mutate: Annotated[bool, typer.Option("--mutate", help="Try mutants of the game: which survive?")] = False,
    mutants: Annotated[int, typer.Option(min=0, help="So many mutants, by turns of their kinds; 0: all.")] = 60,
    jobs: Annotated[int, typer.Option(min=1, help="Mutants that are tried at once.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Put every law to every preset of a game: a line for each with what it saw; status 1 where one fails.

    With --mutate the game's source is changed in one place after the other, and laws, golden traces and examples are
    put to each mutant in a process of its own; those that survive are named.
    """
    from games.laws.checking import remarks, verdicts
    from games.laws.loading import subject

    looked_at = subject(game, registry())
    _known(law or (), _laws(), "law")
    _known(preset or (), looked_at.presets, "preset")
    cases = _cases(looked_at, preset or looked_at.presets)
    if mutate:
        return _mutate(looked_at, cases, mutants, jobs, json)
    if not json:
        say(f"{looked_at.pack.slug}: {len(law or _laws())} laws, {len(cases)} presets")
    reached = []
    with progress(f"checking {looked_at.pack.slug}") as tell:
        for verdict in verdicts(cases, law or ()):
            reached.append(verdict)
            tell(len(reached), len(law or _laws()), verdict.law)
            if not json:
                say(str(verdict))
    broken = [verdict for verdict in reached if not verdict.holds]
    notes = list(remarks(cases))
    if json:
        answer: dict[str, Any] = {
            "game": looked_at.pack.slug,
            "presets": [case.preset for case in cases],
            "notes": notes,
        }
        as_json({**answer, "holds": not broken, "laws": [verdict.plain() for verdict in reached]})
    else:
        for note in notes:
            say(f"note    {note}")
        say(f"{len(reached) - len(broken)} of {len(reached)} laws hold")
    return 1 if broken else 0


def _mutate(looked_at: Subject, cases: list[Case], most: int, jobs: int, json: bool) -> int:
    """Every mutant with what became of it, and how many each law caught."""
    from games.errors.faults import Refused
    from games.laws.mutation.choosing import mutants_of
    from games.laws.mutation.mutating import Mutation, table

    every, chosen = len(mutants_of(looked_at)), mutants_of(looked_at, most)
    if not chosen:
        raise Refused(f"--mutate: {looked_at.pack.slug}: no line of its source is of a kind that mutants change")
    if not json:
        say(f"{looked_at.pack.slug}: {len(chosen)} of {every} mutants, {len(cases)} presets")
    outcomes = []
    with progress(f"mutants of {looked_at.pack.slug}") as tell:
        for outcome in Mutation(looked_at, cases, chosen, jobs).outcomes():
            outcomes.append(outcome)
            tell(len(outcomes), len(chosen), outcome.mutant.place)
            if not json:
                say(str(outcome))
    survivors = [outcome for outcome in outcomes if outcome.survives]
    if json:
        answer = {"game": looked_at.pack.slug, "all": every, "mutants": [outcome.plain() for outcome in outcomes]}
        as_json({**answer, "survive": len(survivors), "by_law": table(outcomes)})
    else:
        say("")
        for name, count in table(outcomes).items():
            say(f"{count:5}  {name}")
        say(f"{len(survivors)} of {len(chosen)} mutants survive")
    return 0


def _laws() -> list[str]:
    from games.laws.checking import names

    return names()


def _cases(looked_at: Subject, presets: Any) -> list[Case]:
    return [looked_at.case(preset) for preset in presets]


def _known(given: Any, known: Any, what: str) -> None:
    """Refuse a name that there is not, with the nearest."""
    from games.errors.faults import Refused, among

    for name in given:
        if name not in known:
            raise Refused(f"{what} {name!r}: there is none of that name; {among(name, known)}")
