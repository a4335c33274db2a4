"""Nations that begin as equals, under each other's names; the rules treat them alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from games.catalog.nations.config import NationsConfig, rules_of
from games.catalog.nations.state import Orders
from games.core.game import Seat
from games.core.pack import Renaming


def equals(config: NationsConfig) -> Iterator[Renaming]:
    """Neighbours in seat order exchanged, with all that they own, where nothing else tells them apart.

    Shared losses are whole mils, of which the last go by seat number.
    """
    if config.losses == "shared":
        return
    if config.holdings or config.armies or config.borders or config.goals or config.changes or config.resources:
        return
    owned = rules_of(config, 1).holdings
    for one, other in pairwise(range(config.nations)):
        if len(owned[one]) == len(owned[other]):
            order = [other if seat == one else one if seat == other else seat for seat in range(config.nations)]
            lands = dict(zip((*owned[one], *owned[other]), (*owned[other], *owned[one]), strict=True))
            yield Renaming(tuple(order), partial(_renamed, order, lands))


def _renamed(order: Sequence[Seat], lands: Mapping[int, int], orders: Orders) -> Orders:
    """The same orders in the other names of nations and territories."""
    return replace(
        orders,
        attacks=tuple(replace(attack, on=order[attack.on]) for attack in orders.attacks),
        cede=tuple(
            replace(cession, territory=lands.get(cession.territory, cession.territory), to=order[cession.to])
            for cession in orders.cede
        ),
        grants=tuple(replace(grant, to=order[grant.to]) for grant in orders.grants),
        messages=tuple(
            replace(message, to=message.to and tuple(sorted(order[seat] for seat in message.to)))
            for message in orders.messages
        ),
    )
