"""Who a run waits for, how long, and what happens when the time is over: people, programs and models alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from agents_app.people import PeopleSettings
from agents_app.profile import Profile, read_profile
from games.core.game import Seat
from games.models import ACTIVE, Call, Decision, Participant, ParticipantState, Run, SeatKind, Step
from games.record import clock, selectors
from games.wire.run import WaitedFor

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


def _people(run: Run, seats: Sequence[Seat]) -> list[WaitedFor]:
    if not seats or run.open_turn is None:
        return []
    since = max(0.0, (clock.now() - datetime.fromisoformat(run.open_turn["opened"])).total_seconds())
    left = left_of(run.open_turn)
    then = PeopleSettings.model_validate(run.people).default
    return [{"seat": seat, "since_s": since, "left_s": left, "then": then, "loading": False} for seat in seats]


def _models(run: Run) -> list[WaitedFor]:
    waits = thinking(run)
    if not waits:
        return []
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
