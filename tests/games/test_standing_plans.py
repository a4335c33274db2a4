"""A person's standing plan: it goes on by itself, nobody waits for it, and its holder may end it at any moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.core.game import IDLE
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.drive.person_seats import TIMED_OUT
from games.site.models import Decision, Run
from games.site.record import selectors
from games.site.runs.creating import run_create
from tests.games.persons import Person, again, code_of, flags, over

pytestmark = pytest.mark.django_db(transaction=True)

PERSON = {"person": True, "substitute": {"policy": "crew"}}
STAY = {"do": "move", "direction": "stay"}
EXPLORE = {"plan": {"plan": "explore"}}
"""Five steps in a direction."""

Begin = Callable[..., tuple[Run, list[Person]]]


@pytest.fixture
def begin(db: None) -> Begin:
    """A match on a small map with people in the first seats, which waits for them in its first step."""

    def make(people: int, **terms: Any) -> tuple[Run, list[Person]]:
        seats = {str(seat): PERSON for seat in range(people)}
        layer = Layer("test", {"steps": 20, "schedule": []}, read_seats({"seats": seats}, "test"), people=terms)
        run = run_create(scenario=load("adasociety/social-structure-easy", extra=[layer]), seed=3)
        came = [Person() for _ in range(people)]
        for one in came:
            assert one.joins(run.code).status_code == 201
            one.starts()
        conduct(run.pk, "live")
        return again(run), came

    return make


def went_on(run: Run) -> Run:
    """The run as far as it goes without its people, however many slices that takes."""
    while True:
        conduct(run.pk, "live")
        if again(run).status not in ("queued", "running"):
            return run


def action_at(run: Run, step: int, seat: int) -> Any:
    actions = selectors.step(selectors.playing(selectors.run_get(run.pk)), step).step.actions
    return actions[seat].do, getattr(actions[seat], "direction", None)


def test_a_plan_is_carried_out_without_its_holder_and_then_they_are_asked_again(begin: Begin) -> None:
    run, (ann,) = begin(1)
    assert ann.moves(1, **EXPLORE).status_code == 200
    assert went_on(run).head == 5
    assert [flags(run, step) for step in range(1, 6)] == [{}] * 5
    turn = ann.sees()["turn"]
    assert (turn["step"], turn["plan"], turn["default"]) == (6, None, "default")


def test_a_plan_under_way_is_its_holders_own_and_said_to_be_a_plan(begin: Begin, admin_client: Any) -> None:
    run, (ann,) = begin(1)
    ann.moves(1, **EXPLORE)
    went_on(run)
    rows = admin_client.get(f"/api/v1/runs/{run.pk}/decisions?seat=0").json()["items"]
    assert [row["decided_by"] for row in rows] == ["person", "plan", "plan", "plan", "plan"]
    others = admin_client.get(f"/api/v1/runs/{run.pk}/decisions?seat=1").json()["items"]
    assert {row["decided_by"] for row in others} == {"policy"}
    told = admin_client.get(f"/api/v1/runs/{run.pk}").json()["not_own"]
    assert (told["share"], told["unsound"]) == (0, False)


def test_whoever_ends_a_plan_is_asked_in_the_next_step_though_nobody_waited_for_them(begin: Begin) -> None:
    run, (ann,) = begin(1)
    ann.moves(1, **EXPLORE)
    told = ann.halts()
    assert told.status_code == 200
    assert went_on(run).head == 1
    turn = ann.sees()["turn"]
    assert (turn["step"], turn["plan"], turn["default"]) == (2, None, "default")
    assert [one["seat"] for one in ann.sees()["run"]["waiting_for"]] == [0]
    assert ann.moves(2, action=STAY).status_code == 200
    assert went_on(run).head == 2
    assert action_at(run, 2, 0) == ("move", "stay")
    assert ann.sees()["turn"]["plan"] is None
    # A plan that is made afterwards stands again.
    ann.moves(3, **EXPLORE)
    assert went_on(run).head == 7


def test_a_plan_that_was_ended_does_not_come_back_when_its_holder_lets_the_time_run_out(begin: Begin) -> None:
    run, (ann,) = begin(1)
    ann.moves(1, **EXPLORE)
    ann.halts()
    went_on(run)
    over(run)
    went_on(run)
    assert flags(run, 2) == {0: (TIMED_OUT,)}
    assert (run.head, ann.sees()["turn"]["plan"]) == (2, None)
    ann.moves(3, **EXPLORE)
    assert went_on(run).head == 7, "what ended the first plan is spent"


def test_while_others_are_awaited_a_key_takes_the_place_of_the_plans_step(begin: Begin) -> None:
    run, (ann, ben) = begin(2)
    ann.moves(1, **EXPLORE)
    ben.moves(1, action=STAY)
    went_on(run)
    seen = ann.sees()
    assert [one["seat"] for one in seen["run"]["waiting_for"]] == [1], "whose plan goes on is not waited for"
    assert (seen["turn"]["step"], seen["turn"]["plan"]["plan"], seen["turn"]["moved"]) == (2, "explore", None)
    assert ann.moves(2, action=STAY).status_code == 200
    ben.moves(2, action=STAY)
    assert went_on(run).head == 2
    assert action_at(run, 2, 0) == ("move", "stay")
    assert [one["seat"] for one in ann.sees()["run"]["waiting_for"]] == [0, 1]


def test_who_ends_a_plan_while_others_are_awaited_is_awaited_too(begin: Begin) -> None:
    run, (ann, ben) = begin(2)
    ann.moves(1, **EXPLORE)
    ben.moves(1, action=STAY)
    went_on(run)
    assert ann.halts().json()["turn"]["plan"] is None
    went_on(run)
    ben.moves(2, action=STAY)
    assert went_on(run).head == 1
    assert [one["seat"] for one in ann.sees()["run"]["waiting_for"]] == [0]
    ann.moves(2, action=STAY)
    assert went_on(run).head == 2


def test_nobody_is_waited_for_longer_than_for_those_without_a_plan(begin: Begin, queued: list[Any]) -> None:
    run, (ann, ben) = begin(2)
    ann.moves(1, **EXPLORE)
    ben.moves(1, action=STAY)
    went_on(run)
    queued.clear()
    ben.moves(2, action=STAY)
    assert queued == [(run.pk, "live")]
    assert went_on(run).head == 2
    assert Decision.objects.filter(run=run, step=2).count() == 2


def test_where_the_match_ticks_a_plan_goes_on_with_the_tick_and_a_key_ends_it(begin: Begin) -> None:
    run, (ann,) = begin(1, tick_s=10)
    ann.moves(1, **EXPLORE)
    assert went_on(run).head == 1
    assert ann.sees()["turn"]["default"] == "plan"
    over(run)
    assert went_on(run).head == 2
    assert flags(run, 2) == {}, "the plan has acted"
    assert ann.moves(3, action=STAY).status_code == 200
    went_on(run)
    assert action_at(run, 3, 0) == ("move", "stay")
    assert ann.sees()["turn"]["plan"] is None


def test_where_the_match_ticks_a_plan_that_was_ended_does_not_act(begin: Begin) -> None:
    run, (ann,) = begin(1, tick_s=10)
    ann.moves(1, **EXPLORE)
    went_on(run)
    assert ann.halts().json()["turn"]["plan"] is None
    over(run)
    went_on(run)
    assert flags(run, 2) == {0: (IDLE,)}
    assert ann.sees()["turn"]["plan"] is None


def test_a_plan_is_ended_by_the_tab_that_holds_the_seat_alone(begin: Begin) -> None:
    run, (ann,) = begin(1)
    ann.moves(1, **EXPLORE)
    assert code_of(ann.halts(tab="tab-two")) == "other_tab"
    eve = Person()
    eve.client.get(f"/join/{run.code}")
    eve.id = ann.id
    assert code_of(eve.halts()) == "not_your_seat"
    assert went_on(run).head == 5


def test_whoever_is_asked_anew_is_told_why_the_plan_that_stood_cannot_go_on(db: None) -> None:
    small = {"workers": 2, "epochs": 1, "map": {"height": 4, "width": 4, "wood_density": 1, "stone_density": 0}}
    seats = {"0": {"person": True, "substitute": {"policy": "honest"}}}
    layer = Layer("test", small, read_seats({"seats": seats}, "test"), people={})
    run = run_create(scenario=load("economist/honest", extra=[layer]), seed=3)
    ann = Person()
    ann.joins(run.code)
    ann.starts()
    conduct(run.pk, "live")
    assert ann.sees()["turn"]["ended"] is None
    assert ann.moves(1, plan={"plan": "gather", "resource": "wood", "n": 99}).status_code == 200
    went_on(run)
    turn = ann.sees()["turn"]
    assert (turn["step"], turn["plan"], turn["ended"]) == (11, None, {"kind": "plan_tired", "data": {}})
