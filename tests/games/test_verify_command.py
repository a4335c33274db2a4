"""`polity verify RUN_ID`, on runs of the site."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Run
from games.site.runs.creating import run_create
from simsite.cli import main

pytestmark = pytest.mark.django_db(transaction=True)


def polity(capsys: Any, *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(args)
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.fixture
def run() -> Run:
    few = Layer("test", {"miners": 3, "rows": 4, "cols": 4, "rounds": 5})
    made = run_create(scenario=load("mining/llm-mock", extra=[few]))
    while Run.objects.get(pk=made.pk).status in ("queued", "running"):
        conduct(made.pk, "live")
    return made


def test_a_stored_run_is_resolved_again_by_its_id(run: Run, capsys: Any) -> None:
    status, out, _ = polity(capsys, "verify", run.pk)
    assert (status, out.strip()) == (0, f"{run.pk}: identical 5/5")
    status, out, _ = polity(capsys, "verify", run.pk, "--json")
    assert (status, json.loads(out)["identical"]) == (0, True)


def test_a_run_of_models_plays_again_from_its_recording(run: Run, capsys: Any) -> None:
    status, out, _ = polity(capsys, "verify", run.pk, "--recording")
    assert (status, out.strip()) == (0, f"{run.pk}, from its recording, 0 calls: identical 6/6")


def test_a_name_that_is_neither_folder_nor_run_is_refused_in_one_line(capsys: Any) -> None:
    status, _, err = polity(capsys, "verify", "nowhere")
    assert status == 2
    assert err.startswith("nowhere: no folder of that name, and no run of the site:")
    assert err.count("\n") == 1
