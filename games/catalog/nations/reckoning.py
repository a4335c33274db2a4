"""Nations that reckon with what a grant brings back, with the end, and with who wages war."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import Field

from games.catalog.nations.conduct import shared_out
from games.catalog.nations.observation import Observation
from games.catalog.nations.speech import Talking, say
from games.catalog.nations.state import Attack, Orders
from games.core.agents import Memory, PolicySpec
from games.core.game import Seat
from games.core.rng import Rng


class DealerParams(Talking):
    patience: float = Field(
        0.9, ge=0, le=1, title="Patience", description="Worth of money next turn, as a share of money now."
    )
    foresight: int = Field(
        1, ge=0, le=1000, title="Foresight", description="Turns before a known end it stops granting."
    )
    grudge: int = Field(3, ge=0, le=1000, title="Grudge", description="Turns for which whoever attacked gets nothing.")


class AllyParams(DealerParams):
    guard: int = Field(
        4, ge=0, le=1000, title="Guard", description="Mils that it buys up to once a friend was attacked."
    )


def pays(params: DealerParams, seen: Observation) -> bool:
    """Whether a grant that is answered in kind in the next turn is worth more than it costs, and a turn is left."""
    turns = seen.public.turns
    ends = turns is not None and seen.public.turn + params.foresight > turns
    return seen.public.rules.trade * params.patience > 100 and not ends


def _grudges(params: DealerParams, seen: Observation, memory: Memory) -> dict[Seat, int]:
    """By nation, the last turn in which it gets nothing. Those of an earlier round are forgotten."""
    kept: Mapping[str, object] = memory if isinstance(memory, Mapping) else {}
    turn = seen.public.turn
    held = {int(seat): int(str(until)) for seat, until in kept.items() if int(str(until)) >= turn and turn > 1}
    if params.grudge:
        held |= {battle.by: turn + params.grudge - 1 for battle in seen.battles if battle.by != seen.seat}
    return held


def _grants(params: DealerParams, seen: Observation, grudges: Mapping[Seat, int]) -> Orders:
    if not pays(params, seen):
        return Orders()
    friends = [seat for seat in seen.others if seat not in grudges]
    if seen.public.turn == 1:
        offer = say(params, seen, "deal_offer") if friends else ()
        return Orders(grants=shared_out(seen.income, dict.fromkeys(friends, 1)), messages=offer)
    got = {seat: paid for seat, paid in seen.received().items() if seat in friends}
    if not got:
        return Orders(grants=shared_out(seen.income // 10, dict.fromkeys(friends, 1)))
    return Orders(grants=shared_out(seen.income, got))


def _deal(params: DealerParams, seen: Observation, memory: Memory, rng: Rng) -> tuple[Orders, Memory]:
    grudges = _grudges(params, seen, memory)
    return _grants(params, seen, grudges), {str(seat): until for seat, until in sorted(grudges.items())}


DEALER: Final = PolicySpec(
    "dealer",
    "Grants all it has to those who granted to it, as long as a grant comes back worth more than it costs and the end "
    "is not near; gives nothing to whoever attacked anybody, until it forgives.",
    "Axelrod, The Evolution of Cooperation (1984): the shadow of the future",
    _deal,
    DealerParams,
)
"""In turn 1 it grants to all alike; where nobody granted, a tenth to all."""


def _stand_together(params: AllyParams, seen: Observation, memory: Memory, rng: Rng) -> tuple[Orders, Memory]:
    grudges = _grudges(params, seen, memory)
    friends = {seen.seat, *seen.received()}
    hostile = sorted({battle.by for battle in seen.battles if battle.on in friends and battle.by not in friends})
    share = seen.army // len(hostile) if hostile else 0
    attacks = tuple(Attack(seat, share) for seat in hostile) if share else ()
    price = max(1, seen.public.rules.price)
    buy = min(max(0, params.guard - seen.army), seen.income // price) if hostile or seen.army else 0
    orders = _grants(params, seen, grudges)
    kept = {str(seat): until for seat, until in sorted(grudges.items())}
    return Orders(buy=buy, attacks=attacks, grants=orders.grants, messages=orders.messages), kept


ALLY: Final = PolicySpec(
    "ally",
    "Deals as the dealer, and strikes back with its whole army at whoever attacked it or a nation that granted to it.",
    "Olson and Zeckhauser, An economic theory of alliances (1966); collective defence",
    _stand_together,
    AllyParams,
)
"""Several attackers share its army evenly. It buys a guard once a friend was attacked."""

RECKONING: Final[Mapping[str, PolicySpec]] = {spec.name: spec for spec in (DEALER, ALLY)}
