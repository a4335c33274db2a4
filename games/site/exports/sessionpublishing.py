"""A session of a study as a publication: its matches as runs, an arm of a play step a condition, and its tables.

No label, pseudonym's key, code of the session, match's address, completion code or address of a page is in it.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from games.core.codec import SCHEMA, digest
from games.core.registry import Registry
from games.errors.requests import BadRequest
from games.lab.folders.additions import Aggregates
from games.lab.folders.bundle import Bundle
from games.lab.folders.experiment import EXPERIMENT
from games.lab.folders.folder import Gathering, machine, stamp
from games.lab.folders.publishing import Wanted, chosen, publish
from games.lab.folders.reading import RunFolder
from games.lab.folders.runspec import Played, RunSpec
from games.lab.folders.scrubbing import SHOWN, private_in
from games.lab.folders.sealing import write_manifest
from games.site.experiments.exporting import run_written
from games.site.exports.sessionfiles import files_of
from games.site.exports.sessions import Match, Tables, tables_of
from games.site.exports.tables import pseudonym
from games.site.models import Member, Participant, Run, RunStatus, Session
from games.site.record import selectors
from games.site.studies.walking import study_of

ENDING: Final = ("code", "url")
"""Of a study's ends: what leads a member back to a panel."""
HIDDEN: Final = "[…]"


def games_of(session: Session) -> list[str]:
    """The games of its finished matches."""
    return sorted(set(_finished(session).values_list("game", flat=True)))


def _finished(session: Session) -> Any:
    runs = Run.objects.filter(session=session, status=RunStatus.FINISHED).select_related("scenario")
    return runs.order_by("study_step", "study_round", "silo", "pk")


def session_folder(session: Session, game: str, out: Path) -> dict[str, str]:
    """Write its finished matches of a game as a run folder; by match the name of its run there."""
    study, grouped = study_of(session), dict[str, tuple[list[Run], dict[str, Any]]]()
    for run in _finished(session).filter(game=game):
        seats = selectors.seats_of(run)
        agents = [{"seat": seat.index, "name": seat.name, "role": seat.role, **seat.agent} for seat in seats]
        people = list(Participant.objects.filter(run=run).select_related("member"))
        stem = "-".join(part for part in (run.study_step, Match(run, study, people).arm) if part) or game
        told = {"title": {}, "about": {}, "config": run.config, "config_hash": run.config_hash, "agents": agents}
        name = next(name for name in _names(stem) if name not in grouped or grouped[name][1] == told)
        grouped.setdefault(name, ([], told))[0].append(run)
    found = {run.pk: f"{name}-{n}" for name, (runs, _) in grouped.items() for n, run in enumerate(runs, 1)}
    out.mkdir(parents=True)
    gathering, played = Gathering(out, len(found)), list[Played]()
    for name, (runs, told) in grouped.items():
        for replicate, run in enumerate(runs, 1):
            spec = RunSpec(game, name, replicate, run.seed, run.config, tuple(told["agents"]))
            number = len(played)
            played.append(run_written(run, spec, gathering.part(number)))
            gathering.add(number, played[-1])
    every = [run for runs, _ in grouped.values() for run in runs]
    conditions = [{"name": name, **told} for name, (_, told) in grouped.items()]
    ends = [run.ended for run in every if run.ended is not None]
    manifest = {
        "schema": SCHEMA,
        "game": game,
        "rules_version": every[0].rules_version,
        "scenario": {"name": study.form.study, "title": dict(study.form.title), "about": {}},
        "plan_hash": digest([session.study.document_hash, conditions, [run.seed for run in every]]),
        "conditions": conditions,
        EXPERIMENT: {"conditions": list(grouped), "control": None, "pairing": "independent"},
        "seeds": [run.seed for run in every],
        "runs": [{name: value for name, value in one.plain().items() if name != "metrics"} for one in played],
        "files": gathering.close(),
        **machine(),
        "timestamps": {"started": stamp(min(run.created for run in every)), "finished": stamp(max(ends))},
    }
    write_manifest(out, Aggregates().finish(out, played, manifest))
    return found


def _names(stem: str) -> Iterator[str]:
    stem = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1


def _tables(session: Session, named: dict[str, str]) -> Tables:
    """Its tables, matches by the names of their runs, nothing in them by which anybody comes in or is known."""
    told, code = tables_of(session), pseudonym(f"session/{session.pk}")
    known = {one for one in Member.objects.filter(session=session).values_list("label", flat=True) if one}
    label = re.compile("|".join(map(re.escape, sorted(known, key=len, reverse=True))) or r"(?!)")
    for rows in told.rows.values():
        for row in rows:
            row["session"] = code
            if "run" in row:
                row["run"] = named.get(row["run"]) or pseudonym(f"run/{row['run']}")
            row |= {name: label.sub(HIDDEN, row[name]) for name in ("value", "text") if isinstance(row.get(name), str)}
    return told


def _document(session: Session) -> tuple[dict[str, Any], list[str]]:
    """The study without completion codes and addresses, and what was taken out."""
    document = json.loads(json.dumps(session.study.document))
    taken = []
    for name, end in (document.get("ends") or {}).items():
        for key in ENDING:
            if isinstance(end, dict) and end.pop(key, None) is not None:
                taken.append(f"study.ends.{name}.{key}: taken out")
    text = json.dumps(document, ensure_ascii=False)
    taken += [f"study: {one}: taken out" for one in sorted(set(SHOWN.findall(text)))]
    return json.loads(SHOWN.sub(HIDDEN, text)), taken


@contextmanager
def _made(session: Session, game: str) -> Iterator[tuple[RunFolder, dict[str, bytes], list[str]]]:
    """The folder, the files beside it, and what of them is taken out or looks private."""
    games = games_of(session)
    if not games:
        raise BadRequest("no_runs", f"session {session.pk}: no match is finished yet", session=session.pk)
    if (game or len(games) > 1) and game not in games:
        raise BadRequest("several_games", f"game: {game!r}; name one of {', '.join(games)}", "game", games=games)
    with tempfile.TemporaryDirectory(prefix="polity-publish-") as place:
        named = session_folder(session, game or games[0], Path(place) / "runs")
        tables, (document, taken) = _tables(session, named), _document(session)
        folder = RunFolder(Path(place) / "runs", Registry())
        files = files_of(tables, document)
        shown = {one for row in (*tables.rows["answers"], *tables.rows["messages"])
                 for one in SHOWN.findall(str(row.get("value") or row.get("text")))}  # fmt: skip
        stays = [f"{one}: stands in a text, and stays" for one in sorted(shown)[:20]]
        labels = "labels, panel's parameters, names, the session's code, addresses of its matches: taken out"
        yield folder, files, [labels, *taken, *private_in(folder), *stays]


def private_of_session(session: Session, game: str = "") -> list[str]:
    """What publishing takes out, a line each, and what looks private in texts, which it leaves."""
    with _made(session, game) as (_, _, told):
        return told


def session_publication(
    session: Session, game: str, language: str, licence: str, authors: Sequence[str], bundle: Bundle | None
) -> bytes:
    """The zip file; replays, the first match of each condition, are in it where there is a ``bundle``."""
    with _made(session, game) as (folder, files, _):
        replays = chosen(folder, ()) if bundle is not None else ()
        out = folder.path.with_name("crate.zip")
        publish(folder, out, Wanted(language, licence, tuple(authors), replays, bundle, study=files), Registry())
        return out.read_bytes()
