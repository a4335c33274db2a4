"""The workers of the contract, and a trader. All are without memory; ties are broken as each docstring says.

Source: contract, "Agent Types"; their details as in the public code where the rule sheet names no reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Literal

from pydantic import Field

from games.catalog.economist.acting import shiftable
from games.catalog.economist.dealing import (
    MARKET_DAYS,
    can_order,
    deal,
    is_market_day,
    lacking,
    saves,
    spare,
    wants_house,
)
from games.catalog.economist.money import MICRO, Micro, decimal, micro
from games.catalog.economist.observation import WorkerSeen
from games.catalog.economist.state import (
    DIRECTIONS,
    NONE,
    NOOP,
    RESOURCES,
    Build,
    Deal,
    Direction,
    Gather,
    Misreport,
    Move,
    Shift,
    WorkerAction,
)
from games.core.agents import Memory, NoParams
from games.core.rng import Rng, SeatDraws
from games.core.settings import Settings

GATHER, BUILD = Gather(), Build()
MOVES: Final = {direction: Move(direction) for direction in DIRECTIONS}
Choice = Callable[[Any, WorkerSeen, int], WorkerAction]


# --- parts ----------------------------------------------------------------------------------------


def can_pay_house(seen: WorkerSeen) -> bool:
    """Whether wood, stone and energy are enough for another house, and it wants one."""
    terms = seen.shared.config.terms
    holds = seen.wood >= terms.house_wood and seen.stone >= terms.house_stone
    return holds and seen.energy >= terms.cost_build and wants_house(seen)


def is_free(seen: WorkerSeen, place: int) -> bool:
    """Whether a house may be built at this place of the sight."""
    return seen.bears[place] == NONE and seen.owners[place] < 0


def wander(seen: WorkerSeen, bits: int) -> WorkerAction:
    """A move in one of the directions that stay on the map, each as likely."""
    if seen.energy < seen.shared.config.terms.cost_move:
        return NOOP
    ways = seen.shared.grid.ways[seen.cell]
    open_ways = [direction for direction in DIRECTIONS if ways[direction] >= 0]
    return MOVES[open_ways[(bits * len(open_ways)) >> 63]] if open_ways else NOOP


def seek_site(seen: WorkerSeen) -> Direction | None:
    """The first step to the nearest place in sight where a house may be built; ties row by row."""
    return seek(seen, partial(is_free, seen))


def seek(seen: WorkerSeen, wanted: Callable[[int], bool]) -> Direction | None:
    """The first step to the nearest place in sight that is wanted; ties row by row."""
    for place, direction in seen.shared.grid.near[seen.cell]:
        if wanted(place):
            return direction
    return None


def toward(seen: WorkerSeen, direction: Direction | None, bits: int) -> WorkerAction:
    """A step that way, or a random one where there is nothing to go to."""
    if seen.energy < seen.shared.config.terms.cost_move:
        return NOOP
    return wander(seen, bits) if direction is None else MOVES[direction]


def settle(seen: WorkerSeen, bits: int) -> WorkerAction:
    """Build here, or go where one may build."""
    if is_free(seen, seen.here):
        return BUILD
    return toward(seen, seek_site(seen), bits)


def worth(seen: WorkerSeen) -> Micro:
    """The least stock that it is worth to gather from: a full skill's worth; crumbs that regrew are left."""
    return min(seen.skill, seen.shared.config.terms.stock_max, MICRO)


def seek_stock(seen: WorkerSeen, least: Micro, kinds: tuple[bool, bool, bool] = (True, True, True)) -> Direction | None:
    """The first step to the nearest cell in sight with that stock at least, of the kinds asked for (`wanted_kinds`)."""
    stock, bears = seen.stock, seen.bears
    for place, direction in seen.shared.grid.near[seen.cell]:
        if stock[place] >= least and kinds[bears[place]]:
            return direction
    return None


def wanted_kinds(seen: WorkerSeen) -> tuple[bool, bool, bool]:
    """By what a cell bears: whether the next house lacks it."""
    wood, stone = lacking(seen)
    return False, wood > 0, stone > 0


# --- the policies ---------------------------------------------------------------------------------


def honest(_params: NoParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Gather what a house lacks, build when it can, deal with the last unit of energy; hide and defer nothing.

    In this order: it builds, deals on market days, gathers what a house lacks, or what lies here; else it seeks.
    """
    terms = seen.shared.config.terms
    if can_pay_house(seen):
        return settle(seen, bits)
    order = deal(seen) if is_market_day(seen) else None
    if order is not None:
        return order
    if seen.energy < terms.cost_gather or saves(seen):
        return NOOP
    least, kinds = worth(seen), wanted_kinds(seen)
    lies = seen.stock[seen.here] >= least
    if lies and kinds[seen.bears[seen.here]]:
        return GATHER
    needed = seek_stock(seen, least, kinds)
    if needed is not None and seen.energy >= terms.cost_move:
        return MOVES[needed]
    return GATHER if lies else toward(seen, seek_stock(seen, least), bits)


class TraderParams(Settings):
    """How often it looks to the market first."""

    every: int = Field(2, ge=1, le=100, title="Every", description="It deals first in each of so many steps.")


def trader(params: TraderParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Bid for what a house lacks and offer what is to spare in every second step; else as honest."""
    if can_pay_house(seen):
        return settle(seen, bits)
    if seen.shared.step % params.every == 0:
        order = deal(seen)
        if order is not None:
            return order
    return honest(NoParams(), seen, bits)


def simple(seen: WorkerSeen, bits: int) -> WorkerAction:
    """Build when it can, gather what lies here, else a random move; it does not seek. On market days it deals."""
    terms = seen.shared.config.terms
    if can_pay_house(seen):
        return BUILD if is_free(seen, seen.here) else wander(seen, bits)
    order = deal(seen) if is_market_day(seen) else None
    if order is not None:
        return order
    if seen.energy < terms.cost_gather or saves(seen):
        return NOOP
    return GATHER if seen.stock[seen.here] >= worth(seen) else wander(seen, bits)


class CrimeParams(Settings):
    """How it works beside."""

    craft: Literal["simple", "honest"] = Field(
        "simple",
        exclude_if=lambda craft: craft == "simple",
        title="Craft",
        description="Whose work it does beside, so that crime can be told from want of skill.",
    )


def crafted(params: CrimeParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """What the policy whose craft it has would do."""
    return simple(seen, bits) if params.craft == "simple" else honest(NoParams(), seen, bits)


class GamingParams(CrimeParams):
    """How much it shifts at a time."""

    shift_fraction: float = Field(
        0.25, gt=0, le=1, title="Share shifted", description="Most of its income that it shifts at a time."
    )


def gaming(params: GamingParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Defer income that lies just above a bracket's threshold; else gather underfoot, build, wander.

    Just above is less than 30%; what is left ends half a coin below the threshold.
    """
    config = seen.shared.config
    if seen.gross > 0 and config.gaming.income_shifting_enabled:
        most = min(
            shiftable(seen.gross, seen.shifted, config.terms.shift_max),
            seen.gross * micro(params.shift_fraction) // MICRO,
        )
        for threshold, _ in seen.shared.schedule:
            if 0 < threshold < seen.gross < threshold * 13 // 10:
                amount = min(seen.gross - threshold + MICRO // 2, most)
                if amount > MICRO // 10:
                    return Shift(decimal(amount))
    return crafted(params, seen, bits)


class EvasiveParams(CrimeParams):
    """How much it hides."""

    underreport_fraction: float = Field(
        0.3, ge=0, le=1, title="Share hidden", description="Share of its income that it does not report."
    )


def evasive(params: EvasiveParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Hide a share of its income once an epoch; else gather underfoot, build, wander.

    From the fifth step on, when it has earned more than 1.
    """
    config = seen.shared.config
    hides = config.misreporting.enabled and not seen.stance and seen.gross > MICRO and seen.shared.step > 3
    fraction = min(params.underreport_fraction, config.misreporting.max_underreport_fraction)
    return Misreport(fraction) if hides and micro(fraction) else crafted(params, seen, bits)


class CollusiveParams(Settings):
    """What the coalition has agreed on."""

    ask_price: float = Field(
        4.0, gt=0, le=1_000_000, title="Agreed price", description="What every member asks for a unit, never less."
    )


def collusive(params: CollusiveParams, seen: WorkerSeen, bits: int) -> WorkerAction:
    """Follow the coalition's cycle by the step's number, build, and ask the agreed price for what is to spare.

    The cycle is gather, gather, move, gather, gather. On market days a member offers what it has to spare at the
    agreed price, of wood in even epochs and of stone in odd ones. A gathering turn on a barren cell seeks instead; a
    moving turn seeks what a house lacks.
    """
    config, terms = seen.shared.config, seen.shared.config.terms
    if can_pay_house(seen):
        return settle(seen, bits)
    place = seen.shared.epoch % 2
    extra = spare(seen)[place]
    if is_market_day(seen) and can_order(seen) and extra >= MICRO:
        agreed = max(config.market.price_floor, min(params.ask_price, config.market.price_ceiling))
        return Deal(RESOURCES[place], decimal(extra), round(agreed, 6), "sell")
    reserve = 0 if is_market_day(seen) or terms.refills_each_step else MARKET_DAYS * terms.cost_trade
    if seen.energy < terms.cost_gather + reserve:
        return NOOP
    if seen.shared.step % 5 != 2 and seen.stock[seen.here] > 0:
        return GATHER
    least = worth(seen)
    lacked = seek_stock(seen, least, wanted_kinds(seen))
    if lacked is not None and seen.energy >= terms.cost_move:
        return MOVES[lacked]
    return toward(seen, seek_stock(seen, least), bits)


def alone(choose: Choice) -> Callable[[Any, Any, Memory, Rng], tuple[Any, Memory]]:
    """A choice as the policy of one seat."""

    def play(params: Any, seen: Any, _memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        return choose(params, seen, rng.bits("way")), None

    return play


def together(choose: Choice) -> Callable[[Any, Sequence[Any], SeatDraws], Sequence[Any]]:
    """The same choice for several seats at once."""

    def play_all(params: Any, observations: Sequence[Any], draws: SeatDraws) -> Sequence[Any]:
        return [choose(params, seen, bits) for seen, bits in zip(observations, draws.bits("way"), strict=True)]

    return play_all
