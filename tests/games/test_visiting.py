"""The lobby's doors: seats that are listed there, and a match against policies at once."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.core.registry import packs
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.audience import VISITOR
from games.site.models import Participant, Run, SeatKind
from games.site.people.openseats import open_seats
from games.site.runs import visiting
from games.site.runs.creating import run_create, run_stop
from games.site.runs.visiting import playable
from games.site.web import rates
from games.site.workers.sweeper import tick
from tests.games.persons import Person

pytestmark = pytest.mark.django_db(transaction=True)


def asked(game: str, address: str = "127.0.0.1") -> Any:
    client = Client(REMOTE_ADDR=address)
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


def test_one_address_cannot_hold_all_matches(redis_url: str, settings: Any) -> None:
    settings.POLITY_REDIS_URL, settings.POLITY_RATES = redis_url, {"login": (1, 100)}
    settings.POLITY_PROXIES = (ip_network("10.0.0.1"),)
    try:
        statuses = [asked("dilemma", "198.51.100.1").status_code for _ in range(visiting.OF_ONE + 1)]
        assert statuses == [201] * visiting.OF_ONE + [403]
        assert asked("dilemma", "198.51.100.1").json()["error"]["why"] == "address"
        assert asked("dilemma", "198.51.100.2").status_code == 201
        run_stop(run_id=str(Run.objects.order_by("created").first()))
        assert asked("dilemma", "198.51.100.1").status_code == 201, "one of them is over"
    finally:
        rates.redis_at.cache_clear()


def test_a_match_ends_to_which_nobody_came_or_in_whose_room_nobody_is_any_more() -> None:
    empty, left, waits, fresh = (Run.objects.get(code=asked("dilemma").json()["address"][6:]) for _ in range(4))
    for run in (left, waits):
        Person().joins(str(run.code))
    Participant.objects.filter(run=left).update(gone_at=timezone.now())
    Run.objects.exclude(pk=fresh.pk).update(created=timezone.now() - visiting.EMPTY)
    tick()
    stopped = set(Run.objects.filter(status="stopped").values_list("pk", flat=True))
    assert stopped == {empty.pk, left.pk}


def test_only_seats_that_their_terms_list_stand_in_the_lobby() -> None:
    for listed in (False, True):
        seats = read_seats({"0": {"person": True, "substitute": "guided"}}, "test")
        layer = Layer("test", {"miners": 3, "rows": 4, "cols": 4}, seats, people={"listed": listed})
        run_create(scenario=load("mining/baseline", extra=[layer]))
    (one,) = open_seats(VISITOR)
    assert (one["open"], one["of"], one["turn_s"]) == (1, 1, 60)
    assert one["address"] == f"/join/{Run.objects.get(people__listed=True).code}"
