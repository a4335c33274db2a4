"""Policies of bad actors, one for each victory condition. Each knows its own goal, and plays to its measure.

They attack whoever stands between them and their goal until it yields; nothing but a cession moves a territory.
Source: the paragraph on normative and "bad actor" agents; the policies are the project's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic import Field

from games.catalog.nations.conduct import buyable, forces_on
from games.catalog.nations.money import HUNDRED, shown
from games.catalog.nations.observation import Observation
from games.catalog.nations.speech import Talking, say
from games.catalog.nations.state import Grant, Message, Orders
from games.core.agents import policy
from games.core.game import Seat
from games.core.rng import Rng

SOURCE: Final = "Polity; the source's victory conditions of bad actors"


class WarParams(Talking):
    force: int = Field(8, ge=1, le=1000, title="Force", description="Army that it builds up to.")


def _wage_war(
    params: WarParams, seen: Observation, targets: Sequence[Seat], messages: tuple[Message, ...] = ()
) -> Orders:
    """Mils bought up to the force, and the whole army against the targets in their order."""
    buy = min(max(0, params.force - seen.army), buyable(seen))
    return Orders(buy=buy, attacks=forces_on(seen, targets), messages=messages)


@policy("expander", SOURCE, WarParams)
def expander(params: WarParams, seen: Observation, rng: Rng) -> Orders:
    """For territories: attacks the smallest nation that can still cede one, and goes on with whoever yields.

    One at a time, with no more than ruins it; of several it draws one. It demands a territory.
    """
    sizes = {seat: len(seen.public.holdings[seat]) for seat in seen.others}
    order = rng.shuffled([seat for seat in seen.others if sizes[seat] > 1], "order")
    targets = sorted(order, key=lambda seat: sizes[seat])
    yielded = [by for by, _, to in seen.public.cessions if to == seen.seat]
    targets = [*yielded, *(seat for seat in targets if seat not in yielded)]
    return _wage_war(params, seen, targets[:1], say(params, seen, "demand_land", targets[:1]))


@policy("irredentist", SOURCE, WarParams)
def irredentist(params: WarParams, seen: Observation, rng: Rng) -> Orders:
    """For its heritage: attacks those who own territories of it, whoever has the most of it first."""
    heritage = seen.goal.heritage if seen.goal else ()
    holders: dict[Seat, int] = {}
    for number in heritage:
        owner = seen.public.owners[number - 1]
        if owner != seen.seat:
            holders[owner] = holders.get(owner, 0) + 1
    targets = sorted(rng.shuffled(sorted(holders), "order"), key=lambda seat: -holders[seat])
    return _wage_war(params, seen, targets, say(params, seen, "demand_heritage", targets[:1]))


class DestroyerParams(WarParams):
    force: int = Field(16, ge=1, le=1000, title="Force", description="Army that it builds up to.")


@policy("destroyer", SOURCE, DestroyerParams)
def destroyer(params: DestroyerParams, seen: Observation, rng: Rng) -> Orders:
    """For damage: ruins the nations with the highest income, as many as its army reaches."""
    order = rng.shuffled(seen.others, "order")
    targets = sorted(order, key=lambda seat: -len(seen.public.holdings[seat]))
    return _wage_war(params, seen, targets)


@policy("avenger", SOURCE, WarParams)
def avenger(params: WarParams, seen: Observation, rng: Rng) -> Orders:
    """For damage to one rival: its whole army against it, and a tenth of its income to each who attacked it too."""
    rival = seen.goal.rival if seen.goal else None
    if rival is None:
        return Orders()
    orders = _wage_war(params, seen, [rival], say(params, seen, "vengeance", (rival,)))
    friends = sorted({battle.by for battle in seen.battles if battle.on == rival} - {seen.seat})
    thanks = tuple(Grant(seat, shown(seen.income // 10)) for seat in friends if seen.income >= 10)
    return replace(orders, grants=thanks)


@policy("zealot", SOURCE, WarParams)
def zealot(params: WarParams, seen: Observation, rng: Rng) -> Orders:
    """For a creed: ruins whoever is armed (disarmament), or grants to the poorest (equality).

    It sees who is armed, or who attacked anyone. To the nation with the least welfare it grants what brings both to one
    level; where welfare is hidden, a third of its income to the nation with the fewest territories.
    """
    public = seen.public
    if seen.goal is not None and seen.goal.creed == "equality":
        rank = {seat: public.welfare[seat] if public.welfare else len(public.holdings[seat]) for seat in seen.others}
        hurt = {battle.on for battle in seen.battles}
        poorest = min(seen.others, key=lambda seat: (rank[seat], seat not in hurt, seat))
        gap = seen.income // 3
        if public.welfare:
            gap = (seen.welfare + seen.income - public.welfare[poorest]) * HUNDRED // (HUNDRED + public.rules.trade)
        amount = min(seen.income, gap)
        grants = (Grant(poorest, shown(amount)),) if amount > 0 else ()
        return Orders(grants=grants, messages=say(params, seen, "creed_equality", (poorest,)))
    guilty = {battle.by: battle.mils for battle in seen.battles if battle.by != seen.seat}
    if public.armies is not None:
        guilty.update({seat: public.armies[seat] for seat in seen.others if public.armies[seat]})
    targets = sorted(guilty, key=lambda seat: (-guilty[seat], seat))
    return _wage_war(params, seen, targets, say(params, seen, "creed_disarmament", targets[:1]))


BAD_ACTORS: Final = (expander, irredentist, destroyer, avenger, zealot)
