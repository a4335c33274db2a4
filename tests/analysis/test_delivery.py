"""A treatment that never arrived is said to have never arrived, not to have no effect."""

from __future__ import annotations

import pytest

from games.lab.analysis.delivery import Arrival
from games.lab.analysis.plan import Comparison, Plan
from games.lab.analysis.report.labels import Labels
from games.lab.analysis.report.page import report
from games.lab.analysis.result import analyse
from games.lab.analysis.runs import Run
from games.lab.analysis.testing import Direction
from games.lab.scenarios.scenario import load_data

TALK = {"talk": 1.0, "silent": -1.0}


def runs(messages: float | None, raids: float = 0.0, same: bool = False) -> list[Run]:
    """Ten seeds of both arms: raids differ by chance alone, unless they are the same in both."""
    found = []
    for seed in range(1, 11):
        noise = (seed * 7 % 5) / 10
        found.append(Run("silent", seed, seed, 9, {"raids": noise, "messages": 0.0}))
        after = noise if same else (seed * 3 % 5) / 10 + raids
        found.append(Run("talk", seed, seed, 9, {"raids": after, "messages": 0.0 if same else messages}))
    return found


def plan(direction: Direction = "differs", interest: float | None = None, *arrivals: Arrival) -> Plan:
    asked = Comparison("H", "contrast", "raids", TALK, direction, interest=interest)
    return Plan(("silent", "talk"), "silent", True, (asked,), delivered={"talk": arrivals})


SENT = Arrival("messages", over=0)


def test_no_effect_of_what_never_came_is_no_verdict() -> None:
    (found,) = analyse(plan("differs", None, SENT), runs(0.0)).comparisons
    assert found.verdict == "not_delivered"
    assert [(one.condition, one.arrived, one.runs) for one in found.arrived] == [("talk", 0, 10)]


def test_what_is_undefined_did_not_arrive() -> None:
    assert analyse(plan("differs", None, SENT), runs(None)).comparisons[0].verdict == "not_delivered"


def test_what_came_is_judged_as_ever() -> None:
    (found,) = analyse(plan("differs", None, SENT), runs(4.0)).comparisons
    assert (found.verdict, found.arrived[0].arrived) == ("not_shown", 10)
    assert analyse(plan("differs", None, SENT), runs(4.0, raids=2.0)).comparisons[0].verdict == "shown"


def test_equivalence_to_what_never_came_is_not_shown() -> None:
    assert analyse(plan("equivalent", 5.0, SENT), runs(4.0)).comparisons[0].verdict == "shown"
    assert analyse(plan("equivalent", 5.0, SENT), runs(0.0)).comparisons[0].verdict == "not_delivered"


def test_what_must_happen_elsewhere_is_looked_for_there() -> None:
    raided = Arrival("raids", over=5, of="silent")
    (found,) = analyse(plan("lower", None, raided), runs(4.0)).comparisons
    assert (found.verdict, found.arrived[0].of) == ("not_delivered", "silent")


def test_arms_that_were_played_alike_say_so_without_a_declaration() -> None:
    (found,) = analyse(plan(), runs(0.0, same=True)).comparisons
    assert (found.verdict, found.arrived[0].metric, found.arrived[0].runs) == ("not_delivered", "*", 10)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_report_says_what_never_arrived(language: str) -> None:
    page = report(analyse(plan("differs", None, SENT), runs(0.0)), Labels(language, "game", "title")).page
    assert ("the treatment never arrived" if language == "en" else "处理从未生效") in page
    assert ("in 0 of 10 runs" if language == "en" else "10 局中有 0 局") in page


def test_a_game_knows_what_shows_its_talk() -> None:
    """Messages that nobody sends: policies of nations send none, and the declaration says how that is seen."""
    document = {
        "base": "nations/baseline", "seeds": [1, 2], "config": {"messages": 0},
        "factors": {"talk": {"field": "messages", "levels": {"silent": 0, "talk": 3}}},
        "hypotheses": {"H": {"metric": "attacks", "of": "talk"}},
    }  # fmt: skip
    declared = load_data(document, "test", "nations").experiment
    assert declared is not None
    assert declared.plain()["delivered"] == {"talk": [{"metric": "messages", "over": 0.0, "is_derived": True}]}
    assert Plan.read(declared.plain()).delivered == {"talk": (Arrival("messages", 0.0, is_derived=True),)}


def test_a_declared_arrival_stands_before_the_games_and_follows_a_level() -> None:
    document = {
        "base": "nations/baseline", "seeds": [1, 2], "config": {"messages": 0},
        "factors": {
            "talk": {"field": "messages", "levels": {"silent": 0, "talk": 3}},
            "prices": {"field": "mil_purchase_price", "levels": {"dear": 20, "cheap": 5}},
        },
        "delivered": {"talk": {"metric": "messages", "over": 10}},
    }  # fmt: skip
    declared = load_data(document, "test", "nations").experiment
    assert declared is not None
    assert set(declared.delivered) == {"talk_dear", "talk_cheap"}
    assert declared.delivered["talk_dear"] == [{"metric": "messages", "over": 10.0}]
