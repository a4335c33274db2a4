"""A member's label is no secret: panels write it into addresses. Who comes with one has its place where they hold it,
or where their panel signs it; else they knock, and wait until an operator lets their browser in.
"""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from games.errors.requests import NotFound
from games.site.models import Knock, Member, Session
from games.site.people.invites import code_new, digest_of
from games.site.record import clock

CODE = 4
"""Letters of what a browser at the door shows."""
WAITING_MAX = 5
"""Browsers that wait for one place; of more, those that came first are let go."""


def signature_of(label: str) -> str:
    """What a panel sends beside a label: HMAC-SHA256 of its UTF-8, in hexadecimal, by ``POLITY_PANEL_KEY``."""
    return hmac.new(settings.POLITY_PANEL_KEY.encode(), label.encode(), hashlib.sha256).hexdigest()


def is_signed(label: str, signature: str) -> bool:
    return bool(settings.POLITY_PANEL_KEY) and hmac.compare_digest(
        signature_of(label).encode(), signature.lower().encode()
    )


def knock(member: Member, secret: str) -> Knock:
    """A browser waits from now on; ``secret`` is what its session keeps."""
    with transaction.atomic():
        Member.objects.select_for_update().get(pk=member.pk)  # one at a time
        waiting = waiting_for(member.session).filter(member=member)
        taken = set(Knock.objects.filter(member=member).values_list("code", flat=True))
        code = next(code for code in iter(lambda: code_new(CODE), "") if code not in taken)
        row = Knock.objects.create(member=member, code=code, holder=digest_of(secret), at=clock.now())
        kept = waiting.order_by("-at", "-pk").values_list("pk", flat=True)[:WAITING_MAX]
        waiting.exclude(pk__in=list(kept)).delete()
        return row


def knock_of(member: Member, secret: str) -> Knock | None:
    """The knock of the browser that keeps this secret."""
    return Knock.objects.filter(member=member, holder=digest_of(secret)).first() if secret else None


def waiting_for(session: Session) -> QuerySet[Knock]:
    """Who knocks at a session's places, the first first."""
    return Knock.objects.filter(member__session=session, admitted=None).select_related("member").order_by("at", "pk")


def knock_answer(session: Session, code: str, *, admit: bool, member: Member | None = None) -> Member:
    """Let the browser in that shows this code, or send it away; whose place it is. Raises `NotFound`."""
    wanted = waiting_for(session).filter(code=code.strip().upper())
    found = (wanted.filter(member=member) if member else wanted).first()
    if found is None:
        raise NotFound(f"code {code[:20]!r}: nobody waits with it; they may have been answered", why="knock")
    if admit:
        Knock.objects.filter(pk=found.pk).update(admitted=clock.now())
    else:
        found.delete()
    return found.member
