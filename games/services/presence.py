"""Who is there: signs of life of people, and what follows when they stop or come back.

A seat's holder is *connected*; *idle* when nobody looks at the page; *gone* after `GONE` without a sign. Gone for
longer than the run's grace, the substitute plays, until the next sign gives the seat back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agents_app.people import PeopleSettings
from games.models import ACTIVE, ENDED, HOLDING, Participant, ParticipantState, Run, SeatKind
from games.people import wake
from games.selectors import seats_of
from games.services.notices import notice

BEAT_S = 4.0
"""A page gives a sign this often."""
GONE = timedelta(seconds=15)
IDLE = timedelta(seconds=60)
TAB = timedelta(seconds=10)
"""A tab that was silent for so long no longer holds the seat against another."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One sign of life."""

    participant: str
    tab: str
    active: bool
    at: datetime

    @classmethod
    def now(cls, participant: str, tab: str, active: bool) -> Beat:
        return cls(participant, tab, active, timezone.now())


def beats_keep(beats: Iterable[Beat]) -> None:
    """Book signs of life; whoever was gone or substituted is back, unless their match is over."""
    latest = {beat.participant: beat for beat in sorted(beats, key=lambda beat: beat.at)}
    if not latest:
        return
    held = Participant.objects.filter(pk__in=latest, state__in=HOLDING)
    with transaction.atomic():
        held.update(seen=max(beat.at for beat in latest.values()))
        held.filter(pk__in=[p for p, beat in latest.items() if beat.active]).update(active=timezone.now())
        for beat in latest.values():
            mine = Q(tab=beat.tab) | Q(tab="") | Q(tab_seen=None) | Q(tab_seen__lt=beat.at - TAB)
            held.filter(mine, pk=beat.participant).update(tab=beat.tab, tab_seen=beat.at)
        away = held.filter(Q(gone_at__isnull=False) | Q(state=ParticipantState.SUBSTITUTED))
        for one in away.exclude(run__status__in=ENDED):
            _back(one)


def _back(one: Participant) -> None:
    was = Participant.objects.filter(pk=one.pk, state=ParticipantState.SUBSTITUTED)
    returned = was.update(state=ParticipantState.PLAYING, gone_at=None)
    Participant.objects.filter(pk=one.pk).update(gone_at=None)
    notice(one.run_id, "back", one.seat, {"seat_returned": bool(returned)})


def presence_sweep() -> None:
    """Mark who is gone, and let substitutes play for those who stay away. Idempotent, from whichever process."""
    now = timezone.now()
    running = Participant.objects.filter(run__status__in=ACTIVE)
    silent = running.filter(state__in=HOLDING, gone_at=None, seen__lt=now - GONE)
    for one in silent.select_related("run"):
        with transaction.atomic():
            if silent.filter(pk=one.pk).update(gone_at=now):
                grace = PeopleSettings.model_validate(one.run.people).grace_s
                notice(one.run_id, "gone", one.seat, {"grace_s": grace})
    for one in running.filter(state=ParticipantState.PLAYING, gone_at__isnull=False).select_related("run"):
        grace = timedelta(seconds=PeopleSettings.model_validate(one.run.people).grace_s)
        if one.gone_at is not None and now >= one.gone_at + grace:
            participant_substitute(one)


def participant_substitute(one: Participant) -> None:
    """From now on the substitute plays, until the holder comes back."""
    away = Participant.objects.filter(pk=one.pk, state=ParticipantState.PLAYING, gone_at__isnull=False)
    with transaction.atomic():
        if not away.update(state=ParticipantState.SUBSTITUTED):
            return
        agent = one.run.seats.get(index=one.seat).agent
        notice(one.run_id, "substituted", one.seat, {"by": agent["substitute"]["policy"]})
        transaction.on_commit(lambda: wake(one.run_id))


def presence_of(run: Run, people: Sequence[Participant]) -> list[dict[str, Any]]:
    """Each person's seat: connected, idle, gone (and the seconds until the substitute plays), substituted or open."""
    held = {one.seat: one for one in people if one.state in HOLDING}
    grace = PeopleSettings.model_validate(run.people).grace_s
    seats = [seat.index for seat in seats_of(run) if seat.kind == SeatKind.PERSON]
    return [{"seat": seat, **_presence(held.get(seat), grace)} for seat in seats]


def _presence(one: Participant | None, grace: float) -> dict[str, Any]:
    now = timezone.now()
    if one is None:
        return {"state": "open", "returns_in_s": None}
    if one.state == ParticipantState.SUBSTITUTED:
        return {"state": "substituted", "returns_in_s": None}
    if one.gone_at is not None:
        return {"state": "gone", "returns_in_s": max(0.0, grace - (now - one.gone_at).total_seconds())}
    return {"state": "idle" if now - one.active > IDLE else "connected", "returns_in_s": None}
