"""`polity study`: a study of people checked, rehearsed by nobody, and opened on this site."""

from __future__ import annotations

from typing import Annotated

import typer

from simsite.commands.printing import as_json, say

study = typer.Typer(no_args_is_help=True, help="Studies with people: check a file, rehearse it, open a session.")
FILE = typer.Argument(help="A study file (.yaml).", show_default=False)


@study.command()
def check(file: Annotated[str, FILE]) -> int:
    """Every fault of a study file with its path, before anybody comes."""
    from games.site.studies.lasting import longest_s
    from games.site.studies.loading import study_file

    found = study_file(file)
    say(f"{file}: good. Study {found.form.study}, {found.hash}; arms {', '.join(found.arms)}")
    for arm, steps in found.arms.items():
        say(f"arm {arm}:")
        for stop in found.plan(arm):
            step = stop.step
            kind = f"{step.scenario}, {step.repeat} x {step.match}" if step.is_play else "page"
            more = [*["practice"] * step.practice, *[f"instructions of {stop.shows}"] * bool(stop.shows)]
            if len(found.arms) > 1 and stop.name == found.at:
                more.append("arms are drawn here")
            say(f"  {stop.name}: {', '.join([kind, *more])}")
        least, open_ends = longest_s(steps)
        beside = f"; no bound: {', '.join(open_ends)}" if open_ends else ""
        told = f", announced {found.form.minutes:g}" if found.form.minutes else ""
        say(f"arm {arm}: {least / 60:.0f} minutes at the most, where every clock runs out{told}{beside}")
    return 0


@study.command()
def rehearse(
    file: Annotated[str, FILE],
    members: Annotated[int, typer.Option(min=1, max=1000, help="How many walk through it.")] = 20,
    drop: Annotated[float, typer.Option(min=0, max=1, help="The chance of each to leave in their first match.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="Of arms, groups and drawn answers.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Drawn answers on the pages, substitutes in the seats: ends, arms, pay, and who got stuck. Nothing is kept."""
    from games.site.studies.loading import study_file
    from simsite.setup import throwaway_site

    study = study_file(file)
    with throwaway_site():
        from games.site.studies.rehearsing import rehearse as walk

        _, told = walk(study, members=members, drop=drop, seed=seed)
    plain = told.plain()
    if json:
        as_json(plain)
    else:
        for name, value in plain.items():
            say(f"{name}: {value}")
    return 1 if told.stuck else 0


@study.command(name="open")
def open_(
    file: Annotated[str, FILE],
    seed: Annotated[int | None, typer.Option(min=0, help="Drawn where none is given.", show_default=False)] = None,
) -> int:
    """Keep the study on this site and open a session of it: its address for members, its page for operators."""
    from games.site.studies.loading import study_file
    from simsite.setup import set_django_up

    found = study_file(file)
    set_django_up()
    from games.site.studies.walking import session_open

    session = session_open(found, seed=seed)
    say(f"members:  /s/{session.code}")
    say(f"operator: /sessions/{session.pk}")
    return 0


@study.command()
def knocks(
    session: Annotated[str, typer.Argument(help="A session's code.", show_default=False)],
    admit: Annotated[str, typer.Option(help="Let the browser in that shows this code.")] = "",
    refuse: Annotated[str, typer.Option(help="Send the browser away that shows this code.")] = "",
) -> int:
    """Who came with the label of somebody who is here by another browser, and waits to be let in."""
    from simsite.setup import set_django_up

    set_django_up()
    from games.errors.requests import NotFound
    from games.site.accounts.trail import audit
    from games.site.models import Session
    from games.site.people.invites import code_typed
    from games.site.studies.knocking import knock_answer, waiting_for

    found = Session.objects.filter(code=code_typed(session)).first()
    if found is None:
        raise NotFound(f"session {session!r}: there is none of that code")
    for code, lets_in in ((admit, True), (refuse, False)):
        if code:
            member = knock_answer(found, code, admit=lets_in)
            what = "session_admit" if lets_in else "session_refuse"
            audit(who="polity study", what=what, on=f"session {found.code} member {member.number}")
    for row in waiting_for(found):
        say(f"member {row.member.number} {row.member.label}: code {row.code}, since {row.at:%H:%M:%S}")
    return 0
