"""Miners that weigh a raid against what it brings, remember, or hold to a norm; each says what it takes into account.

They read what every seat sees. A tax, a fine, adjudication, the mining cap, the land and the time that is left change
what they do, since all of these stand in one sum (`Prospect`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import Field

from games.catalog.mining.observation import Observation
from games.catalog.mining.policies import (
    by_core,
    claim_nearest,
    enough_plots,
    hold_the_core,
    mine_to_cap,
    offer,
    peaceful,
)
from games.catalog.mining.shared import Shared
from games.catalog.mining.state import NOBODY, Item, Plan
from games.core.agents import Memory, NoParams, PolicySpec, policy
from games.core.game import Seat
from games.core.rng import Rng
from games.core.settings import Settings

# --- what a raid and a guard are worth ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """What one seat expects, in gold. Made once a round.

    ``rounds``   for how many rounds a plot is mined before it is lost, or the game or one's patience ends
    ``upkeep``   stamina that its guard takes in each of them
    ``threat``   chance, 0 to 1, that a plot without a guard is raided in a round
    ``success``  chance that a raid on a plot without a guard takes it, from how many did in the last round
    ``guarded``  plots that were defended in the last round
    """

    world: Shared
    seat: Seat
    rounds: float
    upkeep: int
    threat: float
    success: float
    guarded: frozenset[int]

    @classmethod
    def of(cls, seen: Observation, patience: int) -> Prospect:
        world, seat = seen.shared, seen.seat
        ahead = min(patience, world.config.rounds - world.round)
        threat, cap, last = _threat(world, seat, ahead), world.config.mine_cap, world.last
        bare = min(ahead, 1 / threat) if threat else float(ahead)
        is_guarded = (cap - 1) * ahead > cap * bare
        success = (last.capture_count + 1) / (last.raid_count + 1)
        rounds = float(ahead) if is_guarded else bare
        return cls(world, seat, rounds, int(is_guarded), threat, min(success, 1.0), frozenset(last.defended))

    def worth(self, plot: int, spare: int) -> float:
        """Gold that the plot still brings, its guard taken off, to who has so much stamina to spare each round."""
        used = min(self.world.config.mine_cap, spare)
        return self.world.alpha[plot] * max(0, used - self.upkeep) * self.rounds

    def raid(self, plot: int, spare: int) -> float:
        """Gold that a raid on the plot brings, tax, fine and adjudication taken off; it may be below 0.

        A plot that was guarded in the last round is taken to be guarded still.
        """
        config = self.world.config
        chance = 0.0 if plot in self.guarded else self.success
        upheld = 1 - config.adjudication * (self.world.first[plot] != self.seat)
        return chance * (upheld * self.worth(plot, spare) - config.capture_fine) - config.raid_tax

    def guard(self, plot: int) -> float:
        """Gold that a guard saves on an own plot in this round."""
        return self.threat * self.world.alpha[plot] * self.world.config.mine_cap * self.rounds


def _threat(world: Shared, seat: Seat, ahead: int) -> float:
    """How likely a plot without a guard is raided: as often as was seen, or as the stamina that others have to spare
    allows, where a raid on it pays at all."""
    targets = max(1, len(world.raidable))
    observed = world.last.raid_count / targets
    config = world.config
    worth = max(world.alpha) * config.mine_cap * ahead
    if (1 - config.adjudication) * worth - config.capture_fine - config.raid_tax <= 0:
        return min(1.0, observed)
    spare = sum(
        max(0, stamina - config.mine_cap * len(own))
        for one, (stamina, own) in enumerate(zip(world.stamina, world.holdings, strict=True))
        if one != seat
    )
    return min(1.0, max(observed, spare / targets))


class ReckonerParams(Settings):
    patience: int = Field(12, ge=1, le=1000, title="Patience", description="Rounds ahead that it counts.")
    tries: float = Field(
        0.05, ge=0, le=1, title="Tries", description="Chance, each round, that it tests whether a guard still stands."
    )
    language: Literal["en", "zh"] = Field("en", title="Language", description="Of its messages.")


@policy("reckoner", "Polity: expected gold, after Becker, Journal of Political Economy 76 (1968)", ReckonerParams)
def reckoner(params: ReckonerParams, seen: Observation, rng: Rng) -> Plan:
    """Puts each point of stamina where it expects the most gold: mining, a guard, a claim or a raid.

    A raid is worth the plot's gold over the rounds for which it will be kept, times the chance that nobody guards it,
    less raid tax, capture fine and what adjudication gives back. Guards are worth what raids would take. Plots that
    were guarded in the last round are left alone, but for a test now and then. Where there is talk it offers peace and
    spares who offered it.
    """
    world, seat = seen.shared, seen.seat
    cap, cells = world.config.mine_cap, world.grid.cells
    hopes = Prospect.of(seen, params.patience)
    own = world.holdings[seat]
    spare = seen.stamina - cap * len(own)
    chances: list[tuple[float, int, Item]] = []
    for order, plot in enumerate(own):
        chances.append((float(world.alpha[plot]), order, Item("mine", cells[plot], cap)))
        if (saved := hopes.guard(plot)) > 0:
            chances.append((saved, order, Item("defend", cells[plot])))
    wanted, spared = -(-max(spare, 0) // cap), peaceful(seen)
    if wanted:
        free = claim_nearest(world, seat, min(wanted, seen.stamina), rng)
        chances += [(hopes.worth(world.grid.plot_of[item.cell], spare), 0, item) for item in free]
        if len(free) < wanted:
            others = [p for p in world.raidable if world.owners[p] not in {seat, NOBODY, *spared}]
            targets = rng.shuffled(others, "target")
            chances += _raids(hopes, spare, targets, wanted - len(free), tests=rng.chance(params.tries, "tries"))
    return Plan(tuple(_best(chances, seen.stamina)), offer(world.config, params.language))


def _raids(
    hopes: Prospect, spare: int, targets: Sequence[int], most: int, *, tests: bool
) -> list[tuple[float, int, Item]]:
    """The raids that bring most, of equals the earlier target; with ``tests`` one of a guarded plot if none pays."""
    cells = hopes.world.grid.cells
    found = [(hopes.raid(plot, spare), order, plot) for order, plot in enumerate(targets)]
    paying = sorted((one for one in found if one[0] > 0), key=lambda one: (-one[0], one[1]))[:most]
    if not paying and tests and targets:
        paying = [(1e-9, 0, targets[0])]
    return [(gold, order, Item("raid", cells[plot])) for gold, order, plot in paying]


def _best(chances: Sequence[tuple[float, int, Item]], stamina: int) -> list[Item]:
    """Items by their gold for a point of stamina, the highest first, as far as the stamina reaches."""
    items: list[Item] = []
    for _, _, item in sorted(chances, key=lambda one: (-one[0], one[1])):
        if stamina <= 0:
            break
        cost = min(item.s, stamina)
        items.append(Item(item.type, item.cell, cost))
        stamina -= cost
    return items


# --- norms and memories -------------------------------------------------------------------------------


@policy("bourgeois", "Maynard Smith, Evolution and the Theory of Games (1982), chapter 8")
def bourgeois(_params: NoParams, seen: Observation, rng: Rng) -> Plan:
    """Where it owns it stands its ground, where others own it leaves: it claims, guards its core and mines, and raids
    nobody.

    It claims until its plots use up its stamina; if a plot of it was raided in the visible rounds, each plot is guarded
    before it is mined.
    """
    return Plan(tuple(_stand(seen, seen.stamina, rng)))


def _stand(seen: Observation, stamina: int, rng: Rng) -> list[Item]:
    """Claims until its plots use up its stamina, then what `_guarded` says."""
    world, seat = seen.shared, seen.seat
    missing = enough_plots(world, seat) - len(world.holdings[seat])
    items = claim_nearest(world, seat, min(missing, stamina), rng) if missing > 0 else []
    return [*items, *_guarded(seen, stamina - len(items))]


def _guarded(seen: Observation, stamina: int) -> list[Item]:
    """The own plots from the core outward, each mined, and guarded first if one was raided in the visible rounds."""
    world, seat = seen.shared, seen.seat
    if world.challenged[seat]:
        return hold_the_core(world, seat, stamina)
    return mine_to_cap(world, by_core(world, seat), stamina)


class AvengerParams(Settings):
    measure: int = Field(2, ge=1, le=100, title="Measure", description="Raids that it answers each raid with.")


def _avenge(params: AvengerParams, seen: Observation, memory: Memory, rng: Rng) -> tuple[Plan, Memory]:
    world, before = seen.shared, memory if isinstance(memory, Mapping) else {}
    owed = _owed(seen, {int(other): int(str(count)) for other, count in before.items()}, params.measure)
    guarded = frozenset(world.last.defended)
    targets: list[int] = []
    for other in sorted(owed, key=lambda one: (-owed[one], one)):
        open_to = [plot for plot in world.holdings[other] if world.is_raidable(plot) and plot not in guarded]
        targets += open_to[: owed[other]]
    raids = [Item("raid", world.grid.cells[plot]) for plot in targets[: seen.stamina // 2]]
    plan = Plan((*raids, *_stand(seen, seen.stamina - len(raids), rng)))
    return plan, {str(other): count for other, count in sorted(owed.items())}


def _owed(seen: Observation, before: Mapping[Seat, int], measure: int) -> dict[Seat, int]:
    """By raider, how many raids it is still owed after the last round."""
    owed = Counter(before)
    for raid in seen.shared.last.raids:
        if raid.owner == seen.seat:
            owed.update({raider: measure for raider in raid.raiders if raider != seen.seat})
        elif seen.seat in raid.raiders and raid.owner in owed:
            owed[raid.owner] -= 1
    return {other: count for other, count in owed.items() if count > 0}


AVENGER: Final = PolicySpec(
    "avenger",
    "Remembers who raided it and raids them in turn, so many times for each of theirs; else stands its ground as the "
    "bourgeois.",
    "Axelrod, The Evolution of Cooperation (1984), carried to land",
    _avenge,
    AvengerParams,
)
"""Whom it owes most it raids first, with half of its stamina at most; plots guarded in the last round are left out."""


class OpportunistParams(Settings):
    patience: int = Field(12, ge=1, le=1000, title="Patience", description="Rounds ahead that it counts.")
    language: Literal["en", "zh"] = Field("en", title="Language", description="Of its messages.")


@policy(
    "opportunist", "Hirshleifer, The Dark Side of the Force (2001): taking where it is not guarded", OpportunistParams
)
def opportunist(params: OpportunistParams, seen: Observation, rng: Rng) -> Plan:
    """Mines what it has, and takes from those richer in land what nobody guarded, where a raid pays.

    The largest holder's first. It claims before it raids. Where there is talk it offers peace and spares who offered
    it.
    """
    world, seat = seen.shared, seen.seat
    cap, own = world.config.mine_cap, world.holdings[seat]
    hopes = Prospect.of(seen, params.patience)
    items = mine_to_cap(world, own, seen.stamina)
    left = seen.stamina - sum(item.s for item in items)
    items += claim_nearest(world, seat, left, rng)
    left = seen.stamina - sum(item.s for item in items)
    spared = peaceful(seen)
    richer = [
        one for one, held in enumerate(world.holdings) if one != seat and one not in spared and len(held) > len(own)
    ]
    for other in sorted(richer, key=lambda one: (-len(world.holdings[one]), one)):
        for plot in world.holdings[other]:
            if left > 0 and world.is_raidable(plot) and hopes.raid(plot, cap) > 0:
                items.append(Item("raid", world.grid.cells[plot]))
                left -= 1
    return Plan(tuple(items), offer(world.config, params.language))


RECKONING: Final[Mapping[str, PolicySpec]] = {spec.name: spec for spec in (reckoner, bourgeois, AVENGER, opportunist)}
"""Beside the source's comparators; by name."""
