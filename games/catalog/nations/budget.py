"""Steps 1 and 4 to 11 of a turn: what comes in, what is deducted, what is given away, what becomes welfare.

Every function reads as a sentence of the source; `settle_accounts` is their list in its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.money import HUNDRED, hundredths
from games.catalog.nations.state import Account, Grant, Orders, Payment
from games.catalog.nations.terms import RoundRules
from games.core.game import Seat


def collect_income(
    config: NationsConfig, rules: RoundRules, lands: Sequence[int], held: Sequence[Sequence[int]]
) -> list[int]:
    """Gross income by seat, from how many territories pay it.

    With resources, territories yield the product of the three shares min(1, held / needed), rounded down.
    """
    if config.resources is None:
        return [land * rules.income for land in lands]
    needs = config.resources.each
    return [produced(land, rules.income, needs, held[seat]) for seat, land in enumerate(lands)]


def produced(land: int, income: int, needs: Sequence[int], held: Sequence[int]) -> int:
    """What so many territories pay with these resources, in hundredths."""
    part, whole = 1, 1
    for have, need in zip(held, needs, strict=True):
        if need * land:
            part *= min(have, need * land)
            whole *= need * land
    return land * income * part // whole


def penalise_violence(config: NationsConfig, rules: RoundRules, attacks: int, land: int) -> int:
    """What the attacks on the whole board cost a nation with so many territories."""
    counted = attacks if config.penalty == "per_attack" else min(attacks, 1)
    return rules.penalty * counted * land


def affordable(money: int, price: int, wanted: int) -> int:
    """How many of the wanted mils the money pays for."""
    return wanted if price == 0 else min(wanted, money // price)


def pay_grants(money: int, trade: int, by: Seat, grants: Sequence[Grant]) -> tuple[int, list[Payment]]:
    """Grants in the order listed, cut off where the money ends: what is left, and each grant as it was paid."""
    payments = []
    for grant in grants:
        wanted = hundredths(grant.amount)
        paid = wanted if wanted < money else money
        money -= paid
        payments.append(Payment(by, grant.to, wanted, paid, paid * trade // HUNDRED))
    return money, payments


def settle_accounts(
    config: NationsConfig,
    rules: RoundRules,
    orders: Mapping[Seat, Orders],
    lands: Sequence[int],
    gross: Sequence[int],
    damage: Sequence[int],
    attacks: int,
    army: Sequence[int],
    lost: Sequence[int],
) -> tuple[list[Account], list[Payment]]:
    """Each nation's turn, in seat order, and every grant. A grant received is welfare and pays for nothing."""
    payments: list[Payment] = []
    received = [0] * config.nations
    drafts = []
    for seat in range(config.nations):
        order, mils = orders[seat], army[seat]
        money = gross[seat] - damage[seat]
        penalty = min(money, penalise_violence(config, rules, attacks, lands[seat])) if attacks else 0
        money -= penalty
        kept = affordable(money, rules.upkeep, mils) if mils else 0
        upkeep = kept * rules.upkeep
        money -= upkeep
        bought = affordable(money, rules.price, order.buy) if order.buy else 0
        spent = bought * rules.price
        money -= spent
        left = money
        if order.grants:
            left, paid = pay_grants(money, rules.trade, seat, order.grants)
            payments += paid
            for payment in paid:
                received[payment.to] += payment.arrived
        alive = mils - lost[seat]
        deserted = min(mils - kept, alive)
        disbanded = min(order.disband, alive - deserted)
        income = (lands[seat], gross[seat], damage[seat], penalty, upkeep, order.buy, bought, spent, money - left, left)
        drafts.append((income, deserted, disbanded))
    drawn = zip(drafts, received, army, lost, strict=True)
    return [Account(*income, got, had, fell, *gone) for (income, *gone), got, had, fell in drawn], payments
