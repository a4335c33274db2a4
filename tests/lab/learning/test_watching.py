"""Trainings are told by their folders, under way and over, and nothing else in those folders is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.lab.learning.watching import trainings

CURVE = "lesson,steps,reward,deviation,entropy,policy,value\nall,100,0.1,0.02,1.5,0,0\nall,200,0.2,0.03,1.4,0,0\n"


def training(place: Path, name: str, **judged: object) -> Path:
    folder = place / name
    folder.mkdir(parents=True)
    told = {"game": "adasociety", "preset": "contract-easy", "algorithm": "ppo", "seed": 1, "steps": 1000, **judged}
    (folder / "manifest.json").write_text(json.dumps(told))
    (folder / "curve.csv").write_text(CURVE)
    (folder / "progress.json").write_text(json.dumps({"steps": 200, "seconds": 4.0}))
    return folder


def test_a_training_under_way_says_how_far_it_is_and_how_long_it_takes_still(tmp_path: Path) -> None:
    training(tmp_path, "one")
    (one,) = trainings(str(tmp_path))
    assert (one.steps, one.planned, one.pace, one.left_s, one.judged) == (200, 1000, 50.0, 16.0, None)
    assert (one.reward, one.deviation, one.entropy, one.lesson) == (0.2, 0.03, 1.4, "all")
    assert one.points == [(100, 0.1), (200, 0.2)]


def test_one_that_is_over_says_what_it_was_judged_by_and_waits_for_nothing(tmp_path: Path) -> None:
    training(tmp_path, "one", judged={"reward": 0.25})
    (one,) = trainings(str(tmp_path))
    assert (one.judged, one.left_s) == (0.25, None)


@pytest.mark.parametrize("spoilt", ["manifest.json", "curve.csv", "progress.json"])
def test_what_is_no_training_or_just_being_written_is_left_out(tmp_path: Path, spoilt: str) -> None:
    training(tmp_path, "one")
    (training(tmp_path, "two") / spoilt).write_text("{" if spoilt != "curve.csv" else "lesson,steps\n")
    (tmp_path / "three").mkdir()
    assert [one.name for one in trainings(f"{tmp_path}:{tmp_path / 'nowhere'}")] == ["one"]
    assert trainings("") == []
