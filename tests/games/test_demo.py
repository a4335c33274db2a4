"""The match that a fresh site shows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.core.registry import packs
from games.site.drive.conductor import conduct
from games.site.models import ENDED, Demo, DemoLink, Run, Step, Tag
from games.site.runs import demo, gallery
from games.site.runs.forks import run_fork

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_remarkable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No match is kept for what it tells; see ``test_gallery``."""
    monkeypatch.setattr(gallery, "EACH", 0)


def end(run_id: str, ago: timedelta) -> None:
    Run.objects.filter(pk=run_id).update(status="finished", ended=timezone.now() - ago)


def test_a_second_start_resumes_the_match_that_was_under_way() -> None:
    assert demo.demo_ensure() == demo.demo_ensure()
    run = Run.objects.get()
    assert (run.scenario.name, run.pace, run.seed) == ("mixed", 1.0, 1)


def test_the_next_match_begins_some_time_after_the_last_has_ended_and_only_once() -> None:
    first = demo.demo_ensure()
    assert demo.demo_continue() is None
    end(first, timedelta(seconds=1))
    assert demo.demo_continue() is None
    end(first, demo.PAUSE + timedelta(seconds=1))
    second = demo.demo_continue()
    assert second is not None
    assert demo.demo_continue() is None
    assert Run.objects.get(pk=second).pk != first


def shown_next() -> Run:
    """The match that follows the one that is on show."""
    end(demo.demo_ensure(), demo.PAUSE * 2)
    following = demo.demo_continue()
    assert following is not None
    return Run.objects.get(pk=following)


def test_the_games_that_offer_a_demo_take_turns_each_at_its_own_pace_and_from_seed_to_seed() -> None:
    names = list(demo.offered())
    assert names[0] == "mining/mixed"
    assert "nations/demo" in names
    demo.demo_ensure()
    turns = [shown_next() for _ in range(2 * len(names) - 1)]
    assert [f"{run.game}/{run.scenario.name}" for run in turns] == [*names[1:], *names]
    assert [run.seed for run in turns] == [1] * (len(names) - 1) + [2] * len(names)
    assert {run.game: run.pace for run in turns} == {run.game: packs()[run.game].demo_pace for run in turns}


def test_a_demo_that_cannot_be_played_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(demo, "offered", lambda: ["mining/mixed", "mining/nothing-of-the-kind", "nations/demo"])
    demo.demo_ensure()
    assert shown_next().game == "nations"
    assert "demo mining/nothing-of-the-kind is left out" in caplog.text


def test_a_site_without_the_demo_starts_none() -> None:
    assert demo.demo_continue() is None
    assert not Run.objects.exists()


def test_old_demo_matches_are_let_go_and_other_runs_are_not(monkeypatch: Any) -> None:
    monkeypatch.setattr(demo, "KEPT", 2)
    from games.lab.scenarios.scenario import load
    from games.site.runs.creating import run_create

    own = run_create(scenario=load(demo.FIRST), start=False)
    for _ in range(5):
        end(demo.demo_ensure(), demo.PAUSE * 2)
        demo.demo_continue()
    assert Run.objects.filter(demo=Demo.PAST).count() == 2
    assert Run.objects.filter(pk=own.pk).exists()


def played(run_id: str) -> Run:
    """The match at its end, as a worker plays it."""
    Run.objects.filter(pk=run_id).update(pace=0)
    while Run.objects.get(pk=run_id).status not in ENDED:
        conduct(run_id, "live")
    Run.objects.filter(pk=run_id).update(ended=timezone.now() - demo.PAUSE * 2)
    return Run.objects.get(pk=run_id)


def steps_of(run_id: str) -> list[tuple[int, str, bytes]]:
    return [(one.index, one.hash, bytes(one.record)) for one in Step.objects.filter(run=run_id).order_by("index")]


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> tuple[str, list[tuple[int, str, bytes]]]:
    """A demo that was played to its end and let go; its address, and its steps as they were."""
    monkeypatch.setattr(demo, "KEPT", 0)
    monkeypatch.setattr(demo, "offered", lambda: ["dilemma/demo"])
    first = demo.demo_ensure()
    played(first)
    before = steps_of(first)
    assert demo.demo_continue() is not None
    assert not Run.objects.filter(pk=first).exists()
    return first, before


@pytest.mark.parametrize("use", ["page", "embedded", "tag", "fork"])
def test_a_demo_that_somebody_opened_tagged_or_forked_is_kept(
    use: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "KEPT", 0)
    monkeypatch.setattr(demo, "offered", lambda: ["dilemma/demo"])
    first = demo.demo_ensure()
    match use:
        case "page" | "embedded":
            assert client.get(f"/m/{first}{'/embed' if use == 'embedded' else ''}").status_code == 200
        case "tag":
            Tag.objects.create(run_id=first, name="fine")
    played(first)
    if use == "fork":
        run_fork(run_id=first, at=1, start=False)
    for _ in range(3):
        following = demo.demo_continue()
        assert following is not None
        played(following)
    assert Run.objects.filter(pk=first).exists()
    assert Run.objects.filter(demo=Demo.PAST).count() == 1, "and none of the others"


def test_of_demos_that_were_opened_the_newest_are_kept_and_the_others_are_played_again_when_opened(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "OPENED", 2)
    monkeypatch.setattr(demo, "offered", lambda: ["dilemma/demo"])
    opened, steps = [], {}
    for _ in range(4):
        opened.append(demo.demo_ensure() if not opened else str(demo.demo_continue()))
        assert client.get(f"/m/{opened[-1]}").status_code == 200
        played(opened[-1])
        steps[opened[-1]] = steps_of(opened[-1])
    demo.demo_continue()
    assert [Run.objects.filter(pk=one).exists() for one in opened] == [False, False, True, True]
    assert client.get(f"/m/{opened[0]}").status_code == 200
    played(opened[0])
    assert steps_of(opened[0]) == steps[opened[0]]
    demo.demo_continue()
    demo.demo_continue()
    assert Run.objects.filter(pk=opened[0]).exists(), "it was opened last"


def test_a_demo_that_was_let_go_is_played_again_under_its_address_with_the_same_bytes(
    client: Client, gone: tuple[str, list[tuple[int, str, bytes]]]
) -> None:
    run_id, before = gone
    created = DemoLink.objects.get(pk=run_id).created
    assert client.get(f"/m/{run_id}").status_code == 200
    assert client.get(f"/m/{run_id}").status_code == 200
    again = played(run_id)
    assert steps_of(run_id) == before
    assert (again.demo, again.created) == (Demo.PAST, created)
    demo.demo_continue()
    assert DemoLink.objects.get(pk=run_id).head_hash == "", "it was compared"
    assert Run.objects.filter(pk=run_id).exists(), "and is kept, since it was opened"


def test_a_demo_that_comes_to_something_else_is_not_shown_for_what_it_was(
    client: Client, gone: tuple[str, list[tuple[int, str, bytes]]], caplog: pytest.LogCaptureFixture
) -> None:
    run_id, _ = gone
    DemoLink.objects.filter(pk=run_id).update(seed=99)
    assert client.get(f"/m/{run_id}").status_code == 200
    played(run_id)
    demo.demo_continue()
    assert f"demo {run_id} was played again" in caplog.text
    assert client.get(f"/m/{run_id}").status_code == 404


def test_a_demo_of_rules_that_are_no_more_says_so(
    client: Client, gone: tuple[str, list[tuple[int, str, bytes]]]
) -> None:
    run_id, _ = gone
    DemoLink.objects.filter(pk=run_id).update(rules_version=0)
    page = client.get(f"/m/{run_id}")
    assert page.status_code == 404
    assert "rules that are no more" in page.content.decode()
