"""Every game and preset on the site: the conductor plays what `play` does, and whoever joins late sees the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pydantic import TypeAdapter

from games.core import codec
from games.core.game import All
from games.core.registry import get, packs
from games.lab.folders.calllog import CallLog
from games.lab.folders.playing import spec_steps
from games.lab.folders.runspec import specs_of
from games.lab.scenarios.scenario import Scenario, load
from games.lab.wire.frames import Brief, Frame, frame
from games.lab.wire.run import RunSummary
from games.site.audience import Sight
from games.site.drive.conductor import conduct
from games.site.models import Run, Step
from games.site.record import selectors
from games.site.runs import creating as services
from tests.presets import FEW, SHELF, presets

pytestmark = pytest.mark.django_db(transaction=True)

STEPS = 10
GAMES = [f"{slug}/{FEW.get(slug, tuple(pack.scenarios))[0]}" for slug, pack in packs().items() if slug not in SHELF]
AROUND = "stag_hunt-reputation-communication/default"
"""A game with mechanisms around it, which no list holds."""


def conducted(scenario: Scenario, steps: int = STEPS) -> Run:
    """The scenario's first run, as far as it goes in so many steps after the start."""
    run = services.run_create(scenario=scenario, start=False)
    services.run_step(run_id=run.pk, steps=steps + 1)
    for _ in range(20):
        conduct(run.pk, run.queue)
        run.refresh_from_db()
        if run.status not in ("running", "pending"):
            return run
    raise AssertionError(f"{scenario.name}: still {run.status} at step {run.head}")


def played(scenario: Scenario, steps: int) -> list[str]:
    """The hashes of the same run without the site, its models with it."""
    pack = get(scenario.pack.slug)
    cell = specs_of(scenario)[0]
    config = pack.game.config_type.model_validate(cell.config)
    hashed, hashes = codec.GENESIS, []
    for step in spec_steps(pack, config, cell, CallLog()):
        hashed = codec.chain(pack.game, hashed, step)
        hashes.append(hashed)
        if step.index == steps:
            break
    return hashes


@pytest.mark.parametrize("preset", [*presets(FEW), AROUND])
def test_the_conductor_plays_what_play_does(preset: str) -> None:
    scenario = load(preset)
    run = conducted(scenario)
    assert run.status in ("paused", "finished"), run.error
    assert run.head >= 1
    stored = list(Step.objects.filter(run=run).order_by("index").values_list("hash", flat=True))
    assert stored == played(scenario, run.head)
    assert len(stored) == run.head + 1


def said(shape: Any, body: Any) -> Any:
    """What a shape makes of an answer: the same, or something is missing, or not named in it."""
    return codec.plain(TypeAdapter(shape).validate_python(body))


@pytest.mark.parametrize("preset", [*GAMES, AROUND])
def test_what_seats_did_is_shown_as_it_is_written_again(preset: str) -> None:
    run = conducted(load(preset), 20)
    play, sight = selectors.playing(run), Sight(All())
    shown = selectors.frames(play, sight, -1)
    steps = selectors.steps(play, -1, run.head)
    written = [frame(play.game, play.config, one.step, All(), one.hash, one.metrics) for one in steps]
    assert [codec.plain(one) for one in shown] == [codec.plain(one) for one in written]


@pytest.mark.parametrize(("kind", "as_seat"), [("omniscient", None), ("omniscient", 1), ("public", None)])
@pytest.mark.parametrize("preset", [*GAMES, AROUND])
def test_a_snapshot_and_the_frames_after_it_are_what_a_fresh_snapshot_shows(
    preset: str, kind: str, as_seat: int | None, client: Client
) -> None:
    run = conducted(load(preset), 20)
    Run.objects.filter(pk=run.pk).update(audience={"kind": kind})
    eyes = {} if as_seat is None else {"as": as_seat}

    def got(what: str, **query: Any) -> Any:
        answer = client.get(f"/api/v1/runs/{run.pk}/{what}", {**query, **eyes})
        assert answer.status_code == 200, answer.content
        return answer.json()

    joined = got("snapshot", n=run.head // 3)
    if kind == "public":
        assert client.get(f"/api/v1/runs/{run.pk}/snapshot", {"as": 1}).status_code == 403
    shown = [joined["frame"], *got("frames", after=joined["frame"]["n"])["frames"]]
    assert [one["n"] for one in shown] == list(range(run.head // 3, run.head + 1))
    for one in shown:
        assert one == got("snapshot", n=one["n"])["frame"]
        assert said(Frame, one) == one, "the API's schema says all of it, and of no more"
    assert said(RunSummary, joined["run"]) == joined["run"]
    assert all(said(Brief, one) == one for one in got("briefs")["briefs"])
    assert shown[-1] == got("snapshot")["frame"]
    selectors._base.cache_clear()
    assert shown[-1] == got("snapshot")["frame"], "nor does it lie in what the process has kept"
