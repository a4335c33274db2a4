"""Steps 2, 3 and 7 of a turn: the attacks, what they destroy, and what they cost the attackers.

Source: the paragraph "War".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.money import HUNDRED
from games.catalog.nations.state import Battle, Orders
from games.catalog.nations.terms import RoundRules
from games.core.game import Seat

Forces = Mapping[Seat, Mapping[Seat, int]]
"""Mils sent, by target and attacker, both in seat order."""


def muster_forces(orders: Mapping[Seat, Orders], nations: int) -> dict[Seat, dict[Seat, int]]:
    """The executed attacks. Attacks of one nation on one target add up to one."""
    found: dict[Seat, dict[Seat, int]] = {}
    for seat in range(nations):
        for attack in orders[seat].attacks:
            forces = found.setdefault(attack.on, {})
            forces[seat] = forces.get(seat, 0) + attack.mils
    return {target: found[target] for target in sorted(found)}


def deduct_damage(rules: RoundRules, forces: Forces, gross: Sequence[int]) -> list[int]:
    """The damage that each nation suffers: mils attacking it x damage of a mil, at most its income."""
    damage = [0] * len(gross)
    for target, attackers in forces.items():
        damage[target] = min(gross[target], sum(attackers.values()) * rules.damage)
    return damage


def fight(
    config: NationsConfig, rules: RoundRules, forces: Forces, army: Sequence[int], damage: Sequence[int]
) -> tuple[Battle, ...]:
    """One battle for each attacking force, by target and attacker.

    The defence is the target's army without what it sent out. Each force loses as many mils as the defence destroys,
    defence / factor rounded down, and never more than it has; under ``shared`` the forces share these losses by size.
    """
    sent = [0] * len(army)
    for attackers in forces.values():
        for seat, mils in attackers.items():
            sent[seat] += mils
    battles = []
    for target, attackers in forces.items():
        destroyed = (army[target] - sent[target]) * HUNDRED // rules.defence
        sizes = list(attackers.values())
        total = sum(sizes)
        if config.losses == "shared":
            losses = parts_of(min(destroyed, total), sizes)
        else:
            losses = [min(destroyed, size) for size in sizes]
        parts = parts_of(damage[target], sizes)
        for (seat, mils), lost, part in zip(attackers.items(), losses, parts, strict=True):
            battles.append(Battle(seat, target, mils, lost, part))
    return tuple(battles)


def parts_of(whole: int, sizes: Sequence[int]) -> list[int]:
    """A whole number shared out by size; what rounding leaves goes to the first, one each.

    The whole is not below 0, the sum of the sizes above.
    """
    total = sum(sizes)
    parts = [whole * size // total for size in sizes]
    for at in range(whole - sum(parts)):
        parts[at] += 1
    return parts
