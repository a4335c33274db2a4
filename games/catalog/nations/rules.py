"""International politics and welfare: territories, armies, grants and words, all orders from one state in every turn.

Source: "international politics", with the order of a turn and the readings of its open points in the README.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import Any, ClassVar

from games.catalog.nations.budget import collect_income, settle_accounts
from games.catalog.nations.cleaning import clean_orders
from games.catalog.nations.config import NationsConfig, provided_by, rules_of
from games.catalog.nations.imagining import imagine
from games.catalog.nations.money import shown
from games.catalog.nations.news import Settled, opening
from games.catalog.nations.observation import Observation, observe
from games.catalog.nations.promises import judge_vows, new_vows
from games.catalog.nations.reading import action_spec
from games.catalog.nations.settings import RESOURCES
from games.catalog.nations.shapes import EVENTS, NationsView
from games.catalog.nations.state import Battle, Ceded, NationsState, Orders, TurnRecord
from games.catalog.nations.terms import holdings_of
from games.catalog.nations.view import view_of
from games.catalog.nations.war import deduct_damage, fight, muster_forces
from games.core.answers import ActionSpec, Note
from games.core.game import (
    Eyes,
    Game,
    Imagined,
    Invariant,
    LazyEvents,
    Resolution,
    Seat,
    SeatSpec,
    Seen,
    Standing,
    Step,
    Turn,
)
from games.core.rng import Rng
from games.core.steps import everybody


class NationsGame(Game[NationsConfig, NationsState, Observation, Orders]):
    slug: ClassVar[str] = "nations"
    rules_version: ClassVar[int] = 2
    config_type = NationsConfig
    state_type = NationsState
    action_type: Any = Orders
    view_type: ClassVar[Any] = NationsView
    event_types: ClassVar[Mapping[str, Any]] = EVENTS
    counted: ClassVar[str] = "turn"
    draws_in_cleaning: ClassVar[bool] = False

    def seats(self, config: NationsConfig) -> Sequence[SeatSpec]:
        return [SeatSpec(name) for name in config.names]

    def initial(self, config: NationsConfig, rng: Rng) -> Resolution[NationsState]:
        state = opened(config, 1, (0,) * config.nations)
        return Resolution(state, tuple(opening(config, state)))

    def turn(self, config: NationsConfig, state: NationsState) -> Turn | None:
        """The next turn of the round; between two rounds a step in which the world is made anew."""
        if state.turn < rules_of(config, state.round).turns:
            return Turn((("round", state.round), ("turn", state.turn + 1)), "orders", everybody(config.nations))
        if state.round < config.rounds:
            return Turn((("round", state.round + 1), ("turn", 0)), "opening", ())
        return None

    def horizon(self, config: NationsConfig) -> int | None:
        if not config.end_known:
            return None
        turns = sum(rules_of(config, number).turns for number in range(1, config.rounds + 1))
        return turns + config.rounds - 1

    def rounds(self, config: NationsConfig) -> int | None:
        """The last turn; turns that begin anew with each round have none."""
        return self.horizon(config) if config.rounds == 1 else None

    def ends_round(self, config: NationsConfig, step: Step[NationsState, Orders]) -> bool:
        """Those who watch count turns."""
        return True

    def reflects(self, config: NationsConfig, step: Step[NationsState, Orders]) -> Sequence[Seat]:
        """All seats after each turn's news, as long as a turn follows in which they can use what they keep."""
        if not step.turn.seats or self.turn(config, step.state) is None:
            return ()
        return range(config.nations)

    def recall(self, config: NationsConfig) -> int | None:
        """The last turn, also across the step that opens a round."""
        return 2

    def observe(
        self, config: NationsConfig, state: NationsState, seat: Seat, past: Sequence[Seen[Orders]]
    ) -> Observation:
        return observe(config, state, seat, past)

    def imagine(self, observation: Observation, rng: Rng) -> Imagined[NationsConfig, NationsState, Orders]:
        return imagine(observation, rng)

    def standing(self, observation: Observation) -> Standing[Orders]:
        """Welfare of the round: one's own, and others' where it is public."""
        public = observation.public.welfare
        known = {observation.seat: observation.welfare} if public is None else dict(enumerate(public))
        return Standing(observation.seat, {seat: shown(welfare) for seat, welfare in known.items()})

    def actions(self, config: NationsConfig, state: NationsState, seat: Seat) -> ActionSpec[Orders]:
        return action_spec(config)

    def clean(
        self, config: NationsConfig, state: NationsState, seat: Seat, action: Orders | None, rng: Rng
    ) -> tuple[Orders, tuple[Note, ...]]:
        return clean_orders(config, state, seat, action)

    def resolve(
        self, config: NationsConfig, state: NationsState, actions: Mapping[Seat, Orders], rng: Rng
    ) -> Resolution[NationsState]:
        """One turn in the order of the README, or the opening of a round."""
        if state.turn >= rules_of(config, state.round).turns:
            banked = tuple(had + got for had, got in zip(state.banked, state.welfare, strict=True))
            anew = opened(config, state.round + 1, banked)
            return Resolution(anew, LazyEvents(lambda: opening(config, anew)))
        rules = rules_of(config, state.round)
        owners, cessions = _cede(state.owners, actions, config.nations)
        earning = owners if config.income_at == "end" else state.owners
        lands = list(map(len, holdings_of(earning, config.nations)))
        gross = collect_income(config, rules, lands, state.held)
        forces = muster_forces(actions, config.nations)
        battles: tuple[Battle, ...] = ()
        damage = lost = (0,) * config.nations  # type: Sequence[int]
        if forces:
            damage = deduct_damage(rules, forces, gross)
            battles = fight(config, rules, forces, state.army, damage)
            lost = _lost(battles, config.nations)
        accounts, payments = settle_accounts(
            config, rules, actions, lands, gross, damage, len(battles), state.army, lost
        )
        welfare = [one.left + one.received for one in accounts]
        army = tuple([one.army - one.lost - one.deserted - one.disbanded + one.bought for one in accounts])
        turn = state.turn + 1
        is_last = turn >= rules.turns
        standing, kept, broken = judge_vows(state.vows, turn, is_last, battles, payments, cessions)
        vowed = () if is_last else new_vows(actions, config.nations, turn)
        after = NationsState(
            state.round,
            turn,
            owners,
            state.first,
            army,
            tuple(map(add, state.welfare, welfare)),
            state.banked,
            _provide(config, state.round, owners, actions),
            _add_harm(state.harm, battles),
            (*standing, *vowed),
            TurnRecord(tuple(accounts), battles, tuple(payments), cessions, kept, broken),
        )
        gains = dict(enumerate(map(shown, welfare)))
        return Resolution(after, LazyEvents(Settled(config, actions, after, is_last).events), gains)

    def view(self, config: NationsConfig, state: NationsState, eyes: Eyes) -> NationsView:
        turn = self.turn(config, state)
        return view_of(config, state, eyes, turn.stage if turn else "")

    def invariants(self, config: NationsConfig, state: NationsState) -> Iterable[Invariant]:
        seats = set(range(config.nations))
        yield Invariant("the territories stay what they are", len(state.owners) == config.territories)
        yield Invariant("every territory has an owner", set(state.owners) <= seats)
        yield Invariant("no army is below 0", min(state.army) >= 0, str(min(state.army)))
        accounts = state.last.accounts
        yield Invariant("a turn's welfare is not below 0", all(one.left >= 0 <= one.received for one in accounts))
        for seat, one in enumerate(accounts):
            spent = one.damage + one.penalty + one.upkeep + one.spent + one.granted + one.left
            yield Invariant("a turn's income is spent to the last hundredth", one.gross == spent, f"seat {seat}")
        arrived = sum(payment.arrived for payment in state.last.payments)
        yield Invariant("what arrives is what grants brought", sum(one.received for one in accounts) == arrived)
        if config.resources:
            provided = [sum(each) for each in zip(*provided_by(config, state.round), strict=True)]
            held = [sum(each) for each in zip(*state.held, strict=True)]
            yield Invariant("resources are neither made nor lost", provided == held, f"{held} of {provided}")


# --- the parts of a turn --------------------------------------------------------------------------


def opened(config: NationsConfig, number: int, banked: tuple[int, ...]) -> NationsState:
    """A round's first state: its territories dealt, its armies raised, no welfare yet."""
    rules = rules_of(config, number)
    held = _provide(config, number, rules.owners, {})
    return NationsState(number, 0, rules.owners, rules.owners, rules.armies, (0,) * config.nations, banked, held)


def _cede(
    owners: tuple[Seat, ...], orders: Mapping[Seat, Orders], nations: int
) -> tuple[tuple[Seat, ...], tuple[Ceded, ...]]:
    """Ownership after the cessions, and these giver by giver."""
    if not any(order.cede for order in orders.values()):
        return owners, ()
    cessions = tuple(
        Ceded(seat, cession.territory, cession.to) for seat in range(nations) for cession in orders[seat].cede
    )
    after = list(owners)
    for _, territory, to in cessions:
        after[territory - 1] = to
    return tuple(after), cessions


def _provide(
    config: NationsConfig, number: int, owners: Sequence[Seat], orders: Mapping[Seat, Orders]
) -> tuple[tuple[int, ...], ...]:
    """The resources that each nation has for the coming turn: of its territories, less and plus what was granted."""
    if config.resources is None:
        return ()
    held = [[0] * len(RESOURCES) for _ in range(config.nations)]
    for owner, each in zip(owners, provided_by(config, number), strict=True):
        for kind, amount in enumerate(each):
            held[owner][kind] += amount
    for seat, order in orders.items():
        for grant in order.resources:
            kind = RESOURCES.index(grant.resource)
            held[seat][kind] -= grant.amount
            held[grant.to][kind] += grant.amount
    return tuple(map(tuple, held))


def _lost(battles: Sequence[Battle], nations: int) -> list[int]:
    """Mils lost by seat."""
    lost = [0] * nations
    for battle in battles:
        lost[battle.by] += battle.lost
    return lost


def _add_harm(
    harm: tuple[tuple[Seat, Seat, int], ...], battles: Sequence[Battle]
) -> tuple[tuple[Seat, Seat, int], ...]:
    """The round's damage by attacker and target, in their order."""
    if not battles:
        return harm
    sums = {(by, on): done for by, on, done in harm}
    for battle in battles:
        sums[battle.by, battle.on] = sums.get((battle.by, battle.on), 0) + battle.damage
    return tuple((by, on, done) for (by, on), done in sorted(sums.items()))
