"""What is illegal is struck out of the orders, each part with its reason; the rest stands.

What money will not pay for is cut off later, by the rules, when the money is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from games.catalog.nations.config import NationsConfig, provided_by
from games.catalog.nations.money import has_two_decimals
from games.catalog.nations.reading import QUOTE_LENGTH
from games.catalog.nations.settings import MILS_MAX, RESOURCES
from games.catalog.nations.state import (
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
from games.core.game import Seat

NOTES_KEPT: Final = 20
PROMISE_TURNS_MAX: Final = 100
NOTHING: Final = Orders()


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
    notes = work.notes
    if not notes:
        return orders, ()
    if len(notes) > NOTES_KEPT:
        notes = [*notes[: NOTES_KEPT - 1], Note("and_more", {"count": len(notes) - NOTES_KEPT + 1})]
    return cleaned, tuple(notes)


@dataclass(slots=True)
class _Cleaning:
    config: NationsConfig
    state: NationsState
    seat: Seat
    notes: list[Note] = field(default_factory=list)

    def clean(self, orders: Orders) -> Orders:
        for part in orders.unread:
            self._strike(f"unread_{part.field}", what=part.text)
        cede = tuple(self._cessions(orders.cede)) if orders.cede else ()
        buy = self._mils(orders.buy, "buy")
        attacks = self._attacks(orders.attacks) if orders.attacks else ()
        grants = self._grants(orders.grants) if orders.grants else ()
        resources = tuple(self._resources(orders.resources, cede)) if orders.resources else ()
        disband = self._mils(orders.disband, "disband")
        messages = tuple(self._messages(orders.messages)) if orders.messages else ()
        if not self.notes:
            return orders
        return Orders(buy, attacks, cede, grants, resources, disband, messages)

    def _strike(self, kind: str, **data: JSON) -> None:
        self.notes.append(Note(kind, data))

    def _mils(self, mils: int, order: str) -> int:
        """Mils to buy, cut off at the most, or to disband, which the rules cut off at the army."""
        if mils < 0:
            self._strike("mils_range", action=order, mils=mils, most=MILS_MAX)
            return 0
        if mils <= MILS_MAX or order == "disband":
            return mils
        self._strike("mils_cut", action=order, mils=mils, most=MILS_MAX)
        return MILS_MAX

    def _is_other(self, to: Seat, action: str) -> bool:
        """Whether this is another nation; a note if not."""
        if 0 <= to < self.config.nations and to != self.seat:
            return True
        self._strike("to_oneself" if to == self.seat else "no_such_nation", action=action, to=to)
        return False

    # --- attacks: cut off at the army ---------------------------------------------------------

    def _attacks(self, attacks: tuple[Attack, ...]) -> tuple[Attack, ...]:
        legal = []
        for attack in attacks:
            if not self._is_other(attack.on, "attack"):
                continue
            if attack.mils < 1:
                self._strike("too_few_mils", to=attack.on, mils=attack.mils)
                continue
            legal.append(attack)
        army = self.state.army[self.seat]
        wanted = sum(attack.mils for attack in legal)
        if wanted <= army:
            return tuple(legal)
        left, kept = army, []
        for attack in legal:
            if self.config.cut_off == "in_proportion":
                mils = attack.mils * army // wanted
            else:
                mils = min(attack.mils, left)
                left -= mils
            if mils < attack.mils:
                self._strike("attack_cut", to=attack.on, mils=attack.mils, left=mils, army=army)
            if mils:
                kept.append(Attack(attack.on, mils))
        return tuple(kept)

    # --- land, money and resources given away -------------------------------------------------

    def _cessions(self, cessions: tuple[Cession, ...]) -> Iterator[Cession]:
        """The first cession of each own territory."""
        gone: set[int] = set()
        for cession in cessions:
            number = cession.territory
            if not 1 <= number <= self.config.territories:
                self._strike("no_such_territory", territory=number, last=self.config.territories)
            elif self.state.owners[number - 1] != self.seat:
                self._strike("not_yours", territory=number, owner=self.state.owners[number - 1])
            elif not self._is_other(cession.to, "cede"):
                continue
            elif number in gone:
                self._strike("ceded_twice", territory=number)
            elif not self._borders(number, cession.to):
                self._strike("no_border", territory=number, to=cession.to)
            else:
                gone.add(number)
                yield cession

    def _borders(self, number: int, to: Seat) -> bool:
        if not self.config.borders:
            return True
        pairs = (pair for pair in self.config.borders if number in pair)
        return any(self.state.owners[(one if other == number else other) - 1] == to for one, other in pairs)

    def _grants(self, grants: tuple[Grant, ...]) -> tuple[Grant, ...]:
        return tuple([grant for grant in grants if self._may_grant(grant)])

    def _may_grant(self, grant: Grant) -> bool:
        if not self._is_other(grant.to, "grant"):
            return False
        if grant.amount > 0 and has_two_decimals(grant.amount):
            return True
        self._strike("too_little_money", to=grant.to, amount=grant.amount)
        return False

    def _resources(self, grants: tuple[ResourceGrant, ...], cede: tuple[Cession, ...]) -> Iterator[ResourceGrant]:
        """Grants of what the territories that the nation keeps provide, cut off in the order listed."""
        if not self.config.resources:
            self._strike("no_resources", count=len(grants))
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
                self._strike("too_little_resource", to=grant.to, resource=grant.resource, amount=grant.amount)
                continue
            if amount < grant.amount:
                data: dict[str, JSON] = {"resource": grant.resource, "wanted": grant.amount, "left": amount}
                self._strike("resource_cut", to=grant.to, **data)
            left[kind] -= amount
            if amount:
                yield ResourceGrant(grant.to, grant.resource, amount)

    # --- messages -----------------------------------------------------------------------------

    def _messages(self, messages: tuple[Message, ...]) -> Iterator[Message]:
        if not self.config.messages:
            self._strike("no_talk", count=len(messages))
            return
        sent = 0
        for message in messages:
            if sent == self.config.messages:
                self._strike("too_many_messages", text=_begun(message.text), most=self.config.messages)
                continue
            legal = self._message(message)
            if legal is not None:
                sent += 1
                yield legal

    def _message(self, message: Message) -> Message | None:
        to = message.to
        if to is not None:
            known = tuple(sorted({other for other in to if 0 <= other < self.config.nations} - {self.seat}))
            if not known:
                self._strike("sent_to_nobody", text=_begun(message.text))
                return None
            if known != to:
                self._strike("recipients_in_order", text=_begun(message.text), to=known)
            to = known
        text = message.text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "?")
        if text != message.text:
            self._strike("message_unstorable", text=_begun(text))
        if len(text) > self.config.message_length:
            most = self.config.message_length
            self._strike("message_too_long", text=_begun(text), length=len(text), most=most)
            text = text[:most]
        promise = message.promise
        if promise is not None and not self._can_promise(promise):
            self._strike("no_promise", text=_begun(text), most=PROMISE_TURNS_MAX)
            promise = None
        return Message(to, text, promise)

    def _can_promise(self, promise: Promise) -> bool:
        if not 1 <= promise.turns <= PROMISE_TURNS_MAX:
            return False
        match promise.kind:
            case "peace":
                return promise.amount == 0
            case "grant":
                return promise.amount > 0
            case "cede":
                return promise.amount in range(1, self.config.territories + 1)


def _begun(text: str) -> str:
    """The first words of a message, in one line that can be stored."""
    begun = "".join(letter if letter.isprintable() else " " for letter in text[:QUOTE_LENGTH])
    return begun if len(text) <= QUOTE_LENGTH else f"{begun}…"


def mils_sent(config: NationsConfig, state: NationsState, seat: Seat, orders: Orders) -> Note | None:
    """How much of a nation's army its orders send out; None where they send nobody."""
    sent = sum(attack.mils for attack in orders.attacks)
    return Note("mils_sent", {"sent": sent, "army": state.army[seat]}) if sent else None
