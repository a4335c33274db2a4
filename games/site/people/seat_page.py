"""All that a seat's page is told, beside the frames: who holds it, who else is there, the turn, the result."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from agents_app.people import LABEL_MAX, PeopleSettings
from agents_app.profile import Language
from games.core.game import IDLE, PASSED, All
from games.lab.wire.frames import FRAMES_MAX
from games.lab.wire.seat import SeatMessage, SeatPage, SeatPrompt, SeatResult, SeatState, WaitingRoom
from games.site.audience import PRIVATE, Sight, is_blind, seat_sight
from games.site.drive.person_seats import SUBSTITUTE, TIMED_OUT
from games.site.models import ENDED, HOLDING, JOINED, Decision, Participant, ParticipantState, Run, Seat, SeatKind
from games.site.people.invites import Invite, is_free, link_of
from games.site.people.open_turn import open_requests, prompted, turn_out
from games.site.people.presence import holds, presence_of
from games.site.people.telling import board_of, rules_of
from games.site.record import clock, selectors, summary, waiting
from games.site.record.decisions import flags_of

ENDED_FOR: Mapping[str, SeatState] = {ParticipantState.LEFT: "left", ParticipantState.REMOVED: "removed"}


# --- at the door ------------------------------------------------------------------------------------


def join_out(door: Invite) -> dict[str, Any]:
    """What somebody at the door is told: the match, its terms, how many seats are free."""
    run = door.run
    terms = PeopleSettings.model_validate(run.people)
    seats = list(Seat.objects.filter(run=run, kind=SeatKind.PERSON).order_by("index"))
    substitutes = {seat.agent["substitute"]["policy"] for seat in seats}
    free = sum(1 for seat in seats if is_free(seat))
    room = room_of(run, list(Participant.objects.filter(run=run)))
    is_own = door.seat is not None
    shown = door.seat.index if door.seat is not None else seats[0].index if seats else 0
    return {
        "code": door.code,
        "run": {
            "id": run.pk,
            "game": run.game,
            "status": run.status,
        },
        "rules": rules_of(run, shown, is_own),
        "board": board_of(run.pk, shown, is_own),
        "seat": door.seat.index if door.seat is not None else None,
        "seat_name": door.seat.name if door.seat is not None else None,
        "seats": {"taken": 0, "of": 0} if terms.blind else {"taken": len(seats) - free, "of": len(seats)},
        "free": (free > 0) if door.seat is None else is_free(door.seat),
        "room": {**room, "ready": 0, "of": 0} if terms.blind else room,
        "consent": terms.consent or {},
        "leaving": {
            "deadline_s": None if terms.is_ticking else terms.turn_s,
            "tick_s": terms.tick_s,
            "grace_s": terms.grace_s,
            "substitute": ", ".join(sorted(substitutes)),
            "default": terms.default,
        },
        "label": {"required": terms.label_required, "limited": terms.labels is not None, "max": LABEL_MAX},
        "over": run.status in ENDED,
    }


def room_of(run: Run, people: Sequence[Participant]) -> WaitingRoom:
    """The waiting room: how many are ready of how many, and the seconds until it closes by itself."""
    seats = [seat.index for seat in selectors.seats_of(run) if seat.kind in JOINED]
    ready = [one for one in people if one.state in HOLDING and one.state != ParticipantState.ROOM]
    waits = not run.begun and run.wake_at is not None
    left = max(0.0, (run.wake_at - clock.now()).total_seconds()) if waits and run.wake_at else None
    return {"ready": len(ready), "of": len(seats), "starts_in_s": left, "begun": run.begun}


# --- in the seat ------------------------------------------------------------------------------------


def state_of(run: Run, one: Participant) -> SeatState:
    """room, playing, substituted, left, removed or ended."""
    if one.state in ENDED_FOR:
        return ENDED_FOR[ParticipantState(one.state)]
    if run.status in ENDED:
        return "ended"
    if one.state in (ParticipantState.ROOM, ParticipantState.READY):
        return "room"
    return cast(SeatState, str(one.state))


def seat_messages(
    run: Run, holders: Sequence[tuple[str, str]], company: summary.Company | None = None
) -> dict[tuple[str, str], SeatMessage]:
    """What the page of each (participant, tab) is told now; what all of a run share is read once."""
    company = company or summary.Company.of(run)
    people = company.people
    rows = {one.pk: one for one in people}
    presence, room = presence_of(run, people), room_of(run, people)
    blind = is_blind(run)
    playing = [one for one in people if one.state == ParticipantState.PLAYING]
    asked = open_requests(selectors.playing(run), playing) if playing else {}
    moves = company.moves
    told: dict[tuple[str, str], SeatMessage] = {}
    for pk, tab in holders:
        one = rows.get(pk)
        if one is None:
            continue
        turn = turn_out(asked[one.seat], run, one, moves) if one.seat in asked else None
        told[pk, tab] = {
            "state": state_of(run, one),
            "ready": one.state != ParticipantState.ROOM,
            "holds": holds(one, tab),
            "presence": [row for row in presence if row["seat"] == one.seat] if blind else presence,
            "room": {**room, "ready": 0, "of": 0} if blind else room,
            "turn": turn,
            "said": _said(one),
        }
    return told


def _said(one: Participant) -> dict[str, str]:
    """What the operator says to them now, by language; empty where nothing."""
    return dict(one.member.told.get("text") or {}) if one.member is not None else {}


def play_out(one: Participant, tab: str) -> SeatPage:
    """The whole page of a seat, as it is loaded."""
    run = selectors.run_get(one.run_id)
    terms = PeopleSettings.model_validate(run.people)
    seen = seat_sight(run, one.seat)
    is_over = run.status in ENDED
    seat = selectors.seats_of(run)[one.seat]
    return {
        "id": one.pk,
        "seat": one.seat,
        "name": seat.name,
        "label": one.label,
        "language": one.language,
        "substitute": (seat.agent.get("substitute") or {}).get("policy", ""),
        **seat_messages(run, [(one.pk, tab)])[one.pk, tab],
        "shows": terms.shows,
        "prompt_s": terms.prompt_s,
        "next": f"/me/{one.member_id}" if one.member_id else None,
        "rules": rules_of(run, one.seat),
        "run": summary.run_summary(run, seen),
        "frame": selectors.snapshot(selectors.playing(run), seen),
        "result": _result(run, one) if is_over else None,
        "completion": {"code": terms.completion_code, "url": terms.completion_url} if is_over else None,
    }


def prompt_out(one: Participant, language: Language) -> SeatPrompt:
    """The seat's open turn in the words of the game's prompts."""
    asked = None
    if one.state == ParticipantState.PLAYING:
        asked = open_requests(selectors.playing(selectors.run_get(one.run_id)), [one]).get(one.seat)
    if asked is None:
        return {"step": None, "left_s": None, "system": "", "round": "", "schema": {}, "plan_schema": None}
    return prompted(asked, language)


def _result(run: Run, one: Participant) -> SeatResult:
    """What the seat has gained in all; its rank only where spectators may see everybody's now."""
    totals = dict(_totals(run.pk, run.head))
    own = totals.get(one.seat)
    is_open = (run.audience or {}).get("kind", "omniscient") not in ("public", PRIVATE)
    rank = 1 + sum(1 for gained in totals.values() if own is not None and gained > own) if is_open else None
    counts = counts_of(run, list(Participant.objects.filter(run=run, seat=one.seat)))[one.pk]
    return {
        "payoff": own,
        "rank": rank if own is not None else None,
        "of": run.seats.count(),
        "substituted": counts["substituted"],
    }


@lru_cache(maxsize=256)
def _totals(run_id: str, head: int) -> tuple[tuple[int, float], ...]:
    """Payoffs of an ended run by seat, in all."""
    play, everything = selectors.playing(selectors.run_get(run_id)), Sight(All())
    totals: dict[int, float] = {}
    for after in range(-1, head, FRAMES_MAX):
        for brief in selectors.briefs(play, everything, after):
            for seat, gained in brief["payoffs"]:
                totals[seat] = totals.get(seat, 0) + gained
    return tuple(sorted(totals.items()))


# --- for the operator -------------------------------------------------------------------------------


def people_out(run: Run) -> dict[str, Any]:
    """The people of a run: doors, who sits where, how they are, what is waited for."""
    people = list(Participant.objects.filter(run=run).order_by("joined"))
    presence = {entry["seat"]: entry for entry in presence_of(run, people)}
    latest = {one.seat: one for one in people}
    labels = summary.labels_of(run)
    counts = counts_of(run, people)

    def participant(seat: int) -> dict[str, Any] | None:
        one = latest.get(seat)
        return {**_participant(one), **counts[one.pk]} if one is not None else None

    return {
        "settings": run.people or None,
        "begun": run.begun,
        "code": {"code": run.code, "address": f"/join/{run.code}"} if run.code else None,
        "seats": [
            {
                "seat": seat.index,
                "name": seat.name,
                "kind": seat.kind,
                "agent": labels[seat.index],
                "link": f"/join/{link_of(seat)}" if seat.kind in JOINED else None,
                "presence": presence.get(seat.index),
                "participant": participant(seat.index),
            }
            for seat in selectors.seats_of(run)
        ],
        "open": _open(run),
    }


def _open(run: Run) -> dict[str, Any] | None:
    """The turn that is open, its clock, and who is waited for."""
    turn = run.open_turn
    if turn is None or turn["step"] != run.head + 1:
        return None
    return {"step": turn["step"], "left_s": waiting.left_of(turn), "missing": waiting.missing_seats(run)}


def _participant(one: Participant) -> dict[str, Any]:
    return {
        "id": one.pk,
        "label": one.label,
        "language": one.language,
        "state": one.state,
        "joined": one.joined.isoformat(),
        "last_seen_s": max(0.0, (clock.now() - one.seen).total_seconds()),
        "consent_at": one.consent_at.isoformat() if one.consent_at else None,
    }


COUNTED = ("moves", "passed", "timed_out", "substituted")


def counts_of(run: Run, people: Sequence[Participant]) -> dict[str, dict[str, int]]:
    """How often the seat of each of them moved, passed, let the time run out, or was played by the substitute.

    ``people``: all who ever held a seat of the run. An answer counts for whoever joined its seat last before it.
    """
    return counts_of_many([one for one in people if one.run_id == run.pk])


def counts_of_many(people: Sequence[Participant]) -> dict[str, dict[str, int]]:
    """As `counts_of`, of those who sit in several runs, in one query."""
    counts = {one.pk: dict.fromkeys(COUNTED, 0) for one in people}
    held: dict[tuple[str, int], list[Participant]] = defaultdict(list)
    for one in people:
        held[one.run_id, one.seat].append(one)
    rows = Decision.objects.filter(
        run__in={one.run_id for one in people}, seat__in={one.seat for one in people}, purpose="act"
    )
    told = rows.values_list("run", "seat", "created", "client_id", "answer") if people else ()
    for run, seat, created, client_id, answer in told:
        came = [one for one in held[run, seat] if one.joined <= created]
        what = _counted(bool(client_id), flags_of(answer))
        if came and what is not None:
            counts[max(came, key=lambda one: one.joined).pk][what] += 1
    return counts


def _counted(is_own: bool, flags: tuple[str, ...]) -> str | None:
    """What an answer counts as; None where a standing plan went on, or another kind of agent answered."""
    if is_own:
        return "passed" if PASSED in flags else "moves"
    if SUBSTITUTE in flags:
        return "substituted"
    return "timed_out" if TIMED_OUT in flags or IDLE in flags else None


COLUMNS = (
    "run",
    "seat",
    "name",
    "participant",
    "label",
    "language",
    "state",
    "joined",
    "consent_at",
    "ended",
    *COUNTED,
)


def participants_csv(run: Run, *, labels: bool) -> str:
    """Who took part, a line each; a label is a name and is left out unless it is asked for."""
    text = io.StringIO()
    columns = [name for name in COLUMNS if labels or name != "label"]
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(participants_table(run, labels=labels))
    return text.getvalue()


def participants_table(run: Run, *, labels: bool) -> list[dict[str, Any]]:
    """Who took part, a row each."""
    names = {seat.index: seat.name for seat in selectors.seats_of(run)}
    people = list(Participant.objects.filter(run=run).order_by("seat", "joined"))
    counts = counts_of(run, people)
    rows = []
    for one in people:
        row = {
            "run": run.pk,
            "seat": one.seat,
            "name": names[one.seat],
            "participant": one.pk,
            "language": one.language,
            "state": one.state,
            "joined": one.joined.isoformat(),
            "consent_at": one.consent_at.isoformat() if one.consent_at else "",
            "ended": one.ended.isoformat() if one.ended else "",
            **counts[one.pk],
        }
        rows.append({**row, "label": _harmless(one.label)} if labels else row)
    return rows


def _harmless(label: str) -> str:
    """A label that no spreadsheet takes for a formula."""
    return f"'{label}" if label.startswith(("=", "+", "-", "@")) else label
