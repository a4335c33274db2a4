"""A person's move: tried on the rules, kept once for a seat and step, and what is late or foreign refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from games.core.codec import encode_note
from games.errors.requests import BadRequest
from games.lab.wire.seat import StoredMove
from games.site.drive.person_seats import deadline_in, is_answered_in, wake
from games.site.models import ACTIVE, ENDED, Decision, Participant, ParticipantState, Run, RunStatus
from games.site.notify.doorbell import ring
from games.site.people import open_turn
from games.site.people.presence import holds
from games.site.record import pulse, selectors

ID_MIN, ID_MAX = 8, 64


def move_try(*, participant: Participant, step: int, raw: Mapping[str, Any], run: Run | None = None) -> dict[str, Any]:
    """What would be struck out of a move and why; nothing is kept. Raises `BadRequest`.

    ``run``: theirs, where whoever asks has read it this moment.
    """
    asked = _asked(participant, step, run)
    done = open_turn.tried(asked, raw)
    action = None if done.action is None else open_turn.plain(asked.play, done.action)
    return {"step": asked.step, "ok": not done.notes, "notes": list(map(encode_note, done.notes)), "action": action}


def move_submit(
    *,
    participant: Participant,
    tab: str,
    client_id: str,
    step: int,
    raw: Mapping[str, Any],
    run: Run | None = None,
) -> StoredMove:
    """Keep a move; the same client id again is told the same. Raises `BadRequest`, and nothing is kept then.

    ``run``: as for `move_try`.
    """
    if not (ID_MIN <= len(client_id) <= ID_MAX and client_id.isascii() and client_id.isprintable()):
        told = f"id: {ID_MIN} to {ID_MAX} plain characters of the page's own"
        raise BadRequest("bad_id", told, "id", least=ID_MIN, most=ID_MAX)
    try:
        return _submitted(participant, tab, client_id, step, raw, run)
    except BadRequest:
        seat = Decision.objects.filter(run_id=participant.run_id, step=step, seat=participant.seat, purpose="act")
        known = seat.filter(client_id=client_id).first()
        if known is None:
            raise
        return open_turn.move_out(selectors.playing(selectors.run_get(participant.run_id)), known, participant)


def _submitted(
    participant: Participant, tab: str, client_id: str, step: int, raw: Mapping[str, Any], known: Run | None
) -> StoredMove:
    """Keep a move that was not kept before; of one that was, and is still open, what was kept."""
    _check_tab(participant, tab)
    asked = _asked(participant, step, known)
    run = asked.play.run
    if pulse.is_past(deadline_in(run.open_turn, step)):
        raise _late(participant, step)
    done = open_turn.tried(asked, raw)
    if done.notes:
        action = open_turn.plain(asked.play, done.action)
        told = "the rules would strike out part of it: " + " ".join(map(asked.play.pack.words.note, done.notes))
        raise BadRequest("struck_out", told, "action", notes=list(map(encode_note, done.notes)), action=action)
    try:
        with transaction.atomic():
            row = Decision.objects.create(
                run_id=participant.run_id,
                step=step,
                seat=participant.seat,
                purpose="act",
                answer=open_turn.answer_of(asked, done),
                client_id=client_id,
            )
            if participant.halted:
                Participant.objects.filter(pk=participant.pk).update(halted=False)
    except IntegrityError:
        kept = open_turn.moved(asked.play, step, participant)
        if kept is not None and kept["id"] == client_id:
            return kept
        raise BadRequest("already_moved", f"step {step}: this seat has moved; one move a turn", moved=kept) from None
    if not (is_answered_in(run.pk, run.open_turn, step) and wake(run.pk, run.queue)):
        ring(run.pk)
    return open_turn.move_out(asked.play, row, participant)


def plan_halt(*, participant: Participant, tab: str) -> None:
    """The holder ends the standing plan: from the next step that is resolved on they are asked again.

    Where nobody waits for them no turn is open to be answered; so the plan is ended first, and then they are asked.
    Raises `BadRequest`.
    """
    _check_tab(participant, tab)
    going = Participant.objects.filter(pk=participant.pk, state=ParticipantState.PLAYING, run__status__in=ACTIVE)
    if going.update(halted=True) and not wake(participant.run_id):
        ring(participant.run_id)


def _asked(participant: Participant, step: int, known: Run | None) -> open_turn.OpenRequest:
    """The open request of this seat at that step; raises `BadRequest` by name where there is none."""
    run = known or selectors.run_get(participant.run_id)
    if run.status in ENDED or run.status == RunStatus.PAUSED:
        raise BadRequest("not_playing", f"the match is {run.status}; nobody moves now", why=str(run.status))
    if participant.state in (ParticipantState.LEFT, ParticipantState.REMOVED):
        has_left = participant.state == ParticipantState.LEFT
        told = "you have left this seat" if has_left else "this seat was taken from you by the operator"
        raise BadRequest("not_playing", told, why=str(participant.state))
    if not run.begun or participant.state in (ParticipantState.ROOM, ParticipantState.READY):
        raise BadRequest(
            "not_playing", "the match has not begun for you; press Start and wait for the others", why="room"
        )
    if step <= run.head:
        raise _late(participant, step)
    if step > run.head + 1:
        raise BadRequest("early", f"step {step}: the match is at step {run.head + 1}", "step", step=run.head + 1)
    found = open_turn.open_requests(selectors.playing(run), [participant]).get(participant.seat)
    if found is None:
        raise BadRequest("not_asked", f"step {step}: others move now; wait for your turn", step=run.head + 1)
    if found.step != step:
        raise _late(participant, step)
    return found


def _check_tab(participant: Participant, tab: str) -> None:
    if not holds(participant, tab):
        raise BadRequest("other_tab", "this seat is open in another tab; take it over there, or here")


def _late(participant: Participant, step: int) -> BadRequest:
    now = Run.objects.values_list("head", flat=True).get(pk=participant.run_id) + 1
    return BadRequest("late", f"step {step} is over; the match is at step {now}", "step", step=now)
