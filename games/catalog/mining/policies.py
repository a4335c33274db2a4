"""The source's comparators and its guided heuristics as policies. All are pure; ties are broken as each docstring says.

Source of all five: "baseline_and_comparator_policies", "thought_constraints_and_policy_guidance" and
"border_targeting_and_core_defense_definitions".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal

from pydantic import Field

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.drawing import draw_items
from games.catalog.mining.observation import Observation
from games.catalog.mining.shared import Shared
from games.catalog.mining.state import NOBODY, Item, Kind, Message, Plan
from games.core.agents import NoParams, PolicySpec, policy
from games.core.game import Seat
from games.core.rng import Rng
from games.core.settings import Settings

SOURCE = "property-rights mining protocol"


# --- borders and cores ----------------------------------------------------------------------------


def border(seen: Shared, seat: Seat) -> list[int]:
    """The seat's plots with a neighbour in the grid that is not its own, row by row. The map's edge is no border."""
    owners, neighbours = seen.owners, seen.grid.neighbours
    return [plot for plot in seen.holdings[seat] if any(owners[near] != seat for near in neighbours[plot])]


def by_core(seen: Shared, seat: Seat) -> list[int]:
    """The seat's plots, most central first: own neighbours descending, then age descending, then plot number."""
    owners, neighbours, since = seen.owners, seen.grid.neighbours, seen.since
    return sorted(
        seen.holdings[seat],
        key=lambda plot: (-sum(owners[near] == seat for near in neighbours[plot]), since[plot], plot),
    )


def enough_plots(seen: Shared, seat: Seat) -> int:
    """How many plots use up the seat's stamina."""
    return plots_for(seen.stamina[seat], seen.config.mine_cap)


def plots_for(stamina: int, mine_cap: int) -> int:
    """Stamina / mining cap, rounded up."""
    return -(-stamina // mine_cap)


def raidable_border(seen: Shared, holder: Seat) -> list[int]:
    """The border plots of a holder that may be raided this round, row by row."""
    return [plot for plot in border(seen, holder) if seen.is_raidable(plot)]


# --- parts of plans -------------------------------------------------------------------------------


def _each(seen: Shared, kind: Kind, plots: Iterable[int]) -> list[Item]:
    """An item of one stamina on each of the plots."""
    items = seen.grid.items
    return [items[kind, plot, 1] for plot in plots]


def mine_to_cap(seen: Shared, plots: Sequence[int], stamina: int) -> list[Item]:
    """The cap on each plot in the given order, until the stamina is spent."""
    made, cap = seen.grid.items, seen.config.mine_cap
    items = []
    for plot in plots:
        if stamina <= 0:
            break
        items.append(made["mine", plot, cap if cap < stamina else stamina])
        stamina -= cap
    return items


def claim_nearest(seen: Shared, seat: Seat, stamina: int, rng: Rng) -> list[Item]:
    """Claims of the unowned plots nearest to the own ones (a drawn start, if there are none), ties by plot number."""
    if stamina <= 0 or not seen.free:
        return []
    start = seen.holdings[seat] or (rng.choice(seen.free, "home"),)
    return _each(seen, "claim", seen.grid.nearest(start, seen.is_free, stamina))


def raid_largest(seen: Shared, seat: Seat, stamina: int) -> list[Item]:
    """Raids on the border of the seat with the most plots (not oneself; the lowest of several), row by row."""
    largest = seen.largest_beside(seat)
    if stamina <= 0 or largest == NOBODY:
        return []
    return _each(seen, "raid", raidable_border(seen, largest)[:stamina])


def _claim_else_raid(seen: Shared, seat: Seat, stamina: int, rng: Rng) -> list[Item]:
    """`claim_nearest`; with what no unowned plot is left for, `raid_largest`."""
    items = claim_nearest(seen, seat, stamina, rng)
    return items + raid_largest(seen, seat, stamina - len(items))


def _cost(items: Sequence[Item]) -> int:
    return sum(item.s for item in items)


# --- the policies ---------------------------------------------------------------------------------


@policy("random", f"{SOURCE}: comparator Random")
def at_random(_params: NoParams, seen: Observation, rng: Rng) -> Plan:
    """Draws legal items uniformly until its stamina is spent.

    Each legal item is as likely as any other, and none is drawn twice.
    """
    return Plan(draw_items(seen.shared, seen.seat, rng))


@policy("greedy-mine", f"{SOURCE}: comparator Greedy-Mine")
def greedy_mine(_params: NoParams, seen: Observation, rng: Rng) -> Plan:
    """Mines its plots to the cap; with the rest claims the nearest unowned plots, else raids the largest.

    Plots are mined row by row. Claims: nearest to an own plot, ties by plot number; without plots, nearest to a drawn
    unowned one. Raids are on the border of the largest other holder (ties: lowest seat), row by row.
    """
    world, seat = seen.shared, seen.seat
    items = mine_to_cap(world, world.holdings[seat], seen.stamina)
    items += _claim_else_raid(world, seat, seen.stamina - _cost(items), rng)
    return Plan(tuple(items))


@policy("defend-then-mine", f"{SOURCE}: comparator Defend-then-Mine")
def defend_then_mine(_params: NoParams, seen: Observation, rng: Rng) -> Plan:
    """Defends all its plots, then mines; the rest as Greedy-Mine's.

    Plots are defended and mined row by row.
    """
    return Plan(tuple(_defend_then_mine(seen, seen.stamina, rng)))


def _defend_then_mine(seen: Observation, stamina: int, rng: Rng) -> list[Item]:
    world, seat = seen.shared, seen.seat
    own = world.holdings[seat]
    items = _each(world, "defend", own[:stamina])
    items += mine_to_cap(world, own, stamina - len(items))
    return items + _claim_else_raid(world, seat, stamina - _cost(items), rng)


@policy("tit-for-tat-raid", f"{SOURCE}: comparator Tit-for-tat-Raid", aka=("TFT-Raid",))
def tit_for_tat_raid(_params: NoParams, seen: Observation, rng: Rng) -> Plan:
    """Raids back whoever raided it in the last round, then plays Defend-then-Mine.

    Each raider is raided on one plot: the lowest-numbered that it took from me and still holds, else the
    lowest-numbered of its own; plots that may not be raided are passed over. Raiders in seat order. It remembers one
    round.
    """
    world, seat = seen.shared, seen.seat
    stolen: dict[Seat, list[int]] = {}
    for raid in world.last.raids:
        if raid.owner == seat:
            for raider in raid.raiders:
                stolen.setdefault(raider, []).extend([raid.plot] if raider == raid.winner else [])
    targets: list[int] = []
    for raider in sorted(stolen)[: seen.stamina]:
        mine = [plot for plot in stolen[raider] if world.owners[plot] == raider]
        targets += islice(filter(world.is_raidable, (*mine, *world.holdings[raider])), 1)
    items = _each(world, "raid", targets)
    items += _defend_then_mine(seen, seen.stamina - len(items), rng)
    return Plan(tuple(dict.fromkeys(items)))


@policy("guided", f"{SOURCE}: thought constraints and policy guidance", aka=("heuristics",))
def guided(_params: NoParams, seen: Observation, rng: Rng) -> Plan:
    """Claims until it has enough plots, then mines; defends its core if challenged, evens out if none is left.

    1. Enough plots is stamina / mining cap, rounded up. As many as are missing are claimed: the unowned plots nearest
       to the own ones, from a drawn start if there are none; ties by plot number.
    2. If the land is gone: as many of the largest holder's border plots as are missing are raided, in drawn order, but
       only while that holder has at least two more, and at most half of the difference: enough to even out.
    3. The rest is mined. Unchallenged: to the cap, row by row. If a raid on an own plot is in the visible rounds: plot
       by plot from the core outward (`by_core`), each defended by one stamina before it is mined to the cap.
    """
    world, seat, left = seen.shared, seen.seat, seen.stamina
    own = world.holdings[seat]
    items: list[Item] = []
    missing = enough_plots(world, seat) - len(own)
    if missing > 0:
        if world.free:
            items = claim_nearest(world, seat, min(missing, left), rng)
        elif (largest := world.largest_beside(seat)) != NOBODY:
            surplus = (len(world.holdings[largest]) - len(own)) // 2
            if (count := min(missing, surplus, left)) > 0:
                items = _each(world, "raid", rng.shuffled(raidable_border(world, largest), "target")[:count])
        left -= len(items)
    if world.challenged[seat]:
        items += hold_the_core(world, seat, left)
    else:
        items += mine_to_cap(world, own, left)
    return Plan(tuple(items))


def hold_the_core(seen: Shared, seat: Seat, stamina: int) -> list[Item]:
    """From the core outward, each plot defended and then mined to the cap, until the stamina is spent."""
    made, cap = seen.grid.items, seen.config.mine_cap
    items: list[Item] = []
    for plot in by_core(seen, seat):
        if stamina <= 0:
            break
        items.append(made["defend", plot, 1])
        stamina -= 1
        if stamina > 0:
            items.append(made["mine", plot, cap if cap < stamina else stamina])
            stamina -= cap
    return items


PEACE: Final[Mapping[str, str]] = {
    "en": "Peace: I raid nobody who says the same to me.",
    "zh": "和平：谁对我说同样的话，我就不突袭谁。",
}
"""What an envoy says, and listens for, in either language."""


class EnvoyParams(Settings):
    language: Literal["en", "zh"] = Field("en", title="Language", description="Of its messages.")
    keep: float = Field(1.0, ge=0, le=1, title="Keeps", description="Chance, each round, that it keeps the peace.")


@policy("envoy", "Polity, for mock models that talk before they raid", EnvoyParams)
def envoy(params: EnvoyParams, seen: Observation, rng: Rng) -> Plan:
    """Offers peace to all and raids nobody who offered it; without talk it raids as Greedy-Mine does.

    What no unowned plot is left for goes into raids on the border of the largest holder among the others (ties: lowest
    seat), row by row.
    """
    world, seat = seen.shared, seen.seat
    items = mine_to_cap(world, world.holdings[seat], seen.stamina)
    left = seen.stamina - _cost(items)
    items += claim_nearest(world, seat, left, rng)
    left = seen.stamina - _cost(items)
    spared = peaceful(seen)
    if spared and not rng.chance(params.keep, "keep"):
        spared = set()
    others = [one for one, own in enumerate(world.holdings) if own and one != seat and one not in spared]
    if left > 0 and others:
        largest = min(others, key=lambda one: (-len(world.holdings[one]), one))
        items += _each(world, "raid", raidable_border(world, largest)[:left])
    return Plan(tuple(items), offer(world.config, params.language))


def peaceful(seen: Observation) -> set[Seat]:
    """The seats that offered peace with their last plans."""
    offers: list[Any] = [event.data["by"] for event in seen.messages() if event.data["text"] in PEACE.values()]
    return set(offers)


def offer(config: MiningConfig, language: str) -> tuple[Message, ...]:
    """The offer of peace to all; nothing where there is no talk, or no room for it."""
    talks = config.messages > 0 and len(PEACE[language]) <= config.message_length
    return (Message(None, PEACE[language]),) if talks else ()


POLICIES: Mapping[str, PolicySpec] = {
    spec.name: spec for spec in (guided, at_random, greedy_mine, defend_then_mine, tit_for_tat_raid, envoy)
}
