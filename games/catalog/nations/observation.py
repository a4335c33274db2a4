"""What one nation knows when it gives its orders. Facts of others that the config hides are None or left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from games.catalog.nations.budget import produced
from games.catalog.nations.config import NationsConfig, rules_of, told_of
from games.catalog.nations.settings import Goal
from games.catalog.nations.state import Account, Battle, Ceded, NationsState, Orders, Payment, Vow
from games.catalog.nations.terms import RoundRules, holdings_of
from games.core.game import Event, Seat, Seen
from games.core.steps import heard
from games.core.values import carried


class Public(NamedTuple):
    """The same for all: ``turn`` to be played, from 1; ``turns`` and ``rounds`` None where the end is not known, and in
    ``rules`` 0 then, with no first armies where they are not public.

    ``holdings`` by seat, territories from 1. ``battles`` of the last turn, ``armies``, ``welfare`` and ``accounts`` by
    seat: None where they are not public. Money in hundredths.
    """

    config: NationsConfig
    rules: RoundRules
    round: int
    turn: int
    turns: int | None
    rounds: int | None
    owners: tuple[Seat, ...]
    holdings: tuple[tuple[int, ...], ...]
    cessions: tuple[Ceded, ...]
    battles: tuple[Battle, ...] | None
    armies: tuple[int, ...] | None
    welfare: tuple[int, ...] | None
    accounts: tuple[Account, ...] | None
    is_over: bool


class Observation(NamedTuple):
    """``battles`` of the last turn that this seat may know, ``payments`` that it made or got, ``vows`` by or to it.

    ``account`` is its own last turn; None before the first.
    """

    public: Public
    seat: Seat
    army: int
    welfare: int
    held: tuple[int, ...]
    goal: Goal | None
    account: Account | None
    battles: tuple[Battle, ...]
    payments: tuple[Payment, ...]
    vows: tuple[Vow, ...]
    past: Sequence[Seen[Orders]]

    @property
    def own(self) -> tuple[int, ...]:
        """Own territories, numbered from 1."""
        return self.public.holdings[self.seat]

    @property
    def income(self) -> int:
        """Gross income of the coming turn, of the territories and with the resources of now, in hundredths."""
        land, rules, needs = len(self.own), self.public.rules, self.public.config.resources
        return land * rules.income if needs is None else produced(land, rules.income, needs.each, self.held)

    @property
    def others(self) -> Sequence[Seat]:
        return _others(self.public.config.nations, self.seat)

    def attackers(self) -> dict[Seat, int]:
        """Who attacked this nation in the last turn, with how many mils."""
        return {battle.by: battle.mils for battle in self.battles if battle.on == self.seat}

    def received(self) -> dict[Seat, int]:
        """Who granted to this nation in the last turn, and how much was paid, in hundredths."""
        got: dict[Seat, int] = {}
        for payment in self.payments:
            if payment.to == self.seat and payment.paid:
                got[payment.by] = got.get(payment.by, 0) + payment.paid
        return got

    def news(self) -> Sequence[Event]:
        """What happened after the last orders, as far as this nation may know it."""
        return next((seen.events for seen in reversed(self.past) if seen.turn.seats), ())

    def messages(self) -> Sequence[Event]:
        """What others wrote with their last orders, as far as it reached this nation."""
        return heard(self.news(), self.seat)


@lru_cache(maxsize=1024)
def _others(nations: int, seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in range(nations) if other != seat)


@carried
def _kept(config: NationsConfig, state: NationsState) -> tuple[Public, tuple[tuple[Payment, ...], ...]]:
    """What observations of one state are made from, with the payments by seat."""
    return _gather(config, state), _payments_by_seat(config, state.last.payments)


def _payments_by_seat(config: NationsConfig, payments: Sequence[Payment]) -> tuple[tuple[Payment, ...], ...]:
    """What each paid and got. Who is granted to knows what came, and not what was meant to come."""
    if not payments:
        return ((),) * config.nations
    found: list[list[Payment]] = [[] for _ in range(config.nations)]
    for payment in payments:
        found[payment.by].append(payment)
        if payment.paid:
            is_whole = payment.wanted == payment.paid
            found[payment.to].append(payment if is_whole else replace(payment, wanted=payment.paid))
    return tuple(map(tuple, found))


def _gather(config: NationsConfig, state: NationsState) -> Public:
    rules = rules_of(config, state.round)
    return Public(
        config,
        told_of(config, state.round),
        state.round,
        state.turn + 1,
        rules.turns if config.end_known else None,
        config.rounds if config.end_known else None,
        state.owners,
        holdings_of(state.owners, config.nations),
        state.last.cessions,
        state.last.battles if config.attacks_seen == "all" else None,
        state.army if config.armies_seen == "all" else None,
        state.welfare if config.welfare_seen == "all" else None,
        state.last.accounts if config.welfare_seen == "all" else None,
        state.turn >= rules.turns,
    )


def observe(config: NationsConfig, state: NationsState, seat: Seat, past: Sequence[Seen[Orders]]) -> Observation:
    """All that this nation may know now."""
    (public, payments), last = _kept(config, state), state.last
    battles = public.battles
    if battles is None:
        battles = tuple(battle for battle in last.battles if seat in (battle.by, battle.on))
    vows = state.vows
    if vows:
        vows = tuple(vow for vow in vows if seat in (vow.by, vow.to))
    return Observation(
        public,
        seat,
        state.army[seat],
        state.welfare[seat],
        state.held[seat] if state.held else (),
        config.goal_of.get(seat),
        last.accounts[seat] if last.accounts else None,
        battles,
        payments[seat],
        vows,
        past,
    )
