"""Who is there: signs of life of people, and what follows when they stop or come back.

A seat's holder is *connected*; *idle* when nobody looks at the page; *gone* after `GONE` without a sign. Gone for
longer than the run's grace, the substitute plays, until the next sign gives the seat back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from agents_app.people import PeopleSettings
from games.lab.wire.seat import SeatPresence
from games.site.accounts.webhooks import run_happened
from games.site.drive.person_seats import SUBSTITUTE, TIMED_OUT, stop_clock, wake
from games.site.models import (
    ACTIVE,
    ENDED,
    HOLDING,
    JOINED,
    Decision,
    Member,
    Participant,
    ParticipantState,
    Run,
    RunStatus,
)
from games.site.notify.queueing import enqueue
from games.site.record import clock
from games.site.record.decisions import flags_of
from games.site.record.notices import notice
from games.site.record.selectors import seats_of

BEAT_S = 4.0
"""A page gives a sign this often."""
GONE = timedelta(seconds=15)
IDLE = timedelta(seconds=60)
AWAY_MAX = timedelta(minutes=10)
"""So long a match waits whose people are all away."""
TAB = timedelta(seconds=10)
"""A tab that was silent for so long no longer holds the seat against another."""


def holds(one: Participant, tab: str) -> bool:
    """Whether this tab may move for the seat: it does already, or no other was heard of lately."""
    return one.tab in ("", tab) or one.tab_seen is None or clock.now() - one.tab_seen > TAB


@dataclass(frozen=True, slots=True)
class Beat:
    """One sign of life."""

    participant: str
    tab: str
    active: bool
    at: datetime

    @classmethod
    def now(cls, participant: str, tab: str, active: bool) -> Beat:
        return cls(participant, tab, active, clock.known())


def beats_keep(beats: Iterable[Beat]) -> None:
    """Book signs of life; whoever was gone or substituted is back, unless their match is over."""
    latest = {beat.participant: beat for beat in sorted(beats, key=lambda beat: beat.at)}
    if not latest:
        return
    held = Participant.objects.filter(pk__in=latest, state__in=HOLDING)
    with transaction.atomic():
        _unfocused(held, latest)
        Member.objects.filter(participants__in=held).update(seen=max(beat.at for beat in latest.values()), away=None)
        held.update(seen=max(beat.at for beat in latest.values()))
        held.filter(pk__in=[p for p, beat in latest.items() if beat.active]).update(active=clock.now())
        for beat in latest.values():
            mine = Q(tab=beat.tab) | Q(tab="") | Q(tab_seen=None) | Q(tab_seen__lt=beat.at - TAB)
            held.filter(mine, pk=beat.participant).update(tab=beat.tab, tab_seen=beat.at)
        away = held.filter(Q(gone_at__isnull=False) | Q(state=ParticipantState.SUBSTITUTED))
        for one in away.exclude(run__status__in=ENDED):
            _back(one)


def _unfocused(held: QuerySet[Participant], latest: Mapping[str, Beat]) -> None:
    """Book how long, and how often, the page was open while nobody looked at it."""
    elsewhere = [pk for pk, beat in latest.items() if not beat.active]
    for one in held.filter(pk__in=elsewhere) if elsewhere else ():
        passed = (latest[one.pk].at - one.seen).total_seconds()
        before = one.active >= one.seen - timedelta(seconds=BEAT_S / 2)
        held.filter(pk=one.pk).update(
            unfocused_s=F("unfocused_s") + max(0.0, min(passed, 2 * BEAT_S)), unfocused=F("unfocused") + int(before)
        )


def _back(one: Participant) -> None:
    was = Participant.objects.filter(pk=one.pk, state=ParticipantState.SUBSTITUTED)
    returned = was.update(state=ParticipantState.PLAYING, gone_at=None)
    Participant.objects.filter(pk=one.pk).update(gone_at=None)
    notice(one.run_id, "back", one.seat, {"seat_returned": bool(returned)})
    _go_on(one.run_id)


def presence_sweep() -> None:
    """Mark who is gone, and let substitutes play for those who stay away. Idempotent, from whichever process."""
    now = clock.now()
    running = Participant.objects.filter(run__status__in=ACTIVE)
    silent = running.filter(state__in=HOLDING, gone_at=None, seen__lt=now - GONE)
    for one in silent.select_related("run"):
        with transaction.atomic():
            if silent.filter(pk=one.pk).update(gone_at=now):
                seconds = PeopleSettings.model_validate(one.run.people).grace_s
                notice(one.run_id, "gone", one.seat, {"grace_s": seconds})
    _pause_where_all_are_away(now)
    _put_out()
    for one in running.filter(state=ParticipantState.PLAYING, gone_at__isnull=False).select_related("run"):
        grace = timedelta(seconds=PeopleSettings.model_validate(one.run.people).grace_s)
        if one.gone_at is not None and now >= one.gone_at + grace:
            participant_substitute(one)


def _pause_where_all_are_away(now: datetime) -> None:
    """The clock of a match whose terms say so stands while no person is there, for so long; then it goes on."""
    lonely = Run.objects.filter(status__in=ACTIVE, begun=True, participants__gone_at__isnull=False)
    for run in {run.pk: run for run in lonely}.values():
        if not (run.people or {}).get("pause_away"):
            continue
        there = list(Participant.objects.filter(run=run, state=ParticipantState.PLAYING))
        if not there or any(one.gone_at is None or now - one.gone_at > AWAY_MAX for one in there):
            continue
        with transaction.atomic():
            going = Run.objects.filter(pk=run.pk, status__in=ACTIVE)
            if going.update(status=RunStatus.PAUSED, away_since=now):
                stop_clock(run.pk)
                notice(run.pk, "all_away", None, {"most_s": AWAY_MAX.total_seconds()})
                run_happened("run.paused", run.pk, "away")
    for run_id in Run.objects.filter(away_since__lt=now - AWAY_MAX).values_list("pk", flat=True):
        _go_on(run_id)


def _go_on(run_id: str) -> None:
    """A match that stood because everybody was away; one that an operator paused stays so."""
    stood = Run.objects.filter(pk=run_id, status=RunStatus.PAUSED, away_since__isnull=False)
    with transaction.atomic():
        if not stood.update(status=RunStatus.QUEUED, away_since=None, wake_at=None):
            return
        notice(run_id, "not_away")
        queue = Run.objects.values_list("queue", flat=True).get(pk=run_id)
        transaction.on_commit(lambda: enqueue(run_id, queue))


def _put_out() -> None:
    """Whoever missed as many turns in a row as the terms allow is out; the substitute plays on."""
    playing = Participant.objects.filter(run__status__in=ACTIVE, state__in=HOLDING)
    for one in playing.exclude(state=ParticipantState.ROOM).select_related("run"):
        most = (one.run.people or {}).get("out_after")
        if not most:
            continue
        rows = Decision.objects.filter(run=one.run_id, seat=one.seat, purpose="act", created__gte=one.joined)
        last = list(rows.order_by("-step").values_list("client_id", "answer")[:most])
        if len(last) == most and all(_is_missed(*row) for row in last):
            participant_out(one)


def _is_missed(client_id: str, answer: str) -> bool:
    return not client_id and not {TIMED_OUT, SUBSTITUTE}.isdisjoint(flags_of(answer))


def participant_out(one: Participant) -> None:
    """They have missed too many turns: the seat is the substitute's from now on."""
    held = Participant.objects.filter(pk=one.pk, state__in=HOLDING)
    with transaction.atomic():
        if not held.update(state=ParticipantState.REMOVED, ended=clock.now()):
            return
        agent = one.run.seats.get(index=one.seat).agent
        notice(one.run_id, "out", one.seat, {"by": agent["substitute"]["policy"]})
        transaction.on_commit(lambda: wake(one.run_id))


def participant_substitute(one: Participant) -> None:
    """From now on the substitute plays, until the holder comes back."""
    away = Participant.objects.filter(pk=one.pk, state=ParticipantState.PLAYING, gone_at__isnull=False)
    with transaction.atomic():
        if not away.update(state=ParticipantState.SUBSTITUTED):
            return
        agent = one.run.seats.get(index=one.seat).agent
        notice(one.run_id, "substituted", one.seat, {"by": agent["substitute"]["policy"]})
        transaction.on_commit(lambda: wake(one.run_id))


def presence_of(run: Run, people: Sequence[Participant]) -> list[SeatPresence]:
    """Each person's seat: connected, idle, gone (and the seconds until the substitute plays), substituted or open."""
    held = {one.seat: one for one in people if one.state in HOLDING}
    grace = PeopleSettings.model_validate(run.people).grace_s
    seats = [seat.index for seat in seats_of(run) if seat.kind in JOINED]
    return [_presence(seat, held.get(seat), grace) for seat in seats]


def _presence(seat: int, one: Participant | None, grace: float) -> SeatPresence:
    now = clock.now()
    if one is None:
        return {"seat": seat, "state": "open", "returns_in_s": None}
    if one.state == ParticipantState.SUBSTITUTED:
        return {"seat": seat, "state": "substituted", "returns_in_s": None}
    if one.gone_at is not None:
        left = max(0.0, grace - (now - one.gone_at).total_seconds())
        return {"seat": seat, "state": "gone", "returns_in_s": left}
    return {"seat": seat, "state": "idle" if now - one.active > IDLE else "connected", "returns_in_s": None}
