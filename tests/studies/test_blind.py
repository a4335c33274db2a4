"""With blinding on, two matches that differ only in who is a person cannot be told apart but by their ids."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.live.news import lasting
from games.site.models import ACTIVE, Participant, Run
from games.site.people.invites import digest_of
from games.site.people.joining import participant_leave, run_begin
from games.site.people.moves import move_submit
from games.site.people.seat_page import seat_messages
from games.site.record import selectors
from games.site.runs.creating import run_create

pytestmark = pytest.mark.django_db(transaction=True)

MODEL = {
    "model": "mock/TFT",
    "profile": {"persona": "tit_for_tat", "max_tokens": 4, "mock": {"faults": {"prose": 0.5}}},
}
PERSON = {"person": True, "substitute": {"policy": "TFT"}}
UNLIKE = re.compile(r'"(hash|created|ended|started|at|deadline)":\s*"[^"]*"|"(since_s|left_s)":\s*[-\d.]+')


def played(second: dict[str, Any], *, blind: bool = True, leaves: bool = False) -> tuple[Run, Participant]:
    """A match in which seat A is a person who always plays C; B a person who leaves, or a model that errs."""
    seats = read_seats({"seats": {"A": PERSON, "B": second}}, "test")
    layer = Layer("test", {"rounds": 6}, seats, people={"blind": blind, "unhurried": True})
    run = run_create(
        scenario=load("dilemma/llm-mock", extra=[layer]), seed=3, start=True, audience={"kind": "after_end"}
    )
    for seat in run.seats.filter(kind="person"):
        Participant.objects.create(
            run=run, seat=seat.index, link=1, state="ready", holder=digest_of("s"), seen=run.created, active=run.created
        )
    run_begin(run_id=run.pk)
    ann = Participant.objects.get(run=run, seat=0)
    if leaves:
        participant_leave(participant=Participant.objects.get(run=run, seat=1))
    for _ in range(30):
        conduct(run.pk, "live")
        run.refresh_from_db()
        if run.status not in ACTIVE:
            return run, ann
        step = run.head + 1
        ann.refresh_from_db()
        move_submit(participant=ann, tab="", client_id=f"move-{step:04}", step=step, raw={"action": {"move": "C"}})
    raise AssertionError("it does not end")


def seen(run: Run, ann: Participant, client: Client) -> str:
    """All that a spectator or a player is told of the match, without ids, hashes and moments."""
    told = []
    for path in (f"runs/{run.pk}", f"runs/{run.pk}/frames", f"runs/{run.pk}/briefs", f"runs/{run.pk}/meter", "runs"):
        answer = client.get(f"/api/v1/{path}")
        told.append(f"{path}: {answer.status_code} {answer.content.decode()}")
    told.append(client.get(f"/m/{run.pk}").content.decode())
    told.append(client.get(f"/api/v1/play/{ann.pk}?tab=t").content.decode())
    text = "\n".join(told).replace(run.pk, "RUN").replace(ann.pk, "ANN")
    text = re.sub(r"csrf[^,}]*|value=\"\w{64}\"", "", text)
    return UNLIKE.sub("", text)


def viewers(ann: Participant) -> dict[str, Client]:
    player = Client()
    session = player.session
    session["seats"] = {ann.pk: "s"}
    session.save()
    player.cookies["polity_session"] = session.session_key or ""
    return {"spectator": Client(), "player": player}


def test_neither_player_nor_spectator_can_tell_a_person_from_a_model(nothing_queued: None) -> None:
    """The person leaves and a substitute plays what the model plays, which errs in half of its replies."""
    by_model = played(MODEL)
    told = {who: seen(*by_model, client) for who, client in viewers(by_model[1]).items()}
    Run.objects.update(audience={"kind": "private"})  # no longer in the list of runs
    by_person = played(PERSON, leaves=True)
    for who, client in viewers(by_person[1]).items():
        assert seen(*by_person, client) == told[who], who
    assert '"flags"' in told["spectator"]


def test_without_blinding_the_same_two_are_told_apart(nothing_queued: None) -> None:
    """The comparison above can fail."""
    one, other = played(MODEL, blind=False), played(PERSON, blind=False, leaves=True)
    assert seen(*one, Client()) != seen(*other, Client())


def test_a_seat_hears_of_no_one_but_itself(nothing_queued: None) -> None:
    run, ann = played(PERSON, leaves=True)
    told = seat_messages(selectors.run_get(run.pk), [(ann.pk, "t")])[ann.pk, "t"]
    assert [one["seat"] for one in told["presence"]] == [0]
    assert told["room"]["of"] == 0
    assert json.loads(lasting(told))["presence"][0]["seat"] == 0


def test_an_operator_sees_who_is_who(nothing_queued: None) -> None:
    run, _ = played(MODEL)
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    assert [seat["kind"] for seat in operator.get(f"/api/v1/runs/{run.pk}").json()["seats"]] == ["person", "model"]
    assert [seat["kind"] for seat in Client().get(f"/api/v1/runs/{run.pk}").json()["seats"]] == ["hidden", "hidden"]
