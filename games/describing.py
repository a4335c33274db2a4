"""A run in words and figures beside its frames: who sits in it, how it stands, who is waited for, what befell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from games.audience import Sight, Viewer, sight
from games.core.game import All
from games.lab.naming import agent_label
from games.models import ENDED, Decision, Notice, Participant, ParticipantState, Run, Seat, SeatKind
from games.selectors import NotFound, Playing, playing, seats_of

NOTICES_MAX = 100


def run_list(runs: Iterable[Run], viewer: Viewer) -> list[dict[str, Any]]:
    """Runs as one viewer may see them."""
    return [run_meta(run, sight(run, viewer), control=viewer.operator) for run in runs]


def run_meta(run: Run, seen: Sight, *, control: bool = False) -> dict[str, Any]:
    """What a page says of a run beside its frames. Settings, which may tell when it ends, are for omniscient eyes."""
    everything = isinstance(seen.eyes, All)
    # Where people play, nobody who may be one of them learns what plays in the other seats before the end.
    is_blind = not everything and bool(run.people) and run.status not in ENDED
    seats, play = seats_of(run), _known(run)
    return {
        "id": run.pk,
        "game": run.game,
        "scenario": {"name": run.scenario.name, "title": run.scenario.title},
        "condition": run.condition,
        "replicate": run.replicate,
        "seed": _seed(run, control),
        "status": run.status,
        "head": seen.head(run),
        "horizon": play.game.horizon(play.config) if everything and play else None,
        "pace": run.pace,
        "seats": [
            {
                "seat": seat.index,
                "name": seat.name,
                "role": seat.role,
                "kind": seat.kind,
                "agent": "" if is_blind else _label(play, seat),
            }
            for seat in seats
        ],
        "config": run.config if everything else None,
        "rules_version": run.rules_version,
        "audience": run.audience or {"kind": "omniscient"},
        "error": run.error or None,
        "can": {"control": control},
        "waiting_for": _waiting_for(run),
        "people": _people(run),
        "notices": notices(run),
        "created": run.created.isoformat(),
        "ended": run.ended.isoformat() if run.ended else None,
        "cost_usd": float(run.cost_usd) if any(seat.kind == SeatKind.MODEL for seat in seats) else None,
        "limits": run.limits,
        "parent": run.parent_id,
        "fork_at": run.fork_at,
    }


def _seed(run: Run, control: bool) -> int | str | None:
    """From the seed everybody's chances follow: while people play it is for operators alone."""
    if run.people and run.status not in ENDED and not control:
        return None
    return str(run.seed) if run.seed > 2**53 else run.seed


def notices(run: Run) -> list[dict[str, Any]]:
    """What befell the run from outside its rules, the latest hundred, oldest first."""
    if not run.notices_head:
        return []
    rows = Notice.objects.filter(run=run, number__gt=run.notices_head - NOTICES_MAX).order_by("number")
    return [
        {
            "n": row.number,
            "step": row.step,
            "kind": row.kind,
            "seat": row.seat,
            "data": row.data,
            "at": row.created.isoformat(),
        }
        for row in rows
    ]


def _people(run: Run) -> dict[str, Any] | None:
    """How many seats are people's, whose holder is there, and can still be taken; whether the match has begun."""
    if not run.people:
        return None
    seats = [seat for seat in seats_of(run) if seat.kind == SeatKind.PERSON]
    held = Participant.objects.filter(run=run)
    came = set(held.values_list("seat", "link"))
    ready = held.filter(state__in=(ParticipantState.READY, ParticipantState.PLAYING)).count()
    free = sum(1 for seat in seats if (seat.index, seat.link) not in came) if run.status not in ENDED else 0
    return {"of": len(seats), "ready": ready, "open": free, "begun": run.begun}


def missing_seats(run: Run) -> list[int]:
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
    return max(0.0, (datetime.fromisoformat(turn["deadline"]) - timezone.now()).total_seconds())


def _waiting_for(run: Run) -> list[dict[str, Any]]:
    seats = missing_seats(run)
    if not seats or run.open_turn is None:
        return []
    since = (timezone.now() - datetime.fromisoformat(run.open_turn["opened"])).total_seconds()
    left = left_of(run.open_turn)
    return [{"seat": seat, "since_s": max(0.0, since), "left_s": left} for seat in seats]


def labels_of(run: Run) -> dict[int, str]:
    """Who sits in each seat, in a word or two; a game may have better words for its policies than their parameters."""
    play = _known(run)
    return {seat.index: _label(play, seat) for seat in seats_of(run)}


def _label(play: Playing | None, seat: Seat) -> str:
    return agent_label(play.pack if play else None, play.config if play else None, seat.agent)


def _known(run: Run) -> Playing | None:
    """The run with its game, where that is still there."""
    try:
        return playing(run)
    except NotFound:
        return None
