"""What was done in a session and what happened, newest first: from the trail, its members, its matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from games.site.models import AuditEntry, Member, Notice, Session
from games.site.studies.standing import Match, Standing
from games.site.web.sessionwords import SENTENCES, said

SHOWN: Final = 40
SEATS: Final[Mapping[str, str]] = {
    "gone": "seat_gone",
    "back": "seat_back",
    "substituted": "seat_taken",
    "out": "seat_taken",
}


class Entry(NamedTuple):
    at: datetime
    text: str


def log_of(session: Session, stand: Standing, user: str, lang: str) -> list[Entry]:
    """The latest of it. ``user``: who looks, whom the sentences call "you"."""
    found = [
        *_done(session, user, lang),
        *(_ended(row.member, lang) for row in stand.rows if row.member.ended),
        *(one for match in stand.matches for one in _played(match, lang)),
        *_befell(session, stand, lang),
    ]
    return sorted(found, reverse=True)[:SHOWN]


def named(member: Member) -> str:
    """A member as an operator tells them apart."""
    return member.label or member.name or f"#{member.number}"


def _done(session: Session, user: str, lang: str) -> Iterator[Entry]:
    on = f"session {session.code}"
    names = {str(one.number): named(one) for one in session.members.all()}
    rows = AuditEntry.objects.filter(on__startswith=on).order_by("-id")[: 2 * SHOWN]
    for row in rows:
        whom = row.on.removeprefix(on).removeprefix(" member ").strip()
        key = f"did_{row.what.removeprefix('session_')}" + ("_to" if row.what == "session_say" and whom else "")
        if key in SENTENCES:
            who = said(lang, "you") if row.who == user else row.who
            yield Entry(row.at, said(lang, key, who=who, member=names.get(whom, f"#{whom}")))


def _ended(one: Member, lang: str) -> Entry:
    assert one.ended is not None
    return Entry(one.ended, said(lang, f"ended_{one.state}", member=named(one), step=one.step))


def _played(match: Match, lang: str) -> Iterator[Entry]:
    members = ", ".join(named(one) for _, one in sorted(match.sitting.items()))
    yield Entry(match.run.created, said(lang, "match_began", n=match.number, members=members))
    if match.run.ended:
        yield Entry(match.run.ended, said(lang, "match_ended", n=match.round, m=match.number))


def _befell(session: Session, stand: Standing, lang: str) -> Iterator[Entry]:
    by_run: dict[str, Match] = {one.run.pk: one for one in stand.matches}
    for row in Notice.objects.filter(run__session=session, kind__in=SEATS).order_by("-created")[:SHOWN]:
        match = by_run[row.run_id]
        sitting = match.sitting.get(row.seat) if row.seat is not None else None
        facts: dict[str, Any] = {
            "n": match.number,
            "round": row.step + 1,
            "by": row.data.get("by", ""),
            "member": named(sitting) if sitting else match.names.get(row.seat or 0, ""),
        }
        yield Entry(row.created, said(lang, SEATS[row.kind], **facts))
