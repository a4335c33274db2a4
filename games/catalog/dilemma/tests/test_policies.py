import pytest

from games.catalog.dilemma.answers import COOPERATE, DEFECT
from games.catalog.dilemma.config import DilemmaConfig, Payoffs
from games.catalog.dilemma.policies import POLICIES, label, machine
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.state import DilemmaState, Say
from games.core.agents import BadPolicy, Memory, NoParams
from games.core.rng import Rng

CLASSIC = Payoffs(5, 3, 1, 0)


def answers(name: str, opponent: str, **params: object) -> str:
    """What a strategy plays against these moves, and once more after them, without slips."""
    policy, game, config = POLICIES[name].bind(params), Dilemma(), DilemmaConfig()
    memory: Memory = None
    own = ""
    for round_number in range(len(opponent) + 1):
        state = DilemmaState((own, opponent[:round_number]))
        observation = game.observe(config, state, 0, ())
        action, memory = policy(observation, memory, Rng.root(1).step(round_number).at("seat", 0))
        own += action.move
    return own


@pytest.mark.parametrize(
    ("name", "opponent", "own"),
    [
        ("ALLC", "CDDC", "CCCCC"),
        ("ALLD", "CDDC", "DDDDD"),
        ("TFT", "CDDCD", "CCDDCD"),
        ("GRIM", "CDCCC", "CCDDDD"),
        ("TF2T", "DCDDC", "CCCCDC"),
        ("TF2T", "DDDC", "CCDDC"),
        ("WSLS", "CDDCC", "CCDCCC"),
        ("WSLS", "DCDCD", "CDDCCD"),
    ],
)
def test_each_strategy_answers_as_its_rule_says(name: str, opponent: str, own: str) -> None:
    assert answers(name, opponent) == own


def test_generous_tit_for_tat_forgives_always_never_or_sometimes() -> None:
    assert answers("GTFT", "DDDD", generous_prob=1) == "CCCCC"
    assert answers("GTFT", "DDDD", generous_prob=0) == "CDDDD"
    some = answers("GTFT", "D" * 2000, generous_prob=0.25)
    assert abs(some.count("C") - 1 - 500) < 4 * (2000 * 0.25 * 0.75) ** 0.5


def test_generosity_defaults_to_one_third_and_follows_the_payoffs() -> None:
    assert label("GTFT", {}, CLASSIC) == "GTFT(p=0.333)"
    assert label("GTFT", {"generous_prob": 0.1}, CLASSIC) == "GTFT(p=0.1)"
    assert label("GTFT", {}, Payoffs(4, 3, 1, 0)) == "GTFT(p=0.667)"


def test_wsls_takes_its_threshold_from_the_payoffs_in_force() -> None:
    tenfold = machine("WSLS", POLICIES["WSLS"].params(), Payoffs(50, 30, 10, 0))
    assert tenfold == machine("WSLS", POLICIES["WSLS"].params(), CLASSIC)
    low = machine("WSLS", POLICIES["WSLS"].params.model_validate({"threshold": 1}), CLASSIC)
    assert low.cooperates == (1, 1, 0, 0, 0)


def test_zd_gtft_2_has_the_four_published_chances() -> None:
    found = machine("ZDGTFT2", POLICIES["ZDGTFT2"].params(), CLASSIC)
    assert found.cooperates == pytest.approx((1, 1, 1 / 8, 1, 1 / 4))


def test_zd_gtft_2_keeps_to_chances_under_any_payoffs() -> None:
    found = machine("ZDGTFT2", POLICIES["ZDGTFT2"].params(), Payoffs(50, 30, 10, 0))
    assert all(0 <= chance <= 1 for chance in found.cooperates)


def test_grim_remembers_beyond_any_window() -> None:
    assert answers("GRIM", "D" + "C" * 500)[1:] == "D" * 501


def test_a_strategy_that_takes_a_seat_over_knows_what_came_before() -> None:
    observation = Dilemma().observe(DilemmaConfig(), DilemmaState(("CCC", "CDC")), 0, ())
    others: list[Memory] = [None, ["TFT", 3, 1], ["GRIM", 2, 0], {"notes": "mine"}, 4]
    for foreign in others:
        action, _ = POLICIES["GRIM"].bind()(observation, foreign, Rng(1))
        assert action == DEFECT, foreign
    assert POLICIES["TFT"].bind()(observation, ["GRIM", 3, 1], Rng(1))[0] == COOPERATE


def pledges(mine: str, theirs: str, **params: object) -> str:
    """What a pledger says after these moves, in a match with talk."""
    config = DilemmaConfig(talk=True, labels="framed")
    observation = Dilemma().observe(config, DilemmaState((mine, theirs), stage="talk"), 0, ())
    action, _ = POLICIES["PLEDGER"].bind(params)(observation, None, Rng(1))
    assert isinstance(action, Say)
    return action.text


def test_a_pledger_says_what_its_strategy_is_about_to_play_and_why() -> None:
    assert pledges("", "") == "I shall play cooperate."
    assert pledges("CC", "CD") == "You played defect, so I play defect."
    assert pledges("CC", "CD", plays="TF2T") == "You played defect. I play cooperate all the same."
    assert pledges("CDC", "DCC") == "cooperate for both. I play cooperate again."
    assert pledges("CDCC", "DCCC") == "cooperate for both, 2 in a row. I play cooperate again."
    assert pledges("CCD", "CDC") == "I played defect. Now I play cooperate."


def test_a_pledger_keeps_its_word_unless_it_is_to_break_it() -> None:
    assert answers("PLEDGER", "CDDCD") == answers("TFT", "CDDCD")
    assert answers("PLEDGER", "CDDCD", breaks=1) == "DDDDDD"
    assert pledges("C", "C", breaks=1) == "C for both. I play C again.".replace("C", "cooperate")
    some = answers("PLEDGER", "C" * 2000, breaks=0.25)
    assert abs(some.count("D") - 500) < 4 * (2000 * 0.25 * 0.75) ** 0.5


@pytest.mark.parametrize(
    ("name", "params", "says"),
    [
        ("GTFT", {"generous_prob": 1.2}, "generous_prob"),
        ("RANDOM", {"p": -0.1}, "p"),
        ("TFT", {"p": 0.5}, "p"),
    ],
)
def test_a_wrong_parameter_is_refused_by_name(name: str, params: dict[str, float], says: str) -> None:
    with pytest.raises(BadPolicy, match=f"policy {name}: {says}"):
        POLICIES[name].bind(params)


def test_every_strategy_names_its_source_and_has_known_names() -> None:
    for spec in POLICIES.values():
        assert spec.source
        assert spec.rule.endswith(".")
        assert spec.aka
    assert POLICIES["TFT"].params is NoParams
