"""What is gathered of a run's steps: who got what, how it was decided, and measures by round."""

from __future__ import annotations

from games.lab.analysis.runs import Conduct
from games.lab.analysis.tally import ByRound, Tally, conduct_of, defined


def test_payoffs_are_summed_by_seat_and_decisions_counted_by_how_they_came_about() -> None:
    tally = Tally()
    tally.add(0, [(1, 5), (0, 2)], [0, 1], 1, [(0, ["fallback"])])
    tally.add(1, [(0, 1)], [0, 1, 2], 1, [(0, ["fallback"]), (2, ["substitute", "timeout"])])
    assert tally.by_seat == [3, 5]
    assert tally.conduct() == Conduct(decisions=3, fallbacks=1, cleaned=1, substitutes=1, not_own=2, worst=1.0)
    assert tally.plain() == {
        "payoffs": [3, 5],
        "decisions": 3,
        "fallbacks": 1,
        "cleaned": 1,
        "substitutes": 1,
        "not_own": 2,
        "stood_in": {"substitute": 1, "fallback": 1, "clock": 0, "default": 0},
        "conduct": [[0, 1, 1], [1, 1, 0], [2, 1, 1]],
    }


def test_of_a_tally_that_is_older_what_it_counted_is_taken() -> None:
    assert conduct_of({"decisions": 10, "fallbacks": 1, "cleaned": 3, "substitutes": 2}) == Conduct(10, 1, 3, 2, 3, 0.3)
    assert conduct_of({}) == Conduct()


def test_a_measure_by_round_is_the_mean_of_the_steps_in_which_it_is_defined() -> None:
    rounds = ByRound(["welfare", "peace"])
    rounds.add(0, [("round", 1)], {"welfare": 100})
    rounds.add(1, [("round", 1), ("turn", 1)], {"welfare": 1})
    rounds.add(2, [("round", 1), ("turn", 2)], {"welfare": 2, "peace": None})
    rounds.add(3, [("round", 2), ("turn", 1)], {"peace": True})
    assert rounds.means() == {"welfare": {1: 1.5, 2: None}, "peace": {1: None, 2: None}}


def test_a_game_without_a_clock_has_a_round_a_step() -> None:
    rounds = ByRound(["welfare"])
    rounds.add(7, [], {"welfare": 3})
    assert rounds.means() == {"welfare": {7: 3.0}}


def test_yes_and_no_are_no_measures() -> None:
    assert [defined(value) for value in (2, 2.5, True, None, "2")] == [2.0, 2.5, None, None, None]
