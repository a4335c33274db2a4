"""What was remarkable: matches that are kept for good, and what a lobby shows of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.lab.scenarios.scenario import load
from games.site.audience import Viewer
from games.site.drive.conductor import conduct
from games.site.models import ENDED, Demo, Run, Tag
from games.site.runs import demo
from games.site.runs.creating import run_create
from games.site.runs.gallery import EACH, REMARKABLE, gallery, remember, worth

pytestmark = pytest.mark.django_db


def story(turning: int = 1, leads: int = 1, relative: float | None = 0.5, outcome: str = "won") -> Any:
    said = {"en": ["A wins"], "zh": ["A 获胜"]}
    turns = [{"at": n + 1, "said": said} for n in range(turning)]
    return {
        "title": said,
        "sentences": [],
        "outcome": outcome,
        "turning": turns,
        "led": [{}] * leads,
        "relative": relative,
        "broken": None,
    }


def finished(told: dict[str, Any], preset: str = "dilemma/demo", **more: Any) -> Run:
    run = run_create(scenario=load(preset), seed=1, start=False, **more)
    Run.objects.filter(pk=run.pk).update(status="finished", ended=timezone.now(), head=3, story=told)
    return Run.objects.get(pk=run.pk)


def kept() -> set[str]:
    return set(Tag.objects.filter(name=REMARKABLE).values_list("run_id", flat=True))


def test_a_close_match_that_turned_often_is_worth_more_and_an_unsound_one_nothing() -> None:
    plain = worth(story())
    assert worth(story(turning=3)) > plain
    assert worth(story(leads=4)) > plain
    assert worth(story(relative=0.01)) > plain
    assert worth(story(outcome="unsound")) == worth(None) == 0


def test_of_each_game_the_best_are_kept_and_one_that_is_surpassed_is_no_longer() -> None:
    runs = [finished(story(leads=n)) for n in range(1, EACH + 2)]
    other = finished(story(leads=1), "mining/baseline")
    for run in (*runs, other):
        remember(run)
    assert kept() == {other.pk, *(run.pk for run in runs[1:])}
    dull = finished(story(leads=0))
    remember(dull)
    assert dull.pk not in kept()


def test_the_lobby_shows_one_of_each_game_where_it_turned_and_first_what_operators_chose(client: Client) -> None:
    best, chosen = finished(story(turning=3, leads=5)), finished(story(turning=0))
    mined = finished(story(turning=2), "mining/baseline")
    hidden = finished(story(turning=3, leads=8), "nations/demo", audience={"kind": "private"})
    for run in (best, mined, hidden):
        remember(run)
    Tag.objects.create(run=chosen, name="gallery")
    shown = [(one["run"]["id"], one["at"]) for one in gallery(Viewer())]
    assert shown == [(chosen.pk, None), (mined.pk, 2), (best.pk, 3)]
    page = client.get("/").content.decode()
    assert all(run.pk in page for run in (best, chosen, mined))
    assert hidden.pk not in page


def test_a_demo_that_was_remarkable_outlasts_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "KEPT", 0)
    monkeypatch.setattr(demo, "offered", lambda: ["dilemma/demo"])
    seen = [demo.demo_ensure()]
    for _ in range(4):
        Run.objects.filter(pk=seen[-1]).update(pace=0)
        while Run.objects.get(pk=seen[-1]).status not in ENDED:
            conduct(seen[-1], "live")
        Run.objects.filter(pk=seen[-1]).update(ended=timezone.now() - demo.PAUSE * 2)
        seen.append(str(demo.demo_continue()))
    left = set(Run.objects.filter(demo=Demo.PAST).values_list("pk", flat=True))
    assert left == kept()
    assert len(left) == EACH
