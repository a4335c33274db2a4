"""The rules, in the order in which a round happens: propose, reply, pay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from games.core.answers import ActionSpec, Note
from games.core.game import (
    All,
    Event,
    Eyes,
    Game,
    Invariant,
    LazyEvents,
    Resolution,
    Seat,
    SeatEyes,
    SeatSpec,
    Seen,
    Turn,
    View,
)
from games.core.pack import Renaming
from games.core.rng import Rng

from .config import BlankSlateConfig
from .state import Action, BlankSlateState, Offer, Reply, Sight

ASKED_MAX = 10**12
"""Numbers beyond this are told as this: a record holds none of any length."""


class BlankSlate(Game[BlankSlateConfig, BlankSlateState, Sight, Action]):
    """In each round all proposers offer at once; then all responders reply at once, each to its own proposer.

    Proposers are the seats from 0, responders come after them in the same order: seat ``i`` and seat ``pairs + i``.
    """

    slug = "blank_slate"
    rules_version = 1
    config_type = BlankSlateConfig
    state_type = BlankSlateState
    action_type = Action

    def seats(self, config: BlankSlateConfig) -> Sequence[SeatSpec]:
        roles = ("proposer", "responder")
        return [SeatSpec(f"{role} {pair + 1}", role) for role in roles for pair in range(config.pairs)]

    def initial(self, config: BlankSlateConfig, rng: Rng) -> Resolution[BlankSlateState]:
        reserves = draw_reserves(config, rng)
        state = BlankSlateState(0, "offer", reserves, (0,) * (2 * config.pairs))
        opened = Event("offers_opened", {"pairs": config.pairs, "pie": config.pie})
        return Resolution(state, (opened, *reserves_drawn(config, reserves)))

    def turn(self, config: BlankSlateConfig, state: BlankSlateState) -> Turn | None:
        """Two steps with one clock: the round moves on when both are over."""
        if state.rounds >= config.rounds:
            return None
        first = 0 if state.stage == "offer" else config.pairs
        return Turn((("round", state.rounds + 1),), state.stage, tuple(range(first, first + config.pairs)))

    def horizon(self, config: BlankSlateConfig) -> int | None:
        return 2 * config.rounds

    def observe(
        self, config: BlankSlateConfig, state: BlankSlateState, seat: Seat, past: Sequence[Seen[Action]]
    ) -> Sight:
        pair, proposes = seat % config.pairs, seat < config.pairs
        return Sight(
            seat,
            partner=(seat + config.pairs) % (2 * config.pairs),
            role="proposer" if proposes else "responder",
            round=state.rounds + 1,
            rounds=config.rounds,
            pie=config.pie,
            highest_reserve=config.reserve,
            reserve=None if proposes else state.reserves[pair],
            offer=state.offers[pair] if state.offers else None,
            gained=state.gained,
        )

    def actions(self, config: BlankSlateConfig, state: BlankSlateState, seat: Seat) -> ActionSpec[Action]:
        return _offers(config.pie) if state.stage == "offer" else _REPLIES

    def clean(
        self, config: BlankSlateConfig, state: BlankSlateState, seat: Seat, action: Action | None, rng: Rng
    ) -> tuple[Action, tuple[Note, ...]]:
        """No answer offers nothing or declines, and so does an answer to the other stage's question."""
        if state.stage == "reply":
            if isinstance(action, Reply):
                return action, ()
            return Reply(False), () if action is None else (Note("no_offer_now"),)
        if not isinstance(action, Offer):
            return Offer(0), () if action is None else (Note("no_reply_now"),)
        allowed = min(max(action.units, 0), config.pie)
        if allowed == action.units:
            return action, ()
        asked = min(max(action.units, -ASKED_MAX), ASKED_MAX)
        return Offer(allowed), (Note("offer_outside_pie", {"asked": asked, "pie": config.pie, "allowed": allowed}),)

    def resolve(
        self, config: BlankSlateConfig, state: BlankSlateState, actions: Mapping[Seat, Action], rng: Rng
    ) -> Resolution[BlankSlateState]:
        chosen = [actions[seat] for seat in sorted(actions)]
        if state.stage == "offer":
            return make_offers(config, state, [one.units for one in chosen if isinstance(one, Offer)])
        return settle_replies(config, state, [one.accepts for one in chosen if isinstance(one, Reply)], rng)

    def view(self, config: BlankSlateConfig, state: BlankSlateState, eyes: Eyes) -> View:
        """Gains are public; an offer is shown to its pair, a reserve to its responder."""
        offers, reserves = state.offers or (None,) * config.pairs, state.reserves
        return {
            "rounds_over": state.rounds,
            "stage": state.stage,
            "pie": config.pie,
            "gained": list(state.gained),
            "offers": [one if _of_pair(config, eyes, pair) else None for pair, one in enumerate(offers)],
            "reserves": [
                one if _is(eyes, config.pairs + pair) and state.rounds < config.rounds else None
                for pair, one in enumerate(reserves)
            ],
        }

    def invariants(self, config: BlankSlateConfig, state: BlankSlateState) -> Iterable[Invariant]:
        for pair in range(config.pairs):
            both = state.gained[pair] + state.gained[config.pairs + pair]
            most = state.rounds * config.pie
            yield Invariant("a pair gains a pie a round at most", 0 <= both <= most, f"{both} of {most}")


def draw_reserves(config: BlankSlateConfig, rng: Rng) -> tuple[int, ...]:
    """What each responder has elsewhere in the coming round: 0 to ``reserve``, each as likely."""
    return tuple(rng.below(config.reserve + 1, "reserve", pair) for pair in range(config.pairs))


def reserves_drawn(config: BlankSlateConfig, reserves: Sequence[int]) -> Iterable[Event]:
    """Each responder's own news of its reserve."""
    for pair, units in enumerate(reserves):
        seat = config.pairs + pair
        yield Event("reserve_drawn", {"seat": seat, "units": units}, (seat,))


def make_offers(config: BlankSlateConfig, state: BlankSlateState, units: Sequence[int]) -> Resolution[BlankSlateState]:
    """Each offer is told to its pair; nothing is paid yet."""
    events = LazyEvents(
        lambda: [
            Event("offer_made", {"by": pair, "to": config.pairs + pair, "units": offered}, (pair, config.pairs + pair))
            for pair, offered in enumerate(units)
        ]
    )
    return Resolution(replace(state, stage="reply", offers=tuple(units)), events)


def settle_replies(
    config: BlankSlateConfig, state: BlankSlateState, accepts: Sequence[bool], rng: Rng
) -> Resolution[BlankSlateState]:
    """An accepted offer divides the pie; a declined one leaves the responder its reserve and the proposer nothing."""
    paid: dict[Seat, int] = {}
    for pair, (offer, accepted) in enumerate(zip(state.offers, accepts, strict=True)):
        paid[pair] = config.pie - offer if accepted else 0
        paid[config.pairs + pair] = offer if accepted else state.reserves[pair]
    gained = tuple(sum_so_far + paid[seat] for seat, sum_so_far in enumerate(state.gained))
    reserves = draw_reserves(config, rng)
    after = BlankSlateState(state.rounds + 1, "offer", reserves, gained)

    def told() -> Iterable[Event]:
        for pair, accepted in enumerate(accepts):
            kind = "offer_accepted" if accepted else "offer_declined"
            yield Event(kind, {"by": config.pairs + pair, "from": pair})
        if after.rounds < config.rounds:
            yield from reserves_drawn(config, reserves)

    return Resolution(after, LazyEvents(told), dict(sorted(paid.items())))


def indistinguishable(config: BlankSlateConfig, state: BlankSlateState, seat: Seat) -> Iterable[BlankSlateState]:
    """States that differ in what this seat may not know: others' reserves, and the offers of other pairs."""
    if state.rounds >= config.rounds:
        return
    for pair in range(config.pairs):
        if config.reserve and seat != config.pairs + pair:
            yield replace(state, reserves=_other(state.reserves, pair, config.reserve))
        if state.offers and seat % config.pairs != pair:
            yield replace(state, offers=_other(state.offers, pair, config.pie))


def alike(config: BlankSlateConfig) -> Iterable[Renaming]:
    """Pairs are alike: two of them may change places, both seats of each."""
    for pair in range(config.pairs - 1):
        order = list(range(2 * config.pairs))
        for first in (pair, config.pairs + pair):
            order[first], order[first + 1] = first + 1, first
        yield Renaming(tuple(order))


def _other(values: tuple[int, ...], pair: int, most: int) -> tuple[int, ...]:
    """The values with one of them changed, within 0 to the most."""
    return tuple((value + 1) % (most + 1) if at == pair else value for at, value in enumerate(values))


def _is(eyes: Eyes, seat: Seat) -> bool:
    return isinstance(eyes, All) or eyes == SeatEyes(seat)


def _of_pair(config: BlankSlateConfig, eyes: Eyes, pair: int) -> bool:
    return _is(eyes, pair) or _is(eyes, config.pairs + pair)


@lru_cache(maxsize=64)
def _offers(pie: int) -> ActionSpec[Action]:
    """The listed options end at a hundred: more are a number to type, not a list to choose from."""
    options = tuple(Offer(units) for units in range(pie + 1)) if pie <= 100 else None
    spec: ActionSpec[Action] = ActionSpec.of(Offer, options)
    return spec.bounded(units=(0, pie))


_REPLIES: ActionSpec[Action] = ActionSpec.of(Reply, (Reply(True), Reply(False)))
