"""The normative nations over columns: each the rule of that name in `nations.policies` or `nations.reckoning`."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.catalog.nations.columns.party import Party, one_of, part_of, shared_out, some, strongest
from games.catalog.nations.columns.world import ATTACKERS, provided_of
from games.catalog.nations.money import HUNDRED
from games.catalog.nations.policies import ArmsRacerParams, DiplomatParams, RaiderParams, TitForTatParams, TraderParams
from games.catalog.nations.reckoning import AllyParams, DealerParams
from games.catalog.nations.speech import Talking
from games.core.draws import Flags, Ints


def pacifist(params: Any, party: Party) -> None:
    """No orders."""


def trader(params: TraderParams, party: Party) -> None:
    money, others, got = part_of(party.income, params.generosity), party.others, party.received()
    if party.turn == 1:
        party.order(grants=shared_out(money, others))
        party.say(params, "trade_offer")
        return
    _answer(party, money, got, others)
    if party.turn % 4 == 2:
        party.say(params, "trade_thanks", strongest(got), some(got))


def _answer(party: Party, money: Ints, got: Ints, friends: Flags) -> None:
    """Money shared among those who granted, by how much; where nobody did, a tenth of it among all friends."""
    anyone = some(got)
    party.order(grants=shared_out(np.where(anyone, money, money // 10), np.where(anyone[..., None], got, friends)))


def tit_for_tat(params: TitForTatParams, party: Party) -> None:
    if party.turn == 1:
        party.order(grants=shared_out(part_of(party.income, params.opening), party.others))
        party.say(params, "tft_opening")
        return
    hostile = party.attackers()
    is_hit = some(hostile)
    count = party.attack(hostile, -hostile)
    party.order(grants=np.where(hostile > 0, 0, party.received()))
    party.buy_up_to(params.guard, np.where(is_hit, params.guard, 0))
    party.say(params, "tft_warning", ATTACKERS, is_hit, count=count)


def raider(params: RaiderParams, party: Party) -> None:
    party.buy_up_to(params.force, party.buyable())
    prey, armies = party.others & (party.army >= min(params.force, 2))[..., None], party.armies
    if armies is not None and params.daring < 1:
        dared = (params.daring * party.army + 1).astype(np.int64) * party.rules.defence
        prey &= armies * HUNDRED < dared[..., None]
    sizes = np.where(prey, party.sizes, -1)
    target = one_of(prey & (sizes == sizes.max(axis=-1, keepdims=True)), party.draws, "target")
    raids = some(prey)
    party.attack(party.at(target, party.army, raids))
    party.say(params, "raid_threat", target, raids & party.draws.chance(0.4, "threat"))


def arms_racer(params: ArmsRacerParams, party: Party) -> None:
    armies, most = party.armies, part_of(party.income, params.share) // max(1, party.rules.price)
    largest = party.army if armies is None else np.where(party.others, armies, 0).max(axis=-1)
    party.buy_up_to(largest + 1, most)
    if party.turn % 5 == 2:
        party.say(params, "arms_notice", mils=party.army)


def appeaser(params: Talking, party: Party) -> None:
    hostile = party.attackers()
    is_hit, first = some(hostile), strongest(hostile)
    if is_hit.any():
        party.order(grants=np.where(hostile > 0, party.income[..., None] // 10, 0))
        lowest = (party.worlds.owners[:, None] == party.seats[:, None]).argmax(axis=-1) + 1
        party.cede(is_hit & (party.land > 1), lowest, first)
        party.say(params, "appeasement", first, is_hit)


def diplomat(params: DiplomatParams, party: Party) -> None:
    keeps = party.draws[..., None].chance(params.keep, "keep", party.nations)
    party.order(grants=party.worlds.promised[:, party.seats] * keeps)
    if party.config.end_known and party.turn == party.rules.turns:
        return
    amount, to = part_of(party.income, params.gift), one_of(party.others, party.draws, "partner")
    party.say(params, "promise_grant", to, amount > 0, amount=amount)


def merchant(params: Any, party: Party) -> None:
    party.order(grants=party.received())
    if party.config.resources is not None:
        spare = party.worlds.provided[:, party.seats] - party.land[..., None] * np.array(party.config.resources.each)
        each = np.maximum(0, spare) // (party.config.nations - 1)
        party.order(resources=each[:, :, None] * party.others[..., None])


def at_random(params: Talking, party: Party) -> None:
    draws, others, army, income = party.draws, party.others, party.army, party.income
    target, mils = one_of(others, draws, "target"), 1 + draws.below(np.maximum(1, army), "mils")
    party.attack(party.at(target, mils, (army > 0) & draws.chance(0.5, "attack?")))
    partner, amount = one_of(others, draws, "partner"), 1 + draws.below(np.maximum(1, income), "amount")
    party.order(grants=party.at(partner, amount, (income > 0) & draws.chance(0.5, "grant?")))
    cedes, territory = (party.land > 1) & draws.chance(0.1, "cede?"), np.zeros_like(army)
    world, member = np.nonzero(cedes)
    own = party.worlds.owners[world] == party.seats[member, None]
    territory[cedes] = one_of(own, draws[cedes], "territory") + 1
    party.cede(cedes, territory, one_of(others, draws, "taker"))
    party.order(buy=np.where(draws.chance(0.5, "buy?"), draws.below(party.buyable() + 1, "buy"), 0))
    party.order(disband=np.where(draws.chance(0.1, "disband?"), draws.below(army + 1, "disband"), 0))
    party.say(params, "small_talk", one_of(others, draws, "listener"), draws.chance(0.2, "talk?"))
    if party.config.resources is not None:
        _draw_resources(party)


def _draw_resources(party: Party) -> None:
    """Some of one resource that the territories it keeps provide, in one turn of two."""
    worlds, seats, draws, plans = party.worlds, party.seats, party.draws, party.plans
    ceded = plans.ceded[:, seats]
    gone = np.where(ceded[..., None] > 0, provided_of(party.config, worlds.round)[ceded - 1], 0)
    kept = worlds.provided[:, seats] - gone
    kind, user = one_of(kept > 0, draws, "resource"), one_of(party.others, draws, "user")
    most = np.take_along_axis(kept, kind[..., None], axis=-1)[..., 0]
    units = 1 + draws.below(np.maximum(1, most), "units")
    gives = np.nonzero((most > 0) & draws.chance(0.5, "resource?"))
    plans.resources[gives[0], seats[gives[1]], user[gives], kind[gives]] = units[gives]


def dealer(params: DealerParams, party: Party) -> None:
    ends = party.config.end_known and party.turn + params.foresight > party.rules.turns
    if party.rules.trade * params.patience <= 100 or ends:
        return
    friends = party.others & ~party.struck_within(params.grudge)
    if party.turn == 1:
        party.order(grants=shared_out(party.income, friends))
        party.say(params, "deal_offer")
        return
    _answer(party, party.income, np.where(friends, party.received(), 0), friends)


def ally(params: AllyParams, party: Party) -> None:
    friends = (party.received() > 0) | ~party.others
    hostile = party.attackers_of(friends) & ~friends
    count = np.count_nonzero(hostile, axis=-1)
    party.attack(hostile * (party.army // np.maximum(1, count))[..., None])
    is_alert = (count > 0) | (party.army > 0)
    party.buy_up_to(params.guard, np.where(is_alert, party.income // max(1, party.rules.price), 0))
    dealer(params, party)
