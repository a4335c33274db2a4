"""The door of a study for a browser that comes with a label whose place it does not hold."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.site.models import Member, Session
from games.site.people.invites import secret_new
from games.site.studies.knocking import knock, knock_of
from games.site.studies.loading import Study
from games.site.web.access import rename_session
from games.site.web.studyshown import study_response, text_in

MINE: Final = "members"
"""Where a browser's session keeps ``{session: member}``: whose place it holds."""
KNOCKS: Final = "knocks"
"""Where it keeps ``{member: secret}`` while it waits to be let in."""


def remember_member(session: Any, member: Member) -> None:
    """From now on this browser holds the member's place."""
    if held_in(session, member.session) != str(member.pk):
        rename_session(session)
    session[MINE] = {**(session.get(MINE) or {}), str(member.session_id): member.pk}


def held_in(session: Any, of: Session) -> str:
    """Whose place a browser holds in a session; "" for nobody's."""
    return str((session.get(MINE) or {}).get(str(of.pk)) or "")


def second_browser(request: HttpRequest, member: Member, study: Study, lang: str) -> HttpResponse:
    """The place where an operator has let this browser in; else what it waits for, or that it may ask."""
    secrets = request.session.get(KNOCKS) or {}
    waits = knock_of(member, str(secrets.get(member.pk) or ""))
    if waits is not None and waits.admitted:
        remember_member(request.session, member)
        return redirect("member", member=member.pk)
    if request.method == "POST" and request.POST.get("do") == "knock":
        if waits is None:
            secret = secret_new()
            knock(member, secret)
            request.session[KNOCKS] = {**secrets, member.pk: secret}
        return redirect(request.get_full_path())
    return study_response(
        request, "study_knock.html", lang, 403, title=text_in(study.form.title, lang), code=waits.code if waits else "",
    )  # fmt: skip
