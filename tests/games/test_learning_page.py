"""The page of trainings: the same as in their folders, in both languages, and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from games.site.web import trainings
from tests.lab.learning.test_watching import training

pytestmark = pytest.mark.django_db


def test_a_site_without_trainings_says_how_one_is_begun(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLITY_TRAINED", raising=False)
    page = client.get("/learning").content.decode()
    assert "No training yet" in page
    assert "polity learn" in page
    assert client.get("/api/v1/learning").json() == []


def test_trainings_stand_with_curve_and_state_those_under_way_first(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training(tmp_path, "a-over", judged={"reward": 0.25})
    training(tmp_path, "b-going")
    monkeypatch.setenv("POLITY_TRAINED", str(tmp_path))
    page = client.get("/learning").content.decode()
    assert "2 trainings, 1 under way" in page
    assert page.index("b-going") < page.index("a-over")
    assert "20%" in page
    assert 'points="24.0,43.2 48.0,38.4"' in page, "of 1000 steps and of all that can be earned"
    assert 'http-equiv="refresh"' in page
    assert "2 次训练，1 次进行中" in client.get("/learning", headers={"accept-language": "zh"}).content.decode()
    told = client.get("/api/v1/learning").json()
    assert [(one["name"], one["judged"]) for one in told] == [("a-over", 0.25), ("b-going", None)]


def test_what_stands_beside_a_training_is_drawn_on_its_scale(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training(tmp_path, "levels", judged={"reward": 0.2}, beside={"saez": [0.2, 0.4], "free-market": [0.5]})
    monkeypatch.setenv("POLITY_TRAINED", str(tmp_path))
    page = client.get("/learning").content.decode()
    assert "0.10–0.5<" in page
    assert "Dashed: saez 0.30, free-market 0.50<" in page
    assert 'd="M0 24.0H240"><title>saez 0.30' in page
    assert 'points="24.0,48.0 48.0,36.0"' in page
    assert client.get("/api/v1/learning").json()[0]["beside"]["saez"] == pytest.approx(0.3)


def test_a_long_curve_is_thinned_to_its_last_point(tmp_path: Path) -> None:
    from dataclasses import replace

    from games.lab.learning.watching import trainings as read

    training(tmp_path, "one")
    (one,) = read(str(tmp_path))
    long = replace(one, points=[(step, 0.0) for step in range(1, 1001)])
    thin = trainings.thinned(long)
    assert len(thin) <= trainings.POINTS
    assert thin[-1] == (1000, 0.0)
