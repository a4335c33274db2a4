"""The API's rooms for studies: a file checked, a session opened, followed, helped, exported and ended."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from django.conf import settings
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Schema, Status
from pydantic import ConfigDict

from games.errors.requests import BadRequest
from games.lab.folders.bundle import Bundle
from games.lab.folders.crate import LICENCE
from games.site.accounts.trail import note, who_of
from games.site.exports.sessionfiles import data_zip, labels_csv, payments_csv
from games.site.exports.sessionpublishing import private_of_session, session_publication
from games.site.models import Member, MemberState, Session
from games.site.models import Study as StudyRow
from games.site.record.jobs import Tell
from games.site.record.selectors import NotFound
from games.site.studies import presets
from games.site.studies.keys import file_keys
from games.site.studies.loading import Study, study_read, study_text
from games.site.studies.operating import session_act
from games.site.studies.standing import Standing, standing
from games.site.studies.walking import Place, session_open, study_kept
from games.site.web.experimentshapes import PublicationOut
from games.site.web.holders import experimenters
from games.site.web.jobs import JobOut, by_worker
from games.site.web.screens import session_at

router = Router()
FILE: Any = {
    "responses": {
        200: {
            "description": "The file.",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    }
}


class StudyIn(Schema):
    """One of: a file's text, the name of a bundled study, the id of one that the site holds."""

    file: str | None = Field(None, max_length=1_000_000, description="YAML or JSON; texts stand in it, not beside it.")
    preset: str | None = Field(None, max_length=40)
    study: int | None = None

    model_config = ConfigDict(extra="forbid")


class SessionIn(StudyIn):
    seed: int | None = Field(None, ge=0, lt=2**53, description="Drawn where none is given.")
    name: str = Field("", max_length=80, description="What its operators call it.")


class StopOut(Schema):
    name: str
    kind: Literal["page", "play"]
    scenario: str | None
    practice: bool
    matches: int
    shows: str = Field(description="The play whose instructions it shows; empty: none.")
    drawn: bool = Field(description="Whether arms are drawn by then.")


class CheckedOut(Schema):
    """A file that can be held."""

    study: str
    hash: str
    assigned_at: str = Field(description="The step at which arms are drawn.")
    arms: dict[str, list[StopOut]]


class StudyOut(Schema):
    id: int
    study: str
    title: dict[str, str]
    hash: str
    created: str
    sessions: int


class KeyOut(Schema):
    """A key of a study's file."""

    path: str
    kind: str
    default: Any
    about: str
    example: str


class SessionOut(Schema):
    id: int
    code: str
    name: str
    study: str
    hash: str
    seed: str
    open: bool = Field(description="Whether anybody new may come in.")
    created: str
    door: str = Field(description="Where members come in.")
    members: int
    states: dict[str, int]


class MemberOut(Schema):
    """Where a member is. No label: who they are, ``labels.csv`` says."""

    number: int
    state: str
    step: str
    round: int
    arm: str
    silo: int | None
    since_s: float
    silent_s: float
    away: bool
    need: str = Field(description="silent, missed or wrong; empty where nothing is wrong.")
    waits: str
    match: str | None = Field(description="The run in which they sit, or sat last.")
    owed: str | None = Field(description="What they got, or get if it ends now; null: drawn at the end.")
    erased: bool


class FollowOut(SessionOut):
    """How a session stands now."""

    arms: dict[str, int]
    ended_early: dict[str, int] = Field(description="By arm, who ended without being done.")
    matches: int
    matches_over: int
    due: str
    currency: str
    people: list[MemberOut]


class ActIn(Schema):
    """What is done about a member, by their number, or about all of the session."""

    do: Literal["nudge", "extend", "advance", "replace", "end", "erase", "unname", "say", "show", "unlink"]
    member: int | None = Field(None, ge=0)
    text: str = Field("", max_length=500, description="With say.")

    model_config = ConfigDict(extra="forbid")


def _study(body: StudyIn) -> Study:
    given = [one for one in (body.file, body.preset, body.study) if one is not None]
    if len(given) != 1:
        raise BadRequest("bad_choice", "file, preset or study: name one of the three", "file")
    if body.file is not None:
        return study_text(body.file)
    if body.study is not None:
        row = StudyRow.objects.filter(pk=body.study).first()
        if row is None:
            raise NotFound(f"study {body.study}: there is none of that number")
        return study_read(row.document)
    if body.preset not in presets.names():
        raise NotFound(f"preset {body.preset!r}: there are {', '.join(presets.names())}")
    return presets.study(str(body.preset))


@router.post("/studies/check", response=CheckedOut, auth=experimenters, url_name="study_check")
def check(request: HttpRequest, body: StudyIn) -> CheckedOut:
    """A study walked for every arm; 422 names each fault with its place and remedy. Nothing is kept."""
    study = _study(body)
    arms = {
        arm: [
            StopOut(
                name=stop.name, kind="play" if stop.step.is_play else "page", scenario=stop.step.scenario,
                practice=stop.step.practice, matches=stop.step.repeat if stop.step.is_play else 0,
                shows=stop.shows, drawn=stop.drawn,
            )
            for stop in study.plan(arm)
        ]
        for arm in study.arms
    }  # fmt: skip
    return CheckedOut(study=study.form.study, hash=study.hash, assigned_at=study.at, arms=arms)


@router.get("/studies", response=list[StudyOut], auth=experimenters, url_name="studies")
def studies(request: HttpRequest, limit: Annotated[int, Query(100, ge=1, le=1000)]) -> list[StudyOut]:
    """What studies the site holds, the newest first."""
    rows = StudyRow.objects.annotate(held=Count("sessions")).order_by("-created")[:limit]
    return [
        StudyOut(
            id=row.pk, study=row.slug, title=row.title, hash=row.document_hash, created=row.created.isoformat(),
            sessions=row.held,
        )
        for row in rows
    ]  # fmt: skip


@router.get("/studies/keys", response=list[KeyOut], url_name="study_keys")
def keys(request: HttpRequest) -> list[dict[str, Any]]:
    """Every key of a study's file, from its schema: kind, default, what it means, an example."""
    return [one.plain() for one in file_keys()]


@router.post("/sessions", response={201: SessionOut}, auth=experimenters, url_name="session_open")
def open_(request: HttpRequest, body: SessionIn) -> Status[SessionOut]:
    """Open a session of a study: members come in by its door."""
    study = _study(body)
    session = session_open(study, seed=body.seed, name=body.name)
    note(request, "session_opened", f"session {session.code}", study=study.hash)
    return Status(201, _out(request, session))


@router.get("/sessions", response=list[SessionOut], auth=experimenters, url_name="sessions")
def sessions(
    request: HttpRequest,
    study: Annotated[str | None, Query(None, max_length=64, description="Of this study alone, by its name.")],
    limit: Annotated[int, Query(100, ge=1, le=1000)],
) -> list[SessionOut]:
    """The sessions, the newest first."""
    found: QuerySet[Session] = Session.objects.select_related("study").order_by("-created")
    if study is not None:
        found = found.filter(study__slug=study)
    return [_out(request, one) for one in found[:limit]]


@router.get("/sessions/{session}", response=FollowOut, auth=experimenters, url_name="session_follow")
def follow(request: HttpRequest, session: int) -> FollowOut:
    """How a session stands: who is where and since when, arms, drop-outs, matches, what is due."""
    found = session_at(session)
    stand = standing(found)
    people = [one.member for one in stand.rows]
    over = sum(one.is_over for one in stand.matches)
    early = Counter(one.arm for one in people if one.ended and one.state != MemberState.DONE and one.arm)
    return FollowOut(
        **_out(request, found).dict(), arms=Counter(one.arm for one in people if one.arm), ended_early=early,
        matches=len(stand.matches), matches_over=over, due=str(stand.total), currency=stand.currency,
        people=_people(stand),
    )  # fmt: skip


@router.post("/sessions/{session}/act", response=FollowOut, auth=experimenters, url_name="session_act")
def act(request: HttpRequest, session: int, body: ActIn) -> FollowOut:
    """Nudge, give time, send on, replace, end or erase a member, by their number; say something; show; unlink."""
    found = session_at(session)
    known = Member.objects.select_related("session").filter(session=found)
    member = None if body.member is None else known.filter(number=body.member).first()
    if body.member is not None and member is None:
        raise NotFound(f"member {body.member}: session {found.code} has none of that number")
    session_act(found, body.do, member, Place.of(member) if member else None, body.text, who=who_of(request))
    on = f"session {found.code}" + (f" member {member.number}" if member else "")
    note(request, f"session_{body.do}", on)
    return follow(request, session)


@router.get(
    "/sessions/{session}/publication",
    response={200: PublicationOut, 202: JobOut},
    auth=experimenters,
    url_name="session_publication",
)
def publication(request: HttpRequest, session: int, game: Annotated[str, Query("", max_length=64)] = "") -> Any:
    """What publishing would take out of a session, and what of its texts looks private and stays."""
    found = session_at(session)
    return by_worker(request, lambda _: {"private": private_of_session(found, game)})


@router.get(
    "/sessions/{session}/publication.zip",
    response={202: JobOut},
    auth=experimenters,
    url_name="session_publication_file",
    openapi_extra=FILE,
)
def publication_file(
    request: HttpRequest,
    session: int,
    game: Annotated[str, Query("", max_length=64, description="Where several were played.")] = "",
    language: Literal["en", "zh"] = "en",
    licence: Annotated[str, Query(LICENCE, max_length=300, pattern="^https?://")] = LICENCE,
    author: Annotated[list[str] | None, Query(None, max_length=50, description="May be repeated.")] = None,
) -> Any:
    """Its matches as runs with report and replays, and its tables by pseudonym, as an RO-Crate 1.2 that
    `polity reproduce` makes again; without labels, links and codes.
    """
    found = session_at(session)
    place = Path(settings.BUNDLE_DIR)

    def made(_: Tell) -> HttpResponse:
        names = [one for one in author or () if one.strip()]
        told = session_publication(found, game, language, licence, names, Bundle(place) if place.is_dir() else None)
        note(request, "session_published", f"session {found.code}")
        answer = HttpResponse(told, content_type="application/zip")
        answer["Content-Disposition"] = f'attachment; filename="{found.study.slug}-publication.zip"'
        return answer

    return by_worker(request, made)


@router.get("/sessions/{session}/files/{name}", auth=experimenters, url_name="session_file", openapi_extra=FILE)
def file(request: HttpRequest, session: int, name: Literal["data.zip", "labels.csv", "payments.csv"]) -> HttpResponse:
    """The tidy tables as a zip; the labels that are the key to them; the payments as a panel takes them."""
    found = session_at(session)
    note(request, "exported" if name == "data.zip" else "labels_read", f"session {found.code}")
    if name == "data.zip":
        answer = HttpResponse(data_zip(found), content_type="application/zip")
    else:
        table = labels_csv(found) if name == "labels.csv" else payments_csv(found)
        answer = HttpResponse(table, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{found.study.slug}-{found.code}-{name}"'
    return answer


def _out(request: HttpRequest, one: Session) -> SessionOut:
    states = Counter(str(state) for state in Member.objects.filter(session=one).values_list("state", flat=True))
    return SessionOut(
        id=one.pk, code=one.code, name=one.name, study=study_kept(one.study_id).form.study,
        hash=one.study.document_hash, seed=str(one.seed), open=one.is_open, created=one.created.isoformat(),
        door=request.build_absolute_uri(f"/s/{one.code}"), members=states.total(), states=states,
    )  # fmt: skip


def _people(stand: Standing) -> list[MemberOut]:
    return [
        MemberOut(
            number=row.member.number, state=str(row.member.state), step=row.member.step, round=row.member.round,
            arm=row.member.arm, silo=row.member.silo, since_s=row.since.total_seconds(),
            silent_s=row.silent.total_seconds(), away=row.member.away is not None, need=row.why, waits=row.waits,
            match=row.match.run.pk if row.match else None, owed=None if row.owed is None else str(row.owed),
            erased=row.member.erased is not None,
        )
        for row in sorted(stand.rows, key=lambda one: one.member.number)
    ]  # fmt: skip
