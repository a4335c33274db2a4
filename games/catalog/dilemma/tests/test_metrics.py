import json
from collections.abc import Mapping
from itertools import pairwise

import pytest

from games.catalog.dilemma.answers import COOPERATE, DEFECT
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.metrics import MatchMetrics, answered, time_to_collapse
from games.catalog.dilemma.rules import Dilemma
from games.core.agents import Decision, Request
from games.core.answers import JSON
from games.core.engine import play
from games.core.game import PASSED


def measured(a: str, b: str, **settings: object) -> dict[str, JSON]:
    """The summary of a match in which these letters were answered; "-" answers nothing, "p" passes."""
    config, series = rounds(a, b, **settings)
    return dict(MatchMetrics().summarise(config, series))


def rounds(a: str, b: str, **settings: object) -> tuple[DilemmaConfig, list[Mapping[str, JSON]]]:
    """Its config, and the measures of its rounds."""
    config = DilemmaConfig.model_validate({"rounds": len(a), **settings})
    letters = {"C": COOPERATE, "D": DEFECT, "-": None, "p": None}

    def decide(request: Request[object, object]) -> Decision[object]:
        letter = (a, b)[request.seat][request.index - 1]
        return Decision(letters[letter], flags=(PASSED,) if letter == "p" else ())

    steps = list(play(Dilemma(), config, 1, {0: decide, 1: decide}))
    return config, [MatchMetrics().measure(config, before.state, step) for before, step in pairwise(steps)]


def test_rates_and_gaps_of_a_match_worked_out_by_hand() -> None:
    found = measured("CCDD", "CDCD")
    assert found["cooperation_rate"] == 0.5
    assert found["cooperation_rate_a"] == 0.5
    assert json.loads(str(found["cooperation_rate_over_time"])) == [1.0, 0.5, 0.5, 0.0]
    assert found["both_cooperate_rate"] == 0.25
    assert found["retaliation_rate_a"] == 1.0  # B defected in round 1; A's round 2 is D
    assert found["forgiveness_rate_a"] == 0.0
    assert found["retaliation_rate_b"] == 1.0  # A defected in round 2; B's round 3 is D
    assert found["exploitability_payoff_gap_a"] == 0
    assert found["total_payoff_a"] == 9


def test_a_round_s_measures_are_what_was_done_and_paid_in_it() -> None:
    _, (first, second) = rounds("CD", "DD")
    assert first == {
        "answers": 2, "invalid": 0, "invalid_a": 0, "invalid_b": 0, "a": "C", "b": "D", "payoff_a": 0, "payoff_b": 5,
        "joint_payoff": 5, "total_a": 0, "total_b": 5, "cooperation": 0.5, "both_cooperate": 0,
        "both_cooperate_last_10": 0.0,
    }  # fmt: skip
    assert [second[name] for name in ("payoff_a", "payoff_b", "joint_payoff", "total_a", "total_b")] == [1, 1, 2, 1, 6]


def test_to_pass_is_no_invalid_answer() -> None:
    found = measured("p-CC", "CCpC")
    assert (found["invalid_rate_a"], found["invalid_rate_b"]) == (0.25, 0)


def test_the_gap_is_the_opponent_s_points_less_one_s_own() -> None:
    found = measured("CC", "DD")
    assert (found["exploitability_payoff_gap_a"], found["exploitability_payoff_gap_b"]) == (10, -10)


def test_rates_without_an_occasion_are_null() -> None:
    found = measured("CCC", "CCD")
    for name in ("retaliation_rate_a", "forgiveness_rate_a", "retaliation_rate_b", "forgiveness_rate_b"):
        assert found[name] is None, name
    assert found["time_to_collapse"] is None


def test_only_answers_to_a_defection_count() -> None:
    assert answered("CDCDC", "DCDDC", "D") == pytest.approx(2 / 3)
    assert answered("CDCDC", "DCDDC", "C") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("a", "b", "k", "threshold", "t"),
    [
        ("DDDD", "DDDD", 3, 0.0, 0),
        ("CDDD", "CDDD", 3, 0.0, 1),
        ("CCDD", "CCDD", 3, 0.0, None),
        ("CDDC", "CDDC", 2, 0.0, 1),
        ("CDDD", "CDDD", 4, 0.25, 0),
        ("CDCD", "DDDD", 4, 0.25, 0),
        ("CDCC", "DDDD", 4, 0.25, None),
        ("DD", "DD", 3, 1.0, None),
    ],
)
def test_collapse_is_the_first_round_from_which_k_rounds_are_low(
    a: str, b: str, k: int, threshold: float, t: int | None
) -> None:
    assert time_to_collapse(a, b, k, threshold) == t


def test_collapse_takes_its_parameters_from_the_config() -> None:
    assert measured("CDDD", "CDDD", collapse_k=2, collapse_threshold=0)["time_to_collapse"] == 1


def test_invalid_answers_are_counted_where_they_were_given() -> None:
    found = measured("C-C-", "CCC-")
    assert found["invalid_rate"] == 3 / 8
    assert (found["invalid_rate_a"], found["invalid_rate_b"]) == (0.5, 0.25)


def test_a_void_match_has_no_results() -> None:
    found = measured("CC-C", "CCCC", fallback="void")
    assert found["is_void"] is True
    assert found["rounds"] == 2
    assert found["cooperation_rate"] is None
    assert found["total_payoff_a"] is None
    assert found["invalid_rate"] == 1 / 6


def test_every_measure_is_explained() -> None:
    assert set(measured("CD", "DC")) == set(MatchMetrics().about())
