"""What an operator does about a member under way, or about all of a session: by one name each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from django.db.models import F

from games.errors.requests import BadRequest
from games.site.models import HOLDING, UNDER_WAY, Member, MemberState, Participant, Session
from games.site.notify.doorbell import ring
from games.site.people.joining import participant_remove
from games.site.people.seats import turn_advance, turn_extend
from games.site.record import clock
from games.site.runs.creating import run_open
from games.site.studies.erasing import erasure_ask, labels_drop
from games.site.studies.knocking import knock_answer
from games.site.studies.leading import match_start, session_end, session_pause, session_resume
from games.site.studies.walking import Place, advance

NUDGE: Final = {"en": "Are you still there? Others are waiting for you.", "zh": "你还在吗？其他人正在等你。"}
EXTEND_S: Final = 60.0
SAID_MAX: Final = 500
"""Characters of a message."""


def session_act(
    session: Session,
    do: str,
    member: Member | None = None,
    at: Place | None = None,
    text: str = "",
    match: int | None = None,
    who: str = "operator",
) -> None:
    """``close``, ``reopen``, ``show``, ``say`` (text; to one or to all under way); ``begin`` (the next match, or
    ``match`` where it has not begun), ``pause``, ``resume``, ``finish``, ``unlink`` (labels and panels' parameters of
    all whose walk has ended are thrown away); of one member ``nudge``, ``extend``, ``advance``, ``replace``,
    ``unname``, ``end`` or ``erase`` (what they left goes; ``who`` asks for it), and ``admit`` or ``refuse`` the
    browser that knocks with the code ``text``. ``at`` is where the page saw them: what is past is left alone.

    Raises `BadRequest` and `NotFound`.
    """
    match do:
        case "close" | "reopen":
            Session.objects.filter(pk=session.pk).update(is_open=do == "reopen", ended=None)
        case "show":
            _show(session)
        case "say":
            one = Member.objects.filter(pk=member.pk) if member else Member.objects.filter(session=session)
            _say(list(one.filter(state__in=UNDER_WAY)), {"en": text_checked(text)})
        case "begin":
            match_start(session, match)
        case "pause":
            session_pause(session)
        case "resume":
            session_resume(session)
        case "finish":
            session_end(session)
        case "admit" | "refuse" if member is not None:
            knock_answer(session, text, admit=do == "admit", member=member)
        case "erase" if member is not None:
            erasure_ask(member, who=who)
        case "unlink":
            labels_drop(session)
        case "unname" if member is not None:
            Member.objects.filter(pk=member.pk).update(name="", in_ranking=False)
        case "nudge" | "extend" | "advance" | "replace" | "end" if member is not None:
            if at is not None and Place.of(member) == at and member.state in UNDER_WAY:
                _of_one(do, member, at)
        case _:
            raise BadRequest("bad_action", f"do: {do[:20]!r}; there is none of that name", "do", why="unknown")


def text_checked(text: str) -> str:
    """A message as it is said; raises `BadRequest`."""
    said = " ".join(text.split())
    if not 1 <= len(said) <= SAID_MAX:
        raise BadRequest("bad_words", f"text: {len(said)} characters; 1 to {SAID_MAX}", "text", most=SAID_MAX)
    return said


def _of_one(do: str, member: Member, at: Place) -> None:
    seat = Participant.objects.filter(member=member, state__in=HOLDING).order_by("-joined").first()
    plays = member.state == MemberState.PLAYING and seat is not None
    match do:
        case "nudge":
            _say([member], NUDGE)
        case "extend" if plays and seat is not None:
            turn_extend(run_id=seat.run_id, seconds=EXTEND_S)
        case "extend":
            here = Member.objects.filter(pk=member.pk, step=at.step, round=at.round, attempt=at.attempt)
            here.exclude(until=None).update(until=F("until") + timedelta(seconds=EXTEND_S))
        case "advance" if plays and seat is not None:
            turn_advance(run_id=seat.run_id)
        case "advance" if member.state != MemberState.PLAYING:
            advance(member, at, "advanced")
        case "replace" | "end":
            if plays and seat is not None:
                participant_remove(participant=seat)
            if do == "end" or plays:
                advance(member, at, "replaced" if do == "replace" else "ended", end=MemberState.DROPPED)


def _say(members: list[Member], text: Mapping[str, str]) -> None:
    told = {"text": dict(text), "at": clock.now().isoformat()}
    Member.objects.filter(pk__in=[one.pk for one in members]).update(told=told)
    held = Participant.objects.filter(member__in=members, state__in=HOLDING)
    for run_id in held.values_list("run", flat=True).distinct():
        ring(run_id)


def _show(session: Session) -> None:
    """Everybody may see what is public of its matches, those to come too."""
    Session.objects.filter(pk=session.pk).update(is_public=True)
    for run_id in session.runs.values_list("pk", flat=True):
        run_open(run_id=run_id)
