"""Bad actors over columns: each the rule of that name in `nations.bad_actors`."""

from __future__ import annotations

from typing import Final

import numpy as np

from games.catalog.nations.bad_actors import WarParams
from games.catalog.nations.columns.party import Party, some, strongest
from games.catalog.nations.money import HUNDRED
from games.catalog.nations.settings import Goal
from games.core.draws import Flags, Ints

LAST: Final = 1 << 60
"""A key after all others."""


def _wage_war(params: WarParams, party: Party, targets: Flags, key: Ints) -> None:
    """Mils bought up to the force, and the whole army against the targets, lowest key first: as many mils on each as
    destroy its whole income."""
    party.buy_up_to(params.force, party.buyable())
    income, damage = party.sizes * party.rules.income, party.rules.damage
    ruin = -(-income // damage) if damage else 0 * income
    party.attack(np.where(targets, ruin, 0), key)


def _first(targets: Flags, key: Ints) -> Ints:
    """The target of the lowest key; any where there is none."""
    return np.argmin(np.where(targets, key, LAST), axis=-1)


def _goals(party: Party) -> list[Goal | None]:
    return [party.config.goal_of.get(seat) for seat in party.seats.tolist()]


def expander(params: WarParams, party: Party) -> None:
    sizes, yielded = party.sizes, party.yielded()
    can_cede = party.others & (sizes > 1)
    key = np.where(yielded, party.nations - LAST, sizes * len(party.nations) + party.turns(can_cede))
    targets = can_cede | yielded
    target = _first(targets, key)
    _wage_war(params, party, targets & (party.nations == target[..., None]), key)
    party.say(params, "demand_land", target, some(targets))


def irredentist(params: WarParams, party: Party) -> None:
    holders = np.zeros((*party.army.shape, len(party.nations)), np.int64)
    for member, goal in enumerate(_goals(party)):
        for number in goal.heritage if goal else ():
            holders[np.arange(len(holders)), member, party.worlds.owners[:, number - 1]] += 1
    holders *= party.others
    targets = holders > 0
    key = party.turns(targets) - holders * len(party.nations)
    _wage_war(params, party, targets, key)
    party.say(params, "demand_heritage", _first(targets, key), some(targets))


def destroyer(params: WarParams, party: Party) -> None:
    _wage_war(params, party, party.others, party.turns(party.others) - party.sizes * len(party.nations))


def avenger(params: WarParams, party: Party) -> None:
    rivals = np.array([-1 if goal is None or goal.rival is None else goal.rival for goal in _goals(party)])
    party, rivals = party.only(rivals >= 0), rivals[rivals >= 0]
    is_rival = party.nations == rivals[:, None]
    _wage_war(params, party, is_rival, party.nations)
    party.order(grants=np.where(party.attackers_of(is_rival), party.income[..., None] // 10, 0))
    party.say(params, "vengeance", rivals)


def zealot(params: WarParams, party: Party) -> None:
    levels = np.array([goal is not None and goal.creed == "equality" for goal in _goals(party)])
    _level(params, party.only(levels))
    _disarm(params, party.only(~levels))


def _level(params: WarParams, party: Party) -> None:
    """Grants to the poorest what brings both to one level, or a third of the income where welfare is hidden."""
    welfare, income, is_seen = party.worlds.welfare, party.income, party.config.welfare_seen == "all"
    rank = welfare[:, None] if is_seen else party.sizes
    poorest, gap = _first(party.others, 2 * rank + ~party.hurt()), income // 3
    if is_seen:
        more = welfare[:, party.seats] + income - np.take_along_axis(welfare, poorest, axis=1)
        gap = more * HUNDRED // (HUNDRED + party.rules.trade)
    party.order(grants=party.at(poorest, np.maximum(0, np.minimum(income, gap))))
    party.say(params, "creed_equality", poorest)


def _disarm(params: WarParams, party: Party) -> None:
    """Ruins whoever is armed, as far as it is seen, or attacked."""
    guilty, armies = party.last_sent(), party.armies
    if armies is not None:
        guilty = np.where(armies > 0, armies, guilty)
    guilty = guilty * party.others
    _wage_war(params, party, guilty > 0, -guilty)
    party.say(params, "creed_disarmament", strongest(guilty), some(guilty))
