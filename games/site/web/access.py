"""Who is asking: from Django's user and session to the audience's viewer, and to the holder of a seat.

A browser that has joined keeps one secret for each seat in its session; the participant's row has its digest.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest

from games.site.accounts.roles import Role, role_of
from games.site.audience import VISITOR, Forbidden, Sight, Viewer, sight
from games.site.models import HOLDING, Participant, Run
from games.site.people.invites import digest_of
from games.site.record.selectors import run_get

HELD = "seats"
"""Where the session keeps ``{participant: secret}``."""


@dataclass(frozen=True, slots=True)
class Access:
    """A run, who asks for it, and what they may see of it."""

    run: Run
    viewer: Viewer
    sight: Sight


def look(request: HttpRequest, run_id: str, as_seat: int | None = None) -> Access:
    """The run with the asker's sight, as one seat where asked; raises `NotFound` and `Forbidden`."""
    run = run_get(run_id)
    viewer = viewer_of(getattr(request, "user", None), getattr(request, "session", None), run_id)
    return Access(run, viewer, sight(run, viewer, as_seat))


def viewer_of(user: Any, session: Any = None, run_id: str | None = None) -> Viewer:
    """Experimenters and operators see everything; the holder of seats of this run sees as them; others visit."""
    role = role_of(user)
    if role >= Role.EXPERIMENTER:
        return Viewer(operator=True, member=True)
    guest = Viewer(member=True) if role is Role.VIEWER else VISITOR
    held = (session or {}).get(HELD) if run_id is not None else None
    if not held:
        return guest
    mine = Participant.objects.filter(pk__in=list(held)[:100], run_id=run_id, state__in=HOLDING)
    return replace(guest, seats=frozenset(one.seat for one in mine if _holds(one, held)))


def holder_of(session: Any, participant_id: str) -> Participant:
    """The participant with their run, where this session holds the seat or held it; raises `Forbidden`."""
    held = (session or {}).get(HELD) or {}
    one = Participant.objects.filter(pk=participant_id).select_related("run").first()
    if one is None or not _holds(one, held):
        told = "this seat is another browser's, or its address was changed; open your own link, or ask for a new one"
        raise Forbidden("not_your_seat", told)
    return one


def rename_session(session: Any) -> None:
    """What a browser is given belongs to it alone, and not to whoever planted its session's name there before. Signing
    in has done so already.
    """
    if "_auth_user_id" not in session:
        session.cycle_key()


def remember_seat(session: Any, participant: Participant, secret: str) -> None:
    """Remember in the session that it holds the seat."""
    session[HELD] = {**(session.get(HELD) or {}), participant.pk: secret}


def seat_in_session(session: Any, run_id: str) -> Participant | None:
    """The seat of a run that this session holds."""
    held = (session or {}).get(HELD) or {}
    mine = Participant.objects.filter(pk__in=list(held)[:100], run_id=run_id, state__in=HOLDING)
    return next((one for one in mine if _holds(one, held)), None)


def _holds(one: Participant, held: dict[str, str]) -> bool:
    secret = held.get(one.pk)
    return bool(secret and one.holder) and hmac.compare_digest(digest_of(str(secret)), one.holder)
