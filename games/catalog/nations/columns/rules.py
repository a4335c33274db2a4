"""A turn over columns, in the order of the README: the sentences of `rules`, `budget`, `war` and `promises`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from games.catalog.nations.columns.world import Plans, Settlement, Worlds, cut_in_order
from games.catalog.nations.config import NationsConfig
from games.catalog.nations.money import HUNDRED
from games.catalog.nations.rules import opened
from games.catalog.nations.terms import RoundRules
from games.core.draws import Draws, Flags, Ints


def resolve(worlds: Worlds, plans: Plans, _draws: Draws) -> Worlds:
    """One turn, or the opening of a round. Nothing is drawn."""
    config, rules, turn = worlds.config, worlds.rules, worlds.turn + 1
    if turn > rules.turns:
        banked = (worlds.banked + worlds.welfare).tolist()
        return Worlds.opened(config, [opened(config, worlds.round + 1, tuple(row)) for row in banked])
    ceded = replace(worlds, owners=cede(worlds.owners, plans))
    earning = ceded if config.income_at == "end" else worlds
    lands, gross = earning.lands, earning.gross
    army, forces = worlds.army, plans.attacks
    damage = deduct_damage(rules, forces, gross)
    lost, harm = fight(config, rules, forces, army, damage)
    money = gross - damage
    penalty = np.minimum(money, penalise_violence(config, rules, np.count_nonzero(forces, axis=(1, 2)), lands))
    money -= penalty
    kept = affordable(money, rules.upkeep, army)
    upkeep = kept * rules.upkeep
    money -= upkeep
    bought = affordable(money, rules.price, plans.buy)
    spent = bought * rules.price
    money -= spent
    paid, arrived = pay_grants(money, rules.trade, plans.grants)
    granted, received = paid.sum(axis=2), arrived.sum(axis=1)
    left = money - granted
    fallen = lost.sum(axis=2)
    alive = army - fallen
    deserted = np.minimum(army - kept, alive)
    disbanded = np.minimum(plans.disband, alive - deserted)

    income = (lands, gross, damage, penalty, upkeep, plans.buy, bought, spent, granted, left, received)
    accounts = np.stack((*income, army, fallen, deserted, disbanded), axis=-1)
    return replace(
        ceded,
        turn=turn,
        army=alive - deserted - disbanded + bought,
        welfare=worlds.welfare + left + received,
        held=hold(ceded, plans),
        harm=worlds.harm + harm,
        struck=np.where(forces > 0, turn, worlds.struck),
        forces=forces,
        paid=paid,
        promised=np.zeros_like(plans.promised) if turn >= rules.turns else plans.promised,
        last=Settlement(plans, accounts, lost, harm, paid, arrived, judge_vows(worlds.promised, paid)),
    )


def cede(owners: Ints, plans: Plans) -> Ints:
    """Ownership after the cessions."""
    after = owners.copy()
    world, seat = np.nonzero(plans.ceded)
    after[world, plans.ceded[world, seat] - 1] = plans.taker[world, seat]
    return after


def deduct_damage(rules: RoundRules, forces: Ints, gross: Ints) -> Ints:
    """The damage that each nation suffers: mils attacking it x damage of a mil, at most its income."""
    return np.minimum(gross, forces.sum(axis=1) * rules.damage)


def fight(config: NationsConfig, rules: RoundRules, forces: Ints, army: Ints, damage: Ints) -> tuple[Ints, Ints]:
    """Mils that each force loses against what the target kept at home, and the damage that it does."""
    destroyed = (army - forces.sum(axis=2)) * HUNDRED // rules.defence
    if config.losses == "shared":
        lost = parts_of(np.minimum(destroyed, forces.sum(axis=1)), forces)
    else:
        lost = np.minimum(destroyed[:, None], forces)
    return lost, parts_of(damage, forces)


def parts_of(whole: Ints, forces: Ints) -> Ints:
    """Whole numbers of each target shared out among attackers by size, what rounding leaves to the first, one each."""
    total = np.maximum(1, forces.sum(axis=1))
    parts = whole[:, None] * forces // total[:, None]
    rest = whole - parts.sum(axis=1)
    is_there = forces > 0
    parts += is_there & (np.cumsum(is_there, axis=1) <= rest[:, None])
    return parts


def penalise_violence(config: NationsConfig, rules: RoundRules, attacks: Ints, lands: Ints) -> Ints:
    """What the attacks on a whole board cost nations with so many territories."""
    counted = attacks if config.penalty == "per_attack" else np.minimum(attacks, 1)
    return rules.penalty * counted[:, None] * lands


def affordable(money: Ints, price: int, wanted: Ints) -> Ints:
    """How many of the wanted mils the money pays for."""
    return wanted if price == 0 else np.minimum(wanted, money // price)


def pay_grants(money: Ints, trade: int, grants: Ints) -> tuple[Ints, Ints]:
    """Grants in the order listed, cut off where the money ends: what is paid, and what arrives."""
    paid = cut_in_order(grants, money)
    return paid, paid * trade // HUNDRED


def judge_vows(promised: Ints, paid: Ints) -> Flags:
    """By pair, whether a promise was kept, which here is always a grant in the next turn."""
    return paid >= promised


def hold(worlds: Worlds, plans: Plans) -> Ints:
    """The resources that each nation has for the coming turn: of its territories, less and plus what was granted."""
    return worlds.provided - plans.resources.sum(axis=2) + plans.resources.sum(axis=1)
