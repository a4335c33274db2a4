"""Who a run waits for, how long, and what happens when the time is over: people, programs and models alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from agents_app.people import PeopleSettings
from agents_app.profile import Batch as BatchSettings
from agents_app.profile import Profile, read_profile
from games.core.game import Seat
from games.lab.wire.run import WaitedFor
from games.site.models import ACTIVE, Call, Decision, Letter, Participant, ParticipantState, Run, SeatKind, Step
from games.site.record import clock, selectors

TURNS_MAX: Final = 256
_turns: dict[str, tuple[int, tuple[Seat, ...]]] = {}
"""By run: its head, and who decides after that. What is stored of a run never changes, so it is read once."""


def waiting_for(run: Run, *, has_models: bool = True, missing: Sequence[Seat] | None = None) -> list[WaitedFor]:
    """Everybody who is asked and has not answered, in seat order; without models where who plays is not told.

    ``missing``: the people's seats among them, where whoever asks has read them already.
    """
    found = [*_people(run, missing_seats(run) if missing is None else missing), *(_models(run) if has_models else ())]
    return sorted(found, key=lambda one: one["seat"])


def missing_seats(run: Run) -> list[Seat]:
    """The seats whose holders are waited for, in seat order."""
    turn = run.open_turn
    if turn is None or turn["step"] != run.head + 1:
        return []
    moved = Decision.objects.filter(run=run, step=turn["step"], purpose="act").values_list("seat", flat=True)
    there = Participant.objects.filter(run=run, state=ParticipantState.PLAYING, seat__in=turn["seats"])
    return sorted(set(there.values_list("seat", flat=True)) - set(moved))


def left_of(turn: Mapping[str, Any]) -> float | None:
    """Seconds until an open turn's deadline; what a stopped clock shows; None where there is no deadline."""
    if not turn.get("deadline"):
        return turn.get("left_s")
    return max(0.0, (datetime.fromisoformat(turn["deadline"]) - clock.now()).total_seconds())


def thinking(run: Run) -> dict[Seat, float]:
    """Models that are being asked now, with the seconds since the last step was stored."""
    asked = {seat.index for seat in selectors.seats_of(run) if seat.kind == SeatKind.MODEL}
    if run.status not in ACTIVE or run.lease_until is None or run.head < 0 or not asked:
        return {}
    try:
        deciding = _deciding(run)
    except selectors.NotFound:  # its game is no longer there
        return {}
    answered = set(Decision.objects.filter(run=run, step=run.head + 1, purpose="act").values_list("seat", flat=True))
    began = Step.objects.values_list("created", flat=True).get(run=run, index=run.head)
    waited = round(max(0.0, (clock.now() - began).total_seconds()), 3)
    return {seat: waited for seat in deciding if seat in asked and seat not in answered}


@dataclass(frozen=True, slots=True)
class InBatch:
    """A model's calls that are asked through its vendor's batch interface and have no answer yet.

    ``calls``      how many
    ``since_s``    seconds since the first of them was posted
    ``left_s``     seconds until the deadline of its batch, when what that has not answered counts as timed out
    ``vendor_id``  what the vendor calls the batch; "" while the calls are gathered
    ``error``      why the last look at the batch told nothing
    """

    calls: int
    since_s: float
    left_s: float
    vendor_id: str
    error: str

    @property
    def stage(self) -> Literal["gathered", "sent"]:
        return "sent" if self.vendor_id else "gathered"


def in_batches(run: Run) -> dict[Seat, InBatch]:
    """By seat, the calls that wait for their batch. A run that stands still may have some: what is sent is sent."""
    if not any((seat.agent.get("profile") or {}).get("batch") is not None for seat in selectors.seats_of(run)):
        return {}
    found: dict[Seat, InBatch] = {}
    kept = ("seat", "posted", "profile", "batch__deadline", "batch__vendor_id", "batch__error")
    now = clock.now()
    for row in Letter.objects.filter(run=run, answer="").order_by("seat", "pk").values(*kept):
        if (first := found.get(row["seat"])) is not None:
            found[row["seat"]] = replace(first, calls=first.calls + 1)
            continue
        since, until = max(0.0, (now - row["posted"]).total_seconds()), row["batch__deadline"]
        if until is None:
            settings = BatchSettings.model_validate(row["profile"]["batch"])
            until = row["posted"] + timedelta(seconds=settings.gather_s + settings.deadline_s)
        left = max(0.0, (until - now).total_seconds())
        vendor_id, error = row["batch__vendor_id"] or "", row["batch__error"] or ""
        found[row["seat"]] = InBatch(1, round(since, 3), round(left, 3), vendor_id, error)
    return found


def asked_now(run: Run) -> list[tuple[Seat, str]]:
    """Models that are waited for, each with how far its batch is, if it is asked by one: what a page tells of them."""
    stages = {seat: one.stage for seat, one in _open_batches(run).items()}
    return [*stages.items(), *((seat, "") for seat in thinking(run) if seat not in stages)]


def _open_batches(run: Run) -> dict[Seat, InBatch]:
    return in_batches(run) if run.status in ACTIVE else {}


def _people(run: Run, seats: Sequence[Seat]) -> list[WaitedFor]:
    if not seats or run.open_turn is None:
        return []
    since = max(0.0, (clock.now() - datetime.fromisoformat(run.open_turn["opened"])).total_seconds())
    left = left_of(run.open_turn)
    then = PeopleSettings.model_validate(run.people).default
    return [
        {"seat": seat, "since_s": since, "left_s": left, "then": then, "loading": False, "batch": ""} for seat in seats
    ]


def _models(run: Run) -> list[WaitedFor]:
    batches = _open_batches(run)
    told: list[WaitedFor] = [
        {
            "seat": seat,
            "since_s": one.since_s,
            "left_s": one.left_s,
            "then": "default",
            "loading": False,
            "batch": one.stage,
        }
        for seat, one in batches.items()
    ]
    waits = {seat: since for seat, since in thinking(run).items() if seat not in batches}
    return told + _asked_one_by_one(run, waits) if waits else told


def _asked_one_by_one(run: Run, waits: Mapping[Seat, float]) -> list[WaitedFor]:
    profiles = {
        seat.index: read_profile(seat.agent.get("profile")) for seat in selectors.seats_of(run) if seat.index in waits
    }
    is_first = not Call.objects.filter(run=run).exists()
    return [
        {
            "seat": seat,
            "since_s": since,
            "left_s": max(0.0, profiles[seat].budget_s - since),
            "then": "default",
            "loading": is_first and _by_library(profiles[seat]),
            "batch": "",
        }
        for seat, since in waits.items()
    ]


def _by_library(profile: Profile) -> bool:
    """Whether its calls go through a vendors' library, which a worker loads at its first call."""
    return not profile.is_mock and not profile.base_url


def _deciding(run: Run) -> tuple[Seat, ...]:
    """The seats that decide after the last stored step."""
    head, seats = _turns.get(run.pk, (-1, ()))
    if head != run.head:
        play = selectors.playing(run)
        turn = play.game.turn(play.config, selectors.step(play, run.head).step.state)
        seats = () if turn is None else tuple(turn.seats)
        while len(_turns) >= TURNS_MAX:
            _turns.pop(next(iter(_turns)), None)
        _turns[run.pk] = (run.head, seats)
    return seats
