"""The rules of the orchard as tables worked by hand."""

import pytest

from games.core.agents import deciding
from games.core.engine import play
from games.core.rng import Rng
from tests.toygames.orchard import PACK
from tests.toygames.orchard.config import OrchardConfig
from tests.toygames.orchard.rules import serve
from tests.toygames.orchard.state import OrchardState, Pick

GAME = PACK.game
CALM = OrchardConfig(pickers=2, apples=50, room=60, growth=20, frost=0)


def test_everyone_gets_what_was_asked_for_where_there_is_enough() -> None:
    assert serve(10, {0: Pick(3), 1: Pick(4)}, Rng.root(1)) == ({0: 3, 1: 4}, 3)


def test_what_is_short_is_given_in_a_drawn_order_and_nothing_is_left() -> None:
    firsts = set()
    for seed in range(20):
        got, left = serve(5, {0: Pick(5), 1: Pick(5)}, Rng.root(seed))
        assert (sum(got.values()), left) == (5, 0)
        firsts.add(got[0])
    assert firsts == {0, 5}


@pytest.mark.parametrize(
    ("apples", "asked", "after"),
    [
        (50, (5, 5), 48),  # 40 left, a fifth of them grows
        (60, (0, 0), 60),  # no more than room
        (9, (4, 4), 1),  # 1 left, a fifth of it rounds down to none
        (8, (4, 4), 0),  # nothing left, nothing grows
    ],
)
def test_a_fifth_of_what_is_left_grows_back(apples: int, asked: tuple[int, int], after: int) -> None:
    state = OrchardState(0, apples, (0, 0))
    resolved = GAME.resolve(CALM, state, {seat: Pick(n) for seat, n in enumerate(asked)}, Rng.root(1))
    assert resolved.state == OrchardState(1, after, asked)
    assert dict(resolved.payoffs) == dict(enumerate(asked))


@pytest.mark.parametrize(("asked", "allowed"), [(7, 5), (-1, 0), (10**400, 5)])
def test_asking_for_more_than_the_basket_is_cut_with_the_reason(asked: int, allowed: int) -> None:
    action, notes = GAME.clean(CALM, OrchardState(0, 50, (0, 0)), 0, Pick(asked), Rng.root(1))
    assert action == Pick(allowed)
    assert (notes[0].kind, notes[0].data["most"], notes[0].data["allowed"]) == ("basket_full", 5, allowed)


def test_greedy_pickers_empty_the_trees_and_end_the_run() -> None:
    greedy = deciding(PACK.policies["greedy"].bind())
    steps = list(play(GAME, OrchardConfig(frost=0), 1, dict.fromkeys(range(4), greedy)))
    assert [step.state.apples for step in steps] == [60, 48, 33, 15, 0]
