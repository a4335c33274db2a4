"""Spectators guess what a seat does next: who may, what is kept of it, and who is told what, when."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Guess, Run
from games.site.record import guesses, selectors
from games.site.runs.creating import run_create
from games.site.web import rates
from tests.games.persons import Person

pytestmark = pytest.mark.django_db(transaction=True)


def dilemma(preset: str = "dilemma/demo", **more: Any) -> Run:
    """A match of policies, played as far as step 4."""
    run = run_create(scenario=load(preset), seed=1, start=False, **more)
    Run.objects.filter(pk=run.pk).update(status="queued", pause_at=4)
    conduct(run.pk, "live")
    return Run.objects.get(pk=run.pk)


def goes_on(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status="queued", pause_at=6)
    conduct(run.pk, "live")


def spectator(**more: Any) -> Client:
    client = Client(**more)
    client.get("/")
    return client


def guesses_of(run: Run, viewer: str, choice: str, after: int = 4, seat: int = 0, client: Client | None = None) -> Any:
    client = client or spectator()
    body = {"seat": seat, "after": after, "choice": choice, "viewer": viewer}
    token = client.cookies["polity_csrf"].value
    return client.post(
        f"/api/v1/runs/{run.pk}/guess", body, content_type="application/json", headers={"X-CSRFToken": token}
    )


def looks(run: Run, viewer: str = "", after: int = 4, seat: int = 0, client: Client | None = None) -> Any:
    answer = (client or Client()).get(f"/api/v1/runs/{run.pk}/guess", {"seat": seat, "after": after, "viewer": viewer})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_crowd_is_told_to_who_has_guessed_and_to_all_once_the_round_has_come() -> None:
    run = dilemma()
    assert run.head == 4
    assert guesses_of(run, "viewer-one", "C").json()["crowd"] == {"C": 1, "D": 0}
    assert guesses_of(run, "viewer-two", "D").json()["crowd"] == {"C": 1, "D": 1}
    assert looks(run, "viewer-new")["crowd"] is None
    assert looks(run, "viewer-one") == looks(run, "viewer-two") | {"own": {"seat": 0, "choice": "C"}}
    assert looks(run, "viewer-one")["came"] is None
    goes_on(run)
    told = looks(run, "viewer-new")
    played = selectors.step(selectors.playing(Run.objects.get(pk=run.pk)), 5).step.actions[0].move
    assert (told["step"], told["came"], told["crowd"], told["own"]) == (5, played, {"C": 1, "D": 1}, None)
    assert looks(run, "viewer-one")["own"] == {"seat": 0, "choice": "C"}


def test_a_viewer_guesses_once_a_round_whichever_seat_and_anew_in_the_next() -> None:
    run = dilemma()
    guesses_of(run, "viewer-one", "C")
    again = guesses_of(run, "viewer-one", "D").json()
    assert (again["own"], again["crowd"]) == ({"seat": 0, "choice": "C"}, {"C": 1, "D": 0})
    other = guesses_of(run, "viewer-one", "D", seat=1).json()
    assert (other["own"], other["crowd"]) == ({"seat": 0, "choice": "C"}, None)
    guesses_of(run, "viewer-one", "D", after=3)
    assert Guess.objects.count() == 2


def test_nothing_that_is_kept_tells_whose_guess_it_is_or_that_two_are_of_one() -> None:
    run = dilemma()
    for after in (3, 4):
        guesses_of(run, "viewer-one", "C", after)
    first, second = Guess.objects.all()
    assert first.mark != second.mark
    assert "viewer-one" not in first.mark + second.mark
    assert {field.name for field in Guess._meta.fields} == {"id", "run", "seat", "after", "choice", "mark"}


def test_a_step_that_is_not_shown_yet_cannot_be_guessed_from_and_of_what_is_held_back_nothing_is_told() -> None:
    run = dilemma()
    refused = guesses_of(run, "viewer-one", "C", after=5)
    assert (refused.status_code, refused.json()["error"]["why"]) == (422, "after")
    assert guesses_of(run, "viewer-one", "rest").json()["error"]["why"] == "choice"
    Run.objects.filter(pk=run.pk).update(audience={"kind": "delayed", "delay": 2})
    assert looks(run, after=2)["came"] is None, "the third round has been played, but these eyes do not see it"
    assert looks(run, after=1)["step"] == 2
    for kind in ("public", "after_end"):
        Run.objects.filter(pk=run.pk).update(audience={"kind": kind})
        shown = looks(run, after=-1)
        assert shown is None if kind == "public" else (shown["came"], shown["crowd"]) == (None, None)


def test_who_sits_in_the_match_is_asked_nothing() -> None:
    seats = read_seats({"0": {"person": True, "substitute": "TFT"}}, "form")
    scenario = load("dilemma/demo", extra=[Layer("form", {}, seats, people={"deadline_s": 60})])
    run = run_create(scenario=scenario, seed=1, audience={"kind": "omniscient"})
    ann = Person()
    ann.joins(run.code)
    ann.starts()
    conduct(run.pk, "live")
    assert looks(run, "viewer-one", after=-1)["options"] != []
    assert looks(run, "viewer-one", after=-1, client=ann.client) is None
    assert guesses_of(run, "viewer-one", "C", after=-1, client=ann.client).json() is None
    assert Guess.objects.count() == 0


def test_of_an_amount_it_is_guessed_whether_it_is_more_from_the_second_time_on() -> None:
    run = dilemma("public_goods/default")
    assert looks(run, after=-1)["options"] == []
    told = looks(run, after=2)
    assert [one["key"] for one in told["options"]] == ["more", "same", "less"]
    assert (told["step"], told["came"], told["noun"]["en"]) == (3, "same", "Contribute")


def test_after_the_last_decision_of_a_match_nothing_is_asked() -> None:
    run = dilemma()
    assert looks(run)["options"] != []
    Run.objects.filter(pk=run.pk).update(status="stopped")
    assert looks(run)["options"] == []
    assert guesses_of(run, "viewer-one", "C").json()["own"] is None
    assert looks(run, after=3)["came"] is not None
    assert Guess.objects.count() == 0


def test_of_a_seat_that_is_held_against_nobody_nothing_is_asked() -> None:
    run = dilemma("economist/planners")
    planner = run.seats.exclude(role="worker").get().index
    told = looks(run, after=4, seat=planner)
    assert told["options"] == []
    assert planner not in told["seats"]
    assert len(told["seats"]) == run.seats.filter(role="worker").count()
    assert guesses_of(run, "viewer-one", "rest", seat=planner).json()["own"] is None


def test_a_guess_between_two_stages_is_one_of_the_round() -> None:
    run = dilemma("dilemma/talk")
    assert guesses_of(run, "viewer-one", "C", after=2).json()["step"] == 4
    assert guesses_of(run, "viewer-two", "D", after=3).json()["crowd"] == {"C": 1, "D": 1}
    assert guesses_of(run, "viewer-one", "D", after=3).json()["own"]["choice"] == "C"


def test_so_many_guesses_a_second_are_taken_of_one_address(redis_url: str, settings: Any) -> None:
    run = dilemma()
    settings.POLITY_REDIS_URL, settings.POLITY_RATES = redis_url, {"guess": (0.01, 2)}
    try:
        far = spectator(REMOTE_ADDR="198.51.100.7")
        statuses = [guesses_of(run, f"viewer-{n}", "C", client=far).status_code for n in range(3)]
        assert statuses == [200, 200, 429]
    finally:
        rates.redis_at.cache_clear()


def test_a_run_keeps_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "MOST", 1)
    run = dilemma()
    assert guesses_of(run, "viewer-one", "C").status_code == 200
    assert guesses_of(run, "viewer-two", "C").json()["error"]["why"] == "many"
