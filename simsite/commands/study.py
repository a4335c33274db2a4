"""`polity study`: a study of people checked, rehearsed by nobody, and opened on this site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsite.commands.printing import as_json, say
from simsite.commands.publish import LICENCE, check_sure, check_wanted

if TYPE_CHECKING:
    from games.site.models import Session

study = typer.Typer(no_args_is_help=True, help="Studies with people: check a file, rehearse it, open a session.")
FILE = typer.Argument(help="A study file (.yaml).", show_default=False)
CODE = typer.Argument(help="A session's code.", show_default=False)
KEYS, KEYS_END = "<!-- keys -->\n", "<!-- /keys -->"


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
    members: Annotated[int, typer.Option(min=1, max=1000, help="How many come to each session.")] = 20,
    sessions: Annotated[int, typer.Option(min=1, max=1000, help="How many sessions.")] = 1,
    drop: Annotated[float, typer.Option(min=0, max=1, help="The share that leaves for good; else as usual.")] = 0.0,
    ideal: Annotated[bool, typer.Option("--ideal", help="Nobody is slow, careless, late or leaves.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of arms, groups, habits and answers.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the very files of real sessions.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Members as they are, by a clock of its own: waiting, drop-outs, pay, arms, seconds, and who got stuck."""
    from games.site.studies.loading import study_file
    from simsite.setup import throwaway_site

    study = study_file(file)
    with throwaway_site():
        from dataclasses import replace

        from games.site.exports.sessionfiles import data_zip, labels_csv
        from games.site.studies.rehearsal import Rehearsal
        from games.site.studies.rehearsed import IDEAL, REALISTIC
        from games.site.studies.rehearsing import session_walk

        told, mix = Rehearsal(), IDEAL if ideal else REALISTIC
        mix = replace(mix, leaving=drop) if drop else mix
        for number in range(sessions):
            session = session_walk(study, told, members=members, seed=seed + number, mix=mix)
            if out is not None:
                out.mkdir(parents=True, exist_ok=True)
                (out / f"session-{seed + number}.zip").write_bytes(data_zip(session))
                (out / f"labels-{seed + number}.csv").write_text(labels_csv(session), encoding="utf-8")
    plain = told.plain()
    if json:
        as_json(plain)
    else:
        for line in _lines(plain):
            say(line)
    return 1 if told.stuck or told.faults else 0


def _lines(plain: Mapping[str, Any]) -> Iterator[str]:
    """A rehearsal as a table: a line a fact, and one a step or arm where there are several."""
    for name, value in plain.items():
        nested = isinstance(value, dict) and any(isinstance(one, dict) for one in value.values())
        if nested:
            yield f"{name}:"
            yield from (f"  {key:<24} {_facts(one)}" for key, one in value.items())
        elif value not in ({}, [], None):
            yield f"{name + ':':<18} {_facts(value)}"


def _facts(value: Any) -> str:
    if isinstance(value, dict):
        return "  ".join(f"{name} {_facts(one)}" for name, one in value.items())
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


@study.command(name="open")
def open_(
    file: Annotated[str, FILE],
    seed: Annotated[int | None, typer.Option(min=0, help="Drawn where none is given.", show_default=False)] = None,
    name: Annotated[str, typer.Option(help="What its operators call it.", show_default=False)] = "",
) -> int:
    """Keep the study on this site and open a session of it: its address for members, its page for operators."""
    from games.site.studies.loading import study_file
    from simsite.setup import set_django_up

    found = study_file(file)
    set_django_up()
    from games.site.studies.walking import session_open

    session = session_open(found, seed=seed, name=name)
    say(f"members:  /s/{session.code}")
    say(f"operator: /sessions/{session.pk}")
    return 0


@study.command()
def follow(
    session: Annotated[str, CODE], json: Annotated[bool, typer.Option("--json", help="For programs.")] = False
) -> int:
    """How a session stands: who is where, who needs help, its matches, what is due."""
    found = _found(session)
    from games.site.studies.standing import standing

    stand = standing(found)
    rows = [
        {
            "member": row.member.number, "state": str(row.member.state), "step": row.member.step, "arm": row.member.arm,
            "since_s": round(row.since.total_seconds()), "need": row.why, "waits": row.waits,
            "owed": None if row.owed is None else str(row.owed),
        }
        for row in sorted(stand.rows, key=lambda one: one.member.number)
    ]  # fmt: skip
    if json:
        as_json(
            {"session": found.code, "name": found.name, "open": found.is_open, "due": str(stand.total), "members": rows}
        )
        return 0
    states = Counter(row["state"] for row in rows)
    told = ", ".join(f"{state} {n}" for state, n in sorted(states.items())) or "nobody has come"
    over = sum(one.is_over for one in stand.matches)
    say(f"session {found.code} {found.name}: {told}; matches {over} of {len(stand.matches)} over; due {stand.total}")
    for row in rows:
        say("  " + " ".join(f"{name}={value}" for name, value in row.items() if value not in ("", None)))
    return 0


@study.command()
def export(
    session: Annotated[str, CODE],
    out: Annotated[Path, typer.Option(help="A file to write.", show_default=False)],
    labels: Annotated[
        bool, typer.Option("--labels", help="The key of the pseudonyms (CSV) instead of the data.")
    ] = False,
) -> int:
    """The tidy tables of a session as a zip: CSV, Parquet, a codebook, scripts."""
    found = _found(session)
    from games.site.accounts.trail import audit
    from games.site.exports.sessionfiles import data_zip, labels_csv

    out.write_bytes(labels_csv(found).encode() if labels else data_zip(found))
    audit(who="polity study", what="labels_read" if labels else "exported", on=f"session {found.code}")
    say(f"{out}: written")
    return 0


@study.command()
def publish(
    session: Annotated[str, CODE],
    out: Annotated[Path, typer.Option(metavar="FILE.zip", help="What to write; it must not exist yet.")],
    game: Annotated[str, typer.Option(help="Where matches of several were played.")] = "",
    language: Annotated[str, typer.Option(metavar="en|zh", help="Of report and codebook.")] = "en",
    licence: Annotated[str, typer.Option(help="Address of the licence under which it may be used.")] = LICENCE,
    author: Annotated[list[str] | None, typer.Option(help="A name; may be repeated. None is given otherwise.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Publish what was shown without asking.")] = False,
) -> int:
    """A session's matches, report and tables as an RO-Crate, without labels, links and codes. Nothing is sent."""
    from simsite.commands.built import built

    check_wanted(out, language, licence)
    found = _found(session)
    from games.site.accounts.trail import audit
    from games.site.exports.sessionpublishing import private_of_session, session_publication

    for line in private_of_session(found, game):
        say(line)
    check_sure(yes)
    out.write_bytes(session_publication(found, game, language, licence, author or (), built()))
    audit(who="polity study", what="session_published", on=f"session {found.code}")
    say(f"{out}: written")
    return 0


@study.command()
def end(session: Annotated[str, CODE]) -> int:
    """It takes nobody new, matches stop where they stand, everybody is at the end, as done."""
    return _done(session, "finish")


@study.command()
def erase(
    session: Annotated[str, CODE],
    member: Annotated[int, typer.Argument(min=0, help="The member's number.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help="It cannot be undone.")] = False,
) -> int:
    """Erase what a member left: answers, words, labels. Moves stay under a number; the register says what went."""
    if not yes:
        from games.errors.faults import Refused

        raise Refused(f"member {member} of {session}: --yes erases what they left; it cannot be undone")
    return _done(session, "erase", member)


@study.command()
def keys(
    doc: Annotated[Path | None, typer.Option(help="A page whose table is written anew.", show_default=False)] = None,
) -> int:
    """Every key of a study's file: what it holds, its default, what it means, an example."""
    from games.site.studies.keys import file_keys, markdown

    if doc is not None:
        before, _, rest = doc.read_text(encoding="utf-8").partition(KEYS)
        doc.write_text(f"{before}{KEYS}{markdown()}{KEYS_END}{rest.partition(KEYS_END)[2]}", encoding="utf-8")
    else:
        for one in file_keys():
            say(f"{one.path}: {one.kind}. {one.about} Example: {one.example}")
    return 0


@study.command()
def prolific(
    session: Annotated[str, CODE],
    do: Annotated[str, typer.Argument(help="create, publish, pause, start, stop or settle.", show_default=False)],
    panel_study: Annotated[str, typer.Option("--study", help="Their study's id, as create tells it.")] = "",
    address: Annotated[str, typer.Option(help="Of this site, as members reach it.", show_default=False)] = "",
    token: Annotated[str, typer.Option(envvar="PROLIFIC_TOKEN", help="Of their API.", show_default=False)] = "",
    api: Annotated[str, typer.Option(help="Where their API is.")] = "https://api.prolific.com",
) -> int:
    """A session on Prolific: make their study, publish, pause; settle approves, ends who returned, pays bonuses."""
    from games.errors.faults import Refused

    if do not in ("create", "settle", "publish", "pause", "start", "stop"):
        raise Refused(f"{do!r}; create, publish, pause, start, stop or settle")
    if not token:
        raise Refused("no token of Prolific's API; set PROLIFIC_TOKEN")
    if (do == "create") == bool(panel_study) or (do == "create" and not address):
        raise Refused("create needs --address of this site; all else --study, the id that create told")
    found = _found(session)
    from games.site.accounts.trail import audit
    from games.site.studies.prolific import Prolific, settle, study_body

    panel = Prolific(token, api)
    if do == "create":
        panel_study = panel.create(study_body(found, address))
        say(f"study {panel_study}: a draft; look at it there, then publish")
    elif do == "settle":
        told = settle(panel, found, panel_study)
        paid = sum(told.bonuses.values())
        say(f"approved {len(told.approved)}, ended {len(told.ended)}, bonuses {len(told.bonuses)}: {paid}")
        for line in told.odd:
            say(f"  look: {line}")
    else:
        say(f"study {panel_study}: {panel.transition(panel_study, do.upper())}")
    audit(who="polity study", what=f"prolific_{do}", on=f"session {found.code}")
    return 0


def _found(code: str) -> Session:
    from simsite.setup import set_django_up

    set_django_up()
    from games.errors.requests import NotFound
    from games.site.models import Session
    from games.site.people.invites import code_typed

    found = Session.objects.select_related("study").filter(code=code_typed(code)).first()
    if found is None:
        raise NotFound(f"session {code!r}: there is none of that code")
    return found


def _done(code: str, what: str, number: int | None = None) -> int:
    found = _found(code)
    from games.errors.requests import NotFound
    from games.site.accounts.trail import audit
    from games.site.models import Member
    from games.site.studies.operating import session_act

    known = Member.objects.select_related("session").filter(session=found)
    member = None if number is None else known.filter(number=number).first()
    if number is not None and member is None:
        raise NotFound(f"member {number}: session {found.code} has none of that number")
    session_act(found, what, member, who="polity study")
    on = f"session {found.code}" + ("" if number is None else f" member {number}")
    audit(who="polity study", what=f"session_{what}", on=on)
    say(f"{on}: {what}")
    return 0


@study.command()
def knocks(
    session: Annotated[str, CODE],
    admit: Annotated[str, typer.Option(help="Let the browser in that shows this code.")] = "",
    refuse: Annotated[str, typer.Option(help="Send the browser away that shows this code.")] = "",
) -> int:
    """Who came with the label of somebody who is here by another browser, and waits to be let in."""
    found = _found(session)
    from games.site.accounts.trail import audit
    from games.site.studies.knocking import knock_answer, waiting_for

    for code, lets_in in ((admit, True), (refuse, False)):
        if code:
            member = knock_answer(found, code, admit=lets_in)
            what = "session_admit" if lets_in else "session_refuse"
            audit(who="polity study", what=what, on=f"session {found.code} member {member.number}")
    for row in waiting_for(found):
        say(f"member {row.member.number} {row.member.label}: code {row.code}, since {row.at:%H:%M:%S}")
    return 0
