"""The source's metrics, per round and per run. Undefined is None.

Plans that were drawn by rationalisation are nobody's conduct: the norm metrics (raid rate, action shares, respect for
first possession) leave out their seats. What happens to plots and gold counts whoever planned it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.land import bound, reachable
from games.catalog.mining.state import KINDS, NOBODY, Item, MiningState, Plan, RoundRecord
from games.core.answers import JSON
from games.core.game import Seat, Step
from games.core.measures import gini, half_life, hhi, kaplan_meier_median, mean, ratio

AGES: Final[tuple[tuple[str, int, float], ...]] = (("1_5", 1, 5), ("6_20", 6, 20), ("21_up", 21, float("inf")))
"""Bins of how many rounds a plot has been held: name, youngest, oldest."""
YOUNGEST: Final = tuple(youngest for _, youngest, _ in AGES)
HALVES: Final = ("turnover_rate", "raid_rate", "output", *(f"share_{kind}" for kind in KINDS))
"""Measures whose second half of the horizon is compared with the first."""

Series = Sequence[Mapping[str, Any]]


class MiningMetrics:
    """See `about` for each formula. ``counts`` holds what a run's ratios are made from, ``owners`` the owner vector."""

    def measure(self, config: MiningConfig, before: MiningState, step: Step[MiningState, Plan]) -> Mapping[str, JSON]:
        after: MiningState = step.state
        record = after.last
        spent, drawn = _stamina_spent(step.actions)
        own_kinds = {kind: sum(by[kind] for seat, by in spent.items() if seat not in drawn) for kind in KINDS}
        own_seats = config.miners - len(drawn)
        budget = sum(after.stamina)
        used = sum(sum(by.values()) for by in spent.values())
        raids = sum(len(raid.raiders) for raid in record.raids)
        captures = sum(raid.outcome == "taken" for raid in record.raids)
        claims = sum(len(claim.claimants) for claim in record.claims)
        raided = {raid.plot for raid in record.raids}
        triggered = sum(plot in raided for plot in record.defended)
        owned = len(before.owners) - before.owners.count(NOBODY)
        turnovers = _turnovers(before.owners, after.owners)
        lost_mining, idle_defence = _in_vain(config, before, step.actions, raided, record)
        wasted = (raids - captures) + (claims - len(record.claims)) + lost_mining
        own_budget = sum(after.stamina[seat] for seat in range(config.miners) if seat not in drawn)
        own_used = sum(own_kinds.values())
        measured: dict[str, JSON] = {
            "output": record.output,
            "efficiency": ratio(record.output, bound(config.mine_cap, after.alpha)),
            "efficiency_reachable": ratio(record.output, reachable(config.mine_cap, after.alpha, after.stamina)),
            "claims": claims,
            "claims_won": len(record.claims),
            "raids": raids,
            "captures": captures,
            "defences": len(record.defended),
            "defences_triggered": triggered,
            "held": len(after.owners) - after.owners.count(NOBODY),
            "turnovers": turnovers,
            "turnover_rate": ratio(turnovers, owned),
            "raid_rate": ratio(own_kinds["raid"], own_seats),
            "raid_stamina_share": ratio(own_kinds["raid"], own_budget),
            "raid_success_rate": ratio(captures, raids),
            "defence_trigger_rate": ratio(triggered, len(record.defended)),
            "idle_rate": ratio(budget - used, budget),
            "wasted_rate": ratio(wasted, budget),
            "idle_defence_rate": ratio(idle_defence, budget),
            "gini": gini(after.gold),
            "hhi": hhi([size for size in _holdings(config, after.owners) if size]),
            "drawn_plans": len(drawn),
            "treasury": after.treasury,
            "owners": after.owners,
        }
        for kind in KINDS:
            measured[f"share_{kind}"] = ratio(own_kinds[kind], own_used)
        counts = {
            "owned_at_start": owned,
            "own_raids": own_kinds["raid"],
            "own_seats": own_seats,
            "own_stamina": own_budget,
            "stamina": budget,
            "spent": used,
            "wasted": wasted,
            "idle_defence": idle_defence,
            **{f"spent_{kind}": own_kinds[kind] for kind in KINDS},
            **_exposures(before, record, drawn),
        }
        measured["respect"] = _kept(counts["violations"], counts["exposures"])
        measured["counts"] = counts
        return measured

    def summarise(self, config: MiningConfig, series: Series) -> Mapping[str, JSON]:
        total = _Totals(series)
        half = len(series) // 2
        result: dict[str, JSON] = {
            "output": mean([row["output"] for row in series]),
            "output_total": total.sum("output"),
            "efficiency": mean([row["efficiency"] for row in series if row["efficiency"] is not None]),
            "efficiency_reachable": mean(
                [row["efficiency_reachable"] for row in series if row["efficiency_reachable"] is not None]
            ),
            "turnover_rate": total.ratio("turnovers", "owned_at_start"),
            "ownership_losses": total.sum("turnovers"),
            "half_life": half_life(total.sum("turnovers"), total.sum("owned_at_start")),
            "half_life_survival": kaplan_meier_median(spells([row["owners"] for row in series])),
            "raid_rate": total.ratio("own_raids", "own_seats"),
            "raid_stamina_share": total.ratio("own_raids", "own_stamina"),
            "raid_success_rate": total.ratio("captures", "raids"),
            "defence_trigger_rate": total.ratio("defences_triggered", "defences"),
            "idle_rate": ratio(total.sum("stamina") - total.sum("spent"), total.sum("stamina")),
            "wasted_rate": total.ratio("wasted", "stamina"),
            "idle_defence_rate": total.ratio("idle_defence", "stamina"),
            "gini": series[-1]["gini"] if series else None,
            "hhi": series[-1]["hhi"] if series else None,
            "drawn_plans": total.sum("drawn_plans"),
        }
        used = sum(total.sum(f"spent_{kind}") for kind in KINDS)
        for kind in KINDS:
            result[f"share_{kind}"] = ratio(total.sum(f"spent_{kind}"), used)
        result["respect"] = _kept(total.sum("violations"), total.sum("exposures"))
        for name, _, _ in AGES:
            result[f"respect_{name}"] = _kept(total.sum(f"violations_{name}"), total.sum(f"exposures_{name}"))
        for name in HALVES:
            first, second = _mean_of(series[:half], name), _mean_of(series[half:], name)
            result[f"{name}_first_half"], result[f"{name}_second_half"] = first, second
            result[f"{name}_change"] = None if first is None or second is None else second - first
        return result

    def about(self) -> Mapping[str, str]:
        texts = dict(ABOUT)
        for kind in KINDS:
            texts[f"share_{kind}"] = f"stamina spent on {kind} / stamina spent, own plans only; 0 to 1"
        for name, youngest, oldest in AGES:
            ages = f"{youngest} to {int(oldest)}" if oldest < float("inf") else f"{youngest} and more"
            texts[f"respect_{name}"] = f"as respect, of plots held for {ages} rounds; None if there were none"
        for name in HALVES:
            texts[f"{name}_first_half"] = f"mean of {name} by round over rounds 1 to R/2; None if never defined"
            texts[f"{name}_second_half"] = f"mean of {name} by round over the rounds after R/2; None if never defined"
            texts[f"{name}_change"] = f"{name}_second_half - {name}_first_half; below 0: it fell"
        return texts


ABOUT: Final[Mapping[str, str]] = {
    "output": "mean gold mined per round by all together; 0 up to the land's bound; higher: more produced",
    "output_total": "gold mined in the run by all together",
    "efficiency": "mean of output / (sum of productivity x mining cap), 300 at the baseline; None on barren land",
    "efficiency_reachable": "mean of output / what the stamina of all can mine at most; 0 to 1; None if that is 0",
    "turnover_rate": "plots that went from one owner to another / plots owned at round starts; None if none is owned",
    "ownership_losses": "how often a plot went from one owner to another, from round start to round end",
    "half_life": "ln(1/2) / ln(1 - h) rounds, h = ownership losses / owned plot-rounds; None if none was lost",
    "half_life_survival": "Kaplan-Meier median of possessions in rounds, censored at the horizon; None if not reached",
    "raid_rate": "raids / miner-rounds, own plans only; 0 up to the stamina; higher: more conflict",
    "raid_stamina_share": "stamina on raids / stamina available, own plans only; 0 to 1",
    "raid_success_rate": "captures / raids carried out, each contender counted; 0 to 1; None without raids",
    "defence_trigger_rate": "defended plots that were raided / defended plots; 0 to 1; None without defences",
    "idle_rate": "(stamina - stamina spent) / stamina; 0 to 1; None without stamina",
    "wasted_rate": "(failed raids + lost claims + mining on lost plots) / stamina; 0 to 1",
    "idle_defence_rate": "points of defence on plots that nobody raided / stamina; 0 to 1",
    "gini": "Gini of gold over all miners at the end; 0 all equal, (N-1)/N one has all; 0 if there is none",
    "hhi": "sum of squared shares of owned plots at the end; 1/N equal, 1 one owner; None if none is owned",
    "drawn_plans": "plans that the seed drew in place of answers that could not be used",
    "respect": "1 - raided / exposed plots that are still their first possessor's at a round's start; None if none was",
}


@dataclass(frozen=True, slots=True)
class _Totals:
    series: Series

    def sum(self, name: str) -> int:
        return sum(row[name] if name in row else row["counts"][name] for row in self.series)

    def ratio(self, part: str, whole: str) -> float | None:
        return ratio(self.sum(part), self.sum(whole))


def _mean_of(series: Series, name: str) -> float | None:
    return mean([row[name] for row in series if row[name] is not None])


def _kept(violations: int, exposures: int) -> float | None:
    return 1 - violations / exposures if exposures else None


def _stamina_spent(plans: Mapping[Seat, Plan]) -> tuple[dict[Seat, dict[str, int]], set[Seat]]:
    """Stamina by seat and action, and the seats whose plan was drawn."""
    spent: dict[Seat, dict[str, int]] = {}
    drawn = set()
    for seat, plan in plans.items():
        by = spent[seat] = dict.fromkeys(KINDS, 0)
        for item in plan.items:
            if isinstance(item, Item):
                by[item.type] += item.s
        if plan.origin == "drawn":
            drawn.add(seat)
    return spent, drawn


def _holdings(config: MiningConfig, owners: Sequence[Seat]) -> list[int]:
    sizes = [0] * config.miners
    for owner in owners:
        if owner != NOBODY:
            sizes[owner] += 1
    return sizes


def _turnovers(before: Sequence[Seat], after: Sequence[Seat]) -> int:
    return sum(old not in (new, NOBODY) for old, new in zip(before, after, strict=True))


def _in_vain(
    config: MiningConfig, before: MiningState, plans: Mapping[Seat, Plan], raided: set[int], record: RoundRecord
) -> tuple[int, int]:
    """Stamina mined on plots that were lost before, and points of defence on plots that nobody raided."""
    taken = {raid.plot for raid in record.raids if raid.outcome == "taken"}
    lost = idle = 0
    if not taken and not record.defended:
        return 0, 0
    for plan in plans.values():
        for item in plan.items:
            if isinstance(item, Item) and item.type in ("mine", "defend"):
                plot = item.cell[0] * config.cols + item.cell[1]
                if item.type == "mine":
                    lost += item.s * (plot in taken)
                else:
                    idle += item.s * (plot not in raided)
    return lost, idle


def _exposures(before: MiningState, record: RoundRecord, drawn: set[Seat]) -> dict[str, int]:
    """Exposures and violations of first possession, in all and by age. One plot and round is one exposure."""
    raided = {raid.plot for raid in record.raids if not drawn.issuperset(raid.raiders)}
    now = before.round + 1
    counts: dict[str, int] = dict.fromkeys(("exposures", "violations"), 0)
    for name, _, _ in AGES:
        counts[f"exposures_{name}"] = counts[f"violations_{name}"] = 0
    for plot, (owner, first) in enumerate(zip(before.owners, before.first, strict=True)):
        if owner == NOBODY or owner != first:
            continue
        age = now - before.since[plot]
        name = AGES[bisect_right(YOUNGEST, age) - 1][0]
        counts["exposures"] += 1
        counts[f"exposures_{name}"] += 1
        if plot in raided:
            counts["violations"] += 1
            counts[f"violations_{name}"] += 1
    return counts


def spells(owners: Sequence[Sequence[Seat]]) -> list[tuple[int, bool]]:
    """Every possession of a run as (rounds held, whether it ended), from the owners after each round."""
    found: list[tuple[int, bool]] = []
    if not owners:
        return found
    for plot in range(len(owners[0])):
        holder, start = NOBODY, 0
        for round_, row in enumerate(owners, 1):
            owner = row[plot]
            if owner == holder:
                continue
            if holder != NOBODY:
                found.append((round_ - start, True))
            holder, start = owner, round_
        if holder != NOBODY:
            found.append((len(owners) - start, False))
    return found


METRICS = MiningMetrics()
