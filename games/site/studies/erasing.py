"""Withdrawal and erasure of one member, at their own wish or an operator's: what they wrote and who they were goes.

What goes: label, panel's parameters, name, answers, messages in matches, the text they agreed to, the key to the seats.
Moves stay under their pseudonym, since others' results rest on them; times and pay stay for the accounts. An entry of
the register says how much went, and of each match the last hash before and after, so that it still verifies.
"""

from __future__ import annotations

import logging
import time
from typing import Any, Final

from django.db import transaction

from games.errors.requests import BadRequest
from games.site.accounts.trail import audit
from games.site.models import (
    ENDED,
    HOLDING,
    UNDER_WAY,
    Knock,
    Member,
    MemberState,
    Participant,
    RegisterEntry,
    RegisterKind,
    Run,
    Session,
    Visit,
)
from games.site.people.joining import participant_forget, participant_remove
from games.site.record import clock
from games.site.record.erasing import words_erase
from games.site.record.register import register
from games.site.studies.walking import Place, advance

log = logging.getLogger(__name__)
AGAIN_S: Final = 600.0
_again: dict[str, float] = {}
"""By member, when an erasure that was refused may be tried again."""


def member_withdraw(member: Member) -> None:
    """Their walk ends here, as left; a program plays their seats on. Nothing where it has ended."""
    if member.state not in UNDER_WAY:
        return
    for seat in Participant.objects.filter(member=member, state__in=HOLDING).exclude(run__status__in=ENDED):
        participant_remove(participant=seat)
    advance(member, Place.of(member), "withdrawn", end=MemberState.LEFT)


def erasure_ask(member: Member, *, who: str) -> RegisterEntry | None:
    """Withdraw them, and erase what they left: now, or once the matches that they sat in are over (then None)."""
    member_withdraw(member)
    Member.objects.filter(pk=member.pk, erase_asked=None).update(erase_asked=clock.now())
    audit(who=who, what="member_erase", on=f"session {member.session.code} member {member.number}")
    return member_erase(member.pk) if not _plays_on(member) else None


def erasures_due() -> None:
    """Who asked while a match of theirs went on, and it is over now. Idempotent. What cannot be erased as it stands, a
    match that was forked among them, is tried again some minutes later."""
    now = time.monotonic()
    for member in Member.objects.filter(erased=None).exclude(erase_asked=None).select_related("session"):
        if _plays_on(member) or now < _again.get(member.pk, 0.0):
            continue
        try:
            member_erase(member.pk)
        except BadRequest as refused:
            _again[member.pk] = now + AGAIN_S
            log.warning("member %s of session %s: %s", member.number, member.session.code, refused)


def _plays_on(member: Member) -> bool:
    return Run.objects.filter(participants__member=member).exclude(status__in=ENDED).exists()


def member_erase(pk: str) -> RegisterEntry | None:
    """Erase what a member left whose matches are all over; the entry that says so. None where it was done before."""
    with transaction.atomic():
        if not Member.objects.filter(pk=pk, erased=None).update(erased=clock.now()):
            return None
        member = Member.objects.select_related("session").get(pk=pk)
        seats: dict[str, set[int]] = {}
        for one in Participant.objects.filter(member=member):
            seats.setdefault(one.run_id, set()).add(one.seat)
            participant_forget(participant=one)
        matches: dict[str, Any] = {}
        for run_id, held in sorted(seats.items()):
            if (found := words_erase(run_id, held)) is not None:
                matches[run_id] = {"items": found.items, "before": found.before, "after": found.after}
        answers = sum(len(one.data) for one in Visit.objects.filter(member=member))
        Visit.objects.filter(member=member).update(data={})
        Knock.objects.filter(member=member).delete()
        labels = sum(bool(one) for one in (member.label, member.name, *member.extra.values()))
        Member.objects.filter(pk=pk).update(label="", name="", in_ranking=False, extra={}, told={}, draft={})
        document = {
            "session": member.session.code, "member": member.number, "matches": matches,
            "answers": answers, "labels": labels,
        }  # fmt: skip
        return register(kind=RegisterKind.ERASED, subject=subject_of(member), document=document)


def subject_of(member: Member) -> str:
    return f"session {member.session.code} member {member.number}"


def labels_drop(session: Session) -> int:
    """Throw the key to the data away: labels and panels' parameters of all whose walk has ended. How many had any."""
    ended = Member.objects.filter(session=session).exclude(ended=None).exclude(label="", extra={})
    with transaction.atomic():
        for one in Participant.objects.filter(member__in=ended, run__status__in=ENDED).exclude(label=""):
            Participant.objects.filter(pk=one.pk).update(label="")
        return ended.update(label="", extra={})
