"""Thirty ways to come by another's place, in a match and in a study: each is refused, and nothing of it moves."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import Group, User
from django.core import signing
from django.test import Client

from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Decision, Member, Participant, Run, Session
from games.site.runs.creating import run_create
from simsite.asgi import application
from tests.games.persons import Person

pytestmark = pytest.mark.django_db(transaction=True)
COOKIE = "polity_session"


@dataclass
class World:
    """Ann's seat in a match and her place in a study; who wants both has seen every address that others see."""

    run: Run
    ann: Person
    bob: Person
    place: str
    session: Session
    member: Member
    phone: Client

    @property
    def secrets(self) -> tuple[str, ...]:
        return (self.place.rpartition("/")[2],)


@pytest.fixture
def world(session: Session) -> World:
    seats = read_seats({"seats": {"0": {"person": True}, "1": {"person": True}}}, "test")
    run = run_create(scenario=load("dilemma/demo", extra=[Layer("test", {"rounds": 3}, seats)]))
    ann, bob = Person(), Person()
    for person in (ann, bob):
        assert person.joins(run.code).status_code == 201
        person.starts()
    conduct(run.pk, "live")
    phone = Client()
    place = phone.post(f"/s/{session.code}?PROLIFIC_PID=ann", {"lang": "en"})["Location"]
    return World(run, ann, bob, place, session, Member.objects.get(label="ann"), phone)


def api(way: str, body: Any = None) -> Callable[[World, Client], Any]:
    """A request of the API by somebody with a session of their own; GET where there is no body."""

    def ask(world: World, who: Client) -> Any:
        path = f"/api/v1/play/{world.ann.id}{way}"
        return who.get(path) if body is None else who.post(path, json.dumps(body), content_type="application/json")

    return ask


MOVE = {"id": "stolen", "tab": "tab-one", "step": 1, "action": "D"}


def with_cookie(value: Callable[[World], str]) -> Callable[[World, Client], Any]:
    def ask(world: World, who: Client) -> Any:
        who.cookies[COOKIE] = value(world)
        return api("/moves", MOVE)(world, who)

    return ask


def bearing(value: Callable[[World], str]) -> Callable[[World, Client], Any]:
    def ask(world: World, who: Client) -> Any:
        headers = {"Authorization": f"Bearer {value(world)}"}
        body = json.dumps(MOVE)
        return who.post(f"/api/v1/play/{world.ann.id}/moves", body, content_type="application/json", headers=headers)

    return ask


def across(world: World, who: Client) -> Any:
    """Her own browser, led by another site's page."""
    led = Client(enforce_csrf_checks=True)
    led.cookies = world.ann.client.cookies
    headers = {"Origin": "https://evil.example", "Referer": "https://evil.example/"}
    path = f"/api/v1/play/{world.ann.id}/moves"
    return led.post(path, json.dumps(MOVE), content_type="application/json", headers=headers)


def other_seat(world: World, who: Client) -> Any:
    """The other player of the match, by her participant's id."""
    return api("/moves", MOVE)(world, world.bob.client)


def joined_again(world: World, who: Client) -> Any:
    who.get(f"/join/{world.run.code}")
    body = json.dumps({"consent": True, "seat": world.ann.seat})
    return who.post(f"/api/v1/join/{world.run.code}", body, content_type="application/json")


def program(world: World, who: Client) -> Any:
    body = json.dumps({"consent": True, "seat": world.ann.seat})
    return who.post(f"/api/v1/join/{world.run.code}/token", body, content_type="application/json")


def by_key(world: World, who: Client) -> Any:
    """An experimenter who runs other matches hands the seat to nobody without the right."""
    user = User.objects.create_user("viewer")
    user.groups.set(Group.objects.filter(name="viewer"))
    who.force_login(user)
    path = f"/api/v1/runs/{world.run.pk}/seats/{world.ann.seat}"
    return who.post(path, json.dumps({"policy": "AllD"}), content_type="application/json")


def labelled(label: str, **sent: str) -> Callable[[World, Client], Any]:
    def ask(world: World, who: Client) -> Any:
        path = f"/s/{world.session.code}?PROLIFIC_PID={label}"
        return who.post(path, sent) if sent else who.get(path)

    return ask


def addressed(name: Callable[[World], Any]) -> Callable[[World, Client], Any]:
    return lambda world, who: who.get(f"/me/{name(world)}")


def ticket(world: World, who: Client) -> Any:
    """Signed by another key: cookies that this site never gave."""
    who.cookies[COOKIE] = signing.dumps({"members": {str(world.member.pk): "x"}}, key="another key")
    return labelled("ann")(world, who)


def led_page(world: World, who: Client) -> Any:
    return who.post(f"/sessions/{world.session.pk}", {"do": "admit", "member": world.member.pk, "text": "AAAA"})


ANOTHER = "her panel's id, written otherwise"
"""That is somebody else's, who gets a place of their own."""
WAYS: dict[str, Callable[[World, Client], Any]] = {
    "her page, by its address": lambda world, who: who.get(f"/api/v1/play/{world.ann.id}"),
    "her prompt": api("/prompt"),
    "her turn, as a program": api("/turn"),
    "a start in her name": api("/start", {"tab": "mine"}),
    "a move in her name": api("/moves", MOVE),
    "a trial in her name": api("/try", {"step": 1, "action": "D"}),
    "an end of her plan": api("/halt", {"tab": "tab-one"}),
    "a sign of life in her name": api("/beat", {"tab": "tab-one", "active": True}),
    "another tab that takes her seat": api("/take", {"tab": "mine"}),
    "a leave in her name": api("/leave", {}),
    "another language for her": api("/language", {"language": "zh"}),
    "an empty session": with_cookie(lambda _: ""),
    "a session's name that nobody has": with_cookie(lambda _: "a" * 32),
    "her participant's id as a session": with_cookie(lambda world: world.ann.id),
    "her participant's id as a token": bearing(lambda world: world.ann.id),
    "the door's code as a token": bearing(lambda world: str(world.run.code)),
    "a token of the right form": bearing(lambda _: "ps_" + "a" * 32),
    "her browser, led by another site": across,
    "the other player of the match": other_seat,
    "her seat, asked for at the door": joined_again,
    "her seat, asked for by a program": program,
    "her seat, handed to a policy": by_key,
    "her panel's id": labelled("ann"),
    "her panel's id, as if new": labelled("ann", lang="en"),
    ANOTHER: labelled("%20ann%20", lang="en"),
    "her panel's id, and a forged ticket": labelled("ann", lang="en", ticket="forged"),
    "her panel's id, and a forged session": ticket,
    "her label as an address": addressed(lambda world: world.member.label),
    "her number as an address": addressed(lambda world: world.member.number),
    "her address, one letter short": addressed(lambda world: world.place.rpartition("/")[2][:-1]),
    "the lead's page, by nobody": led_page,
}


def stands(world: World) -> Any:
    """Everything of hers that another might have moved."""
    seat = Participant.objects.values("state", "tab", "language", "halted", "run", "seat").get(pk=world.ann.id)
    place = Member.objects.values("pk", "label", "state", "step").get(pk=world.member.pk)
    moves = list(Decision.objects.filter(run=world.run).values_list("step", "seat", "client_id"))
    return seat, place, moves


def test_no_way_to_anothers_place_leads_there(world: World) -> None:
    wrong: list[str] = []
    for way, tries in WAYS.items():
        before, thief = stands(world), Client()
        answer = tries(world, thief)
        told = answer.content.decode() + answer.get("Location", "")
        is_refused = answer.status_code >= 400 or way == ANOTHER
        after = thief.get(f"/api/v1/play/{world.ann.id}").status_code
        if not is_refused or stands(world) != before or after < 400 or any(one in told for one in world.secrets):
            wrong.append(f"{way}: {answer.status_code}, then {after}: {told[:200]}")
    assert wrong == []
    assert world.ann.moves(1, **{"pass": True}).status_code == 200, "she still holds her seat"
    assert world.phone.get(world.place).status_code == 200, "and her place"


async def test_no_socket_of_another_opens_on_her_seat(world: World) -> None:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in world.bob.client.cookies.items())
    for cookie in ("", cookies, f"{COOKIE}={world.ann.id}"):
        headers = [(b"origin", b"http://localhost"), (b"host", b"localhost"), (b"cookie", cookie.encode())]
        socket = WebsocketCommunicator(application, f"/ws/play/{world.ann.id}/?after=-1&tab=x", headers=headers)
        await socket.connect()
        told = json.loads(await socket.receive_from(timeout=30))
        assert (told["type"], told["code"]) == ("error", "not_your_seat")
        assert (await socket.receive_output(timeout=30))["code"] == 4403
    headers = [(b"origin", b"https://evil.example"), (b"host", b"localhost")]
    socket = WebsocketCommunicator(application, f"/ws/play/{world.ann.id}/?after=-1&tab=x", headers=headers)
    assert not (await socket.connect())[0], "of another site's page"


def test_a_session_that_was_planted_in_her_browser_opens_her_seat_to_nobody(world: World) -> None:
    """Who had a seat of their own plants their session's cookie in her browser before she joins."""
    run = run_create(
        scenario=load("dilemma/demo", extra=[Layer("test", {}, read_seats({"seats": {"0": {"person": True}}}, "test"))])
    )
    thief, victim = world.bob.client, Person()
    victim.client.cookies[COOKIE] = thief.cookies[COOKIE].value
    assert victim.joins(run.code).status_code == 201
    victim.starts()
    assert thief.get(f"/api/v1/play/{victim.id}").status_code in (401, 403, 404)
