"""People in seats: doors, the waiting room, moves, clocks, presence, and what an operator changes meanwhile."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from agents_app.people import PeopleSettings
from games.core.game import IDLE, PASSED
from games.core.instructions import opening
from games.lab.scenarios.scenario import load_preset
from games.lab.scenarios.seating import PersonSeat, PolicyAgent
from games.lab.wire.firstboard import first_board
from games.site.drive import conductor, sweeping
from games.site.drive.conductor import conduct
from games.site.drive.person_seats import SUBSTITUTE, TIMED_OUT, Waits
from games.site.models import Decision, Notice, Participant, Run, Seat, SeatKind, Step
from games.site.people import joining
from games.site.people.joining import rooms_sweep
from games.site.people.presence import presence_sweep
from games.site.people.seats import turn_advance
from games.site.runs.creating import run_create, run_pause, run_play
from tests.games.persons import API, Person, again, code_of, flags, over, silent

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(days=2, people=(0, 1), audience={"kind": "public"})


@pytest.fixture
def pair(run: Run) -> tuple[Person, Person]:
    """Two people in seats 0 and 1 of a match that has begun and waits for the first."""
    return begun(run)


def begun(run: Run) -> tuple[Person, Person]:
    ann, ben = Person(), Person()
    for person in (ann, ben):
        assert person.joins(run.code).status_code == 201
        person.starts()
    conduct(run.pk, "live")
    return ann, ben


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def act(operator: Client, run: Run, **body: Any) -> Any:
    return operator.post(f"{API}/runs/{run.pk}/people", json.dumps(body), content_type="application/json")


# --- joining --------------------------------------------------------------------------------------


def test_a_match_of_people_waits_until_all_have_pressed_start(run: Run) -> None:
    ann, ben = Person(), Person()
    assert (run.status, run.begun) == ("waiting", False)
    assert ann.joins(run.code, label="Ann").status_code == 201
    assert ann.sees()["state"] == "room"
    room = ann.starts().json()["room"]
    assert (room["ready"], room["of"], room["begun"]) == (1, 2, False)
    assert 0 < room["starts_in_s"] <= 600
    conduct(run.pk, "live")
    assert again(run).head == -1, "nobody drives a match whose room is open"
    told = Client().get(f"{API}/runs/{run.pk}").json()["people"]
    assert told == {"of": 2, "ready": 1, "open": 1, "begun": False}
    ben.joins(run.code)
    ben.starts()
    assert (again(run).begun, run.status) == (True, "queued")
    assert {ann.seat, ben.seat} == {0, 1}


def test_when_the_rooms_time_is_over_substitutes_take_the_empty_seats(run: Run) -> None:
    ann = Person()
    ann.joins(run.code)
    ann.starts()
    Run.objects.filter(pk=run.pk).update(wake_at=timezone.now() - timedelta(seconds=1))
    rooms_sweep()
    conduct(run.pk, "live")
    assert ann.moves(2).status_code == 200
    conduct(run.pk, "live")
    ann.moves(3)
    conduct(run.pk, "live")
    ann.moves(4)
    conduct(run.pk, "live")
    assert flags(run, 4) == {1: (SUBSTITUTE,)}


def test_a_room_in_which_nobody_is_ready_stays_open(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(wake_at=timezone.now() - timedelta(seconds=1))
    rooms_sweep()
    assert not again(run).begun


@pytest.mark.parametrize(
    ("how", "refusal"),
    [
        ({"consent": False}, "consent_needed"),
        ({"label": ""}, "bad_label"),
        ({"label": "Eve"}, "bad_label"),
        ({"label": "x" * 41}, "bad_label"),
        ({"label": "An\u200bn"}, "bad_label"),
        ({"label": "Ann", "language": "xx"}, "bad_language"),
    ],
)
def test_who_cannot_join_is_told_why_and_nothing_is_kept(make_run: MakeRun, how: dict[str, Any], refusal: str) -> None:
    run = make_run(people=(0,), terms=PeopleSettings(labels=("Ann", "Ben")))
    assert code_of(Person().joins(run.code, **how)) == refusal
    assert not Participant.objects.exists()


def test_a_label_names_one_person_and_a_full_match_takes_nobody(make_run: MakeRun) -> None:
    run = make_run(people=(0, 1), terms=PeopleSettings(labels=("Ann", "Ben")))
    assert Person().joins(run.code, label="Ann").status_code == 201
    assert code_of(Person().joins(run.code, label="Ann")) == "bad_label"
    assert Person().joins(run.code, label="Ben").status_code == 201
    assert code_of(Person().joins(run.code, label="Ben")) == "full"


def test_people_who_join_at_once_get_a_seat_each(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = Person(), Person()
    first = joining.free_seat
    met: list[int] = []

    def at_once(door: Any, run: Run, kind: SeatKind) -> Seat:
        seat = first(door, run, kind)
        if not met:
            met.append(seat.index)
            assert ben.joins(run.code).json()["seat"] == seat.index
        return seat

    monkeypatch.setattr(joining, "free_seat", at_once)
    assert ann.joins(run.code).json()["seat"] == 1
    assert ben.seat == 0


def test_a_seats_link_is_exchanged_once_and_a_new_one_voids_it(run: Run, operator: Client) -> None:
    link = act(operator, run, action="recode").json()["seats"][1]["link"].removeprefix("/join/")
    ann, eve = Person(), Person()
    assert ann.joins(link).json()["seat"] == 1
    assert code_of(eve.joins(link)) == "used"
    fresh = act(operator, run, action="relink", seat=1).json()["seats"][1]["link"].removeprefix("/join/")
    assert fresh != link
    assert code_of(eve.joins(link)) == "no_such_code"
    assert ann.sees()["state"] == "removed"
    assert eve.joins(fresh).json()["seat"] == 1


def test_a_code_for_several_seats_tells_of_another_draw_and_a_seats_link_of_its_own(
    operator: Client, queued: list[tuple[str, str]]
) -> None:
    drawn = load_preset("mining/uneven-stamina")
    told = drawn.conditions[0]
    seats = (*(PersonSeat(one) for one in told.seats[:2] if isinstance(one, PolicyAgent)), *told.seats[2:])
    run = run_create(scenario=replace(drawn, conditions=(replace(told, seats=seats),)), seed=7)

    def at(code: str) -> Any:
        page = Client().get(f"{API}/join/{code}").json()
        return page["rules"]["en"], page["board"]["frame"]["view"]

    def begins(seed: int, seat: int) -> Any:
        board = first_board(drawn.pack.game, told.config, seat, seed)
        teller = drawn.pack.instructions
        assert teller is not None
        rules = teller(told.config, opening(drawn.pack.game, told.config, seat, seed), "en").plain()
        return rules, board["frame"]["view"]

    link = act(operator, run, action="recode").json()["seats"][0]["link"].removeprefix("/join/")
    assert at(link) == begins(7, 0)
    assert at(again(run).code) == begins(0, 0) != begins(7, 0)


@pytest.mark.parametrize("code", ["NOPE", "x-0-" + "0" * 32, "--", "..", "a-b-c", "x-٣-y", "Z" * 300])
def test_an_address_that_was_changed_leads_nowhere(run: Run, client: Client, code: str) -> None:
    assert client.get(f"{API}/join/{code}").status_code == 404
    assert client.get(f"/join/{code}").status_code == 404


def test_a_tampered_link_of_a_real_seat_leads_nowhere(run: Run, operator: Client, client: Client) -> None:
    link = operator.get(f"{API}/runs/{run.pk}/people").json()["seats"][0]["link"]
    assert client.get(link).status_code == 200
    told = client.get(f"{API}{link}").json()
    assert (told["seat"], told["seat_name"]) == (0, run.seats.get(index=0).name)
    assert client.get(link[:-1] + ("0" if link[-1] != "0" else "1")).status_code == 404
    assert client.get(link.replace("-0-", "-1-")).status_code == 404


# --- the seat's privacy ---------------------------------------------------------------------------


def test_a_seat_is_its_holders_alone(pair: tuple[Person, Person], client: Client) -> None:
    ann, ben = pair
    assert client.get(f"/play/{ann.id}").status_code == 403
    assert ben.client.get(f"/play/{ann.id}").status_code == 403
    for door in ("start", "try", "moves", "halt", "beat", "take", "leave", "language"):
        body = {"step": 2, "id": "move-by-eve", "language": "en"} if door in ("moves", "try", "language") else {}
        body = {key: value for key, value in body.items() if key in KEYS[door]}
        answer = ben.post(f"/play/{ann.id}/{door}", body)
        assert (answer.status_code, code_of(answer)) == (403, "not_your_seat"), door
    page = ann.client.get(f"/play/{ann.id}")
    assert page.status_code == 200
    assert page.headers["Referrer-Policy"] == "no-referrer"


KEYS: dict[str, set[str]] = {"moves": {"id", "step"}, "try": {"step"}, "language": {"language"}}


def test_a_player_sees_no_more_than_the_seat_wherever_they_look(pair: tuple[Person, Person], run: Run) -> None:
    ann, _ = pair
    purses = ann.client.get(f"{API}/runs/{run.pk}/snapshot").json()["frame"]["view"]["purses"]
    assert [purse is None for purse in purses] == [False, True, True]
    assert ann.sees()["frame"]["view"]["purses"] == purses
    assert code_of(ann.client.get(f"{API}/runs/{run.pk}/snapshot?as=1")) == "seat_not_yours"
    watched = Client().get(f"{API}/runs/{run.pk}/snapshot").json()
    assert watched["frame"]["view"]["purses"] == [None] * 3, "spectators of people see what is public"
    assert code_of(Client().get(f"{API}/runs/{run.pk}/snapshot?as=1")) == "seat_is_private"


# --- moves ----------------------------------------------------------------------------------------


def test_a_turn_opens_with_its_clock_its_default_and_what_can_be_done(pair: tuple[Person, Person], run: Run) -> None:
    ann, ben = pair
    turn = ann.sees()["turn"]
    assert (turn["step"], turn["stage"], turn["clock"]) == (2, "solo", [["day", 1]])
    assert 0 < turn["left_s"] <= turn["total_s"] == 60
    assert (turn["default"], turn["substitute"], turn["tick"]) == ("default", "latest", False)
    assert turn["observation"]["known"] == ["hymn", "waltz"]
    assert ben.sees()["turn"] is None
    assert [one["seat"] for one in Client().get(f"{API}/runs/{run.pk}").json()["waiting_for"]] == [0]


def test_the_last_answer_starts_the_round_and_nobody_waits_in_a_worker(
    pair: tuple[Person, Person], run: Run, queued: list[tuple[str, str]]
) -> None:
    ann, ben = pair
    assert (again(run).status, run.lease_owner) == ("waiting", "")
    queued.clear()
    assert ann.moves(2, action={"tune": "waltz"}).json()["stored"] is True
    assert queued == [(run.pk, "live")]
    assert again(run).status == "queued"
    conduct(run.pk, "live")
    ann.moves(3)
    conduct(run.pk, "live")
    queued.clear()
    assert ben.moves(4, action={"tune": "waltz"}).status_code == 200
    assert queued == [], "ann is still awaited"
    ann.moves(4)
    assert queued == [(run.pk, "live")]
    conduct(run.pk, "live")
    assert again(run).head == 5
    assert not Step.objects.filter(run=run, index__gt=5).exists()


def test_one_move_a_turn_however_often_it_is_sent(pair: tuple[Person, Person], run: Run) -> None:
    ann, _ = pair
    first = ann.moves(2, "the-very-same", action={"tune": "waltz"})
    assert ann.moves(2, "the-very-same", action={"tune": "hymn"}).json() == first.json()
    refused = ann.moves(2, "another-one", action={"tune": "hymn"})
    assert (refused.status_code, code_of(refused)) == (409, "already_moved")
    assert refused.json()["error"]["moved"]["action"] == {"tune": "waltz"}
    conduct(run.pk, "live")
    assert ann.moves(2, "the-very-same").json() == first.json(), "sent again after the round, still acknowledged"
    assert Decision.objects.filter(run=run, step=2).count() == 1


@pytest.mark.parametrize(
    ("step", "move", "refusal", "status"),
    [
        (2, {}, "bad_action", 422),
        (2, {"action": None}, "bad_action", 422),
        (2, {"action": {}}, "bad_action", 422),
        (2, {"action": {"tune": 7}}, "bad_action", 422),
        (2, {"action": {"tune": "x" * 100_000}}, "too_big", 413),
        (2, {"action": {"tune": "hymn"}, "pass": True}, "bad_action", 422),
        (2, {"plan": {"walk": 3}}, "bad_action", 422),
        (1, {"action": {"tune": "hymn"}}, "late", 409),
        (3, {"action": {"tune": "hymn"}}, "early", 409),
        (-5, {"action": {"tune": "hymn"}}, "late", 409),
    ],
)
def test_what_cannot_be_played_is_refused_by_name_and_not_kept(
    pair: tuple[Person, Person], run: Run, step: int, move: dict[str, Any], refusal: str, status: int
) -> None:
    ann, _ = pair
    body = {"id": "any-client-id", "tab": ann.tab, "step": step, **move}
    answer = ann.post(f"/play/{ann.id}/moves", body)
    assert (answer.status_code, code_of(answer)) == (status, refusal)
    assert not Decision.objects.filter(run=run, step__gt=1, seat=0).exists()


def test_a_move_is_tried_on_the_rules_and_nothing_is_kept(pair: tuple[Person, Person], run: Run) -> None:
    ann, _ = pair
    foreign = {"action": {"tune": "polka"}}
    tried = ann.post(f"/play/{ann.id}/try", {"step": 2, **foreign})
    assert code_of(tried) == "bad_action", "the toy's schema knows the tunes"
    answer = ann.moves(2, **foreign)
    assert (answer.status_code, code_of(answer)) == (422, "bad_action")
    assert answer.json()["error"]["says"]["zh"].startswith("tune：'polka'；只能是以下之一：")
    assert ann.post(f"/play/{ann.id}/try", {"step": 2, "action": {"tune": "waltz"}}).json() == {
        "step": 2,
        "ok": True,
        "notes": [],
        "action": {"tune": "waltz"},
    }
    assert not Decision.objects.filter(run=run, step=2).exists()


def test_another_seat_is_not_asked_and_a_second_tab_only_watches_until_it_takes_over(
    pair: tuple[Person, Person],
) -> None:
    ann, ben = pair
    assert code_of(ben.moves(2)) == "not_asked"
    assert code_of(ann.moves(2, tab="tab-two")) == "other_tab"
    assert ann.post(f"/play/{ann.id}/beat", {"tab": "tab-two"}).json()["holds"] is False
    assert ann.post(f"/play/{ann.id}/take", {"tab": "tab-two"}).json()["holds"] is True
    assert code_of(ann.moves(2)) == "other_tab"
    assert ann.moves(2, tab="tab-two").status_code == 200


def test_a_tab_moves_before_its_first_sign_of_life_where_no_other_is_there(pair: tuple[Person, Person]) -> None:
    """A page may be faster than its line: that nobody was heard of yet is no other tab."""
    ann, _ = pair
    Participant.objects.filter(pk=ann.id).update(tab="", tab_seen=None)
    assert ann.sees()["holds"] is True
    assert ann.moves(2).status_code == 200
    conduct(ann.sees()["run"]["id"], "live")
    ann.beats()
    silent(ann, 11)
    assert ann.moves(3, tab="tab-two").json()["step"] == 3, "the tab that held it is gone"


def test_passing_is_a_move_with_a_flag_of_its_own(pair: tuple[Person, Person], run: Run) -> None:
    ann, _ = pair
    assert ann.moves(2, **{"pass": True}).json()["passed"] is True
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: (PASSED,)}


# --- clocks ---------------------------------------------------------------------------------------


def test_when_the_time_is_over_the_default_is_played_and_a_late_move_is_refused(
    pair: tuple[Person, Person], run: Run
) -> None:
    ann, _ = pair
    over(run)
    assert code_of(ann.moves(2)) == "late"
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: (TIMED_OUT,)}
    refused = ann.moves(2)
    assert (code_of(refused), refused.json()["error"]["step"]) == ("late", 3)
    assert ann.sees()["turn"]["step"] == 3


def test_the_sweep_wakes_a_run_whose_last_mover_died_before_waking_it(
    pair: tuple[Person, Person], run: Run, queued: list[Any]
) -> None:
    turn = again(run).open_turn or {}
    queued.clear()
    sweeping.sweep()
    assert queued == [], "somebody is waited for"
    for seat in turn["seats"]:
        Decision.objects.create(
            run=run, step=run.head + 1, seat=seat, purpose="act", answer={}, client_id=f"own-{seat}"
        )
    sweeping.sweep()
    assert queued == [(run.pk, "live")]
    assert (again(run).status, run.wake_at) == ("queued", None)


def test_the_sweep_finds_a_turn_whose_time_is_over(pair: tuple[Person, Person], run: Run, queued: list[Any]) -> None:
    queued.clear()
    sweeping.sweep()
    assert queued == []
    over(run)
    sweeping.sweep()
    assert queued == [(run.pk, "live")]


def test_the_substitute_decides_where_the_terms_say_so(make_run: MakeRun) -> None:
    run = make_run(people=(0,), terms=PeopleSettings(default="substitute"))
    ann = Person()
    ann.joins(run.code)
    ann.starts()
    conduct(run.pk, "live")
    over(run)
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: (TIMED_OUT, SUBSTITUTE)}


def test_a_ticking_match_goes_on_with_whoever_has_not_acted(make_run: MakeRun) -> None:
    run = make_run(people=(0,), terms=PeopleSettings(tick_s=10))
    ann = Person()
    ann.joins(run.code)
    ann.starts()
    conduct(run.pk, "live")
    assert ann.sees()["turn"]["tick"] is True
    over(run)
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: (IDLE,)}


@pytest.mark.parametrize("kind", [SeatKind.PERSON, SeatKind.PROGRAM])
def test_a_seat_that_misses_its_first_three_turns_stops_the_run_which_says_why(make_run: MakeRun, kind: str) -> None:
    run, ann = make_run(days=8, people=(0,)), Person()
    assert ann.joins(run.code).status_code == 201
    ann.starts()
    Seat.objects.filter(run=run, index=0).update(kind=kind)
    missed = 0
    while again(run).status != "paused":
        conduct(run.pk, "live")
        if again(run).status == "waiting":
            missed += 1
            over(run)
            Run.objects.filter(pk=run.pk).update(status="queued", wake_at=None)
        assert missed <= 3
    assert missed == 3
    assert "none of its first 3 turns were its own, most of them timed_out" in again(run).error
    run_play(run_id=run.pk)
    conduct(run.pk, "live")
    assert (again(run).status, again(run).error) == ("waiting", ""), "resumed, it waits for the fourth"


def test_whoever_moves_once_in_the_first_three_turns_is_waited_for(make_run: MakeRun) -> None:
    run, ann = make_run(days=8, people=(0,)), Person()
    assert ann.joins(run.code).status_code == 201
    ann.starts()
    for turn in range(5):
        conduct(run.pk, "live")
        if turn == 1:
            ann.moves(again(run).open_turn["step"])
        else:
            over(run)
        Run.objects.filter(pk=run.pk).update(status="queued", wake_at=None)
    conduct(run.pk, "live")
    assert again(run).status == "waiting"


def test_terms_may_let_any_share_be_missed(make_run: MakeRun) -> None:
    run, ann = make_run(days=8, people=(0,), terms=PeopleSettings(missed_limit=1.0)), Person()
    assert ann.joins(run.code).status_code == 201
    ann.starts()
    for _ in range(4):
        conduct(run.pk, "live")
        over(run)
        Run.objects.filter(pk=run.pk).update(status="queued", wake_at=None)
    assert again(run).status == "queued"


def test_a_pause_stops_the_clock(pair: tuple[Person, Person], run: Run) -> None:
    ann, _ = pair
    run_pause(run_id=run.pk)
    assert code_of(ann.moves(2)) == "not_playing"
    left = again(run).open_turn["left_s"]
    assert 0 < left <= 60
    Run.objects.filter(pk=run.pk).update(open_turn={**run.open_turn, "left_s": 30.0})
    run_play(run_id=run.pk)
    conduct(run.pk, "live")
    assert 0 < ann.sees()["turn"]["left_s"] <= 30


def test_a_driver_that_starts_anew_keeps_the_deadline(pair: tuple[Person, Person], run: Run) -> None:
    before = again(run).open_turn
    Run.objects.filter(pk=run.pk).update(status="queued", wake_at=None)
    conduct(run.pk, "live")
    assert again(run).open_turn == before


# --- presence -------------------------------------------------------------------------------------


def test_who_stays_away_is_counted_down_replaced_and_gets_the_seat_back(
    pair: tuple[Person, Person], run: Run, queued: list[Any]
) -> None:
    ann, ben = pair
    ann.moves(2)
    conduct(run.pk, "live")
    ann.moves(3)
    conduct(run.pk, "live")
    silent(ben, 20)
    presence_sweep()
    there = {one["seat"]: one for one in ann.sees()["presence"]}
    assert there[1]["state"] == "gone"
    assert 0 < there[1]["returns_in_s"] <= 60
    silent(ben, 90)
    queued.clear()
    presence_sweep()
    assert ben.sees()["state"] == "substituted"
    assert (run.pk, "live") in queued
    ann.moves(4)
    conduct(run.pk, "live")
    assert flags(run, 4) == {1: (SUBSTITUTE,)}
    assert ben.beats().json()["state"] == "playing"
    kinds = list(Notice.objects.filter(run=run, seat=1).order_by("number").values_list("kind", flat=True))
    assert kinds == ["joined", "ready", "gone", "substituted", "back"]
    shown = Client().get(f"{API}/runs/{run.pk}").json()["notices"]
    assert [one["kind"] for one in shown if one["seat"] == 1] == kinds, "spectators are told"


def test_what_another_played_is_never_told_as_a_move_of_ones_own(pair: tuple[Person, Person], run: Run) -> None:
    ann, _ = pair
    ann.moves(2)
    assert ann.sees()["turn"]["moved"]["own"] is True
    kept = Decision.objects.get(run=run, step=2, seat=0, purpose="act")
    Decision.objects.filter(pk=kept.pk).update(client_id="")  # as the substitute's and the default are kept
    assert ann.sees()["turn"]["moved"]["own"] is False
    joined = Participant.objects.get(pk=ann.id).joined
    Decision.objects.filter(pk=kept.pk).update(client_id="move-of-who-sat-here", created=joined - timedelta(seconds=9))
    assert ann.sees()["turn"]["moved"]["own"] is False


def test_who_comes_back_when_all_is_over_gets_no_seat_back(pair: tuple[Person, Person], run: Run) -> None:
    ann, ben = pair
    silent(ben, 20)
    presence_sweep()
    silent(ben, 90)
    presence_sweep()
    for step in (2, 3, 4, 6, 7, 8):
        assert ann.moves(step).status_code == 200
        conduct(run.pk, "live")
    assert again(run).status == "finished"
    assert ben.beats().json()["state"] == "ended"
    assert not Notice.objects.filter(run=run, kind="back").exists()
    assert ben.sees()["result"]["substituted"] == 2


def test_who_leaves_for_good_is_replaced_at_once(pair: tuple[Person, Person], run: Run) -> None:
    ann, _ = pair
    assert ann.post(f"/play/{ann.id}/leave").json()["state"] == "left"
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: (SUBSTITUTE,)}
    assert code_of(ann.moves(3)) == "not_playing"


# --- operators ------------------------------------------------------------------------------------


def test_an_operator_extends_and_advances_the_slowest(pair: tuple[Person, Person], run: Run, operator: Client) -> None:
    ann, _ = pair
    assert act(operator, run, action="extend", seconds=100).json()["open"]["left_s"] > 60
    assert again(run).wake_at == datetime.fromisoformat(run.open_turn["deadline"])
    assert act(operator, run, action="advance").json()["open"]["missing"] == [0]
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: (TIMED_OUT,)}
    assert ann.sees()["state"] == "playing"
    told = {one.kind: one.data for one in Notice.objects.filter(run=run, kind__in=("extended", "advanced"))}
    assert told == {"extended": {"seconds": 100}, "advanced": {"seats": [0]}}


def test_a_turn_that_is_ended_just_before_its_run_waits_does_not_wait_for_the_old_deadline(
    pair: tuple[Person, Person], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = conductor.People.decisions

    def ended_meanwhile(self: conductor.People, *told: Any) -> Any:
        try:
            return real(self, *told)
        except Waits:
            turn_advance(run_id=run.pk)
            raise

    Run.objects.filter(pk=run.pk).update(status="queued", wake_at=None)
    with monkeypatch.context() as patch:
        patch.setattr(conductor.People, "decisions", ended_meanwhile)
        conduct(run.pk, "live")
    assert (again(run).status, run.wake_at) == ("queued", None)
    conduct(run.pk, "live")
    assert flags(run, 2) == {0: (TIMED_OUT,)}


def test_any_seat_is_handed_from_one_kind_of_agent_to_another_in_mid_run(
    pair: tuple[Person, Person], run: Run, operator: Client
) -> None:
    ann, _ = pair

    def hand(seat: int, agent: Any) -> Any:
        body = json.dumps({"agent": agent})
        return operator.post(f"{API}/runs/{run.pk}/seats/{seat}", body, content_type="application/json")

    assert hand(0, {"policy": "latest"}).status_code == 200
    conduct(run.pk, "live")
    assert again(run).head == 3, "the policy moved where ann was awaited, and ben is awaited next"
    assert ann.sees()["state"] == "removed"
    answer = hand(2, {"person": True, "substitute": "latest"})
    assert answer.json()["seats"][2]["kind"] == "person"
    eve = Person()
    assert eve.joins(answer.json()["code"]["code"]).json()["seat"] == 2
    eve.starts()
    _, ben = pair
    ben.moves(4)
    conduct(run.pk, "live")
    assert (again(run).head, run.status) == (3, "waiting"), "eve came while the turn was open, and is asked too"
    eve.moves(4)
    conduct(run.pk, "live")
    assert (again(run).head, flags(run, 4)) == (6, {})
    kept = Decision.objects.get(run=run, step=4, seat=2).answer
    assert json.loads(kept)["memory"] is None, "what the policy had in mind is not hers"
    assert hand(9, {"policy": "latest"}).status_code == 422
    assert hand(1, {"policy": "nobody"}).status_code == 422
    log = Notice.objects.filter(run=run, kind="handed_over").order_by("number")
    assert [(one.seat, one.data["before"]["kind"], one.data["after"]["kind"]) for one in log] == [
        (0, "person", "policy"),
        (2, "policy", "person"),
    ]
    assert Seat.objects.get(run=run, index=0).since == 1


def test_who_they_were_is_deleted_on_request_and_what_was_played_stays(
    pair: tuple[Person, Person], run: Run, operator: Client
) -> None:
    ann, _ = pair
    Participant.objects.filter(pk=ann.id).update(label="=Ann")
    rows = operator.get(f"{API}/runs/{run.pk}/participants.csv?labels=true").content.decode()
    assert "'=Ann" in rows
    assert "Ann" not in operator.get(f"{API}/runs/{run.pk}/participants.csv").content.decode()
    assert code_of(act(operator, run, action="forget", participant=ann.id)) == "still_playing"
    ann.moves(2)
    ann.post(f"/play/{ann.id}/leave")
    assert act(operator, run, action="forget", participant=ann.id).status_code == 200
    one = Participant.objects.get(pk=ann.id)
    assert (one.label, one.consent_at, one.holder, one.language) == ("", None, "", "")
    assert Decision.objects.filter(run=run, seat=0).exists()
    assert ann.client.get(f"/play/{ann.id}").status_code == 403


def test_visitors_see_neither_codes_nor_who_people_are(pair: tuple[Person, Person], run: Run, client: Client) -> None:
    assert client.get(f"{API}/runs/{run.pk}/people").status_code == 403
    assert client.get(f"{API}/runs/{run.pk}/participants.csv").status_code == 403
    Participant.objects.filter(pk=pair[0].id).update(label="Somebody")
    for path in (f"{API}/runs/{run.pk}", f"{API}/runs", f"{API}/runs/{run.pk}/snapshot", f"/m/{run.pk}"):
        text = client.get(path).content.decode()
        assert not [secret for secret in (run.code, "Somebody", pair[0].id) if secret in text], path


def test_while_people_play_the_seed_is_the_operators_alone(
    pair: tuple[Person, Person], run: Run, operator: Client
) -> None:
    """From the seed everybody's chances follow."""
    ann, _ = pair
    for client in (ann.client, Client()):
        for path in (f"{API}/runs/{run.pk}", f"{API}/runs/{run.pk}/snapshot", f"{API}/runs"):
            told = list(said(client.get(path).json(), "seed"))
            assert told, f"{path} no longer says of which seed a run is"
            assert set(told) == {None}, path
    assert operator.get(f"{API}/runs/{run.pk}").json()["seed"] == run.seed
    assert ann.sees()["run"]["seed"] is None


def said(told: Any, name: str) -> Iterator[Any]:
    """Every value of that name, however deep."""
    inner = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    if isinstance(told, dict) and name in told:
        yield told[name]
    for part in inner:
        yield from said(part, name)


def test_what_was_played_counts_for_whoever_sat_there_then(make_run: MakeRun, operator: Client) -> None:
    run = make_run(days=3, people=(0, 1))
    ann, ben = begun(run)
    ann.moves(2)
    conduct(run.pk, "live")
    ann.moves(3, **{"pass": True})
    conduct(run.pk, "live")
    ben.moves(4)
    over(run)
    conduct(run.pk, "live")
    assert flags(run, 4) == {0: (TIMED_OUT,)}
    link = act(operator, run, action="relink", seat=0).json()["seats"][0]["link"].removeprefix("/join/")
    conduct(run.pk, "live")
    assert flags(run, 6) == flags(run, 7) == {0: (SUBSTITUTE,)}
    eve = Person()
    eve.joins(link)
    eve.starts()
    ben.moves(8)
    conduct(run.pk, "live")
    assert eve.moves(10).status_code == 200
    rows = csv.DictReader(io.StringIO(operator.get(f"{API}/runs/{run.pk}/participants.csv").content.decode()))
    counted = ("moves", "passed", "timed_out", "substituted")
    assert {row["participant"]: tuple(int(row[name]) for name in counted) for row in rows} == {
        ann.id: (1, 1, 1, 3),
        ben.id: (2, 0, 0, 0),
        eve.id: (1, 0, 0, 0),
    }


def test_a_match_of_people_ends_as_its_rules_say(pair: tuple[Person, Person], run: Run) -> None:
    ann, ben = pair
    for _ in range(20):
        for person in (ann, ben):
            turn = person.sees()["turn"]
            if turn is not None and turn["moved"] is None:
                assert person.moves(turn["step"]).status_code == 200
        conduct(run.pk, "live")
        if again(run).status == "finished":
            break
    assert (run.status, run.head) == ("finished", 8)
    told = ann.sees()
    assert (told["state"], told["result"]["payoff"], told["result"]["substituted"]) == ("ended", 6, 0)
    assert told["substitute"] == "latest"
    assert told["result"]["rank"] is None, "what others earned is private in a public match"
    assert code_of(ann.moves(9)) == "not_playing"


def handed(operator: Client, run: Run, seat: int, agent: Any, **more: Any) -> Any:
    body = json.dumps({"agent": agent, **more})
    return operator.post(f"{API}/runs/{run.pk}/seats/{seat}", body, content_type="application/json")


PERSON = {"person": True, "substitute": "latest"}


def test_where_people_enter_a_run_its_audience_narrows_and_their_views_are_their_own(
    make_run: MakeRun, operator: Client, client: Client
) -> None:
    run = make_run(start=False)
    assert client.get(f"{API}/runs/{run.pk}/snapshot?as=1").status_code == 200
    assert handed(operator, run, 1, PERSON).status_code == 200
    assert again(run).audience == {"kind": "public"}
    refused = client.get(f"{API}/runs/{run.pk}/snapshot?as=1")
    assert (refused.status_code, code_of(refused)) == (403, "seat_is_private")
    assert client.get(f"{API}/runs/{run.pk}").json()["seed"] is None


def test_a_private_run_stays_private_where_people_enter_it(make_run: MakeRun, operator: Client) -> None:
    run = make_run(days=3, start=False, audience={"kind": "private"})
    assert handed(operator, run, 1, PERSON).status_code == 200
    assert again(run).audience == {"kind": "private"}


def test_who_signs_out_steers_no_more_and_keeps_the_seats_of_this_browser(run: Run) -> None:
    ann = Person()
    ann.joins(run.code)
    ann.client.force_login(get_user_model().objects.create_user("ann", is_superuser=True))
    assert ann.client.get(f"{API}/runs/{run.pk}/people").status_code == 200
    assert ann.client.get("/leave").status_code == 405, "a link in a message signs nobody out"
    assert ann.client.post("/leave").status_code == 302
    assert ann.client.get(f"{API}/runs/{run.pk}/people").status_code in (401, 403)
    assert ann.sees()["seat"] == ann.seat


def test_an_operator_may_say_who_watches_when_people_enter(make_run: MakeRun, operator: Client) -> None:
    run = make_run(start=False)
    assert handed(operator, run, 1, PERSON, audience={"kind": "delayed", "delay": 3}).status_code == 200
    assert again(run).audience == {"kind": "delayed", "delay": 3}
    assert handed(operator, run, 2, PERSON).status_code == 200
    assert again(run).audience == {"kind": "delayed", "delay": 3}, "the next person changes nothing"
    refused = handed(operator, run, 2, PERSON, audience={"kind": "everybody"})
    assert (refused.status_code, code_of(refused)) == (422, "bad_audience")


def test_who_plays_where_people_play_is_told_to_nobody_but_the_operator(
    pair: tuple[Person, Person], run: Run, operator: Client, client: Client
) -> None:
    secret = {"model": "mock/latest", "label": "gpt-secret"}
    assert handed(operator, run, 2, secret).status_code == 200
    Run.objects.filter(pk=run.pk).update(error="spent 2.00 USD (usd)", limits={"usd": "2"})
    own = pair[0].sees()["run"]
    for told in (client.get(f"{API}/runs/{run.pk}").json(), client.get(f"{API}/runs").json()[0], own):
        assert "gpt-secret" not in json.dumps(told)
        assert [seat["kind"] for seat in told["seats"]] == ["person", "person", "hidden"]
        assert (told["cost_usd"], told["limits"], told["error"]) == (None, {}, None)
        assert [one["data"] for one in told["notices"] if one["kind"] == "handed_over"] == [{}]
    told = operator.get(f"{API}/runs/{run.pk}").json()
    assert told["notices"][-1]["data"]["after"]["name"] == "gpt-secret"
    assert (told["cost_usd"], told["limits"], told["seats"][2]["kind"]) == (0.0, {"usd": "2"}, "model")


def test_what_a_run_costs_is_shown_where_its_prompts_are(make_run: MakeRun, operator: Client, client: Client) -> None:
    run = make_run(start=False, audience={"kind": "omniscient", "prompts": True})
    handed(operator, run, 2, {"model": "mock/latest"})
    assert client.get(f"{API}/runs/{run.pk}").json()["cost_usd"] == 0.0
    Run.objects.filter(pk=run.pk).update(audience={"kind": "omniscient"})
    assert client.get(f"{API}/runs/{run.pk}").json()["cost_usd"] is None
