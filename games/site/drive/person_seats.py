"""The people of one driven run: their turn is opened, their answers are read, and nobody waits in a worker for them.

Whatever a person's seat plays (their move, the default when the time is over, their substitute) is stored as its one
decision of the step, so that a move which comes at the last moment either stands or is refused by name. A turn that
lacks answers ends the task by `Waits`; the last answer, the sweep at the deadline or an operator starts it again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet

from agents_app.people import PeopleSettings
from agents_app.watching import check_answers
from games.core.agents import Decider, Decision, Request, deciding, without_plan
from games.core.engine import Ask
from games.core.game import IDLE, Seat
from games.site.drive.keeping import decision_store
from games.site.models import Decision as DecisionRow
from games.site.models import Participant, ParticipantState, Run, RunStatus
from games.site.models import Seat as SeatRow
from games.site.notify.doorbell import ring
from games.site.notify.queueing import enqueue
from games.site.record import clock, pulse
from games.site.record.decisions import decode_decision, encode_decision, flags_of
from games.site.record.selectors import Playing

TIMED_OUT, SUBSTITUTE = "timed_out", "substitute"
"""Flags of a person's seat beside `PASSED` and `IDLE`: the deadline came first; another played for them."""


class Waits(Exception):
    """A turn lacks answers of people; ``until`` is its deadline, None where it has none."""

    def __init__(self, step: int, until: datetime | None) -> None:
        super().__init__(f"step {step} waits")
        self.step, self.until = step, until


@dataclass(frozen=True, slots=True)
class Opened:
    """Who was there when a turn was opened, and the turn as it is stored, where anybody is asked."""

    holders: Mapping[Seat, bool]
    turn: Mapping[str, Any] | None


@dataclass(slots=True)
class People:
    """The seats of people in one driven run."""

    play: Playing
    substitutes: Mapping[Seat, Decider]
    settings: PeopleSettings

    @classmethod
    def of(cls, play: Playing, seats: Mapping[Seat, SeatRow]) -> People:
        policies = play.pack.policies
        substitutes: dict[Seat, Decider] = {}
        for index, seat in seats.items():
            named = seat.agent["substitute"]
            substitutes[index] = deciding(policies[named["policy"]].bind(named.get("params")))
        return cls(play, substitutes, PeopleSettings.model_validate(play.run.people))

    def open(self, ask: Ask[Any, Any], mine: QuerySet[Run], *, rings: bool = True, is_new: bool = False) -> Opened:
        """Open the turn for whoever is there: from now on its clock runs. ``mine``: the run, while we may write it.

        ``rings``: it is told at once, because others are asked first; else it is with the word that the run waits.
        ``is_new``: the step before was stored a moment ago, and with it that no turn is open.
        """
        holders = holders_of(self.play.run.pk)
        requests = self._of(ask, holders)
        asked = [seat for seat, request in requests.items() if seat in holders and not self._goes_on(request)]
        opened = clock.now(anew=True)
        known = None if is_new else Run.objects.values_list("open_turn", flat=True).get(pk=self.play.run.pk)
        if not asked:
            return Opened(holders, known)
        if known is not None and known["step"] == ask.index:
            turn = {**known, "seats": asked}
            left = turn.pop("left_s", None)
            if left is not None:
                turn["deadline"] = _after(left, opened)
        else:
            seconds = self.settings.stage_s(ask.turn.stage)
            deadline = None if seconds is None else _after(seconds, opened)
            labels = [list(label) for label in ask.turn.clock]
            turn = {"step": ask.index, "clock": labels, "seats": asked}
            turn |= {"opened": opened.isoformat(), "deadline": deadline}
        if turn != known and mine.update(open_turn=turn) and rings:
            ring(self.play.run.pk)
        return Opened(holders, turn)

    def look(self) -> Opened:
        """Who is there now, and the turn as it is now: others were asked since it was opened, which may take long."""
        run_id = self.play.run.pk
        return Opened(holders_of(run_id), Run.objects.values_list("open_turn", flat=True).get(pk=run_id))

    def decisions(self, ask: Ask[Any, Any], opened: Opened) -> dict[Seat, Decision[Any]]:
        """What every person's seat of this turn plays, in seat order; raises `Waits` while answers are missing."""
        run_id = self.play.run.pk
        holders = opened.holders
        requests = self._of(ask, holders)
        if not requests:
            return {}
        rows = DecisionRow.objects.filter(run_id=run_id, step=ask.index, purpose="act", seat__in=list(requests))
        texts = dict(rows.values_list("seat", "answer"))
        deadline = deadline_in(opened.turn, ask.index)
        is_over = pulse.is_past(deadline)
        unasked = {
            seat: self._unasked(seat, request, seat in holders, is_over)
            for seat, request in requests.items()
            if seat not in texts
        }
        missing = None in unasked.values()
        for seat, decision in unasked.items():
            # What a standing plan does is kept when nobody is waited for: so long may its holder end it.
            if decision is not None and not (missing and seat in holders):
                answer = encode_decision(self.play, decision)
                texts[seat] = decision_store(run_id=run_id, step=ask.index, seat=seat, purpose="act", answer=answer)
        if missing:
            raise Waits(ask.index, deadline)
        if halted := [seat for seat in unasked if holders.get(seat)]:
            Participant.objects.filter(run_id=run_id, seat__in=halted).update(halted=False)
        self._watch(unasked)
        return {seat: decode_decision(self.play, texts[seat]) for seat in requests}

    def _watch(self, seats: Collection[Seat]) -> None:
        """Hold the seats whose turn has just passed without them against their bound. Raises `RunStop`."""
        run = self.play.run
        most = self.settings.missed_at_most(is_led=run.session_id is None)
        if most >= 1 or not seats:
            return
        rows = DecisionRow.objects.filter(run_id=run.pk, purpose="act", seat__in=list(seats)).order_by("step")
        flags: dict[Seat, list[tuple[str, ...]]] = {}
        for seat, answer in rows.values_list("seat", "answer"):
            flags.setdefault(seat, []).append(flags_of(answer))
        names = [spec.name for spec in self.play.game.seats(self.play.config)]
        for seat in sorted(flags):
            check_answers(names[seat], most, flags[seat], is_model=False)

    def _unasked(self, seat: Seat, request: Request[Any, Any], is_present: bool, is_over: bool) -> Decision[Any] | None:
        """What a seat plays whose holder has not moved; None while it is waited for."""
        if not is_present:
            return self._substituted(seat, request, (SUBSTITUTE,))
        if request.standing is not None and (is_over or not self.settings.is_ticking):
            return request.standing
        if not is_over:
            return None
        late = IDLE if self.settings.is_ticking else TIMED_OUT
        if self.settings.default == "substitute":
            return self._substituted(seat, request, (late, SUBSTITUTE))
        return Decision(None, request.memory, None, (late,))

    def _substituted(self, seat: Seat, request: Request[Any, Any], flags: tuple[str, ...]) -> Decision[Any]:
        played = self.substitutes[seat](request)
        return Decision(played.action, played.memory, None, flags)

    def _of(self, ask: Ask[Any, Any], holders: Mapping[Seat, bool]) -> dict[Seat, Request[Any, Any]]:
        """What people's seats are asked, in seat order; the plans that their holders have ended no longer stand."""
        return {
            seat: without_plan(request) if holders.get(seat) else request
            for seat, request in sorted(ask.requests.items())
            if seat in self.substitutes
        }

    def _goes_on(self, request: Request[Any, Any]) -> bool:
        """Whether a standing plan acts here, and nobody is waited for. Where the match ticks, a tick is waited for."""
        return not self.settings.is_ticking and request.standing is not None


def _after(seconds: float, moment: datetime) -> str:
    return (moment + timedelta(seconds=seconds)).isoformat()


def holders_of(run_id: str) -> dict[Seat, bool]:
    """The seats whose holder is there and has pressed Start, and whether they have ended the plan that stands."""
    held = Participant.objects.filter(run_id=run_id, state=ParticipantState.PLAYING)
    return dict(held.values_list("seat", "halted"))


def playing_seats(run_id: str) -> set[Seat]:
    """The seats whose holder is there and has pressed Start."""
    return set(holders_of(run_id))


def stop_clock(run_id: str) -> None:
    """What people have left of their turn is kept, and runs again when the run goes on."""
    turn = Run.objects.values_list("open_turn", flat=True).filter(pk=run_id).first()
    if turn is not None and turn.get("deadline"):
        left = (datetime.fromisoformat(turn["deadline"]) - clock.now()).total_seconds()
        Run.objects.filter(pk=run_id).update(open_turn={**turn, "deadline": None, "left_s": max(1.0, left)})


def deadline_in(turn: Mapping[str, Any] | None, step: int) -> datetime | None:
    """When the turn of a step is over; None where it is not open or has no deadline."""
    if turn is None or turn["step"] != step or not turn.get("deadline"):
        return None
    return datetime.fromisoformat(turn["deadline"])


def is_over(run_id: str, step: int) -> bool:
    """Whether nobody is waited for at a step any more: whoever is there has answered, or the time is over.

    Whoever lets a run wait asks this afterwards: an answer, or an operator's word, that came meanwhile woke nobody.
    """
    turn = Run.objects.values_list("open_turn", flat=True).get(pk=run_id)
    return is_answered_in(run_id, turn, step) or pulse.is_past(deadline_in(turn, step))


def is_answered_in(run_id: str, turn: Mapping[str, Any] | None, step: int) -> bool:
    """Whether nobody who is there is waited for in a turn; who that is, and who has answered, is read now."""
    if turn is None or turn["step"] != step:
        return True
    rows = DecisionRow.objects.filter(run_id=run_id, step=step, purpose="act")
    answered = set(rows.values_list("seat", flat=True))
    missing = set(turn["seats"]) - answered
    return not missing or not playing_seats(run_id) & missing


def wake_answered() -> None:
    """Runs for whose people nobody waits any more go on: who stored the last move may have died before it woke its run.

    Without a deadline such a run would wait for ever. They are due then, and nobody is told: that is the sweep's part.
    Costs two queries, however many wait.
    """
    waiting = Run.objects.filter(status=RunStatus.WAITING, begun=True, open_turn__isnull=False)
    turns = dict(waiting.values_list("pk", "open_turn"))
    if not turns:
        return
    at_head = DecisionRow.objects.filter(run__in=waiting, step=F("run__head") + 1, purpose="act")
    answered: dict[str, set[int]] = {}
    for run_id, seat in at_head.values_list("run_id", "seat"):
        answered.setdefault(run_id, set()).add(seat)
    for run_id, seats in answered.items():
        turn = turns.get(run_id)
        if turn is not None and not set(turn["seats"]) - seats:
            waiting.filter(pk=run_id).update(status=RunStatus.QUEUED, wake_at=None)


def wake(run_id: str, queue: str = "") -> bool:
    """A run that waits for people goes on now; False where it does not wait, or its room is still open."""
    waiting = Run.objects.filter(pk=run_id, status=RunStatus.WAITING, begun=True)
    if not waiting.update(status=RunStatus.QUEUED, wake_at=None):
        return False
    enqueue(run_id, queue or Run.objects.values_list("queue", flat=True).get(pk=run_id))
    return True
