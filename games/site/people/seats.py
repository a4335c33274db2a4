"""What an operator changes of a match under way: its clock, and who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F

from games.errors.faults import BadScenario, Fault
from games.errors.requests import BadRequest
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer, merge_people
from games.lab.scenarios.seating import seat_agents
from games.site.audience import audience_checked, audience_for_people
from games.site.drive.person_seats import playing_seats, wake
from games.site.models import (
    ACTIVE,
    ENDED,
    HOLDING,
    JOINED,
    Call,
    Decision,
    Participant,
    ParticipantState,
    Run,
    RunStatus,
    Seat,
)
from games.site.notify.queueing import enqueue
from games.site.people.invites import code_new
from games.site.record import clock, selectors
from games.site.record.notices import notice
from games.site.record.recordings import recordings_found

EXTEND_MAX_S = 86_400.0
OF_A_MOVE = ("act", "before", "after")
"""Purposes of the calls that are made for a step before it is resolved."""
REPLACED_CALLS = 100
"""Calls of an agent that was replaced while it was asked keep their place in the log, this many attempts up."""


def turn_extend(*, run_id: str, seconds: float) -> None:
    """Give the open turn more time."""
    if not 1 <= seconds <= EXTEND_MAX_S:
        told = f"seconds: {seconds:g}; from 1 to {EXTEND_MAX_S:g}"
        raise BadRequest("bad_seconds", told, "seconds", most=EXTEND_MAX_S)
    with transaction.atomic():
        turn = _open(run_id)
        if not turn.get("deadline"):
            raise BadRequest("no_deadline", "extend: the open turn has no deadline")
        turn["deadline"] = (datetime.fromisoformat(turn["deadline"]) + timedelta(seconds=seconds)).isoformat()
        _put(run_id, turn)
        waiting = Run.objects.filter(pk=run_id, status=RunStatus.WAITING)
        waiting.update(wake_at=datetime.fromisoformat(turn["deadline"]))
        notice(run_id, "extended", None, {"seconds": seconds})


def turn_advance(*, run_id: str) -> None:
    """The open turn is over now: the default is played for whoever has not moved."""
    with transaction.atomic():
        turn = _open(run_id)
        slow = sorted(playing_seats(run_id) & set(turn["seats"]) - _answered(run_id, turn["step"]))
        _put(run_id, {**turn, "deadline": clock.now().isoformat()})
        notice(run_id, "advanced", None, {"seats": slow})
        transaction.on_commit(lambda: wake(run_id))


def _open(run_id: str) -> dict[str, Any]:
    run = selectors.run_get(run_id)
    turn = run.open_turn
    if run.status not in ACTIVE or turn is None or turn["step"] != run.head + 1:
        raise BadRequest("wrong_status", "no turn of people is open now", why="no_turn")
    return dict(turn)


def _put(run_id: str, turn: Mapping[str, Any]) -> None:
    changed = Run.objects.filter(pk=run_id, head=turn["step"] - 1, status__in=ACTIVE).update(open_turn=turn)
    if not changed:
        raise BadRequest("wrong_status", f"step {turn['step']} was resolved a moment ago", why="resolved")


def _answered(run_id: str, step: int) -> set[int]:
    rows = Decision.objects.filter(run_id=run_id, step=step, purpose="act")
    return set(rows.values_list("seat", flat=True))


def seat_hand_over(
    *, run_id: str, seat: int, agent: Mapping[str, Any], audience: Mapping[str, Any] | None = None
) -> None:
    """Another agent, of any kind, sits in a seat from the next step on, with nothing in mind; logged.

    Where the first person enters a run, spectators see what is public from then on, unless ``audience`` says otherwise.

    Raises `BadRequest`, or `BadScenario` with every fault of the agent.
    """
    run = selectors.run_get(run_id)
    play = selectors.playing(run)
    row = run.seats.filter(index=seat).first()
    if row is None:
        last = run.seats.count() - 1
        raise BadRequest("no_such_seat", f"seat: {seat}; this run has seats 0 to {last}", "seat", seat=seat, last=last)
    faults: list[Fault] = []
    layer = Layer(
        "seat", {}, recordings_found(run.game, read_seats({"seats": {str(seat): dict(agent)}}, "seat"), "seat")
    )
    agents = seat_agents(play.pack, play.game.seats(play.config), [layer], faults)
    if faults:
        raise BadScenario(faults)
    ours = agents[seat].plain()
    if audience is not None:
        audience_checked(audience)
    with transaction.atomic():
        going = Run.objects.filter(pk=run_id).exclude(status__in=ENDED)
        if not going.update(lease_generation=F("lease_generation") + 1, lease_until=None):
            told = f"hand over: the run is {run.status}; nobody sits in it any more"
            raise BadRequest("wrong_status", told, why="hand_over", status=str(run.status))
        now = Run.objects.get(pk=run_id)
        before = Seat.objects.get(pk=row.pk)
        if before.kind in JOINED:
            held = Participant.objects.filter(run_id=run_id, seat=seat, state__in=HOLDING)
            held.update(state=ParticipantState.REMOVED, ended=clock.now())
        Seat.objects.filter(pk=row.pk).update(kind=ours["kind"], agent=ours, since=now.head, link=F("link") + 1)
        if ours["kind"] in JOINED:
            _ready_for_people(now, audience)
        elif audience is not None:
            Run.objects.filter(pk=run_id).update(audience=audience_checked(audience))
        Decision.objects.filter(run_id=run_id, step__gt=now.head, seat=seat).delete()
        for place, purpose in enumerate(OF_A_MOVE, len(OF_A_MOVE) * now.notices_head):
            Call.objects.filter(run_id=run_id, step__gt=now.head, seat=seat, purpose=purpose).update(
                purpose="dropped", attempt=F("attempt") + REPLACED_CALLS * place
            )
        notice(run_id, "handed_over", seat, {"before": _kept(before.agent), "after": _kept(ours)})
        queue = now.queue
        if now.status in ACTIVE and now.begun:
            Run.objects.filter(pk=run_id, status=RunStatus.WAITING).update(status=RunStatus.QUEUED, wake_at=None)
            transaction.on_commit(lambda: enqueue(run_id, queue))


def _ready_for_people(run: Run, audience: Mapping[str, Any] | None) -> None:
    """A run in which the first person will sit gets its terms, its code, and eyes that leave their views private."""
    Run.objects.filter(pk=run.pk).update(audience=audience_for_people(run, audience))
    if not run.people:
        terms = merge_people([Layer("seat")], [])
        assert terms is not None
        Run.objects.filter(pk=run.pk).update(people=terms.model_dump(mode="json"))
    if run.code is None:
        Run.objects.filter(pk=run.pk).update(code=code_new())


def _kept(agent: Mapping[str, Any]) -> dict[str, Any]:
    """What the log says of an agent: its kind and name."""
    name = agent.get("policy") or agent.get("label") or (agent.get("substitute") or {}).get("policy") or ""
    return {"kind": agent.get("kind"), "name": name}
