"""The lobby's doors: seats that are listed there, and a match against policies at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.core.registry import packs
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.audience import VISITOR
from games.site.models import Run, SeatKind
from games.site.people.openseats import open_seats
from games.site.runs import visiting
from games.site.runs.creating import run_create
from games.site.runs.visiting import playable

pytestmark = pytest.mark.django_db(transaction=True)


def asked(game: str) -> Any:
    client = Client()
    client.get("/")
    token = client.cookies["polity_csrf"].value
    return client.post(
        f"/api/v1/games/{game}/play", {}, content_type="application/json", headers={"X-CSRFToken": token}
    )


def test_a_visitor_begins_a_match_with_one_free_seat_and_policies_in_the_others() -> None:
    answer = asked("mining")
    assert answer.status_code == 201, answer.content
    run = Run.objects.get()
    assert answer.json() == {"address": f"/join/{run.code}"}
    kinds = list(run.seats.values_list("kind", flat=True))
    assert (kinds[0], set(kinds[1:])) == (SeatKind.PERSON, {SeatKind.POLICY})
    assert Client().get(f"/join/{run.code}").status_code == 200


def test_each_game_has_a_match_for_a_visitor() -> None:
    assert [slug for slug, pack in packs().items() if playable(pack) is None] == []


def test_visitors_are_bounded_and_can_be_switched_off(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visiting, "AT_ONCE", 1)
    assert [asked("dilemma").status_code for _ in range(2)] == [201, 403]
    assert asked("dilemma").json()["error"]["code"] == "visitors_many"
    settings.POLITY_VISITORS = False
    assert asked("dilemma").json()["error"]["code"] == "visitors_off"
    assert b'"playable": []' in Client().get("/").content


def test_only_seats_that_their_terms_list_stand_in_the_lobby() -> None:
    for listed in (False, True):
        seats = read_seats({"0": {"person": True, "substitute": "guided"}}, "test")
        layer = Layer("test", {"miners": 3, "rows": 4, "cols": 4}, seats, people={"listed": listed})
        run_create(scenario=load("mining/baseline", extra=[layer]))
    (one,) = open_seats(VISITOR)
    assert (one["open"], one["of"], one["turn_s"]) == (1, 1, 60)
    assert one["address"] == f"/join/{Run.objects.get(people__listed=True).code}"
