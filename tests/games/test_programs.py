"""Programs in seats: a token opens one seat and nothing else, and what is played is a person's in all but name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.test import Client

from games.site.drive.conductor import conduct
from games.site.exports.plan import plan_of
from games.site.exports.writing import all_rows
from games.site.models import AuditEntry, Participant, ParticipantState, Run, Seat, SeatKind
from games.site.people.invites import link_of
from games.site.people.presence import presence_sweep
from games.site.people.seats import seat_hand_over
from games.site.record.verification import rerun_run, verify_run
from tests.games.persons import Person, again, flags, over, silent

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]
API = "/api/v1"


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


@pytest.fixture
def match(make_run: MakeRun) -> Run:
    """Ann sits in seat 0, a program in seat 1, a policy in seat 2."""
    run = make_run(days=2, people=(0, 1))
    agent = {"kind": "program", "substitute": {"kind": "policy", "policy": "latest", "params": {}}}
    Seat.objects.filter(run=run, index=1).update(kind=SeatKind.PROGRAM, agent=agent)
    return run


class Program:
    """A program that comes with a token, and with no cookie."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.client, self.id, self.seat = Client(enforce_csrf_checks=True), told["id"], told["seat"]
        self.token = told["token"]

    def post(self, path: str, body: Any = None) -> Any:
        text = json.dumps(body or {})
        return self.client.post(f"{API}{path}", text, content_type="application/json", headers=self.headers)

    def get(self, path: str) -> Any:
        return self.client.get(f"{API}{path}", headers=self.headers)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def turn(self) -> Any:
        return self.get(f"/play/{self.id}/turn?wait=0").json()["turn"]

    def moves(self, step: int) -> Any:
        body = {"id": f"program-{step}", "step": step, "action": {"tune": "hymn"}}
        return self.post(f"/play/{self.id}/moves", body)


def joined(run: Run, code: str | None = None) -> Program:
    answer = Client(enforce_csrf_checks=True).post(
        f"{API}/join/{code or run.code}/token", {}, content_type="application/json"
    )
    assert answer.status_code == 201, answer.content
    return Program(answer.json())


def test_a_match_of_a_person_a_program_and_a_policy_is_played_to_its_end_and_again(match: Run) -> None:
    ann, bot = Person(), joined(match)
    ann.joins(match.code)
    assert (ann.seat, bot.seat) == (0, 1)
    ann.starts()
    assert not again(match).begun, "the room waits for the program too"
    assert bot.post(f"/play/{bot.id}/start").status_code == 200
    moved = 0
    for _ in range(60):
        conduct(match.pk, "live")
        if again(match).status == "finished":
            break
        if (turn := bot.turn()) is not None and turn["moved"] is None:
            assert bot.moves(turn["step"]).status_code == 200
            moved += 1
        if (turn := ann.sees()["turn"]) is not None and turn["moved"] is None:
            assert ann.moves(turn["step"]).status_code == 200
    assert again(match).status == "finished"
    assert moved > 1
    assert verify_run(match.pk).difference is None
    assert rerun_run(match.pk).difference == ""
    rows = [row for row in all_rows(plan_of("decisions", [match.pk], None)) if row[2] == 1]
    assert {row[7] for row in rows} == {"program"}
    assert any(row[13] is not None for row in rows), "its think time is known"


def test_a_program_sets_the_taxes_of_a_match_of_five_epochs(operator: Client) -> None:
    planner = {"program": True, "substitute": {"policy": "fixed"}}
    asked = {
        "scenario": "economist/five-epochs",
        "seed": 3,
        "config": {"steps_per_epoch": 4},
        "seats": {"role:worker": {"policy": "honest"}, "role:planner": planner},
    }
    answer = operator.post(f"{API}/runs", json.dumps(asked), content_type="application/json")
    assert answer.status_code == 201, answer.content
    run = Run.objects.get(pk=answer.json()["id"])
    bot = joined(run)
    assert bot.seat == 4
    assert bot.post(f"/play/{bot.id}/start").status_code == 200
    set_: list[list[list[float]]] = []
    for _ in range(40):
        conduct(run.pk, "live")
        if again(run).status == "finished":
            break
        turn = bot.turn()
        assert turn["stage"] == "plan"
        set_.append([[0.0, 0.1 * (len(set_) + 1)], [20.0, 0.5]])
        body = {"id": f"program-{turn['step']}", "step": turn["step"], "action": {"brackets": set_[-1]}}
        assert bot.post(f"/play/{bot.id}/moves", body).status_code == 200
    told = again(run)
    assert told.status == "finished"
    assert len(set_) == 4, "after each epoch but the last"
    assert verify_run(run.pk).difference is None
    frames = operator.get(f"{API}/runs/{run.pk}/frames?limit=100").json()["frames"]
    kept = list(dict.fromkeys(tuple(map(tuple, frame["view"]["schedule"])) for frame in frames))
    assert len(kept) == 5, "one it began with, and four that were set"
    assert [lower for lower, _ in kept[-1]] == [0, 20]
    assert 0.3 < kept[-1][0][1] < 0.4, "what was set, damped by what was before"
    assert flags(run, told.head) == {}


def test_a_token_opens_its_own_seat_and_no_other(match: Run, operator: Client) -> None:
    bot, ann = joined(match), Person()
    ann.joins(match.code)
    assert bot.get(f"/play/{ann.id}").status_code == 403
    assert bot.get(f"/runs/{match.pk}/frames?as=0").status_code == 403
    assert bot.get(f"/runs/{match.pk}/frames?as=1").status_code == 200
    assert bot.post(f"/runs/{match.pk}/stop").status_code == 403
    forged = Client().get(f"{API}/play/{bot.id}", headers={"Authorization": f"Bearer {bot.id}.x{bot.token[12:]}"})
    assert (forged.status_code, forged.json()["error"]["code"]) == (401, "bad_token")
    assert bot.token.partition(".")[2] not in str(Participant.objects.filter(pk=bot.id).values())


def test_an_operators_new_token_voids_the_one_before(match: Run, operator: Client) -> None:
    old = joined(match)
    answer = operator.post(f"{API}/runs/{match.pk}/seats/1/token", {}, content_type="application/json")
    new = Program(answer.json())
    assert new.get(f"/play/{new.id}").json()["seat"] == 1
    assert old.get(f"/play/{old.id}").json()["state"] == "removed"
    assert AuditEntry.objects.get().what == "token_made"
    refused = operator.post(f"{API}/runs/{match.pk}/seats/0/token", {}, content_type="application/json")
    assert refused.json()["error"]["code"] == "no_such_seat"


def test_a_persons_door_seats_no_program_and_a_programs_no_person(match: Run) -> None:
    person, program = (Seat.objects.get(run=match, index=index) for index in (0, 1))
    refused = Client().post(f"{API}/join/{link_of(person)}/token", {}, content_type="application/json")
    assert (refused.status_code, refused.json()["error"]["why"]) == (409, "not_a_programs")
    assert Person().joins(link_of(program)).json()["error"]["why"] == "not_a_persons"
    joined(match, link_of(program))
    again_ = Client().post(f"{API}/join/{match.code}/token", {}, content_type="application/json")
    assert again_.json()["error"]["code"] == "full"


def test_a_program_that_is_late_or_away_has_what_a_person_has(match: Run) -> None:
    bot, ann = joined(match), Person()
    ann.joins(match.code)
    ann.starts()
    bot.post(f"/play/{bot.id}/start")
    while (turn := bot.turn()) is None:
        if (own := ann.sees()["turn"]) is not None and own["moved"] is None:
            ann.moves(own["step"])
        conduct(match.pk, "live")
    over(match)
    late = bot.moves(turn["step"])
    assert late.json()["error"]["code"] == "late"
    conduct(match.pk, "live")
    assert "timed_out" in flags(match, turn["step"])[1]
    silent_one = Person()
    silent_one.id = bot.id
    silent(silent_one, 200)
    presence_sweep()
    silent(silent_one, 200)
    presence_sweep()
    assert Participant.objects.get(pk=bot.id).state == ParticipantState.SUBSTITUTED
    bot.turn()  # waiting for the turn is a sign of life
    assert Participant.objects.get(pk=bot.id).state == ParticipantState.PLAYING


def test_waiting_for_a_turn_ends_as_soon_as_it_is_there(match: Run, monkeypatch: Any) -> None:
    """The wait is answered by what changes, not by its end: the clock in it is the test's."""
    bot, ann = joined(match), Person()
    ann.joins(match.code)
    ann.starts()
    bot.post(f"/play/{bot.id}/start")
    looks = []

    async def sleep(_: float) -> None:
        looks.append(1)
        if (own := (await sync_to_async(ann.sees)())["turn"]) is not None and own["moved"] is None:
            await sync_to_async(ann.moves)(own["step"])
        await sync_to_async(conduct)(match.pk, "live")

    monkeypatch.setattr("games.site.web.programs.asyncio.sleep", sleep)
    page = bot.get(f"/play/{bot.id}/turn?wait=60").json()
    assert page["turn"]["moved"] is None
    assert 0 < len(looks) < 30


def test_a_seat_is_handed_to_a_program_and_named_so(make_run: MakeRun, operator: Client) -> None:
    run = make_run(days=3, pace=0.001)
    conduct(run.pk, "live")
    seat_hand_over(run_id=run.pk, seat=2, agent={"program": True, "substitute": "latest"})
    seat = Seat.objects.get(run=run, index=2)
    assert (seat.kind, seat.agent["substitute"]["policy"]) == ("program", "latest")
    assert again(run).audience["kind"] in ("private", "public"), "a program's private views are nobody else's"
    assert joined(again(run)).seat == 2
    assert operator.get(f"{API}/runs/{run.pk}").json()["seats"][2]["kind"] == "program"
