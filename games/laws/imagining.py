"""The law of imagined worlds: they agree with what a seat sees, and with the rules, and rest on nothing else."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from games.core import codec
from games.core.game import Past, Seat
from games.core.reckoning import can_imagine
from games.core.requests import recalled
from games.core.rng import Rng
from games.laws.case import Case
from games.laws.settings import plain_sight

KEY = 20_011
SEATS_MAX = 2
EACH = 10


def imagined_worlds_agree_with_what_a_seat_sees(case: Case) -> int | None:
    """In a world that a seat imagines it observes the same and may do the same; the invariants hold; states that look
    alike to it are imagined alike, and the true state makes no difference."""
    game, config = case.game, case.config
    if not can_imagine(game):
        return None
    steps, looked = case.played().steps, 0
    for step in steps[::EACH]:
        turn = game.turn(config, step.state)
        kept = recalled(game, config, steps[: step.index + 1])
        for seat in (turn.seats if turn is not None else ())[:SEATS_MAX]:
            seen = game.observe(config, step.state, seat, Past(kept, seat))
            place = f"after step {step.index}, seat {seat}"
            rng = Rng.root(KEY).step(step.index)
            world = game.imagine(seen, rng)
            again = game.observe(
                world.config, world.state, world.seat, Past(recalled(game, world.config, world.steps), world.seat)
            )
            ours, theirs = (_told(one) for one in (seen, again))
            assert ours == theirs, f"{place}: in the world that it imagines it sees {theirs}; it saw {ours}"
            asked = [
                game.actions(*one).schema
                for one in ((config, step.state, seat), (world.config, world.state, world.seat))
            ]
            assert codec.canonical(asked[0]) == codec.canonical(asked[1]), f"{place}: it may do other things there"
            for invariant in game.invariants(world.config, world.state):
                assert invariant.holds, f"{place}: in the world that it imagines, {invariant.name}: {invariant.detail}"
            for twin in _twins(case, step.state, seat):
                other = game.imagine(game.observe(config, twin, seat, Past(kept, seat)), rng)
                same = codec.canonical(codec.dump(game.state_type, other.state))
                assert same == codec.canonical(codec.dump(game.state_type, world.state)), (
                    f"{place}: it knows what it may not"
                )
            looked += 1
    return looked


def _twins(case: Case, state: Any, seat: Seat) -> list[Any]:
    """Other states that look the same to the seat."""
    twins = case.pack.indistinguishable
    return list(twins(case.config, state, seat))[:2] if twins is not None else []


def _told(seen: Any) -> str:
    """What is seen, without the settings inside it: a length that is hidden may stand there otherwise."""
    return repr(plain_sight(seen, BaseModel))
