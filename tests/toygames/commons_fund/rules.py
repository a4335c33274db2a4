"""The rules, in the order in which a round happens: give, share, fine."""

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
)  # fmt: skip
from games.core.rng import Rng

from .config import CommonsFundConfig
from .state import Action, CommonsFundState, Fine, Give, Punish, Sight

CENT = 100
"""Hundredths of a unit."""
ASKED_MAX = 10**12
"""Numbers beyond this are told as this."""


class CommonsFund(Game[CommonsFundConfig, CommonsFundState, Sight, Action]):
    """All give at once; the fund grows and is shared; then all may take from each other, at a cost."""

    slug = "commons_fund"
    rules_version = 1
    config_type = CommonsFundConfig
    state_type = CommonsFundState
    action_type = Action

    def seats(self, config: CommonsFundConfig) -> Sequence[SeatSpec]:
        return [SeatSpec(f"player {seat + 1}") for seat in range(config.players)]

    def initial(self, config: CommonsFundConfig, rng: Rng) -> Resolution[CommonsFundState]:
        state = CommonsFundState(0, "contribute", (0,) * config.players)
        return Resolution(state, (Event("fund_opened", {"endowment": config.endowment}),))

    def turn(self, config: CommonsFundConfig, state: CommonsFundState) -> Turn | None:
        if state.rounds >= config.rounds:
            return None
        return Turn((("round", state.rounds + 1),), state.stage, tuple(range(config.players)))

    def horizon(self, config: CommonsFundConfig) -> int | None:
        return config.rounds * (2 if config.budget else 1)

    def rounds(self, config: CommonsFundConfig) -> int | None:
        return config.rounds

    def observe(
        self, config: CommonsFundConfig, state: CommonsFundState, seat: Seat, past: Sequence[Seen[Action]]
    ) -> Sight:
        return Sight(
            seat,
            config.players,
            state.rounds + 1,
            config.rounds,
            config.endowment,
            config.multiplier,
            config.budget,
            config.fine,
            state.gained,
            state.gifts,
            state.points[seat] if state.points else (),
        )

    def actions(self, config: CommonsFundConfig, state: CommonsFundState, seat: Seat) -> ActionSpec[Action]:
        if state.stage == "contribute":
            return _gifts(config.endowment)
        return _fines(config.players, config.budget, seat)

    def clean(
        self, config: CommonsFundConfig, state: CommonsFundState, seat: Seat, action: Action | None, rng: Rng
    ) -> tuple[Action, tuple[Note, ...]]:
        """No answer gives nothing and fines nobody, and so does an answer to the other stage's question."""
        if state.stage == "contribute":
            if not isinstance(action, Give):
                return Give(0), () if action is None else (Note("no_points_now"),)
            units = min(max(action.units, 0), config.endowment)
            if units == action.units:
                return action, ()
            asked = min(max(action.units, -ASKED_MAX), ASKED_MAX)
            return Give(units), (Note("gift_changed", {"asked": asked, "most": config.endowment, "allowed": units}),)
        if not isinstance(action, Punish):
            return Punish(), () if action is None else (Note("no_gift_now"),)
        fines = legal_fines(config, seat, action.fines)
        if fines == action.fines:
            return action, ()
        return Punish(fines), (Note("points_changed", {"kept": len(fines), "budget": config.budget}),)

    def resolve(
        self, config: CommonsFundConfig, state: CommonsFundState, actions: Mapping[Seat, Action], rng: Rng
    ) -> Resolution[CommonsFundState]:
        chosen = [actions[seat] for seat in sorted(actions)]
        if state.stage == "contribute":
            return share_fund(config, state, [one.units for one in chosen if isinstance(one, Give)])
        return take_fines(config, state, [one.fines for one in chosen if isinstance(one, Punish)])

    def view(self, config: CommonsFundConfig, state: CommonsFundState, eyes: Eyes) -> View:
        """Gifts and gains are public; a row of points is shown to whoever gave them."""
        return {
            "round": state.rounds,
            "stage": state.stage,
            "gained": list(state.gained),
            "gifts": list(state.gifts),
            "points": [
                list(row) if isinstance(eyes, All) or eyes == SeatEyes(seat) else None
                for seat, row in enumerate(state.points)
            ],
        }

    def invariants(self, config: CommonsFundConfig, state: CommonsFundState) -> Iterable[Invariant]:
        within = all(0 <= gift <= config.endowment for gift in state.gifts)
        yield Invariant("a gift is a part of the endowment", within, str(state.gifts))


def share_fund(
    config: CommonsFundConfig, state: CommonsFundState, gifts: Sequence[int]
) -> Resolution[CommonsFundState]:
    """What is left of the endowment, and an equal share of the fund that has grown, in whole hundredths."""
    share = round(sum(gifts) * CENT * config.multiplier / config.players)
    paid = [(config.endowment - gift) * CENT + share for gift in gifts]
    ends = not config.budget
    after = replace(
        state,
        rounds=state.rounds + ends,
        stage="contribute" if ends else "punish",
        gained=_added(state.gained, paid),
        gifts=tuple(gifts),
        points=(),
    )

    def told() -> Iterable[Event]:
        for seat, gift in enumerate(gifts):
            yield Event("gift_made", {"by": seat, "units": gift})
        yield Event("fund_shared", {"share": share / CENT})

    return Resolution(after, LazyEvents(told), {seat: units / CENT for seat, units in enumerate(paid)})


def take_fines(
    config: CommonsFundConfig, state: CommonsFundState, fines: Sequence[Sequence[Fine]]
) -> Resolution[CommonsFundState]:
    """A point costs its giver 1 and takes the fine from whom it is given to, who is not told by whom."""
    rows = [[sum(fine.points for fine in row if fine.to == seat) for seat in range(config.players)] for row in fines]
    received = [sum(row[seat] for row in rows) for seat in range(config.players)]
    paid = [-CENT * (sum(row) + config.fine * got) for row, got in zip(rows, received, strict=True)]
    points = tuple(tuple(row) for row in rows)
    after = replace(
        state, rounds=state.rounds + 1, stage="contribute", gained=_added(state.gained, paid), points=points
    )

    def told() -> Iterable[Event]:
        for seat, row in enumerate(rows):
            for other, given in enumerate(row):
                if given:
                    yield Event("points_given", {"by": seat, "to": other, "points": given}, (seat,))
        for seat, got in enumerate(received):
            if got:
                yield Event("fined", {"seat": seat, "points": got})

    return Resolution(after, LazyEvents(told), {seat: units / CENT for seat, units in enumerate(paid)})


def legal_fines(config: CommonsFundConfig, seat: Seat, fines: Sequence[Fine]) -> tuple[Fine, ...]:
    """Points to others, each named once, in seat order, the later ones cut where the budget ends."""
    given: dict[Seat, int] = {}
    left = config.budget
    for fine in fines:
        if 0 <= fine.to < config.players and fine.to != seat and fine.to not in given:
            points = min(max(fine.points, 0), left)
            if points:
                given[fine.to] = points
                left -= points
    return tuple(Fine(to, given[to]) for to in sorted(given))


def indistinguishable(config: CommonsFundConfig, state: CommonsFundState, seat: Seat) -> Iterable[CommonsFundState]:
    """Others' points given otherwise."""
    if state.points:
        rows = [row if by == seat else tuple(units + 1 for units in row) for by, row in enumerate(state.points)]
        yield replace(state, points=tuple(rows))


def _added(before: Sequence[int], paid: Sequence[int]) -> tuple[int, ...]:
    return tuple(had + got for had, got in zip(before, paid, strict=True))


@lru_cache(maxsize=64)
def _gifts(endowment: int) -> ActionSpec[Action]:
    spec: ActionSpec[Action] = ActionSpec.of(Give, tuple(Give(units) for units in range(endowment + 1)))
    return spec.bounded(units=(0, endowment))


@lru_cache(maxsize=256)
def _fines(players: int, budget: int, seat: int) -> ActionSpec[Action]:
    spec: ActionSpec[Action] = ActionSpec.of(Punish)
    fine = {
        "type": "object",
        "properties": {
            "to": {"enum": [other for other in range(players) if other != seat], "x-seat": True},
            "points": {"type": "integer", "minimum": 1, "maximum": budget},
        },
        "required": ["to", "points"],
    }
    schema = {"type": "object", "properties": {"fines": {"type": "array", "items": fine, "maxItems": players - 1}}}
    return replace(spec, schema=schema)
