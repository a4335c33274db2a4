"""Assignment, practice, instructions and matches are one plan, and `check` walks it for every arm."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from games.site.models import Participant
from games.site.studies import presets
from games.site.studies.loading import study_read
from games.site.studies.rehearsing import rehearse

pytestmark = pytest.mark.django_db(transaction=True)

SEATS = {"A": {"person": True}, "B": {"person": True}}
ALONE = {"scenario": "dilemma/tft-vs-alld", "config": {"rounds": 1}, "seats": {"A": {"person": True}}, "practice": True}
TWO: dict[str, Any] = {
    "study": "two-arms",
    "arms": {"short": {}, "long": {"play": {"config": {"rounds": 2}}}},
    "assign": {"at": "play"},
    "steps": {
        "practice": ALONE,
        "play": {"scenario": "dilemma/tft-vs-alld", "config": {"rounds": 1}, "seats": SEATS, "gather": {"wait_s": 60}},
    },
}


def test_a_practice_match_before_the_assignment_leaves_nobody_without_a_group() -> None:
    session, told = rehearse(study_read(TWO), members=8)
    assert (told.plain()["ends"], told.stuck) == ({"done": 8}, [])
    assert dict(told.arms) == {"short": 4, "long": 4}
    practised = Participant.objects.filter(run__session=session, run__study_step="practice")
    assert practised.count() == 8


def test_who_practises_alone_is_drawn_into_an_arm_with_a_group_and_not_before() -> None:
    data = deepcopy(TWO)
    data["arms"]["long"]["play"] |= {"match": "perfect", "silo": 6, "repeat": 5}
    _, told = rehearse(study_read(data), members=8)
    assert (told.plain()["ends"], told.stuck) == ({"done": 8}, [])
    assert sorted(told.arms.values()) == [2, 6]


def test_a_group_that_has_begun_is_completed_before_another_arm_is_filled() -> None:
    data = {**deepcopy(TWO), "assign": {"at": "told"}}
    data["steps"] = {"told": {"text": "You play soon."}, "play": TWO["steps"]["play"]}
    data["arms"]["long"]["play"] |= {"match": "perfect", "silo": 6, "repeat": 5}
    _, told = rehearse(study_read(data), members=8)
    assert told.plain()["ends"] == {"done": 8}
    assert sorted(told.arms.values()) == [2, 6]


RULES = {"rules": {"rules": "play"}}


def _faults(data: dict[str, Any]) -> list[tuple[str, str]]:
    from games.errors.faults import BadScenario

    try:
        study_read(data)
    except BadScenario as error:
        return [(one.path, one.message) for one in error.faults]
    return []


def _with(steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**deepcopy(TWO), "steps": {**steps, "play": TWO["steps"]["play"]}, **more}


@pytest.mark.parametrize(
    ("data", "where", "what"),
    [
        (_with(RULES), "steps.rules.rules", "set assign.at: rules"),
        (_with({"own": {"text": "Long.", "only": ["long"]}}), "steps.own.only", "before arms are drawn"),
        (
            _with({"told": {"text": "A."}}, arms={"a": {}, "b": {"told": {"text": "B."}}}),
            "arms.b.told",
            "assign.at: told",
        ),
        (_with({"t": {"text": "consent.md"}}), "steps.t.text", "consent.md; no such file stands beside the study"),
        (_with({"t": {"text": {"en": " "}}}), "steps.t.text.en", "nothing is written there"),
        (_with({"t": {"ask": {"q": {"title": "a.md"}}}}), "steps.t.ask.q.title", "a.md; no such file"),
        (
            {**_with({}), "steps": {"play": {**TWO["steps"]["play"], "only": ["short"]}, "rules": {"rules": "play"}}}
            | {"assign": {}},
            "steps.rules.rules",
            "members of arm long come to this page and never play it",
        ),
        (
            {**_with({}), "steps": {"play": {**TWO["steps"]["play"], "only": ["short"]}}},
            "assign.at",
            "arm long has no such step",
        ),
        (_with({"t": {"text": "Hello.", "colour": "red"}}), "steps.t.colour", ""),
        (_with({}, arms={"a": {}, "b": {"play": {"people": {"deadlines": 3}}}}), "arms.b.play", "unknown"),
    ],
)
def test_what_cannot_be_walked_in_an_arm_is_a_fault_of_the_file(data: dict[str, Any], where: str, what: str) -> None:
    found = _faults(data)
    assert any(path.startswith(where) and what in told for path, told in found), found


def test_without_a_word_arms_are_drawn_before_the_first_step_that_differs() -> None:
    assert study_read(_with(RULES, assign={})).at == "rules"
    assert study_read({**TWO, "assign": {}}).at == "play"


@pytest.mark.parametrize("name", presets.names())
def test_instructions_of_a_bundled_study_are_those_of_the_reader_s_arm(name: str) -> None:
    study = presets.study(name)
    assert all(stop.drawn or not stop.shows for arm in study.arms for stop in study.plan(arm) if len(study.arms) > 1)


def test_a_text_beside_the_study_is_read_and_one_that_is_missing_is_named(tmp_path: Any) -> None:
    import yaml

    from games.errors.faults import BadScenario
    from games.site.studies.loading import study_file

    file = tmp_path / "study.yaml"
    file.write_text(yaml.safe_dump(_with({"consent": {"text": {"en": "texts/consent.md"}, "agree": True}})))
    with pytest.raises(BadScenario, match=r"steps.consent.text: texts/consent.md; no such file"):
        study_file(str(file))
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/consent.md").write_text("Do you agree?")
    assert study_file(str(file)).form.steps["consent"].text == {"en": "Do you agree?"}


def test_an_arm_may_seat_a_program_where_another_seats_a_person() -> None:
    study = study_read(_with({}, arms={"people": {}, "program": {"play": {"seats": {"B": {"policy": "TFT"}}}}}))
    assert study.arms["program"]["play"].seats["B"] == {"policy": "TFT"}
    assert study.groups == {"people": ("play", 2), "program": ("play", 1)}
