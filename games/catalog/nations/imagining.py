"""A world that agrees with what one nation knows; hidden armies, welfare and budgets are drawn around its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.catalog.nations.config import NationsConfig, provided_by
from games.catalog.nations.observation import Observation
from games.catalog.nations.state import Account, NationsState, Orders, Payment, TurnRecord
from games.core.game import CannotImagine, Imagined, Remembered, Seat
from games.core.rng import Rng

ENDLESS = 10_000
"""Turns of a round whose end is not told."""


@lru_cache(maxsize=64)
def _endless(config: NationsConfig) -> NationsConfig:
    """The settings as whoever is not told the end imagines them: the round goes on."""
    data = config.model_dump()
    data |= {"turns": ENDLESS, "changes": [{**change, "turns": None} for change in data["changes"]]}
    return NationsConfig.model_validate(data)


def imagine(seen: Observation, rng: Rng) -> Imagined[NationsConfig, NationsState, Orders]:
    """Each hidden number of another nation is up to twice one's own."""
    public, seat = seen.public, seen.seat
    told = public.config
    if public.is_over:
        raise CannotImagine("nations: the round is over; nothing comes that could be imagined")
    config = told if told.end_known else _endless(told)

    def others(own: int, label: str) -> tuple[int, ...]:
        return tuple(own if one == seat else rng.below(2 * own + 1, label, one) for one in range(config.nations))

    army = public.armies if public.armies is not None else others(seen.army, "army")
    welfare = public.welfare if public.welfare is not None else others(seen.welfare, "welfare")
    accounts, payments = _books(seen, army)
    record = TurnRecord(accounts, seen.battles, payments, public.cessions)
    state = NationsState(
        public.round,
        public.turn - 1,
        public.owners,
        public.rules.owners,
        army,
        welfare,
        (0,) * config.nations,
        _held(seen),
        (),
        seen.vows,
        record,
    )
    return Imagined(config, state, seat, Remembered(seen.past, seat, state))


def _books(seen: Observation, army: Sequence[int]) -> tuple[tuple[Account, ...], tuple[Payment, ...]]:
    """Everybody's account of the last turn, and payments among others that make them agree."""
    if seen.account is None:
        return (), seen.payments
    nations, seat, public = seen.public.config.nations, seen.seat, seen.public
    got, gave = [0] * nations, [0] * nations
    for payment in seen.payments:
        got[payment.to] += payment.arrived
        gave[payment.by] += payment.paid
    if public.accounts is None:
        accounts = tuple(
            seen.account if one == seat else _account(seen, one, gave[one], got[one], army[one])
            for one in range(nations)
        )
        return accounts, seen.payments
    more: list[Payment] = []
    free = [one.granted - gave[giver] for giver, one in enumerate(public.accounts)]
    for to, account in enumerate(public.accounts):
        missing = account.received - got[to]
        if to == seat or missing <= 0:
            continue
        by = max(
            (one for one in range(nations) if one not in (to, seat)), key=lambda one: (free[one], -one), default=seat
        )
        paid = max(0, free[by])
        free[by] = 0
        more.append(Payment(by, to, paid, paid, missing))
    return public.accounts, tuple(sorted((*seen.payments, *more), key=lambda one: one.by))


def _account(seen: Observation, one: Seat, gave: int, got: int, army: int) -> Account:
    """The account of a nation of which no more is known than its territories and what passed between it and us."""
    lands = len(seen.public.holdings[one])
    gross = max(lands * seen.public.rules.income, gave)
    return Account(lands, gross, 0, 0, 0, 0, 0, 0, gave, gross - gave, got, army, 0, 0, 0)


def _held(seen: Observation) -> tuple[tuple[int, ...], ...]:
    """Resources by nation: one's own as they are, of the others what all have together, by their territories."""
    config = seen.public.config
    if config.resources is None:
        return ()
    held = [[0] * len(seen.held) for _ in range(config.nations)]
    for owner, each in zip(seen.public.owners, provided_by(config, seen.public.round), strict=True):
        for kind, amount in enumerate(each):
            held[owner][kind] += amount
    for kind, own in enumerate(seen.held):
        more = held[seen.seat][kind] - own
        held[seen.seat][kind] = own
        for one in range(config.nations):
            if one != seen.seat and more:
                moved = max(more, -held[one][kind])
                held[one][kind] += moved
                more -= moved
    return tuple(map(tuple, held))
