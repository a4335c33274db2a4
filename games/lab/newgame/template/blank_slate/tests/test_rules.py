"""The rules as tables worked by hand."""

import pytest

from games.core.agents import deciding
from games.core.engine import play
from games.core.game import SeatEyes
from games.core.rng import Rng
from games.lab.newgame.template.blank_slate import PACK
from games.lab.newgame.template.blank_slate.config import BlankSlateConfig
from games.lab.newgame.template.blank_slate.state import Action, BlankSlateState, Offer, Reply

GAME = PACK.game
CONFIG = BlankSlateConfig(pairs=2, rounds=3, pie=10, reserve=4)
ASKED = BlankSlateState(0, "offer", (3, 1), (0, 0, 0, 0))
OFFERED = BlankSlateState(0, "reply", (3, 1), (0, 0, 0, 0), (4, 0))
LUCK = Rng.root(1)


def test_proposers_decide_together_and_then_responders_in_the_same_round() -> None:
    turns = [GAME.turn(CONFIG, state) for state in (ASKED, OFFERED)]
    assert [(turn.clock, turn.stage, turn.seats) for turn in turns if turn] == [
        ((("round", 1),), "offer", (0, 1)),
        ((("round", 1),), "reply", (2, 3)),
    ]


@pytest.mark.parametrize(
    ("accepts", "paid"),
    [
        ((True, True), (6, 10, 4, 0)),  # what is offered goes over, the rest stays
        ((False, True), (0, 10, 3, 0)),  # a responder that declines has its reserve, its proposer nothing
        ((False, False), (0, 0, 3, 1)),
    ],
)
def test_an_accepted_offer_divides_the_pie_and_a_declined_one_leaves_the_reserve(
    accepts: tuple[bool, bool], paid: tuple[int, ...]
) -> None:
    resolved = GAME.resolve(CONFIG, OFFERED, {2: Reply(accepts[0]), 3: Reply(accepts[1])}, LUCK)
    assert dict(resolved.payoffs) == dict(enumerate(paid))
    assert (resolved.state.rounds, resolved.state.stage, resolved.state.gained) == (1, "offer", paid)


@pytest.mark.parametrize(("asked", "allowed"), [(11, 10), (-1, 0), (10**400, 10)])
def test_an_offer_outside_the_pie_is_changed_with_the_reason(asked: int, allowed: int) -> None:
    action, notes = GAME.clean(CONFIG, ASKED, 0, Offer(asked), LUCK)
    assert action == Offer(allowed)
    assert (notes[0].kind, notes[0].data["pie"], notes[0].data["allowed"]) == ("offer_outside_pie", 10, allowed)


@pytest.mark.parametrize(
    ("state", "seat", "answer", "done", "notes"),
    [
        (ASKED, 0, None, Offer(0), []),
        (ASKED, 0, Reply(True), Offer(0), ["no_reply_now"]),
        (OFFERED, 2, None, Reply(False), []),
        (OFFERED, 2, Offer(5), Reply(False), ["no_offer_now"]),
    ],
)
def test_what_does_not_answer_the_question_offers_nothing_or_declines(
    state: BlankSlateState, seat: int, answer: Action | None, done: Action, notes: list[str]
) -> None:
    action, made = GAME.clean(CONFIG, state, seat, answer, LUCK)
    assert (action, [note.kind for note in made]) == (done, notes)


def test_a_seat_sees_its_own_reserve_and_its_own_pairs_offer_alone() -> None:
    shown = [GAME.view(CONFIG, OFFERED, SeatEyes(seat)) for seat in range(4)]
    assert [view["reserves"] for view in shown] == [[None, None], [None, None], [3, None], [None, 1]]
    assert [view["offers"] for view in shown] == [[4, None], [None, 0], [4, None], [None, 0]]
    told = GAME.resolve(CONFIG, ASKED, {0: Offer(4), 1: Offer(0)}, LUCK).events
    assert [event.to for event in told] == [(0, 2), (1, 3)]


def test_sensible_responders_take_half_and_never_less_than_their_reserve() -> None:
    deciders = {
        seat: deciding(PACK.policies[PACK.default_for(spec.role)].bind())
        for seat, spec in enumerate(GAME.seats(CONFIG))
    }
    steps = list(play(GAME, CONFIG, 1, deciders))
    assert [step.turn.stage for step in steps] == ["start", *("offer", "reply") * 3]
    assert steps[-1].state.gained == (15, 15, 15, 15)
