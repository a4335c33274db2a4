"""Joining and leaving: the door is used once, consent is kept with its text, and the waiting room begins the match."""

from __future__ import annotations

from typing import Literal

from django.db import IntegrityError, transaction

from agents_app.people import LABEL_MAX, PeopleSettings
from games.errors.requests import BadRequest
from games.site.drive.person_seats import wake
from games.site.models import (
    ENDED,
    HOLDING,
    JOINED,
    Member,
    Participant,
    ParticipantState,
    Run,
    RunStatus,
    Seat,
    SeatKind,
)
from games.site.notify.queueing import enqueue
from games.site.people.invites import Invite, code_new, digest_of, is_free
from games.site.record import clock
from games.site.record.notices import notice

LANGUAGES = ("en", "zh")


def participant_join(*, door: Invite, secret: str, label: str, language: str, consent: bool) -> Participant:
    """A person takes a seat; raises `BadRequest`, and nothing is kept then."""
    run = Run.objects.get(pk=door.run.pk)
    terms = PeopleSettings.model_validate(run.people)
    if run.status in ENDED:
        raise BadRequest("over", "this match is over; nobody can join it any more")
    if not consent:
        raise BadRequest("consent_needed", "consent: you can only take part if you agree to the text", "consent")
    if language not in LANGUAGES:
        raise BadRequest(
            "bad_language",
            f"language: {language[:20]!r}; one of {', '.join(LANGUAGES)}",
            "language",
            known=list(LANGUAGES),
        )
    name = label_checked(terms, label)
    text = (terms.consent or {}).get(language) or (terms.consent or {}).get("en") or ""
    while True:
        seat = free_seat(door, run, SeatKind.PERSON)
        now = clock.now()
        try:
            with transaction.atomic():
                one = Participant.objects.create(
                    run=run,
                    seat=seat.index,
                    link=seat.link,
                    label=name,
                    language=language,
                    consent=text,
                    consent_at=now,
                    holder=digest_of(secret),
                    seen=now,
                    active=now,
                )
                notice(run.pk, "joined", seat.index)
            return one
        except IntegrityError:  # somebody took that seat, or that name, a moment ago
            if name and Participant.objects.filter(run=run, label=name, state__in=HOLDING).exists():
                raise _taken(name) from None


def label_checked(terms: PeopleSettings, label: str) -> str:
    """A name or label as it is kept; raises `BadRequest`."""
    name = " ".join(label.split())
    if len(name) > LABEL_MAX:
        told = f"label: {len(name)} characters; at most {LABEL_MAX}"
        raise BadRequest("bad_label", told, "label", why="too_long", length=len(name), most=LABEL_MAX)
    if any(not letter.isprintable() for letter in name):
        raise BadRequest("bad_label", "label: it holds a character that cannot be shown", "label", why="unprintable")
    if not name and (terms.label_required or terms.labels is not None):
        told = "label: it is needed here; write the one you were given, or your name"
        raise BadRequest("bad_label", told, "label", why="needed")
    if terms.labels is not None and name not in terms.labels:
        told = f"label: {name!r} is not on this match's list; check its spelling"
        raise BadRequest("bad_label", told, "label", why="unlisted", label=name)
    return name


def free_seat(door: Invite, run: Run, kind: SeatKind) -> Seat:
    """The door's own seat, or the first free one of that kind; raises `BadRequest`."""
    if door.seat is not None:
        if not is_free(door.seat):
            raise BadRequest("used", "this seat's link was used in another browser; ask for a new link")
        if door.seat.kind != kind:
            raise BadRequest("full", f"this seat is no {kind}'s", why=f"not_a_{kind}s")
        return door.seat
    for seat in Seat.objects.filter(run=run, kind=kind).order_by("index"):
        if is_free(seat):
            return seat
    raise BadRequest("full", "every seat of this match is taken")


def _taken(name: str) -> BadRequest:
    return BadRequest(
        "bad_label", f"label: {name!r} is taken in this match; choose another", "label", why="taken", label=name
    )


def participant_start(*, participant: Participant) -> None:
    """They are ready: from now on they play, or wait with the others until the match begins."""
    run = Run.objects.get(pk=participant.run_id)
    state = ParticipantState.PLAYING if run.begun else ParticipantState.READY
    waiting = Participant.objects.filter(pk=participant.pk, state=ParticipantState.ROOM)
    with transaction.atomic():
        if not waiting.update(state=state):
            return
        notice(run.pk, "ready", participant.seat)
        transaction.on_commit(lambda: _room_full(run.pk))


def _room_full(run_id: str) -> None:
    """Begin as soon as every person's seat is ready."""
    needed = Seat.objects.filter(run_id=run_id, kind__in=JOINED).count()
    if Participant.objects.filter(run_id=run_id, state=ParticipantState.READY).count() >= needed:
        run_begin(run_id=run_id)


def run_begin(*, run_id: str) -> bool:
    """Close the waiting room: whoever is ready plays, substitutes sit in for the rest. False where it has begun."""
    with transaction.atomic():
        room = Run.objects.filter(pk=run_id, begun=False).exclude(status__in=ENDED)
        if not room.update(begun=True, wake_at=None):
            return False
        Run.objects.filter(pk=run_id, status=RunStatus.WAITING).update(status=RunStatus.QUEUED)
        ready = Participant.objects.filter(run_id=run_id, state=ParticipantState.READY)
        people = ready.update(state=ParticipantState.PLAYING)
        notice(run_id, "started", None, {"people": people})
        queue = Run.objects.values_list("queue", flat=True).get(pk=run_id)
        transaction.on_commit(lambda: enqueue(run_id, queue))
    return True


def rooms_sweep() -> None:
    """Begin the matches whose waiting room's time is over and where somebody is ready. Idempotent."""
    over = Run.objects.filter(begun=False, status=RunStatus.WAITING, wake_at__lte=clock.now())
    over = over.filter(participants__state=ParticipantState.READY).distinct()
    for run_id in over.values_list("pk", flat=True):
        run_begin(run_id=run_id)


def participant_leave(*, participant: Participant) -> None:
    """They leave for good; the substitute plays on."""
    _end(participant, ParticipantState.LEFT)


def participant_remove(*, participant: Participant) -> None:
    """An operator takes the seat from them; the substitute plays on."""
    _end(participant, ParticipantState.REMOVED)


def _end(participant: Participant, state: Literal[ParticipantState.LEFT, ParticipantState.REMOVED]) -> None:
    """The seat is given up; the notice is called what the state is."""
    run_id, seat = participant.run_id, participant.seat
    with transaction.atomic():
        held = Participant.objects.filter(pk=participant.pk, state__in=HOLDING)
        if not held.update(state=state, ended=clock.now()):
            return
        row = Seat.objects.get(run_id=run_id, index=seat)
        by = (row.agent.get("substitute") or {}).get("policy")
        notice(run_id, "left" if state is ParticipantState.LEFT else "removed", seat, {"by": by})
        transaction.on_commit(lambda: wake(run_id))


def participant_take(*, participant: Participant, tab: str) -> None:
    """This tab moves from now on; another that is open only watches."""
    now = clock.now()
    Participant.objects.filter(pk=participant.pk, state__in=HOLDING).update(tab=tab, tab_seen=now, seen=now, active=now)


def participant_language(*, participant: Participant, language: str) -> None:
    if language not in LANGUAGES:
        raise BadRequest(
            "bad_language",
            f"language: {language[:20]!r}; one of {', '.join(LANGUAGES)}",
            "language",
            known=list(LANGUAGES),
        )
    Participant.objects.filter(pk=participant.pk).update(language=language)
    Member.objects.filter(pk=participant.member_id).update(language=language)


def participant_forget(*, participant: Participant) -> None:
    """Delete what says who they were: label, language, consent, session. What was played stays."""
    if participant.state in HOLDING and Run.objects.get(pk=participant.run_id).status not in ENDED:
        raise BadRequest("still_playing", "forget: they hold a seat of a match under way; remove them first")
    run_id, seat = participant.run_id, participant.seat
    with transaction.atomic():
        Participant.objects.filter(pk=participant.pk).update(
            label="", language="", consent="", consent_at=None, holder="", tab=""
        )
        notice(run_id, "forgotten", seat)


def seat_relink(*, run_id: str, seat: int) -> None:
    """A new link for a seat: the old one is void, and whoever came by it is out."""
    row = person_seat(run_id, seat)
    with transaction.atomic():
        for one in Participant.objects.filter(run_id=run_id, seat=seat, state__in=HOLDING):
            _end(one, ParticipantState.REMOVED)
        Seat.objects.filter(pk=row.pk).update(link=row.link + 1)
        notice(run_id, "relinked", seat)


def run_recode(*, run_id: str) -> None:
    """A new code to join by; the old one is void. Whoever is in stays."""
    Run.objects.filter(pk=run_id).update(code=code_new())


def person_seat(run_id: str, seat: int | None) -> Seat:
    """A person's or a program's seat of a run; raises `BadRequest`."""
    row = Seat.objects.filter(run_id=run_id, index=seat, kind__in=JOINED).first() if seat is not None else None
    if row is None:
        raise BadRequest(
            "no_such_seat", f"seat: {seat}; this is not a person's seat of the run", "seat", why="person", seat=seat
        )
    return row


def holder_in(run_id: str, seat: int) -> Participant:
    """Who holds a seat now; raises `BadRequest`."""
    one = Participant.objects.filter(run_id=run_id, seat=seat, state__in=HOLDING).first()
    if one is None:
        raise BadRequest("no_holder", f"seat: {seat}; nobody holds it", "seat", seat=seat)
    return one


def participant_in(run_id: str, participant: str) -> Participant:
    """A participant of the run; raises `BadRequest`."""
    one = Participant.objects.filter(run_id=run_id, pk=participant).first()
    if one is None:
        told = f"participant: {participant!r}; nobody of that id in this run"
        raise BadRequest("no_such_participant", told, "participant")
    return one
