"""What several policies reckon with: what they can pay, and whom they face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.catalog.nations.money import shown
from games.catalog.nations.observation import Observation
from games.catalog.nations.settings import MILS_MAX
from games.catalog.nations.state import Attack, Grant
from games.core.cleaning import cut_in_order
from games.core.game import Seat


def buyable(seen: Observation) -> int:
    """Mils that the coming income pays for, after upkeep, if nobody attacks."""
    rules = seen.public.rules
    money = max(0, seen.income - seen.army * rules.upkeep)
    return min(1000, MILS_MAX if rules.price == 0 else money // rules.price)


def shared_out(money: int, weights: Mapping[Seat, int]) -> tuple[Grant, ...]:
    """Money in hundredths granted by weight, in seat order; what rounding leaves is kept."""
    total = sum(weights.values())
    if not total:
        return ()
    parts = [(seat, money * weight // total) for seat, weight in sorted(weights.items())]
    return tuple([Grant(seat, shown(part)) for seat, part in parts if part])


def strongest(forces: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """The one with the largest number, the lowest seat of several, as a tuple; () of none."""
    return (min(forces, key=lambda seat: (-forces[seat], seat)),) if forces else ()


def mils_to_ruin(seen: Observation, seat: Seat) -> int:
    """Attacking mils that destroy a nation's whole income; more are of no use. 0 where mils do no damage."""
    rules = seen.public.rules
    income = len(seen.public.holdings[seat]) * rules.income
    return -(-income // rules.damage) if rules.damage else 0


def forces_on(seen: Observation, targets: Sequence[Seat]) -> tuple[Attack, ...]:
    """The army against these nations in their order, as many mils on each as ruin it, until none is left."""
    return attacks_on({target: mils_to_ruin(seen, target) for target in targets}, seen.army)


def attacks_on(wanted: Mapping[Seat, int], army: int) -> tuple[Attack, ...]:
    """As many mils on each as are wanted, in their order, until none is left."""
    sent = zip(wanted, cut_in_order(wanted.values(), army), strict=True)
    return tuple([Attack(target, mils) for target, mils in sent if mils])
