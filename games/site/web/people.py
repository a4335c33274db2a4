"""The API's rooms for people: the door, the seat, and what an operator does for both."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router, Status
from ninja.security import APIKeyCookie

from agents_app.people import PeopleSettings
from agents_app.profile import Language
from games.lab.wire.seat import SeatMessage, SeatPage, SeatPrompt, StoredMove
from games.site.accounts.trail import note
from games.site.audience import Forbidden
from games.site.models import Participant
from games.site.people import joining, seat_page
from games.site.people.invites import invite_of, secret_new
from games.site.people.moves import move_submit, move_try, plan_halt
from games.site.people.operating import people_act
from games.site.people.presence import Beat, beats_keep
from games.site.people.seats import seat_hand_over
from games.site.record import selectors
from games.site.runs import visiting
from games.site.web.access import holder_of, remember_seat, rename_session
from games.site.web.holders import experimenters
from games.site.web.peers import address_of_request, is_own
from games.site.web.peopleshapes import (
    DoorOut,
    HandOverIn,
    JoinedOut,
    JoinIn,
    JoinOut,
    LanguageIn,
    LanguageOut,
    MoveIn,
    PeopleIn,
    RunPeopleOut,
    TabIn,
    TriedOut,
    TryIn,
)
from games.site.web.rates import buckets

router = Router()


class SameSite(APIKeyCookie):
    """Whoever comes from our own page, and carries its CSRF token, or by a token that no browser adds by itself."""

    param_name = settings.CSRF_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> str | None:
        return key or getattr(request, "bearer", None)


same_site = SameSite()


# --- at the door ------------------------------------------------------------------------------------


@router.get("/join/{code}", response=JoinOut, url_name="join")
def join(request: HttpRequest, code: str) -> dict[str, Any]:
    """What somebody who has a code or a link is invited to."""
    return seat_page.join_out(invite_of(code))


@router.post("/join/{code}", response={201: JoinedOut}, auth=same_site, url_name="join_take")
def join_take(request: HttpRequest, code: str, body: JoinIn) -> Status[dict[str, Any]]:
    """Take a seat: the door is exchanged for this browser's session."""
    secret = secret_new()
    one = joining.participant_join(
        door=invite_of(code), secret=secret, label=body.label, language=body.language, consent=body.consent
    )
    rename_session(request.session)
    remember_seat(request.session, one, secret)
    return Status(201, {"id": one.pk, "seat": one.seat, "address": f"/play/{one.pk}"})


@router.post("/games/{slug}/play", response={201: DoorOut}, auth=same_site, url_name="game_play")
def play_now(request: HttpRequest, slug: str) -> Status[dict[str, Any]]:
    """Begin a match against policies, for whoever asks; its address leads to the door of the free seat."""
    address = address_of_request(request)
    if not is_own(address) and visiting.visits_under_way(buckets.visits(address)) >= visiting.OF_ONE:
        told = f"{visiting.OF_ONE} matches from your address are under way; play one to its end, or come again"
        raise Forbidden("visitors_many", told, why="address", most=visiting.OF_ONE)
    run = visiting.visit_begin(game=slug)
    buckets.visited(address, run.pk)
    return Status(201, {"address": f"/join/{run.code}"})


# --- in the seat ------------------------------------------------------------------------------------


@router.get("/play/{participant}", response=SeatPage, url_name="play")
def play(request: HttpRequest, participant: str, tab: str = "") -> SeatPage:
    """The seat as its holder may see it."""
    return seat_page.play_out(holder_of(request.session, participant), tab)


@router.get("/play/{participant}/prompt", response=SeatPrompt, url_name="play_prompt")
def prompt(request: HttpRequest, participant: str, language: Language = "en") -> SeatPrompt:
    """The open turn as a model in this seat would be told it, in a language."""
    return seat_page.prompt_out(holder_of(request.session, participant), language)


@router.post("/play/{participant}/start", response=SeatPage, auth=same_site, url_name="play_start")
def start(request: HttpRequest, participant: str, body: TabIn) -> SeatPage:
    """Ready: play, or wait for the others."""
    one = holder_of(request.session, participant)
    beats_keep([_beat(one, body)])
    joining.participant_start(participant=one)
    return seat_page.play_out(holder_of(request.session, participant), body.tab)


@router.post("/play/{participant}/try", response=TriedOut, auth=same_site, url_name="play_try")
def try_(request: HttpRequest, participant: str, body: TryIn) -> dict[str, Any]:
    """What the rules would strike out of a move; nothing is kept."""
    one = holder_of(request.session, participant)
    return move_try(participant=one, step=body.step, raw={"action": body.action, "plan": body.plan})


@router.post("/play/{participant}/moves", response=StoredMove, auth=same_site, url_name="play_move")
def moves(request: HttpRequest, participant: str, body: MoveIn) -> StoredMove:
    """Move. One move a turn; what is late, foreign or struck out is refused by name and not kept."""
    raw = {"action": body.action, "plan": body.plan, "pass": body.passes}
    one = holder_of(request.session, participant)
    return move_submit(participant=one, tab=body.tab, client_id=body.id, step=body.step, raw=raw)


@router.post("/play/{participant}/halt", response=SeatMessage, auth=same_site, url_name="play_halt")
def halt(request: HttpRequest, participant: str, body: TabIn) -> SeatMessage:
    """End the standing plan: the seat is asked again, also where nobody waited for it."""
    plan_halt(participant=holder_of(request.session, participant), tab=body.tab)
    return _seated(request, participant, body.tab)


@router.post("/play/{participant}/beat", response=SeatMessage, auth=same_site, url_name="play_beat")
def beat(request: HttpRequest, participant: str, body: TabIn) -> SeatMessage:
    """A sign of life, where there is no socket."""
    beats_keep([_beat(holder_of(request.session, participant), body)])
    return _seated(request, participant, body.tab)


@router.post("/play/{participant}/take", response=SeatPage, auth=same_site, url_name="play_take")
def take(request: HttpRequest, participant: str, body: TabIn) -> SeatPage:
    """Move from this tab; the other one only watches."""
    joining.participant_take(participant=holder_of(request.session, participant), tab=body.tab)
    return seat_page.play_out(holder_of(request.session, participant), body.tab)


@router.post("/play/{participant}/leave", response=SeatPage, auth=same_site, url_name="play_leave")
def leave(request: HttpRequest, participant: str) -> SeatPage:
    """Leave for good; the substitute plays on."""
    joining.participant_leave(participant=holder_of(request.session, participant))
    return seat_page.play_out(holder_of(request.session, participant), "")


@router.post("/play/{participant}/language", response=LanguageOut, auth=same_site, url_name="play_language")
def language(request: HttpRequest, participant: str, body: LanguageIn) -> dict[str, Any]:
    """The language of the page."""
    one = holder_of(request.session, participant)
    joining.participant_language(participant=one, language=body.language)
    return {"language": body.language}


def _seated(request: HttpRequest, participant: str, tab: str) -> SeatMessage:
    one = holder_of(request.session, participant)
    return seat_page.seat_messages(selectors.run_get(one.run_id), [(one.pk, tab)])[one.pk, tab]


def _beat(one: Participant, body: TabIn) -> Beat:
    return Beat.now(one.pk, body.tab, body.active)


# --- for operators ----------------------------------------------------------------------------------


@router.get("/people/settings", response=dict[str, Any], url_name="people_settings")
def people_settings(request: HttpRequest) -> dict[str, Any]:
    """JSON Schema of the terms under which people play."""
    return PeopleSettings.model_json_schema()


@router.get("/runs/{run_id}/people", response=RunPeopleOut, auth=experimenters, url_name="people")
def people(request: HttpRequest, run_id: str) -> dict[str, Any]:
    """The people of a run: doors, seats, presence, what is waited for."""
    return seat_page.people_out(selectors.run_get(run_id))


@router.post("/runs/{run_id}/people", response=RunPeopleOut, auth=experimenters, url_name="people_act")
def people_do(request: HttpRequest, run_id: str, body: PeopleIn) -> dict[str, Any]:
    """Begin, extend, advance the slowest, renew a link or the code, take a seat away, forget who somebody was."""
    selectors.run_get(run_id)
    people_act(run_id=run_id, action=body.action, seat=body.seat, seconds=body.seconds, participant=body.participant)
    note(request, f"people_{body.action}", f"run {run_id}", seat=body.seat, participant=body.participant)
    return seat_page.people_out(selectors.run_get(run_id))


@router.get("/runs/{run_id}/participants.csv", auth=experimenters, url_name="participants")
def participants(request: HttpRequest, run_id: str, labels: bool = False) -> HttpResponse:
    """Who took part, a line each; names and labels only with `labels=true`."""
    text = seat_page.participants_csv(selectors.run_get(run_id), labels=labels)
    note(request, "labels_read" if labels else "participants_read", f"run {run_id}")
    answer = HttpResponse(text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="participants-{run_id}.csv"'
    return answer


@router.post("/runs/{run_id}/seats/{seat}", response=RunPeopleOut, auth=experimenters, url_name="hand_over")
def hand_over(request: HttpRequest, run_id: str, seat: int, body: HandOverIn) -> dict[str, Any]:
    """Seat another agent, of any kind, from the next step on."""
    seat_hand_over(run_id=run_id, seat=seat, agent=body.agent, audience=body.audience)
    note(request, "handed_over", f"run {run_id}", seat=seat)
    return seat_page.people_out(selectors.run_get(run_id))
