"""The source's metrics, per round and per run. Undefined is None.

Plans that were drawn by rationalisation are nobody's conduct: the norm metrics (raid rate, action shares, respect for
first possession) leave out their seats. What happens to plots and gold counts whoever planned it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.land import bound, reachable
from games.catalog.mining.state import KINDS, NOBODY, Item, MiningState, Plan, RoundRecord
from games.core.answers import JSON
from games.core.game import Seat, Step
from games.core.measures import gini, half_life, hhi, kaplan_meier_median, mean, ratio

AGES: Final = (("1_5", 1, "1 to 5"), ("6_20", 6, "6 to 20"), ("21_up", 21, "21 and more"))
"""Bins of how many rounds a plot has been held: name, youngest, and what the bin holds."""
YOUNGEST: Final = tuple(youngest for _, youngest, _ in AGES)
RATIOS: Final = {
    "turnover_rate": ("turnovers", "owned_at_start"),
    "raid_rate": ("own_raids", "own_seats"),
    "raid_stamina_share": ("own_raids", "own_stamina"),
    "raid_success_rate": ("captures", "raids"),
    "defence_trigger_rate": ("defences_triggered", "defences"),
    "wasted_rate": ("wasted", "stamina"),
    "idle_defence_rate": ("idle_defence", "stamina"),
}
"""Measures that are a part of a whole: of a round's counts, or of their sums over a run."""
HALVES: Final = ("turnover_rate", "raid_rate", "output", *(f"share_{kind}" for kind in KINDS))
"""Measures whose second half of the horizon is compared with the first."""
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
    **{f"share_{kind}": f"stamina spent on {kind} / stamina spent, own plans only; 0 to 1" for kind in KINDS},
    "respect": "1 - raided / plots of their first possessor that another could raid at a round's start, with stamina "
    "that it left idle or spent on raids; None without such an occasion",
    **{
        f"respect_{name}": f"as respect, of plots held for {ages} rounds; None if there were none"
        for name, _, ages in AGES
    },
    **{
        f"{name}_{part}": text.format(name=name)
        for name in HALVES
        for part, text in (
            ("first_half", "mean of {name} by round over rounds 1 to R/2; None if never defined"),
            ("second_half", "mean of {name} by round over the rounds after R/2; None if never defined"),
            ("change", "{name}_second_half - {name}_first_half; below 0: it fell"),
        )
    },
}
"""Formula, range and what higher means, in the order in which a run's measures are given."""

Series = Sequence[Mapping[str, Any]]


class MiningMetrics:
    """See `ABOUT` for each formula. ``counts`` holds what a run's ratios are made from, ``owners`` the owner vector."""

    def measure(self, config: MiningConfig, before: MiningState, step: Step[MiningState, Plan]) -> Mapping[str, JSON]:
        after: MiningState = step.state
        record = after.last
        drawn = {seat for seat, plan in step.actions.items() if plan.origin == "drawn"}
        raided = {raid.plot for raid in record.raids}
        sizes = Counter(after.owners)
        unowned = sizes.pop(NOBODY, 0)
        spent, own, ready, lost_mining, idle_defence = _stamina(config, step.actions, drawn, raided, after)
        tallies = {
            "claims": record.claim_count,
            "claims_won": len(record.claims),
            "raids": record.raid_count,
            "captures": record.capture_count,
            "defences": len(record.defended),
            "defences_triggered": sum(plot in raided for plot in record.defended),
            "turnovers": _turnovers(before.owners, after),
            "drawn_plans": len(drawn),
        }
        in_vain = tallies["raids"] - tallies["captures"] + tallies["claims"] - tallies["claims_won"]
        counts = {
            "owned_at_start": len(before.owners) - before.owners.count(NOBODY),
            "own_raids": own["raid"],
            "own_seats": config.miners - len(drawn),
            "own_stamina": sum(after.stamina) - sum([after.stamina[seat] for seat in sorted(drawn)]),
            "stamina": sum(after.stamina),
            "spent": spent,
            "wasted": in_vain + lost_mining,
            "idle_defence": idle_defence,
            **{f"spent_{kind}": own[kind] for kind in KINDS},
            **_exposures(before, record, drawn, ready),
        }
        cap, alpha = config.mine_cap, after.alpha
        return measures_of(
            record.output, bound(cap, alpha), reachable(cap, alpha, after.stamina), tallies, counts,
            len(after.owners) - unowned, gini(after.gold), hhi(list(sizes.values())), after.treasury, after.owners,
        )  # fmt: skip

    def summarise(self, config: MiningConfig, series: Series) -> Mapping[str, JSON]:
        counts = [row["counts"] for row in series]

        def total(name: str) -> int:
            return sum([row[name] for row in (counts if counts and name in counts[0] else series)])

        half = len(series) // 2
        result: dict[str, JSON] = {
            **{name: _mean_of(series, name) for name in ("output", "efficiency", "efficiency_reachable")},
            "output_total": total("output"),
            "ownership_losses": total("turnovers"),
            "half_life": half_life(total("turnovers"), total("owned_at_start")),
            "half_life_survival": kaplan_meier_median(spells([row["owners"] for row in series])),
            "gini": series[-1]["gini"] if series else None,
            "hhi": series[-1]["hhi"] if series else None,
            "drawn_plans": total("drawn_plans"),
            **_ratios(total),
        }
        for name, _, _ in AGES:
            result[f"respect_{name}"] = _respect(total(f"violations_{name}"), total(f"exposures_{name}"))
        for name in HALVES:
            first, second = _mean_of(series[:half], name), _mean_of(series[half:], name)
            result[f"{name}_first_half"], result[f"{name}_second_half"] = first, second
            result[f"{name}_change"] = None if first is None or second is None else second - first
        return {name: result[name] for name in ABOUT}

    def about(self) -> Mapping[str, str]:
        return ABOUT


def measures_of(
    output: Any, most: Any, within_reach: Any, tallies: Mapping[str, Any], counts: Mapping[str, Any], held: Any,
    inequality: Any, concentration: Any, treasury: Any, owners: Any, ratio: Callable[[Any, Any], Any] = ratio,
) -> dict[str, Any]:  # fmt: skip
    """A round's measures, from what was counted in it; ``most`` and ``within_reach`` bound the output.

    All may be columns; ``ratio`` makes one of two then, with NaN where it is undefined.
    """
    return {
        "output": output,
        "efficiency": ratio(output, most),
        "efficiency_reachable": ratio(output, within_reach),
        **tallies,
        **_ratios({**tallies, **counts}.__getitem__, ratio),
        "held": held,
        "gini": inequality,
        "hhi": concentration,
        "treasury": treasury,
        "owners": owners,
        "counts": counts,
    }


def _ratios(count: Callable[[str], Any], ratio: Callable[[Any, Any], Any] = ratio) -> dict[str, Any]:
    """The measures that are ratios, of counts by name."""
    used = sum(count(f"spent_{kind}") for kind in KINDS)
    return {
        **{name: ratio(count(part), count(whole)) for name, (part, whole) in RATIOS.items()},
        **{f"share_{kind}": ratio(count(f"spent_{kind}"), used) for kind in KINDS},
        "idle_rate": ratio(count("stamina") - count("spent"), count("stamina")),
        "respect": _respect(count("violations"), count("exposures"), ratio),
    }


def _mean_of(series: Series, name: str) -> float | None:
    return mean([row[name] for row in series if row[name] is not None])


def _respect(violations: Any, exposures: Any, ratio: Callable[[Any, Any], Any] = ratio) -> Any:
    broken = ratio(violations, exposures)
    return None if broken is None else 1 - broken


def _turnovers(before: Sequence[Seat], after: MiningState) -> int:
    """Plots that went from one owner to another: raids alone do that."""
    taken = [raid.plot for raid in after.last.raids if raid.outcome == "taken"]  # a plot once a round
    return len([plot for plot in taken if before[plot] not in (after.owners[plot], NOBODY)])


def _stamina(
    config: MiningConfig, plans: Mapping[Seat, Plan], drawn: set[Seat], raided: set[int], after: MiningState
) -> tuple[int, dict[str, int], set[Seat], int, int]:
    """Stamina spent; by kind of own plans; who left some of it idle or raided with it; mined on plots that were lost
    before; in defence where nobody raided.
    """
    taken = {raid.plot for raid in after.last.raids if raid.outcome == "taken"}
    own: dict[str, int] = dict.fromkeys(KINDS, 0)
    others = dict(own)
    ready = set()
    lost = idle = 0
    for seat, plan in plans.items():
        spent, left = others if seat in drawn else own, after.stamina[seat]
        for item in plan.items:
            if item.__class__ is not Item:
                continue
            kind, s = item.type, item.s
            spent[kind] += s
            if kind != "raid":
                left -= s
            if kind == "mine":
                if taken and item.cell[0] * config.cols + item.cell[1] in taken:
                    lost += s
            elif kind == "defend" and item.cell[0] * config.cols + item.cell[1] not in raided:
                idle += s
        if left > 0 and spent is own:
            ready.add(seat)
    return sum(own.values()) + sum(others.values()), own, ready, lost, idle


def _exposures(before: MiningState, record: RoundRecord, drawn: set[Seat], ready: set[Seat]) -> dict[str, int]:
    """Exposures and violations of first possession, in all and by age. One plot and round is one exposure, where it may
    be raided and another than its owner is ready to: has stamina that it leaves idle, or spends on raids.
    """
    raided = {raid.plot for raid in record.raids if not drawn.issuperset(raid.raiders)}
    now, since = before.round + 1, before.since
    others = len(ready) > 1
    exposed = [
        plot
        for plot, (owner, first) in enumerate(zip(before.owners, before.first, strict=True))
        if owner == first and owner != NOBODY and before.immune_until[plot] <= before.round
        if others or (ready and owner not in ready)
    ]
    counts: dict[str, int] = {}
    for name, plots in (("exposures", exposed), ("violations", [plot for plot in exposed if plot in raided])):
        ages = sorted([now - since[plot] for plot in plots])
        starts = [*(bisect_left(ages, youngest) for youngest in YOUNGEST), len(ages)]
        counts[name] = len(ages)
        for (age, _, _), start, end in zip(AGES, starts, starts[1:], strict=False):
            counts[f"{name}_{age}"] = end - start
    return counts


def spells(owners: Sequence[Sequence[Seat]]) -> list[tuple[int, bool]]:
    """Every possession of a run as (rounds held, whether it ended), from the owners after each round."""
    if not owners:
        return []
    held = np.array(owners).T
    plots, starts = np.nonzero(np.diff(held, prepend=NOBODY))
    is_last = np.append(plots[1:] != plots[:-1], True)
    ends = np.where(is_last, held.shape[1] - 1, np.append(starts[1:], 0))
    by_somebody = held[plots, starts] != NOBODY
    lengths, ended = (ends - starts)[by_somebody], ~is_last[by_somebody]
    return list(zip(lengths.tolist(), ended.tolist(), strict=True))


METRICS = MiningMetrics()
