"""What a design makes, and what is wrong with one: beside its field, before anything is played."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from games.core.registry import Registry
from games.errors import sentences
from games.errors.faults import BadScenario
from games.lab.scenarios.scenario import Scenario, load

ORCHARD = Registry(("tests.toygames",))
BASE = "base: orchard/baseline\nseeds: 1..3\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def made(text: str, head: str = BASE, seeds: tuple[int, ...] | None = None) -> Scenario:
    Path("e.yaml").write_text(head + textwrap.dedent(text))
    return load("e.yaml", ORCHARD, seeds=seeds)


def faults(text: str, head: str = BASE) -> list[str]:
    with pytest.raises(BadScenario) as error:
        made(text, head)
    for fault in error.value.faults:
        if fault.note is not None:
            assert sentences.fault(fault.note, "zh") != sentences.fault(fault.note, "en")
    return [str(fault).removeprefix("e.yaml: ") for fault in error.value.faults]


TWO = """
factors:
  growth: {field: growth, levels: [20, 5]}
  first: {seats: 0, levels: {calm: {policy: sustain}, greedy: {policy: greedy}}}
"""


# --- what it makes ------------------------------------------------------------------------------------


def test_every_combination_of_levels_is_a_condition_the_control_first() -> None:
    scenario = made(TWO)
    told = {one.name: (one.config.growth, one.seats[0].policy) for one in scenario.conditions}  # type: ignore[attr-defined]
    assert told == {
        "growth-20_calm": (20, "sustain"),
        "growth-20_greedy": (20, "greedy"),
        "growth-5_calm": (5, "sustain"),
        "growth-5_greedy": (5, "greedy"),
    }
    assert scenario.experiment is not None
    assert scenario.experiment.control == "growth-20_calm"


def test_one_change_at_a_time_leaves_the_other_factors_at_their_control() -> None:
    scenario = made(TWO + "cells: each\n")
    told = {one.name: (one.config.growth, one.seats[0].policy) for one in scenario.conditions}  # type: ignore[attr-defined]
    assert told == {"baseline": (20, "sustain"), "growth-5": (5, "sustain"), "greedy": (20, "greedy")}


def test_chosen_cells_stand_beside_named_conditions() -> None:
    scenario = made(TWO + "cells: {poor: {growth: growth-5}}\nconditions: {crowd: {config: {pickers: 6}}}\n")
    assert [one.name for one in scenario.conditions] == ["poor", "crowd"]
    assert [len(one.seats) for one in scenario.conditions] == [4, 6]


def test_a_language_is_a_level_of_every_models_profile() -> None:
    head = BASE + "seats: {default: {model: mock/greedy}, 1: {policy: random}}\n"
    scenario = made("factors: {language: {profile: language, levels: [en, zh]}}", head)
    told = {one.name: [getattr(seat, "profile", None) for seat in one.seats] for one in scenario.conditions}
    assert [p and p.language for p in told["language-en"]] == ["en", None, "en", "en"]
    assert [p and p.language for p in told["language-zh"]] == ["zh", None, "zh", "zh"]


def test_independent_seeds_are_each_conditions_own() -> None:
    scenario = made(TWO + "pairing: independent\n")
    seeds = {scenario.seed(place, replicate) for place in range(4) for replicate in range(3)}
    assert len(seeds) == 12
    assert scenario.plan_hash() != made(TWO).plan_hash()
    assert [made(TWO).seed(place, 1) for place in range(4)] == [2, 2, 2, 2]


def test_a_factors_hypothesis_weighs_every_cell_that_differs_in_it_alone() -> None:
    scenario = made(TWO + "hypotheses: {H: {metric: harvest, factor: growth, of: growth-5, direction: lower}}\n")
    assert scenario.experiment is not None
    (one,) = scenario.experiment.comparisons
    assert one["weights"] == {
        "growth-5_calm": 0.5, "growth-5_greedy": 0.5, "growth-20_calm": -0.5, "growth-20_greedy": -0.5
    }  # fmt: skip


def test_a_star_asks_it_of_every_other_condition() -> None:
    scenario = made(TWO + "cells: each\nhypotheses: {H: {metric: gini, of: '*'}}\n")
    assert scenario.experiment is not None
    told = [one["weights"] for one in scenario.experiment.comparisons]
    assert told == [{"growth-5": 1.0, "baseline": -1.0}, {"greedy": 1.0, "baseline": -1.0}]


@pytest.mark.parametrize("game", ["mining", "dilemma", "adasociety"])
def test_every_game_of_two_seats_or_more_has_round_robins(game: str) -> None:
    registry = Registry()
    pack = registry.get(game)
    preset = next(iter(pack.scenarios))
    names = list(pack.policies)[:3]
    entrants = "".join(f"    e{number}: {{policy: {name}}}\n" for number, name in enumerate(names))
    Path("r.yaml").write_text(f"base: {game}/{preset}\nround_robin:\n  entrants:\n{entrants}  self_play: shown\n")
    scenario = load("r.yaml", registry)
    pairs = [one.name for one in scenario.conditions]
    assert pairs[:2] == ["e0_vs_e1", "e1_vs_e0"]
    assert len(pairs) == 3 * 2 + 3
    assert scenario.experiment is not None
    robin = scenario.experiment.robin
    assert robin is not None
    first = robin["seated"]["e1_vs_e0"]
    assert first == [(place + 1) % 2 for place in range(len(first))]
    assert [seat.policy for seat in scenario.conditions[1].seats] == [names[(n + 1) % 2] for n in range(len(first))]


def test_three_at_a_table_sit_in_every_rotation() -> None:
    scenario = made(
        """
        round_robin:
          table: 3
          seats: [0, 1, 2]
          entrants: {a: {policy: greedy}, b: {policy: sustain}, c: {policy: random}, d: {policy: greedy}}
        """
    )
    assert len(scenario.conditions) == 4 * 3
    assert scenario.experiment is not None
    assert scenario.experiment.robin is not None
    assert scenario.experiment.robin["seated"]["b_vs_c_vs_a"] == [1, 2, 0, None]


# --- what is wrong with it ----------------------------------------------------------------------------

WRONG = {
    "factors: {g: {field: grwth, levels: [1, 2]}}": "factors.g.field: 'grwth'; did you mean growth?",
    "factors: {g: {profile: langage, levels: [en, zh]}}": "factors.g.profile: 'langage'; did you mean language?",
    "factors: {g: {field: growth, levels: []}}": "factors.g.levels: 0 levels; a factor has at least 2",
    "factors: {g: {field: growth, levels: [3]}}": "factors.g.levels: 1 level; a factor has at least 2",
    "factors: {g: {field: growth, levels: {a: 3, b: }}}": "factors.g.levels.b: empty; give what this level sets",
    "factors: {g: {levels: {a: {}, b: {}}}}": "factors.g.levels.b: empty; give what this level sets",
    "factors: {g: {field: growth, levels: [1, -1]}}": "factors.g.levels.g--1.growth: -1; at least 0",
    "factors: {g: {seats: 9, levels: {a: {policy: greedy}, b: {policy: random}}}}":
        "factors.g.levels.a.9: there is no such seat; seats are 0 to 3, by name, as role:NAME, or default",
    "factors: {g: {seats: 0, levels: {a: {policy: greedy}, b: {policy: gredy}}}}":
        "factors.g.levels.b.0.policy: 'gredy'; did you mean greedy?",
    "factors: {g: {profile: language, levels: [en, zh]}}":
        "factors.g.levels.g-en: no model sits in any seat, so that this would change nothing",
    "factors: {g: {field: growth, levels: [3, 4]}, h: {field: growth, levels: [5, 6]}}":
        "factors.h.field: growth: the factor g sets it already; keep one",
    "factors: {g: {field: growth, levels: {a: 3, b: 3}}}":
        "factors: b and a play the same; a level must change something",
    TWO + "cells: {x: {grow: growth-5}}": "cells.x.grow: 'grow'; did you mean growth?",
    TWO + "cells: {x: {growth: growth-6}}": "cells.x.growth: 'growth-6'; did you mean growth-5?",
    TWO + "control: calm":
        "control: 'calm'; there are growth-20_calm, growth-20_greedy, growth-5_calm, growth-5_greedy",
    TWO + "hypotheses: {H: {metric: harvst, of: '*'}}": "hypotheses.H.metric: 'harvst'; did you mean harvest?",
    TWO + "hypotheses: {H: {metric: rounds_lasted, halves: true, of: '*'}}":
        "hypotheses.H.metric: 'rounds_lasted'; there are apples, gini, harvest",
    TWO + "hypotheses: {H: {metric: gini, of: nosuch}}":
        "hypotheses.H.of: 'nosuch'; there are growth-20_calm, growth-20_greedy, growth-5_calm, growth-5_greedy",
    TWO + "hypotheses: {H: {metric: gini, of: growth-20_calm}}":
        "hypotheses.H.of: growth-20_calm; it would be compared with itself",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, family: mian}}":
        "hypotheses.H.family: 'mian'; did you mean main?",
    TWO + "hypotheses: {H: {metric: gini}}": "hypotheses.H: of: missing; name the conditions that are compared",
    TWO + "hypotheses: {H: {metric: gini, weights: {growth-5_calm: 1}}}":
        "hypotheses.H: weights: they sum to 1; the weights of a contrast sum to 0 and are not all 0",
    TWO + "hypotheses: {H: {metric: rounds_lasted, of: growth-5_calm, test: log_rank}}":
        "hypotheses.H.test: log_rank compares times; name rounds_lasted under report.times",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, written: yesterday}}":
        "hypotheses.H.written: yesterday; a date, such as 2026-01-31, or a date with its time",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, direction: equivalent}}":
        "hypotheses.H: direction: equivalent expects a difference smaller than what matters; name that, in the "
        "metric's unit, under interest",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, direction: equivalent, interest: 1, test: rank}}":
        "hypotheses.H: direction: equivalent is tested by t or permutation, not by rank; change test",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, over: 1}}":
        "hypotheses.H: over: the value above which a run counts belongs to test: proportion; set that, or leave "
        "over out",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, unit: seat}}":
        "hypotheses.H: unit: seat compares what the seats got, which share a run; set test: mixed or clustered, and "
        "metric: payoff",
    TWO + "hypotheses: {H: {metric: gini, factor: growth, of: growth-5, test: proportion}}":
        "hypotheses.H.test: proportion compares two conditions, weighted 1 and -1, and this contrast has 4; choose t, "
        "mixed or clustered",
    TWO + "pairing: independent\nhypotheses: {H: {metric: gini, factor: growth, of: growth-5, test: rank}}":
        "hypotheses.H.test: rank compares two conditions, weighted 1 and -1, and this contrast has 4; choose t, "
        "mixed or clustered",
    TWO + "stopping: {rule: fixed, looks: [3]}":
        "stopping: looks: rule: fixed looks once, when all is played; choose obrien_fleming, pocock or "
        "always_valid, or leave looks out",
    TWO + "stopping: {rule: pocock}": "stopping.rule: a rule stops on hypotheses; declare one, or leave stopping out",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, test: rank}}\nstopping: {rule: always_valid}":
        "hypotheses.H.test: rule: always_valid knows t tests of a difference; set test: t, or choose obrien_fleming or "
        "pocock",
    TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm}}\nstopping: {rule: pocock, looks: [3, 9]}":
        "stopping.looks: the last look is after 9 seeds, and 3 are planned; end the looks at 3",
    TWO + "delivered: {growth-5: {metric: gini}}":
        "delivered.growth-5.0: gini: say above (over) or below (under) which value it shows that the treatment arrived",
    TWO + "delivered: {growth-7: {metric: gini, over: 0}}":
        "delivered.growth-7: 'growth-7'; did you mean growth-5_calm?",
    TWO + "report: {metrics: [ginni]}": "report.metrics.0: 'ginni'; did you mean gini?",
    "round_robin: {entrants: {a: {policy: greedy}}}":
        "round_robin: 1 entrant; 2 meet at once, so at least 2",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG, ids=list(WRONG.values()))
def test_what_is_wrong_is_named_beside_its_field(text: str) -> None:
    assert faults(text)[0] == WRONG[text]


@pytest.mark.parametrize(("head", "at"), [("seeds: 7", "seeds"), ("replicates: 1", "replicates"), ("", "seeds")])
def test_an_interval_from_one_seed_is_refused(head: str, at: str) -> None:
    told = faults(TWO + "hypotheses: {H: {metric: gini, of: '*'}}", f"base: orchard/baseline\n{head}\n")
    assert told == [f"{at}: 1 seed; an interval needs at least 2: write 1..20"]


def test_one_seed_may_be_tried_by_whoever_asks_for_it() -> None:
    assert made(TWO + "hypotheses: {H: {metric: gini, of: '*'}}", seeds=(4,)).seeds == (4,)


def test_a_game_of_one_seat_has_no_meetings() -> None:
    text = "config: {pickers: 1}\nround_robin: {entrants: {a: {policy: greedy}, b: {policy: random}}}"
    assert faults(text) == ["round_robin: 1 seat; 2 meet at once, so at least 2"]


@pytest.mark.parametrize(
    ("pairing", "seeds", "test"),
    [
        ("common", 3, "t"),
        ("independent", 3, "permutation"),
        ("independent", 20, "permutation"),
        ("independent", 21, "t"),
    ],
)
def test_few_seeds_of_their_own_are_compared_by_permutation_where_no_test_is_named(
    pairing: str, seeds: int, test: str
) -> None:
    text = TWO + f"pairing: {pairing}\nhypotheses: {{H: {{metric: gini, of: growth-5_calm}}}}"
    found = made(text, f"base: orchard/baseline\nseeds: 1..{seeds}\n").experiment
    assert found is not None
    assert [one["test"] for one in found.comparisons] == [test]


def test_a_declaration_says_what_matters_only_where_it_was_said() -> None:
    bare = made(TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm}}").experiment
    whole = made(TWO + "hypotheses: {H: {metric: gini, of: growth-5_calm, interest: 0.1}}").experiment
    assert bare is not None
    assert whole is not None
    assert set(whole.comparisons[0]) - set(bare.comparisons[0]) == {"interest"}
