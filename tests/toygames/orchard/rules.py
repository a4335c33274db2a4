"""The rules, in the order in which a round happens: ask, serve, grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from games.core.answers import ActionSpec, Note
from games.core.game import Event, Eyes, Game, Invariant, LazyEvents, Resolution, Seat, SeatSpec, Seen, Turn, View
from games.core.rng import Rng

from .config import OrchardConfig
from .state import OrchardState, Pick, Sight

ASKED_MAX = 10**12
"""Numbers beyond this are told as this: a record holds none of any length."""


class Orchard(Game[OrchardConfig, OrchardState, Sight, Pick]):
    """Everyone asks at once; the trees serve the seats in a drawn order; what is left grows."""

    slug = "orchard"
    rules_version = 1
    config_type = OrchardConfig
    state_type = OrchardState
    action_type = Pick

    def seats(self, config: OrchardConfig) -> Sequence[SeatSpec]:
        return [SeatSpec(f"picker {seat + 1}") for seat in range(config.pickers)]

    def initial(self, config: OrchardConfig, rng: Rng) -> Resolution[OrchardState]:
        state = OrchardState(0, config.apples, (0,) * config.pickers)
        return Resolution(state, (Event("orchard_opened", {"apples": config.apples}),))

    def turn(self, config: OrchardConfig, state: OrchardState) -> Turn | None:
        if state.round >= config.rounds or state.apples == 0:
            return None
        return Turn((("round", state.round + 1),), "pick", tuple(range(config.pickers)))

    def observe(self, config: OrchardConfig, state: OrchardState, seat: Seat, past: Sequence[Seen[Pick]]) -> Sight:
        return Sight(seat, config.pickers, state.apples, config.room, config.basket, config.growth, state.picked)

    def actions(self, config: OrchardConfig, state: OrchardState, seat: Seat) -> ActionSpec[Pick]:
        return _spec(config.basket)

    def clean(
        self, config: OrchardConfig, state: OrchardState, seat: Seat, action: Pick | None, rng: Rng
    ) -> tuple[Pick, tuple[Note, ...]]:
        """No answer picks nothing; more than the basket holds is cut to it, less than nothing is nothing."""
        if action is None:
            return Pick(0), ()
        allowed = min(max(action.apples, 0), config.basket)
        if allowed == action.apples:
            return action, ()
        asked = min(max(action.apples, -ASKED_MAX), ASKED_MAX)
        return Pick(allowed), (Note("basket_full", {"asked": asked, "most": config.basket, "allowed": allowed}),)

    def resolve(
        self, config: OrchardConfig, state: OrchardState, actions: Mapping[Seat, Pick], rng: Rng
    ) -> Resolution[OrchardState]:
        got, left = serve(state.apples, actions, rng)
        frost = rng.chance(config.frost, "frost")
        grown = 0 if frost else min(left * config.growth // 100, config.room - left)
        picked = tuple(total + got[seat] for seat, total in enumerate(state.picked))
        after = OrchardState(state.round + 1, left + grown, picked)

        def told() -> Iterable[Event]:
            for seat in sorted(actions):
                yield Event("apples_picked", {"by": seat, "asked": actions[seat].apples, "got": got[seat]})
            yield Event("frost_fell", {}) if frost else Event("apples_grown", {"apples": grown})

        return Resolution(after, LazyEvents(told), got)

    def view(self, config: OrchardConfig, state: OrchardState, eyes: Eyes) -> View:
        return {"apples": state.apples, "room": config.room, "picked": list(state.picked)}

    def invariants(self, config: OrchardConfig, state: OrchardState) -> Iterable[Invariant]:
        yield Invariant("the trees hold 0 to room apples", 0 <= state.apples <= config.room, str(state.apples))


def serve(apples: int, actions: Mapping[Seat, Pick], rng: Rng) -> tuple[dict[Seat, int], int]:
    """What each seat gets, in seat order, and what is left: seats take what they ask for in a drawn order."""
    got = dict.fromkeys(sorted(actions), 0)
    for seat in rng.shuffled(sorted(actions), "order"):
        got[seat] = min(actions[seat].apples, apples)
        apples -= got[seat]
    return got, apples


@lru_cache(maxsize=64)
def _spec(basket: int) -> ActionSpec[Pick]:
    spec = ActionSpec.of(Pick, tuple(Pick(apples) for apples in range(basket + 1)))
    return spec.bounded(apples=(0, basket))
