"""Steps 1 to 3: claims, then raids, then mining. All of a step's actions meet the ownership that the step before left.

Source: "decision_algorithms". Plots are gone through row by row; participants stand in seat order; a contest is decided
by a draw keyed by the round, the kind of contest and the plot, so that nothing else that happens can shift it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.grid import Grid
from games.catalog.mining.state import NOBODY, Claim, Item, Plan, Raid
from games.core.game import Seat
from games.core.rng import Rng
from games.core.values import swift


@dataclass(slots=True)
class Orders:
    """Everybody's cleaned items, sorted by what they are. Seats stand in seat order.

    ``claims`` and ``raids``: seats by plot. ``defended``: points by plot. ``mining``: (plot, stamina) by seat.
    """

    claims: dict[int, list[Seat]] = field(default_factory=dict)
    raids: dict[int, list[Seat]] = field(default_factory=dict)
    defended: dict[int, int] = field(default_factory=dict)
    mining: list[list[tuple[int, int]]] = field(default_factory=list)


def gather_orders(shape: Grid, plans: Mapping[Seat, Plan], miners: int) -> Orders:
    """The plans as orders, whatever order the mapping is in."""
    orders = Orders(mining=[[] for _ in range(miners)])
    claims, raids, defended, plot_of = orders.claims, orders.raids, orders.defended, shape.plot_of
    for seat in range(miners):
        mining = orders.mining[seat]
        for item in plans[seat].items:
            if item.__class__ is not Item:
                continue
            plot, kind = plot_of[item.cell], item.type
            if kind == "mine":
                mining.append((plot, item.s))
            elif kind == "defend":
                defended[plot] = item.s
            else:
                (claims if kind == "claim" else raids).setdefault(plot, []).append(seat)
    return orders


def award_claims(claims: Mapping[int, list[Seat]], owners: list[Seat], rng: Rng) -> list[Claim]:
    """Step 1: each claimed plot goes to its one claimant, or to one drawn from several. Changes ``owners``."""
    awarded = []
    for plot in sorted(claims):
        claimants = claims[plot]
        winner = claimants[0] if len(claimants) == 1 else rng.choice(claimants, "claim", plot)
        owners[plot] = winner
        awarded.append(Claim(plot, winner, tuple(claimants)))
    return awarded


def settle_raids(
    config: MiningConfig, raids: Mapping[int, list[Seat]], defended: Mapping[int, int], owners: list[Seat], rng: Rng
) -> list[Raid]:
    """Step 2: what became of the raids on each plot. Changes ``owners``.

    Each plot is settled by itself, so that every raid meets the owner whom the claims left, and two seats may swap
    plots. Stamina is spent either way.
    """
    settled: list[Raid] = []
    for plot in sorted(raids):
        owner = owners[plot]
        raiders = raids[plot]
        if owner == NOBODY:
            settled.append(Raid(plot, owner, tuple(raiders), "void"))
            continue
        if owner in raiders:
            # Only with an immunity window of 0: the raider has claimed the plot himself a moment ago.
            settled.append(Raid(plot, owner, (owner,), "void"))
            raiders = [seat for seat in raiders if seat != owner]
            if not raiders:
                continue
        if _holds(config, defended.get(plot, 0), len(raiders)):
            settled.append(Raid(plot, owner, tuple(raiders), "repelled"))
            continue
        winner = raiders[0] if len(raiders) == 1 else rng.choice(raiders, "raid", plot)
        settled.append(Raid(plot, owner, tuple(raiders), "taken", winner))
        owners[plot] = winner
    return settled


def _holds(config: MiningConfig, points: int, raiders: int) -> bool:
    """Whether a defence holds. per_point: each point offsets one raid; one raid too many and the plot falls."""
    return points > 0 if config.defence == "block_all" else points >= raiders


@swift
@dataclass(frozen=True, slots=True)
class Yield:
    """What one seat mined: (plot, gold) where it still held the plot, and the plots lost before mining."""

    gold: int
    mined: tuple[tuple[int, int], ...]
    lost: tuple[int, ...]


def pay_mining(
    config: MiningConfig, mining: Sequence[Sequence[tuple[int, int]]], owners: Sequence[Seat], alpha: Sequence[int]
) -> list[Yield]:
    """Step 3: min(stamina, cap) x alpha for each plot that its miner still holds, nothing for a plot just lost."""
    cap = config.mine_cap
    paid = []
    for seat, orders in enumerate(mining):
        mined = [(plot, (s if s < cap else cap) * alpha[plot]) for plot, s in orders if owners[plot] == seat]
        lost = [plot for plot, _ in orders if owners[plot] != seat] if len(mined) < len(orders) else ()
        paid.append(Yield(sum([gold for _, gold in mined]), tuple(mined), tuple(lost)))
    return paid
