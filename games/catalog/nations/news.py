"""A turn's events, worded from what was resolved. The README lists each kind with its data.

``to=()`` marks what only omniscient eyes see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.catalog.nations.budget import collect_income
from games.catalog.nations.config import NationsConfig, rules_of
from games.catalog.nations.money import facts, shown
from games.catalog.nations.scoring import score
from games.catalog.nations.state import Account, Message, NationsState, Orders, Payment
from games.catalog.nations.terms import holdings_of
from games.catalog.nations.view import hearers
from games.core.answers import JSON
from games.core.game import Event, Seat


def opening(config: NationsConfig, state: NationsState) -> Iterator[Event]:
    """What everybody is told before a round's first turn: who owns what, and what each has to begin with."""
    yield Event("round_opened", {"round": state.round, "territories": config.territories, "nations": config.nations})
    holdings = holdings_of(state.owners, config.nations)
    incomes = collect_income(config, rules_of(config, state.round), list(map(len, holdings)), state.held)
    for seat, own in enumerate(holdings):
        yield Event("nation_endowed", {"by": seat, "territories": list(own), "count": len(own)})
        data: dict[str, JSON] = {"by": seat, "income": shown(incomes[seat]), "army": state.army[seat]}
        yield Event("nation_funded", data, hearers(config.armies_seen, seat))


@dataclass(frozen=True, slots=True)
class Settled:
    """All that a turn's events are worded from. ``state`` is the world after the turn."""

    config: NationsConfig
    orders: Mapping[Seat, Orders]
    state: NationsState
    is_last: bool

    def events(self) -> Iterator[Event]:
        """Talk, attacks, each nation's army, grants, cessions, promises, budgets, and the round's end."""
        config, last = self.config, self.state.last
        seats = range(config.nations)
        for seat in seats:
            for message in self.orders[seat].messages:
                yield self._said(seat, message)
        for battle in last.battles:
            yield Event("nation_attacked", facts(battle), hearers(config.attacks_seen, battle.by, battle.on))
        for seat, account in enumerate(last.accounts):
            yield from self._army(seat, account)
        for payment in last.payments:
            yield from _grant(payment)
        for seat in seats:
            for gift in self.orders[seat].resources:
                yield Event("resource_granted", {"by": seat, **facts(gift)}, hearers("own", seat, gift.to))
        for ceded in last.cessions:
            yield Event("territory_ceded", ceded._asdict())
        for kind, vows in (("promise_kept", last.kept), ("promise_broken", last.broken)):
            for vow in vows:
                yield Event(
                    kind,
                    {"by": vow.by, "to": vow.to, "what": vow.kind, "amount": vow.amount},
                    hearers("own", vow.by, vow.to),
                )
        for seat, account in enumerate(last.accounts):
            yield Event("welfare_paid", _budget(seat, account), hearers(config.welfare_seen, seat))
        yield self._totals()
        if self.is_last:
            yield from map(self._score, seats)

    def _said(self, seat: Seat, message: Message) -> Event:
        data: dict[str, JSON] = {"by": seat, "text": message.text}
        if message.promise:
            data["promise"] = facts(message.promise)
        if message.to is None:
            return Event("message_announced", data)
        data["to"] = list(message.to)
        return Event("message_sent", data, hearers(self.config.messages_seen, seat, *message.to))

    def _army(self, seat: Seat, account: Account) -> Iterator[Event]:
        """What became of the army: deserted, bought, cut, disbanded."""
        to = hearers(self.config.armies_seen, seat)
        disbanded, wanted = account.disbanded, self.orders[seat].disband
        if account.deserted:
            yield Event("upkeep_unpaid", {"by": seat, "mils": account.deserted, "army": account.army}, to)
        if account.bought:
            yield Event("mils_bought", {"by": seat, "mils": account.bought, "spent": shown(account.spent)}, to)
        if account.bought < account.wanted:
            yield Event("purchase_cut", {"by": seat, "wanted": account.wanted, "mils": account.bought}, (seat,))
        if disbanded:
            yield Event("mils_disbanded", {"by": seat, "mils": disbanded}, to)
        if disbanded < wanted:
            yield Event("disbanding_cut", {"by": seat, "wanted": wanted, "mils": disbanded}, to)

    def _totals(self) -> Event:
        last = self.state.last
        data: dict[str, JSON] = {
            "round": self.state.round,
            "turn": self.state.turn,
            "attacks": len(last.battles),
            "damage": shown(sum(account.damage for account in last.accounts)),
            "welfare": shown(sum(account.welfare for account in last.accounts)),
        }
        return Event("turn_closed", data, ())

    def _score(self, seat: Seat) -> Event:
        config, state = self.config, self.state
        welfare, points = shown(state.welfare[seat]), score(config, state, seat)
        data: dict[str, JSON] = {"by": seat, "round": state.round, "welfare": welfare, "score": points}
        return Event("round_scored", data, hearers("own" if seat in config.goal_of else config.welfare_seen, seat))


def _grant(payment: Payment) -> Iterator[Event]:
    by, to, amount = payment.by, payment.to, shown(payment.paid)
    if payment.paid:
        arrived = shown(payment.arrived)
        yield Event("grant_paid", {"by": by, "to": to, "amount": amount, "arrived": arrived}, hearers("own", by, to))
    if payment.paid < payment.wanted:
        yield Event("grant_cut", {"by": by, "to": to, "amount": amount, "wanted": shown(payment.wanted)}, (by,))


def _budget(seat: Seat, account: Account) -> dict[str, JSON]:
    return {
        "by": seat,
        "territories": account.territories,
        "gross": shown(account.gross),
        "damage": shown(account.damage),
        "penalty": shown(account.penalty),
        "upkeep": shown(account.upkeep),
        "purchases": shown(account.spent),
        "granted": shown(account.granted),
        "left": shown(account.left),
        "received": shown(account.received),
        "welfare": shown(account.welfare),
    }
