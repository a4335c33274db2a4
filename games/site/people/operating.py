"""What an operator does about the people of a run, by one name each: for the page, the API and the command line."""

from __future__ import annotations

from games.errors.requests import BadRequest
from games.site.people import joining
from games.site.people.seats import turn_advance, turn_extend


def people_act(
    *, run_id: str, action: str, seat: int | None = None, seconds: float = 60.0, participant: str | None = None
) -> None:
    """``start``, ``extend`` (seconds), ``advance``, ``relink`` (seat), ``recode``, ``remove`` (seat) or ``forget``
    (participant); raises `BadRequest`.
    """
    match action:
        case "start":
            if not joining.run_begin(run_id=run_id):
                raise BadRequest("wrong_status", "start: no waiting room is open; the match has begun", why="begun")
        case "extend":
            turn_extend(run_id=run_id, seconds=seconds)
        case "advance":
            turn_advance(run_id=run_id)
        case "relink":
            joining.seat_relink(run_id=run_id, seat=joining.person_seat(run_id, seat).index)
        case "recode":
            joining.run_recode(run_id=run_id)
        case "remove":
            held = joining.holder_in(run_id, joining.person_seat(run_id, seat).index)
            joining.participant_remove(participant=held)
        case "forget":
            joining.participant_forget(participant=joining.participant_in(run_id, participant or ""))
        case _:
            raise BadRequest("bad_action", f"action: {action!r}; there is none of that name", "action", why="unknown")
