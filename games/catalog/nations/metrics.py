"""What is measured: welfare and its spread, arms and violence, grants and their reciprocation, promises.

Money is in points, with decimals. Undefined is None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from games.catalog.nations.config import NationsConfig, rules_of
from games.catalog.nations.money import HUNDRED, shown
from games.catalog.nations.scoring import score
from games.catalog.nations.state import NationsState, Orders
from games.core.answers import JSON
from games.core.game import Number, Step
from games.core.measures import gini, hhi, mean, ratio

RECIPROCATED_WITHIN: Final = 3
"""Turns within which a grant counts as returned (k)."""
Series = Sequence[Mapping[str, Any]]


def nash_welfare(values: Sequence[Number]) -> float | None:
    """The geometric mean of non-negative values: 0 if any is 0; None when empty."""
    if not values:
        return None
    if min(values) <= 0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def reciprocity(turns: Sequence[Sequence[Sequence[Number]]], within: int) -> float | None:
    """The share of granted money whose receiver granted to its giver in the same turn or within k turns.

    ``turns`` holds, by turn, grants as (by, to, amount). 0 to 1; None without grants.
    """
    pairs = [{(by, to) for by, to, _ in grants} for grants in turns]
    total: Number = 0
    returned: Number = 0
    for at, grants in enumerate(turns):
        for by, to, amount in grants:
            total += amount
            if any((to, by) in later for later in pairs[at : at + within + 1]):
                returned += amount
    return ratio(returned, total)


class NationsMetrics:
    """See `about` for each formula."""

    def measure(
        self, config: NationsConfig, before: NationsState, step: Step[NationsState, Orders]
    ) -> Mapping[str, JSON]:
        after = step.state
        if not step.turn.seats:
            return dict(_EMPTY)
        accounts, last = after.last.accounts, after.last
        rules = rules_of(config, after.round)
        gross = sum(one.gross for one in accounts)
        welfare = sum(one.welfare for one in accounts)
        potential = config.territories * rules.income
        peak = max(potential, potential * rules.trade // HUNDRED)
        arms = sum(one.upkeep + one.spent for one in accounts)
        points = [shown(held) for held in after.welfare]
        seats = range(config.nations)
        sizes = [after.owners.count(seat) for seat in seats]
        done = [sum(harm for by, _, harm in after.harm if by == seat) for seat in seats]
        return {
            "welfare": shown(welfare),
            "welfare_total": shown(sum(after.welfare) + sum(after.banked)),
            "nash_welfare": nash_welfare(points),
            "gini": gini(points),
            "peak_gap": None if not peak else 1 - welfare / peak,
            "arms_share": ratio(arms, gross),
            "attacks": len(last.battles),
            "damage": shown(sum(one.damage for one in accounts)),
            "penalties": shown(sum(one.penalty for one in accounts)),
            "grants": shown(sum(payment.paid for payment in last.payments)),
            "mils": sum(after.army),
            "mils_lost": sum(one.lost for one in accounts),
            "mils_deserted": sum(one.deserted for one in accounts),
            "territory_hhi": hhi(sizes),
            "largest_share": max(sizes) / config.territories,
            "cessions": len(last.cessions),
            "messages": sum(len(orders.messages) for orders in step.actions.values()),
            "promises_kept": len(last.kept),
            "promises_broken": len(last.broken),
            "gross": shown(gross),
            "arms": shown(arms),
            "peak": shown(peak),
            "round": after.round,
            "granted": [[grant.by, grant.to, shown(grant.paid)] for grant in last.payments if grant.paid],
            "welfare_by_nation": points,
            "score_by_nation": [score(config, after, seat) for seat in seats],
            "damage_by_nation": [shown(cents) for cents in done],
        }

    def summarise(self, config: NationsConfig, series: Series) -> Mapping[str, JSON]:
        turns = [row for row in series if row["round"] is not None]
        ends = [list(rows)[-1] for _, rows in groupby(turns, key=itemgetter("round"))]
        total = {name: sum(row[name] for row in turns) for name in _SUMS}
        at_the_end = {name: mean([row[name] for row in ends if row[name] is not None]) for name in _AT_THE_END}
        values: dict[str, JSON] = {
            **total,
            **at_the_end,
            "welfare_per_turn": mean([row["welfare"] for row in turns]),
            "welfare_total": total["welfare"],
            "peak_gap": None if not total["peak"] else 1 - total["welfare"] / total["peak"],
            "arms_share": ratio(total["arms"], total["gross"]),
            "attacks_per_turn": ratio(total["attacks"], len(turns)),
            "grant_share": ratio(total["grants"], total["gross"]),
            "reciprocity": reciprocity([row["granted"] for row in turns], RECIPROCATED_WITHIN),
            "promise_rate": ratio(total["promises_kept"], total["promises_kept"] + total["promises_broken"]),
        }
        result = {name: values[name] for name in ABOUT}
        for seat in range(SEATS_SUMMED):
            for kind in ("welfare", "score"):
                own = [row[f"{kind}_by_nation"][seat] for row in ends] if seat < config.nations else []
                result[f"{kind}_{seat}"] = mean(own)
        return result

    def about(self) -> Mapping[str, str]:
        texts = dict(ABOUT)
        for seat in range(SEATS_SUMMED):
            of_seat = f"welfare of the nation in seat {seat} in a round, mean over rounds; higher: richer"
            texts[f"welfare_{seat}"] = of_seat
            texts[f"score_{seat}"] = f"score of seat {seat} by its own condition, mean over rounds (see Payoffs)"
        return texts


SEATS_SUMMED: Final = 12
"""So many nations have a welfare and a score of their own in a run's summary; None for those that are not there."""
_SUMS: Final = (
    "welfare", "peak", "arms", "gross", "attacks", "damage", "penalties", "grants", "mils_lost", "mils_deserted",
    "cessions", "messages", "promises_kept", "promises_broken",
)  # fmt: skip
_AT_THE_END: Final = ("nash_welfare", "gini", "territory_hhi", "largest_share")
_EMPTY: Final[Mapping[str, JSON]] = dict.fromkeys(
    (
        *_SUMS, *_AT_THE_END, "welfare_total", "peak_gap", "arms_share", "mils", "round", "granted",
        "welfare_by_nation", "score_by_nation", "damage_by_nation",
    )
)  # fmt: skip
"""The step that opens a round measures nothing."""

ABOUT: Final[Mapping[str, str]] = {
    "welfare_per_turn": "welfare of all in a turn, mean over turns; 0 up to trade factor x income; higher: better off",
    "welfare_total": "welfare of all nations over the run",
    "nash_welfare": "geometric mean of the nations' welfare at a round's end, mean over rounds; 0 if any has none",
    "gini": "Gini of welfare at a round's end, mean over rounds; 0 all equal, (N-1)/N one has all",
    "peak_gap": "1 - welfare / what peace with full trade would give; 0 none is lost, 1 all; None if that is 0",
    "arms_share": "(upkeep + purchases) / gross income; 0 to 1; None without income",
    "attacks": "executed attacks: pairs of attacker and target by turn",
    "attacks_per_turn": "attacks / turns; 0 up to N(N-1)",
    "damage": "money destroyed by attacks, in points",
    "penalties": "money lost to the violence penalty, in points",
    "grants": "money paid in grants, before the trade factor",
    "grant_share": "grants / gross income; 0 to 1; None without income",
    "reciprocity": "share of granted money whose receiver granted to its giver in that turn or within 3; None without",
    "mils_lost": "mils destroyed in attacks",
    "mils_deserted": "mils disbanded because upkeep could not be paid",
    "cessions": "territories ceded",
    "territory_hhi": "sum of squared shares of land at a round's end, mean over rounds; 1/N equal, 1 one has all",
    "largest_share": "largest nation's share of territories at a round's end, mean over rounds; 1/N to 1",
    "messages": "messages sent",
    "promises_kept": "marked promises that were kept",
    "promises_broken": "marked promises that were broken",
    "promise_rate": "kept / (kept + broken); 0 to 1; None without promises that ended",
}


METRICS = NationsMetrics()
