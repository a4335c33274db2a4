"""Six bad actors are told apart by what they order, on seeds that the centroids have not seen."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from games.catalog.nations.tests.telling import FEATURES, Centroids, Features, features
from games.core.registry import Registry
from games.lab.scenarios.scenario import load
from games.laws.case import Case

WITHOUT_WORDS = [at for at, name in enumerate(FEATURES) if name != "words"]


def runs(seeds: Iterable[int]) -> dict[str, list[Features]]:
    scenario = load("nations/bad-actors", Registry())
    return {
        one.name: [
            features(
                Case(scenario.pack, scenario.name, one.config, dict(enumerate(one.seats)), seed, steps=1000).run(), 0
            )
            for seed in seeds
        ]
        for one in scenario.conditions
        if one.name != "control"
    }


def right(known: dict[str, list[Features]], unseen: dict[str, list[Features]]) -> float:
    nearest = Centroids.of(known).nearest
    found = [nearest(one) == name for name, each in unseen.items() for one in each]
    return sum(found) / len(found)


def only(found: dict[str, list[Features]], columns: list[int]) -> dict[str, list[Features]]:
    return {name: [one[columns] for one in each] for name, each in found.items()}


@pytest.mark.parametrize(
    ("known", "unseen"),
    [
        pytest.param(range(1001, 1005), range(5001, 5005), id="few"),
        pytest.param(range(1001, 1011), range(5001, 5021), id="many", marks=pytest.mark.full),
    ],
)
def test_nine_in_ten_are_told_by_their_deeds_and_as_many_without_their_words(known: range, unseen: range) -> None:
    learnt, tried = runs(known), runs(unseen)
    assert right(learnt, tried) >= 0.9
    assert right(only(learnt, WITHOUT_WORDS), only(tried, WITHOUT_WORDS)) >= 0.9


def test_centroids_of_the_wrong_names_tell_nothing() -> None:
    found = {name: [np.array([float(at), 0.0])] * 3 for at, name in enumerate("abc")}
    assert right(found, found) == 1
    assert right(dict(zip("bca", found.values(), strict=True)), found) == 0
