"""One round after both have chosen: what is carried out, what it pays, and whether the match ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from games.catalog.dilemma.config import DECIMALS, DilemmaConfig, Move
from games.catalog.dilemma.labels import LABELS
from games.catalog.dilemma.state import DilemmaState, Ending, Void
from games.core.game import Event, Number, Resolution
from games.core.rng import Rng

Moves = tuple[Move, Move]
Paid = tuple[Number, Number]
SLIP_DRAW: Final = "slip"
STOP_DRAW: Final = "stop"


@lru_cache(maxsize=256)
def slip_bounds(noise_a: float, noise_b: float) -> tuple[float, float, float]:
    """One draw u in [0, 1) decides both slips: below the first bound both slip, then only A, then only B, then none."""
    return noise_a * noise_b, noise_a, noise_a + (1 - noise_a) * noise_b


def slips(config: DilemmaConfig, rng: Rng) -> tuple[bool, bool]:
    """Whether A's and B's hand slips in this round, each with its own chance and independently."""
    if not config.noise_a and not config.noise_b:
        return False, False
    u = rng.unit(SLIP_DRAW)
    both, only_a, only_b = slip_bounds(config.noise_a, config.noise_b)
    return u < only_a, u < both or only_a <= u < only_b


def carry_out(config: DilemmaConfig, intended: Moves, rng: Rng) -> Moves:
    """The moves that are executed; a hand that slips does the other thing."""
    slip_a, slip_b = slips(config, rng)
    return (other(intended[0]) if slip_a else intended[0], other(intended[1]) if slip_b else intended[1])


def other(move: Move) -> Move:
    return "D" if move == "C" else "C"


def ending(config: DilemmaConfig, played: int, rng: Rng) -> Ending:
    """Why the match is over after so many rounds, or "".

    Geometric: the test comes after each round, so that none is without a round and the mean is 1/p (cut at
    ``max_rounds``). Source: "after each round, stop with probability stop_prob".
    """
    if config.horizon == "fixed":
        return "length" if played >= config.rounds else ""
    if rng.chance(config.stop_prob, STOP_DRAW):
        return "chance"
    return "cut" if played >= config.max_rounds else ""


def settle(config: DilemmaConfig, before: DilemmaState, executed: Moves, paid: Paid, over: Ending) -> DilemmaState:
    (moves_a, moves_b), (total_a, total_b) = before.moves, before.totals
    return DilemmaState(
        (moves_a + executed[0], moves_b + executed[1]),
        (exact(total_a + paid[0]), exact(total_b + paid[1])),
        "talk" if config.talk and not over else "choose",
        None,
        over,
    )


def exact(points: Number) -> Number:
    """Points in the payoffs' decimals; whole ones as an int."""
    if isinstance(points, int):
        return points
    rounded = round(points, DECIMALS)
    return int(rounded) if rounded == int(rounded) else rounded


def tell(
    config: DilemmaConfig, before: DilemmaState, after: DilemmaState, intended: Moves, executed: Moves, paid: Paid
) -> Iterator[Event]:
    """The round's news, moves by their labels. Who slipped is told to the seat whose hand it was, and to no other."""
    called = LABELS[config.labels]
    for seat in (0, 1):
        if intended[seat] != executed[seat]:
            yield Event(
                "hand_slipped", {"by": seat, "meant": called[intended[seat]], "did": called[executed[seat]]}, (seat,)
            )
    a, b = executed
    yield Event("round_played", {"round": after.played, "a": called[a], "b": called[b], "pays": list(paid)})
    was_peace = before.played == 0 or (before.moves[0][-1], before.moves[1][-1]) == ("C", "C")
    if was_peace and "D" in executed:
        yield Event("cooperation_broke", {"by": [seat for seat in (0, 1) if executed[seat] == "D"]})
    if not was_peace and "D" not in executed:
        yield Event("cooperation_returned", {})
    if after.ending:
        yield Event(
            "match_ended", {"rounds": after.played, "a": after.totals[0], "b": after.totals[1], "why": after.ending}
        )


def void(before: DilemmaState, chosen: tuple[object, object]) -> Resolution[DilemmaState]:
    """The match without result, since a seat gave no valid answer and the fallback is ``void``."""
    after = DilemmaState(before.moves, before.totals, "choose", None, "void")
    news = Event("match_voided", {"by": [seat for seat in (0, 1) if isinstance(chosen[seat], Void)]})
    return Resolution(after, (news,))
