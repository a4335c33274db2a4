"""A run of the site as a file: what the asker may see of it, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.core.game import All
from games.site.audience import Sight, Viewer, sight
from games.site.models import Run
from games.site.record import selectors
from games.site.runs.creating import run_stop
from tests.games.test_audience import under_way
from tests.lab.test_replay_file import parts
from tests.lab.test_view import bundle

__all__ = ["bundle"]
MakeRun = Callable[..., Run]


@pytest.fixture(autouse=True)
def built(bundle: Any, settings: Any) -> None:
    settings.BUNDLE_DIR = bundle.path


def file_of(client: Client, run: Run, query: str = "") -> tuple[dict[str, Any], list[dict[str, Any]]]:
    answer = client.get(f"/api/v1/runs/{run.pk}/replay.html{query}")
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    return parts(answer.content)


def test_a_file_holds_the_frames_that_there_are(client: Client, make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "omniscient"})
    boot, frames = file_of(client, run)
    given = selectors.frames(selectors.playing(run), Sight(All()), -1)
    assert frames == json.loads(json.dumps(given))
    assert (boot["run"]["id"], boot["run"]["status"], boot["as"]) == (run.pk, "paused", None)


@pytest.mark.parametrize(("audience", "query"), [({"kind": "public"}, ""), ({"kind": "omniscient"}, "?as=1")])
def test_private_facts_are_not_in_the_file_of_who_may_not_see_them(
    client: Client, make_run: MakeRun, audience: dict[str, Any], query: str
) -> None:
    run = under_way(make_run, audience)
    own = {1} if query else set()
    boot, frames = file_of(client, run, query)
    assert len(frames) == 7
    assert {seat for frame in frames for seat, _ in frame["payoffs"]} == own
    earned = [event["data"]["seat"] for frame in frames for event in frame["events"] if event["kind"] == "earned"]
    assert set(earned) == own
    assert boot["run"]["config"] is None
    everything = selectors.frames(selectors.playing(run), Sight(All()), -1)
    assert {seat for frame in everything for seat, _ in frame["payoffs"]} == {0, 1, 2}


def test_a_file_ends_where_the_askers_sight_does(client: Client, make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "delayed", "delay": 1})
    assert [frame["n"] for frame in file_of(client, run)[1]] == [0, 1, 2, 3, 4]
    assert selectors.shown_head(run, sight(run, Viewer(operator=True))) == 6


def test_there_is_no_file_while_nothing_may_be_seen(client: Client, make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "after_end"})
    answer = client.get(f"/api/v1/runs/{run.pk}/replay.html")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    run_stop(run_id=run.pk)
    assert len(file_of(client, run)[1]) == 7


def test_a_seat_that_may_not_be_seen_has_no_file(client: Client, make_run: MakeRun) -> None:
    run = under_way(make_run, {"kind": "public"})
    assert client.get(f"/api/v1/runs/{run.pk}/replay.html?as=1").status_code == 403


def test_a_server_without_its_bundle_says_so(client: Client, make_run: MakeRun, settings: Any, tmp_path: Path) -> None:
    settings.BUNDLE_DIR = tmp_path / "none"
    answer = client.get(f"/api/v1/runs/{under_way(make_run, {'kind': 'omniscient'}).pk}/replay.html")
    assert answer.status_code == 503
    assert "polity serve builds it" in answer.json()["error"]["message"]
