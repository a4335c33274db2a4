"""What is illegal is struck out of the orders, each part with its reason; the rest stands.

What money will not pay for is cut off later, by the rules, when the money is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from games.catalog.nations.config import NationsConfig, provided_by
from games.catalog.nations.money import has_two_decimals
from games.catalog.nations.reading import PROMISE_TURNS_MAX, talk
from games.catalog.nations.settings import MILS_MAX, RESOURCES
from games.catalog.nations.state import (
    NOTHING,
    Attack,
    Cession,
    Grant,
    Message,
    NationsState,
    Orders,
    Promise,
    ResourceGrant,
)
from games.core.answers import JSON, Note
from games.core.cleaning import Bound, Bounds, Notes, begun, cut_in_order, is_other
from games.core.game import Seat

LEAST: Final = Bound(0, "mils_range", {"most": MILS_MAX}, strikes=True)
BUYING: Final = Bounds("mils", LEAST, Bound(MILS_MAX, "mils_cut", {"most": MILS_MAX}))
DISBANDING: Final = Bounds("mils", LEAST)
"""What is beyond the army, the rules cut off."""


def clean_orders(
    config: NationsConfig, state: NationsState, seat: Seat, orders: Orders | None
) -> tuple[Orders, tuple[Note, ...]]:
    """The orders that will be carried out, as far as money allows, and why they are not those that were sent."""
    if orders is None:
        return NOTHING, ()
    if orders is NOTHING:
        return orders, ()
    work = _Cleaning(config, state, seat)
    cleaned = work.clean(orders)
    return cleaned, work.notes.bounded()


@dataclass(slots=True)
class _Cleaning:
    config: NationsConfig
    state: NationsState
    seat: Seat
    notes: Notes = field(default_factory=Notes)

    def clean(self, orders: Orders) -> Orders:
        for part in orders.unread:
            self.notes.add(f"unread_{part.field}", what=part.text)
        cede = tuple(self._cessions(orders.cede)) if orders.cede else ()
        buy = orders.buy and (BUYING.hold(orders.buy, self.notes, action="buy") or 0)
        attacks = self._attacks(orders.attacks) if orders.attacks else ()
        grants = self._grants(orders.grants) if orders.grants else ()
        resources = tuple(self._resources(orders.resources, cede)) if orders.resources else ()
        disband = orders.disband and (DISBANDING.hold(orders.disband, self.notes, action="disband") or 0)
        messages = tuple(self._messages(orders.messages)) if orders.messages else ()
        if not self.notes:
            return orders
        return Orders(buy, attacks, cede, grants, resources, disband, messages)

    def _is_other(self, to: Seat, action: str) -> bool:
        """Whether this is another nation; a note if not."""
        if is_other(to, self.seat, self.config.nations):
            return True
        self.notes.add("to_oneself" if to == self.seat else "no_such_nation", action=action, to=to)
        return False

    # --- attacks: cut off at the army ---------------------------------------------------------

    def _attacks(self, attacks: tuple[Attack, ...]) -> tuple[Attack, ...]:
        legal = []
        for attack in attacks:
            if not self._is_other(attack.on, "attack"):
                continue
            if attack.mils < 1:
                self.notes.add("too_few_mils", to=attack.on, mils=attack.mils)
                continue
            legal.append(attack)
        army = self.state.army[self.seat]
        wanted = sum(attack.mils for attack in legal)
        if wanted <= army:
            return tuple(legal)
        asked = [attack.mils for attack in legal]
        in_order = self.config.cut_off != "in_proportion"
        sent = cut_in_order(asked, army) if in_order else [mils * army // wanted for mils in asked]
        for attack, mils in zip(legal, sent, strict=True):
            if mils < attack.mils:
                self.notes.add("attack_cut", to=attack.on, mils=attack.mils, left=mils, army=army)
        return tuple(Attack(attack.on, mils) for attack, mils in zip(legal, sent, strict=True) if mils)

    # --- land, money and resources given away -------------------------------------------------

    def _cessions(self, cessions: tuple[Cession, ...]) -> Iterator[Cession]:
        """The first cession of each own territory."""
        gone: set[int] = set()
        for cession in cessions:
            number = cession.territory
            if not 1 <= number <= self.config.territories:
                self.notes.add("no_such_territory", territory=number, last=self.config.territories)
            elif self.state.owners[number - 1] != self.seat:
                self.notes.add("not_yours", territory=number, owner=self.state.owners[number - 1])
            elif not self._is_other(cession.to, "cede"):
                continue
            elif number in gone:
                self.notes.add("ceded_twice", territory=number)
            elif not borders_on(self.config, self.state.owners, number, cession.to):
                self.notes.add("no_border", territory=number, to=cession.to)
            else:
                gone.add(number)
                yield cession

    def _grants(self, grants: tuple[Grant, ...]) -> tuple[Grant, ...]:
        seat, nations = self.seat, self.config.nations
        legal = [
            one for one in grants if is_other(one.to, seat, nations) and one.amount > 0 and has_two_decimals(one.amount)
        ]
        for grant in grants if len(legal) < len(grants) else ():
            if grant not in legal and self._is_other(grant.to, "grant"):
                self.notes.add("too_little_money", to=grant.to, amount=grant.amount)
        return tuple(legal)

    def _resources(self, grants: tuple[ResourceGrant, ...], cede: tuple[Cession, ...]) -> Iterator[ResourceGrant]:
        """Grants of what the territories that the nation keeps provide, cut off in the order listed."""
        if not self.config.resources:
            self.notes.add("no_resources", count=len(grants))
            return
        gone = {cession.territory for cession in cede}
        provided = provided_by(self.config, self.state.round)
        own = [at for at, owner in enumerate(self.state.owners) if owner == self.seat and at + 1 not in gone]
        left = [sum(provided[at][kind] for at in own) for kind in range(len(RESOURCES))]
        for grant in grants:
            if not self._is_other(grant.to, "grant"):
                continue
            kind = RESOURCES.index(grant.resource)
            amount = min(grant.amount, left[kind])
            if grant.amount < 1:
                self.notes.add("too_little_resource", to=grant.to, resource=grant.resource, amount=grant.amount)
                continue
            if amount < grant.amount:
                data: dict[str, JSON] = {"resource": grant.resource, "wanted": grant.amount, "left": amount}
                self.notes.add("resource_cut", to=grant.to, **data)
            left[kind] -= amount
            if amount:
                yield ResourceGrant(grant.to, grant.resource, amount)

    # --- messages -----------------------------------------------------------------------------

    def _messages(self, messages: tuple[Message, ...]) -> Iterator[Message]:
        for message in talk(self.config).clean(self.seat, messages, self.notes):
            if message.promise is None or self._can_promise(message.promise):
                yield message
            else:
                self.notes.add("no_promise", text=begun(message.text), most=PROMISE_TURNS_MAX)
                yield Message(message.to, message.text)

    def _can_promise(self, promise: Promise) -> bool:
        amount, last = promise.amount, self.config.territories
        can = {"peace": amount == 0, "grant": amount > 0, "cede": amount in range(1, last + 1)}
        return 1 <= promise.turns <= PROMISE_TURNS_MAX and can[promise.kind]


def borders_on(config: NationsConfig, owners: Sequence[Seat], number: int, to: Seat) -> bool:
    """Whether a nation owns a neighbour of a territory, and so may get it; any may where no borders are set."""
    return not config.borders or any(
        owners[(here if there == number else there) - 1] == to
        for here, there in config.borders
        if number in (here, there)
    )


def mils_sent(config: NationsConfig, state: NationsState, seat: Seat, orders: Orders) -> Note | None:
    """How much of a nation's army its orders send out; None where they send nobody."""
    sent = sum(attack.mils for attack in orders.attacks)
    return Note("mils_sent", {"sent": sent, "army": state.army[seat]}) if sent else None
