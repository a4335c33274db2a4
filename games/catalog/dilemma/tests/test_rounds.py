import math

import pytest

from games.catalog.dilemma.answers import COOPERATE, DEFECT
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.rounds import slip_bounds, slips
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.state import Action, Choice, DilemmaState, Say, Void
from games.core.answers import Note
from games.core.engine import replay
from games.core.game import Event
from games.core.rng import Rng

GAME = Dilemma()
MOVES = {"C": COOPERATE, "D": DEFECT}


def played(a: str, b: str, seed: int = 1, **settings: object) -> DilemmaState:
    """The state after both meant these moves."""
    config = DilemmaConfig.model_validate({"rounds": len(a), **settings})
    chosen: list[dict[int, Action]] = [{0: MOVES[x], 1: MOVES[y]} for x, y in zip(a, b, strict=True)]
    return list(replay(GAME, config, seed, chosen))[-1].state


@pytest.mark.parametrize(("pair", "paid"), [("CC", (3, 3)), ("CD", (0, 5)), ("DC", (5, 0)), ("DD", (1, 1))])
def test_a_round_pays_by_the_table(pair: str, paid: tuple[int, int]) -> None:
    assert played(pair[0], pair[1]).totals == paid


def test_totals_add_up_over_rounds() -> None:
    assert played("CCDD", "CDCD").totals == (9, 9)
    assert played("DDD", "CCC").totals == (15, 0)


def test_totals_of_decimal_payoffs_are_exact() -> None:
    assert played("C" * 10, "C" * 10, reward=1.1, temptation=2, punishment=0.1).totals == (11, 11)
    assert played("C" * 3, "C" * 3, reward=1.1, temptation=2, punishment=0.1).totals == (3.3, 3.3)


def test_a_fixed_match_lasts_exactly_its_rounds() -> None:
    config, state = DilemmaConfig(rounds=2), DilemmaState()
    assert GAME.turn(config, state) is not None
    once = GAME.resolve(config, state, {0: COOPERATE, 1: COOPERATE}, Rng(1)).state
    assert once.ending == ""
    twice = GAME.resolve(config, once, {0: COOPERATE, 1: COOPERATE}, Rng(1)).state
    assert twice.ending == "length"
    assert GAME.turn(config, twice) is None


def test_a_certain_slip_carries_out_the_other_move() -> None:
    assert played("CCDD", "CDCD", noise_a=1).moves == ("DDCC", "CDCD")
    assert played("CCDD", "CDCD", noise_b=1).moves == ("CCDD", "DCDC")
    assert played("CCDD", "CDCD", noise_a=1, noise_b=1).moves == ("DDCC", "DCDC")


def test_slips_come_at_their_own_rates_and_independently() -> None:
    config = DilemmaConfig(noise_a=0.2, noise_b=0.05)
    n = 40_000
    seen = [slips(config, Rng.root(5).step(i)) for i in range(n)]
    for rate, p in (
        (sum(a for a, _ in seen) / n, 0.2),
        (sum(b for _, b in seen) / n, 0.05),
        (sum(a and b for a, b in seen) / n, 0.01),
    ):
        assert abs(rate - p) < 4 * math.sqrt(p * (1 - p) / n)


def test_slip_bounds_are_the_four_chances_in_a_row() -> None:
    assert slip_bounds(0.5, 0.5) == (0.25, 0.5, 0.75)
    assert slip_bounds(1.0, 0.0) == (0.0, 1.0, 1.0)


def test_a_slip_is_told_to_the_seat_whose_hand_it_was_alone() -> None:
    resolution = GAME.resolve(DilemmaConfig(noise_b=1), DilemmaState(), {0: COOPERATE, 1: COOPERATE}, Rng(3))
    told = [event for event in resolution.events if event.kind == "hand_slipped"]
    assert told == [Event("hand_slipped", {"by": 1, "meant": "C", "did": "D"}, (1,))]


def test_a_geometric_match_cut_at_its_bound_says_so() -> None:
    config = DilemmaConfig(horizon="geometric", stop_prob=1e-12, max_rounds=3)
    chosen: list[dict[int, Action]] = [{0: COOPERATE, 1: COOPERATE}] * 3
    assert list(replay(GAME, config, 1, chosen))[-1].state.ending == "cut"


@pytest.mark.parametrize(
    ("fallback", "before", "stands_in"),
    [("C", "D", COOPERATE), ("D", "C", DEFECT), ("repeat", "D", DEFECT), ("repeat", "", COOPERATE)],
)
def test_the_fallback_stands_in_for_an_answer_that_did_not_come(fallback: str, before: str, stands_in: Choice) -> None:
    config = DilemmaConfig.model_validate({"fallback": fallback})
    state = DilemmaState((before, before))
    action, notes = GAME.clean(config, state, 0, None, Rng(1))
    assert action == stands_in
    kind = "no_move_repeated" if fallback == "repeat" else "no_move_replaced"
    assert notes == (Note(kind, {"move": stands_in.move}),)
    assert GAME.clean(config, state, 0, action, Rng(1)) == (action, ())


def test_a_void_answer_ends_the_match_without_paying() -> None:
    config, state = DilemmaConfig(fallback="void"), DilemmaState(("C", "C"), (3, 3))
    action, _ = GAME.clean(config, state, 1, None, Rng(1))
    assert action == Void()
    resolution = GAME.resolve(config, state, {0: COOPERATE, 1: action}, Rng(1))
    assert resolution.state == DilemmaState(("C", "C"), (3, 3), ending="void")
    assert resolution.payoffs == {}
    assert list(resolution.events) == [Event("match_voided", {"by": [1]})]


def test_nobody_can_send_void() -> None:
    config = DilemmaConfig()
    assert GAME.clean(config, DilemmaState(), 0, Void(), Rng(1))[0] == COOPERATE


def test_messages_are_heard_together_before_the_move() -> None:
    config = DilemmaConfig(talk=True)
    state = GAME.initial(config, Rng(1)).state
    assert state.stage == "talk"
    heard = GAME.resolve(config, state, {0: Say("peace?"), 1: Say("")}, Rng(1))
    assert heard.state.stage == "choose"
    assert [event.data for event in heard.events] == [{"by": 0, "text": "peace?"}]
    assert GAME.observe(config, heard.state, 1, ()).said == ("", "peace?")
    after = GAME.resolve(config, heard.state, {0: COOPERATE, 1: DEFECT}, Rng(1)).state
    assert (after.stage, after.said) == ("talk", None)


def test_a_message_beyond_the_limit_is_cut_with_its_reason() -> None:
    config = DilemmaConfig(talk=True, talk_limit=5)
    action, notes = GAME.clean(config, DilemmaState(stage="talk"), 0, Say("1234567"), Rng(1))
    assert action == Say("12345")
    assert notes == (Note("message_too_long", {"length": 7, "most": 5}),)


def test_news_name_who_broke_cooperation_and_when_it_returned() -> None:
    config = DilemmaConfig()
    broken = GAME.resolve(config, DilemmaState(("C", "C")), {0: DEFECT, 1: COOPERATE}, Rng(1))
    assert Event("cooperation_broke", {"by": [0]}) in list(broken.events)
    mended = GAME.resolve(config, DilemmaState(("D", "C")), {0: COOPERATE, 1: COOPERATE}, Rng(1))
    assert Event("cooperation_returned", {}) in list(mended.events)
