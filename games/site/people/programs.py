"""Programs in seats: a token in place of a browser's session. All else is a person's: clock, substitute, record.

A token is ``PARTICIPANT.SECRET``; of the secret the participant's row has the digest. It comes from an operator, or at
the door by the run's code or the seat's link, and is shown once.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction

from agents_app.people import PeopleSettings
from games.errors.requests import BadRequest
from games.site.models import ENDED, HOLDING, Participant, Run, Seat, SeatKind
from games.site.people.invites import Invite, digest_of, secret_new
from games.site.people.joining import free_seat, label_checked, seat_relink
from games.site.record import clock, selectors
from games.site.record.notices import notice


def program_join(*, door: Invite, label: str = "") -> tuple[Participant, str]:
    """A program takes a program's seat by a code or a link; raises `BadRequest`, and nothing is kept then."""
    run = Run.objects.get(pk=door.run.pk)
    if run.status in ENDED:
        raise BadRequest("over", "this match is over; nobody can join it any more")
    name = label_checked(PeopleSettings.model_validate(run.people), label)
    while True:
        seat = free_seat(door, run, SeatKind.PROGRAM)
        try:
            return _seated(run, seat, name)
        except IntegrityError:  # somebody took that seat, or that name, a moment ago
            if name and Participant.objects.filter(run=run, label=name, state__in=HOLDING).exists():
                told = f"label: {name!r} is taken in this match; choose another"
                raise BadRequest("bad_label", told, "label", why="taken", label=name) from None


def seat_token(*, run_id: str, seat: int) -> tuple[Participant, str]:
    """A new token of a program's seat; whoever held the seat before is out. Raises `BadRequest`."""
    run = selectors.run_get(run_id)
    row = run.seats.filter(index=seat, kind=SeatKind.PROGRAM).first()
    if row is None:
        told = f"seat: {seat}; this is no program's seat of the run"
        raise BadRequest("no_such_seat", told, "seat", why="program", seat=seat)
    if run.status in ENDED:
        raise BadRequest("over", "this match is over; nobody can join it any more")
    with transaction.atomic():
        seat_relink(run_id=run_id, seat=seat)
        return _seated(run, Seat.objects.get(pk=row.pk), "")


def _seated(run: Run, seat: Seat, label: str) -> tuple[Participant, str]:
    secret, now = secret_new(), clock.now()
    with transaction.atomic():
        one = Participant.objects.create(
            run=run,
            seat=seat.index,
            link=seat.link,
            label=label,
            holder=digest_of(secret),
            seen=now,
            active=now,
        )
        notice(run.pk, "joined", seat.index)
    return one, f"{one.pk}.{secret}"
