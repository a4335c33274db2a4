"""A turn's events, worded from what was resolved. The README lists each kind with its data.

``to=()`` marks what only omniscient eyes see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.catalog.nations.budget import collect_income
from games.catalog.nations.config import NationsConfig, rules_of
from games.catalog.nations.money import shown
from games.catalog.nations.scoring import score
from games.catalog.nations.state import Account, Message, NationsState, Orders, Vow
from games.catalog.nations.terms import holdings_of
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
        yield Event("nation_funded", data, (seat,) if config.armies_seen == "own" else None)


@dataclass(frozen=True, slots=True)
class Settled:
    """All that a turn's events are worded from. ``state`` is the world after the turn."""

    config: NationsConfig
    orders: Mapping[Seat, Orders]
    state: NationsState
    is_last: bool

    def events(self) -> Iterator[Event]:
        """Talk, attacks, each nation's budget, grants, cessions, promises, and the round's end."""
        yield from self._talk()
        yield from self._attacks()
        for seat, account in enumerate(self.state.last.accounts):
            yield from self._budget(seat, account)
        yield from self._gifts()
        for vow in self.state.last.kept:
            yield self._vow("promise_kept", vow)
        for vow in self.state.last.broken:
            yield self._vow("promise_broken", vow)
        for seat, account in enumerate(self.state.last.accounts):
            yield self._account(seat, account)
        yield self._totals()
        if self.is_last:
            yield from self._scores()

    def _talk(self) -> Iterator[Event]:
        for seat in range(self.config.nations):
            for message in self.orders[seat].messages:
                yield self._said(seat, message)

    def _said(self, seat: Seat, message: Message) -> Event:
        data: dict[str, JSON] = {"by": seat, "text": message.text}
        if message.promise:
            promise = message.promise
            data["promise"] = {"kind": promise.kind, "amount": promise.amount, "turns": promise.turns}
        if message.to is None:
            return Event("message_announced", data)
        data["to"] = list(message.to)
        hears = tuple(sorted({seat, *message.to})) if self.config.messages_seen == "own" else None
        return Event("message_sent", data, hears)

    def _attacks(self) -> Iterator[Event]:
        for battle in self.state.last.battles:
            data: dict[str, JSON] = {
                "by": battle.by,
                "on": battle.on,
                "mils": battle.mils,
                "lost": battle.lost,
                "damage": shown(battle.damage),
            }
            parties = tuple(sorted((battle.by, battle.on)))
            yield Event("nation_attacked", data, parties if self.config.attacks_seen == "own" else None)

    def _budget(self, seat: Seat, account: Account) -> Iterator[Event]:
        """What became of the army: deserted, bought, cut, disbanded."""
        to = (seat,) if self.config.armies_seen == "own" else None
        if account.deserted:
            yield Event("upkeep_unpaid", {"by": seat, "mils": account.deserted, "army": account.army}, to)
        if account.bought:
            yield Event("mils_bought", {"by": seat, "mils": account.bought, "spent": shown(account.spent)}, to)
        if account.bought < account.wanted:
            yield Event("purchase_cut", {"by": seat, "wanted": account.wanted, "mils": account.bought}, (seat,))
        if account.disbanded:
            yield Event("mils_disbanded", {"by": seat, "mils": account.disbanded}, to)
        short = self.orders[seat].disband - account.disbanded
        if short > 0:
            yield Event(
                "disbanding_cut", {"by": seat, "wanted": short + account.disbanded, "mils": account.disbanded}, to
            )

    def _gifts(self) -> Iterator[Event]:
        for payment in self.state.last.payments:
            pair = tuple(sorted((payment.by, payment.to)))
            data: dict[str, JSON] = {"by": payment.by, "to": payment.to, "amount": shown(payment.paid)}
            if payment.paid:
                yield Event("grant_paid", {**data, "arrived": shown(payment.arrived)}, pair)
            if payment.paid < payment.wanted:
                yield Event("grant_cut", {**data, "wanted": shown(payment.wanted)}, (payment.by,))
        for seat in range(self.config.nations):
            for gift in self.orders[seat].resources:
                told: dict[str, JSON] = {"by": seat, "to": gift.to, "resource": gift.resource, "amount": gift.amount}
                yield Event("resource_granted", told, tuple(sorted((seat, gift.to))))
        for by, number, to in self.state.last.cessions:
            yield Event("territory_ceded", {"by": by, "territory": number, "to": to})

    def _vow(self, kind: str, vow: Vow) -> Event:
        data: dict[str, JSON] = {"by": vow.by, "to": vow.to, "what": vow.kind, "amount": vow.amount}
        return Event(kind, data, tuple(sorted((vow.by, vow.to))))

    def _account(self, seat: Seat, account: Account) -> Event:
        data: dict[str, JSON] = {
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
        return Event("welfare_paid", data, (seat,) if self.config.welfare_seen == "own" else None)

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

    def _scores(self) -> Iterator[Event]:
        for seat in range(self.config.nations):
            data: dict[str, JSON] = {
                "by": seat,
                "round": self.state.round,
                "welfare": shown(self.state.welfare[seat]),
                "score": score(self.config, self.state, seat),
            }
            is_public = self.config.welfare_seen == "all" and seat not in self.config.goal_of
            yield Event("round_scored", data, None if is_public else (seat,))
