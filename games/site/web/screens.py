"""The API's rooms for a session's screen: what may be projected, and what its lead does from there."""

from __future__ import annotations

from typing import Literal

from django.http import HttpRequest
from ninja import Field, Router, Schema

from games.lab.wire.screen import ClassFindings, ClassScreen
from games.site.accounts.trail import note
from games.site.models import Session
from games.site.record.selectors import NotFound
from games.site.studies.findings import findings_of
from games.site.studies.knocking import knock_answer, waiting_for
from games.site.studies.operating import session_act
from games.site.studies.screen import screen_of
from games.site.web.holders import experimenters

router = Router()


class LeadIn(Schema):
    """What the lead of a session does for all of it."""

    do: Literal["begin", "pause", "resume", "finish", "close", "reopen"]
    match: int | None = Field(
        None, description="With begin: the match that is meant; one that has begun stays as it is."
    )


class KnockOut(Schema):
    """A second browser at the door of a member's place."""

    member: int = Field(description="The number of the member whose label it brought.")
    label: str
    code: str = Field(description="What its page shows, by which the member can say that it is theirs.")
    at: str


class KnockIn(Schema):
    do: Literal["admit", "refuse"]


@router.get("/sessions/{session}/screen", response=ClassScreen, auth=experimenters, url_name="session_screen")
def screen(request: HttpRequest, session: int) -> ClassScreen:
    """The session as everybody in the room may see it: no payments, and of moves only whether they were made."""
    return screen_of(session_at(session))


@router.get("/sessions/{session}/findings", response=ClassFindings, auth=experimenters, url_name="session_findings")
def findings(request: HttpRequest, session: int) -> ClassFindings:
    """What the matches that are over have come to, where those who play may learn it."""
    return findings_of(session_at(session))


@router.post("/sessions/{session}/lead", response=ClassScreen, auth=experimenters, url_name="session_lead")
def lead(request: HttpRequest, session: int, body: LeadIn) -> ClassScreen:
    """Begin the next match, let all stand still or go on, shut or open the door, end it for everybody."""
    found = session_at(session)
    session_act(found, body.do, match=body.match)
    note(request, f"session_{body.do}", f"session {found.code}")
    return screen_of(session_at(session))


@router.get("/sessions/{session}/knocks", response=list[KnockOut], auth=experimenters, url_name="session_knocks")
def knocks(request: HttpRequest, session: int) -> list[KnockOut]:
    """Browsers that came with a member's label and do not hold that place: they wait to be let in."""
    found = session_at(session)
    note(request, "labels_read", f"session {found.code}")
    return _knocks(found)


@router.post("/sessions/{session}/knocks/{code}", response=list[KnockOut], auth=experimenters, url_name="session_knock")
def knock_answered(request: HttpRequest, session: int, code: str, body: KnockIn) -> list[KnockOut]:
    """Let the browser in that shows this code, or send it away; who still waits."""
    found = session_at(session)
    member = knock_answer(found, code, admit=body.do == "admit")
    note(request, f"session_{body.do}", f"session {found.code} member {member.number}")
    return _knocks(found)


def _knocks(found: Session) -> list[KnockOut]:
    return [
        KnockOut(member=row.member.number, label=row.member.label, code=row.code, at=row.at.isoformat())
        for row in waiting_for(found)
    ]


def session_at(pk: int) -> Session:
    """A session by its number; raises `NotFound`."""
    found = Session.objects.select_related("study").filter(pk=pk).first()
    if found is None:
        raise NotFound(f"session {pk}: there is none of that number")
    return found
