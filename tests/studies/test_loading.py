"""A study file is refused by name, with the value, before anybody comes."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from games.errors.faults import BadScenario
from games.site.studies.lasting import longest_s
from games.site.studies.loading import study_read
from tests.studies.conftest import PAIRS

WRONG: list[tuple[tuple[str, ...], Any, str, str]] = [
    (("steps", "play", "silo"), 5, "steps.play.silo", "multiple of the 2"),
    (("steps", "play", "repeat"), 4, "steps.play.repeat", "perfect strangers for 3 rounds"),
    (("steps", "survey", "ask", "trust", "as"), "stars", "steps.survey.ask.trust.as", "stars"),
    (("pay", "point"), -1, "pay.point", "-1"),
    (("ends", "done", "url"), "prolific", "ends.done.url", "prolific"),
    (("assign",), {"at": "nowhere"}, "assign.at", "nowhere"),
    (("steps", "play", "scenario"), "dilemma/nosuch", "steps.play.scenario", "nosuch"),
    (("steps", "play", "seats"), {"*": {"policy": "TFT"}}, "steps.play.seats", "no seat is a person's"),
    (("steps", "check", "ask", "points", "answer"), "three", "steps.check", ""),
    (("arms",), {"one": {"nowhere": {}}}, "arms.one.nowhere", "nowhere"),
    (("steps", "consent", "repeat"), 3, "steps.consent", "a page has"),
    (("colour",), "red", "colour", ""),
]


def test_a_good_study_is_known_by_its_hash() -> None:
    assert study_read(PAIRS).hash == study_read(deepcopy(PAIRS)).hash


@pytest.mark.parametrize(("path", "value", "where", "what"), WRONG, ids=[one[2] for one in WRONG])
def test_what_cannot_be_is_refused_at_its_place(path: tuple[str, ...], value: Any, where: str, what: str) -> None:
    data = deepcopy(PAIRS)
    here: Any = data
    for name in path[:-1]:
        here = here[name]
    here[path[-1]] = value
    with pytest.raises(BadScenario) as caught:
        study_read(data)
    assert any(one.path.startswith(where) and what in one.message for one in caught.value.faults), str(caught.value)


def test_how_long_a_study_can_take_is_reckoned_from_its_clocks() -> None:
    seconds, unbound = longest_s(study_read(PAIRS).arms["all"])
    assert unbound == ["consent", "check", "survey"]
    assert seconds == 300 + 3 * 2 * 60
