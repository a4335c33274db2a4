"""The API's rooms for people: the door, the seat, and what an operator does for both."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router, Status
from ninja.security import APIKeyCookie, django_auth_is_staff

from agents_app.people import PeopleSettings
from games import selectors, sitting
from games.access import hold, holder_of
from games.doors import door_of, secret_new
from games.models import Participant
from games.peopleshapes import (
    HandOverIn,
    JoinedOut,
    JoinIn,
    JoinOut,
    LanguageIn,
    LanguageOut,
    MovedOut,
    MoveIn,
    PeopleIn,
    PlayOut,
    RunPeopleOut,
    SeatedOut,
    TabIn,
    TriedOut,
    TryIn,
)
from games.services import joining
from games.services.moves import move_submit, move_try, plan_halt
from games.services.people import people_act
from games.services.presence import Beat, beats_keep
from games.services.seats import seat_hand_over

router = Router()


class SameSite(APIKeyCookie):
    """Whoever comes from our own page: the request carries the page's CSRF token."""

    param_name = settings.CSRF_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> str | None:
        return key


same_site = SameSite()


# --- at the door ------------------------------------------------------------------------------------


@router.get("/join/{code}", response=JoinOut, url_name="join")
def join(request: HttpRequest, code: str) -> dict[str, Any]:
    """What somebody who has a code or a link is invited to."""
    return sitting.join_out(door_of(code))


@router.post("/join/{code}", response={201: JoinedOut}, auth=same_site, url_name="join_take")
def join_take(request: HttpRequest, code: str, body: JoinIn) -> Status[dict[str, Any]]:
    """Take a seat: the door is exchanged for this browser's session."""
    secret = secret_new()
    one = joining.participant_join(
        door=door_of(code), secret=secret, label=body.label, language=body.language, consent=body.consent
    )
    hold(request.session, one, secret)
    return Status(201, {"id": one.pk, "seat": one.seat, "address": f"/play/{one.pk}"})


# --- in the seat ------------------------------------------------------------------------------------


@router.get("/play/{participant}", response=PlayOut, by_alias=True, url_name="play")
def play(request: HttpRequest, participant: str, tab: str = "") -> dict[str, Any]:
    """The seat as its holder may see it."""
    return sitting.play_out(holder_of(request.session, participant), tab)


@router.post("/play/{participant}/start", response=PlayOut, by_alias=True, auth=same_site, url_name="play_start")
def start(request: HttpRequest, participant: str, body: TabIn) -> dict[str, Any]:
    """Ready: play, or wait for the others."""
    one = holder_of(request.session, participant)
    beats_keep([_beat(one, body)])
    joining.participant_start(participant=one)
    return sitting.play_out(holder_of(request.session, participant), body.tab)


@router.post("/play/{participant}/try", response=TriedOut, auth=same_site, url_name="play_try")
def try_(request: HttpRequest, participant: str, body: TryIn) -> dict[str, Any]:
    """What the rules would strike out of a move; nothing is kept."""
    one = holder_of(request.session, participant)
    return move_try(participant=one, step=body.step, raw={"action": body.action, "plan": body.plan})


@router.post("/play/{participant}/moves", response=MovedOut, auth=same_site, url_name="play_move")
def moves(request: HttpRequest, participant: str, body: MoveIn) -> dict[str, Any]:
    """Move. One move a turn; what is late, foreign or struck out is refused by name and not kept."""
    raw = {"action": body.action, "plan": body.plan, "pass": body.passes}
    one = holder_of(request.session, participant)
    return move_submit(participant=one, tab=body.tab, client_id=body.id, step=body.step, raw=raw)


@router.post("/play/{participant}/halt", response=SeatedOut, by_alias=True, auth=same_site, url_name="play_halt")
def halt(request: HttpRequest, participant: str, body: TabIn) -> dict[str, Any]:
    """End the standing plan: the seat is asked again, also where nobody waited for it."""
    plan_halt(participant=holder_of(request.session, participant), tab=body.tab)
    return _seated(request, participant, body.tab)


@router.post("/play/{participant}/beat", response=SeatedOut, by_alias=True, auth=same_site, url_name="play_beat")
def beat(request: HttpRequest, participant: str, body: TabIn) -> dict[str, Any]:
    """A sign of life, where there is no socket."""
    beats_keep([_beat(holder_of(request.session, participant), body)])
    return _seated(request, participant, body.tab)


@router.post("/play/{participant}/take", response=PlayOut, by_alias=True, auth=same_site, url_name="play_take")
def take(request: HttpRequest, participant: str, body: TabIn) -> dict[str, Any]:
    """Move from this tab; the other one only watches."""
    joining.participant_take(participant=holder_of(request.session, participant), tab=body.tab)
    return sitting.play_out(holder_of(request.session, participant), body.tab)


@router.post("/play/{participant}/leave", response=PlayOut, by_alias=True, auth=same_site, url_name="play_leave")
def leave(request: HttpRequest, participant: str) -> dict[str, Any]:
    """Leave for good; the substitute plays on."""
    joining.participant_leave(participant=holder_of(request.session, participant))
    return sitting.play_out(holder_of(request.session, participant), "")


@router.post("/play/{participant}/language", response=LanguageOut, auth=same_site, url_name="play_language")
def language(request: HttpRequest, participant: str, body: LanguageIn) -> dict[str, Any]:
    """The language of the page."""
    one = holder_of(request.session, participant)
    joining.participant_language(participant=one, language=body.language)
    return {"language": body.language}


def _seated(request: HttpRequest, participant: str, tab: str) -> dict[str, Any]:
    one = holder_of(request.session, participant)
    return sitting.seat_messages(selectors.run_get(one.run_id), [(one.pk, tab)])[one.pk, tab]


def _beat(one: Participant, body: TabIn) -> Beat:
    return Beat.now(one.pk, body.tab, body.active)


# --- for operators ----------------------------------------------------------------------------------


@router.get("/people/settings", response=dict[str, Any], url_name="people_settings")
def people_settings(request: HttpRequest) -> dict[str, Any]:
    """JSON Schema of the terms under which people play."""
    return PeopleSettings.model_json_schema()


@router.get("/runs/{run_id}/people", response=RunPeopleOut, auth=django_auth_is_staff, url_name="people")
def people(request: HttpRequest, run_id: str) -> dict[str, Any]:
    """The people of a run: doors, seats, presence, what is waited for."""
    return sitting.people_out(selectors.run_get(run_id))


@router.post("/runs/{run_id}/people", response=RunPeopleOut, auth=django_auth_is_staff, url_name="people_act")
def people_do(request: HttpRequest, run_id: str, body: PeopleIn) -> dict[str, Any]:
    """Begin, extend, advance the slowest, renew a link or the code, take a seat away, forget who somebody was."""
    selectors.run_get(run_id)
    people_act(run_id=run_id, action=body.action, seat=body.seat, seconds=body.seconds, participant=body.participant)
    return sitting.people_out(selectors.run_get(run_id))


@router.get("/runs/{run_id}/participants.csv", auth=django_auth_is_staff, url_name="participants")
def participants(request: HttpRequest, run_id: str, labels: bool = False) -> HttpResponse:
    """Who took part, a line each; names and labels only with `labels=true`."""
    text = sitting.participants_csv(selectors.run_get(run_id), labels=labels)
    answer = HttpResponse(text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="participants-{run_id}.csv"'
    return answer


@router.post("/runs/{run_id}/seats/{seat}", response=RunPeopleOut, auth=django_auth_is_staff, url_name="hand_over")
def hand_over(request: HttpRequest, run_id: str, seat: int, body: HandOverIn) -> dict[str, Any]:
    """Seat another agent, of any kind, from the next step on."""
    seat_hand_over(run_id=run_id, seat=seat, agent=body.agent)
    return sitting.people_out(selectors.run_get(run_id))
