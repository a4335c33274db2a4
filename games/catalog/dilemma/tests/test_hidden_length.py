import json

import pytest

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.state import DilemmaState
from games.core.game import All, Eyes, Public, SeatEyes

GAME = Dilemma()
STATE = DilemmaState(("CD", "CC"), (8, 3))
ENDS: list[dict[str, object]] = [
    {"rounds": 37},
    {"rounds": 3},
    {"horizon": "geometric", "stop_prob": 0.37},
    {"horizon": "geometric", "max_rounds": 37},
]


@pytest.mark.parametrize("talk", [False, True])
def test_nothing_that_a_seat_can_see_tells_a_hidden_length(talk: bool) -> None:
    seen = set()
    for end in ENDS:
        config = DilemmaConfig.model_validate({**end, "known_length": False, "talk": talk})
        for seat in (0, 1):
            observation = GAME.observe(config, STATE, seat, ())
            schema = GAME.actions(config, STATE, seat).schema
            turn = GAME.turn(config, STATE)
            views = [GAME.view(config, STATE, eyes) for eyes in (SeatEyes(seat), Public())]
            seen.add((seat, repr(observation), json.dumps(schema), repr(turn), json.dumps(views)))
    assert len(seen) == 2, "something differs between matches of different lengths"


@pytest.mark.parametrize("eyes", [SeatEyes(0), Public(), All()])
def test_a_known_length_is_shown_to_everyone(eyes: Eyes) -> None:
    assert GAME.view(DilemmaConfig(rounds=37), STATE, eyes)["rounds"] == 37
    assert GAME.observe(DilemmaConfig(rounds=37), STATE, 0, ()).rounds == 37


def test_omniscient_eyes_see_a_hidden_length() -> None:
    assert GAME.view(DilemmaConfig(rounds=37, known_length=False), STATE, All())["rounds"] == 37


def test_hidden_totals_reach_no_seat() -> None:
    config = DilemmaConfig(show_totals=False)
    for seat in (0, 1):
        assert GAME.observe(config, STATE, seat, ()).totals is None
        assert GAME.view(config, STATE, SeatEyes(seat))["totals"] is None
    assert GAME.view(config, STATE, Public())["totals"] is None
    assert GAME.view(config, STATE, All())["totals"] == (8, 3)


def test_b_observes_the_match_from_its_own_side() -> None:
    seen = GAME.observe(DilemmaConfig(noise_a=0.1, noise_b=0.2), STATE, 1, ())
    assert (seen.mine, seen.theirs, seen.totals, seen.noise) == ("CC", "CD", (3, 8), (0.2, 0.1))
