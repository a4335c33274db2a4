"""What is to be learnt is checked first: lessons share the steps, hyperparameters are the algorithm's own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from games.errors.faults import Refused
from games.lab.learning import learnable
from games.lab.learning.adasociety.field import lessons
from games.lab.learning.field import Lesson
from games.lab.learning.plan import CurriculumSettings, Plan, parts
from simsite.commands.learning_curve import sentence

PLAN = Plan("adasociety", "contract-easy", "curriculum", 1, 10_000)


def test_lessons_share_the_steps_and_a_falling_setting_falls_from_its_first_value_to_its_last() -> None:
    lessons = [Lesson("one", 0.3, {"a": 1}), Lesson("less", 0.3, {}, ("p", 1.0, 0.0)), Lesson("free", 0.4, {})]
    course = list(parts(PLAN, lessons))
    assert [part.lesson for part in course] == ["one", *["less"] * 10, "free"]
    assert course[0].settings == {"a": 1}
    falling = [part.settings["p"] for part in course[1:11]]
    assert (falling[0], falling[-1]) == (1.0, 0.0)
    assert falling == sorted(falling, reverse=True)
    ends = [part.until for part in course]
    assert (ends[0], ends[10], ends[-1]) == (3000, 6000, 10_000)
    assert ends == sorted(ends)


def test_what_the_second_lesson_taught_is_practised_in_the_third() -> None:
    settings = PLAN.settings
    assert isinstance(settings, CurriculumSettings)
    *_, second, third = parts(PLAN, lessons("contract-easy", settings))
    assert (third.settings, third.recalled) == ({}, (2, second.settings))
    with pytest.raises(Refused, match="recall: 1; every second run or fewer"):
        lessons("contract-easy", replace(settings, recall=1))


@pytest.mark.parametrize(
    ("algorithm", "changed", "told"),
    [
        ("ppo", {"clipp": 0.1}, "clipp"),
        ("ppo", {"memory": 10}, "memory"),
        ("rainbow", {"clip": 0.1}, "clip"),
        ("ppo", {"epochs": "three"}, "int"),
        ("ppo", {"body": 3}, "str"),
    ],
)
def test_a_hyperparameter_of_another_kind_or_algorithm_is_refused_by_name(
    algorithm: str, changed: dict[str, object], told: str
) -> None:
    plan = replace(PLAN, algorithm=algorithm, changed=changed)  # type: ignore[arg-type]
    with pytest.raises(Refused, match=told):
        _ = plan.settings


def test_what_is_changed_stands_among_the_hyperparameters() -> None:
    assert replace(PLAN, changed={"clip": 1, "body": "paper"}).settings.body == "paper"


def test_what_can_be_learnt_is_listed_without_a_library_for_learning() -> None:
    code = "import sys; from games.lab.learning import learnable; learnable(); print('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
    assert "adasociety/exploration" in learnable()


def test_a_curve_is_told_in_one_line_with_pace_and_time_left() -> None:
    class Told:
        lesson, steps, reward, deviation, losses = "free", 2000, 0.25, 0.01, {"entropy": 1.5, "policy": 0.1}

    line = sentence("contract-easy-ppo-1", Told(), [0.0, 0.25], 6000, 20.0)  # type: ignore[arg-type]
    assert "▁█ 0.2500 ± 0.0100 entropy 1.500 2,000 steps, 100/s, 1 min left" in line
