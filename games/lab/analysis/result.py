"""An experiment's answer: everything that its report and its page show, as one value and as plain JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from pydantic import WithJsonSchema

from games.core.conduct import UNSOUND
from games.core.rng import Rng
from games.lab.analysis.comparing import Compared, Elsewhere, compared, times_of
from games.lab.analysis.intervals import Description, bootstrap, describe
from games.lab.analysis.multiverse import Choice, choices
from games.lab.analysis.plan import Plan, Reference
from games.lab.analysis.ranking import Standings, entrant_values, standings
from games.lab.analysis.references import Held, held
from games.lab.analysis.runs import Halves, LeftOut, NotOwn, Run, by_condition, halves, not_own, sort_out
from games.lab.analysis.sensitivity import Swept, swept
from games.lab.analysis.survival import Curve, kaplan_meier
from games.lab.analysis.trends import Band, band
from games.lab.wire.plainjson import decoded, encoded

BOOTSTRAP_SEED = 1
UNLESS_ASKED: Final = ("references", "sensitivity", "multiverse", "everything")
"""Keys that `Result.plain` leaves out where there is nothing under them, of the plan too."""


@dataclass(frozen=True, slots=True)
class HalvesRow:
    """A measure's means over the first and the second half of one run's rounds."""

    condition: str
    replicate: int
    seed: int
    metric: str
    halves: Halves


@dataclass(frozen=True, slots=True)
class Result:
    """What the runs say of what was declared. Mappings go by condition, then by measure.

    ``runs``        those that count; ``left_out`` those that do not, with the reason
    ``not_own``     by condition, of all runs: how much of them their seats did not decide themselves
    ``references``  numbers of the game's source beside what was measured
    ``everything``  the same of all runs, those left out too; None where none was
    ``elsewhere``   by family, the p of other experiments' tests that are corrected together with its own
    ``sensitivity`` what each measure that was asked depends on
    ``multiverse``  by hypothesis, its first test under every defensible choice
    ``bootstraps``  the means' bootstrap intervals, where they were asked for
    """

    plan: Plan
    runs: Annotated[tuple[Run, ...], WithJsonSchema({"type": "integer"})]
    left_out: tuple[LeftOut, ...]
    not_own: Mapping[str, NotOwn]
    summaries: Mapping[str, Mapping[str, Description]]
    bootstraps: Mapping[str, Mapping[str, tuple[float, float] | None]]
    comparisons: tuple[Compared, ...]
    halves: tuple[HalvesRow, ...]
    bands: Mapping[str, Mapping[str, Band]]
    curves: Mapping[str, Mapping[str, Curve]]
    standings: Standings | None
    references: tuple[Held, ...] = ()
    everything: Annotated[Result | None, WithJsonSchema({"type": ["object", "null"], "default": None})] = None
    elsewhere: Elsewhere = field(default_factory=dict)
    sensitivity: tuple[Swept, ...] = ()
    multiverse: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """As JSON: numbers, texts and None. The single runs are left to whoever keeps them."""
        told: dict[str, Any] = decoded(encoded(dataclasses.replace(self, runs=(), everything=None)))
        told["runs"] = len(self.runs)
        if not self.references:
            del told["references"], told["plan"]["references"]
        for name in ("sensitivity", "multiverse"):
            if not told[name]:
                del told[name], told["plan"][name]
        return told if self.everything is None else {**told, "everything": self.everything.plain()}


def analyse(plan: Plan, runs: Sequence[Run], elsewhere: Elsewhere | None = None) -> Result:
    """The answer of the runs to the plan. The order of the runs changes nothing.

    ``elsewhere``  by family, the p of its tests in other experiments on the same question, that are corrected together
    """
    order = {name: number for number, name in enumerate(plan.conditions)}
    placed = sorted(runs, key=lambda run: (order.get(run.condition, len(order)), run.condition, run.replicate))
    most = plan.leave_out.get("not_own", UNSOUND)
    kept, out = sort_out(placed, plan.leave_out)
    replicates = sorted({run.replicate for run in placed})
    there = by_condition(kept, plan.conditions)
    names = plan.metrics or tuple(dict.fromkeys(name for run in placed for name in run.metrics))
    summaries = {
        condition: {name: describe([run.metrics.get(name) for run in found.values()]) for name in names}
        for condition, found in there.items()
    }
    return Result(
        plan,
        tuple(kept),
        tuple(out),
        {name: not_own(list(found.values()), most) for name, found in by_condition(placed, plan.conditions).items()},
        summaries,
        {
            condition: {
                name: bootstrap(
                    [run.metrics.get(name) for run in found.values()],
                    Rng.root(BOOTSTRAP_SEED).at(condition).at(name),
                )
                for name in names
            }
            for condition, found in (there.items() if plan.bootstrap else ())
        },
        tuple(compared(plan, there, replicates, elsewhere)),
        tuple(
            HalvesRow(run.condition, run.replicate, run.seed, name, halves(run.rounds[name]))
            for run in kept
            for name in plan.round_metrics()
            if name in run.rounds
        ),
        {
            condition: {
                name: band([run.rounds[name] for run in found.values() if name in run.rounds]) for name in plan.trends
            }
            for condition, found in there.items()
        },
        {
            condition: {name: kaplan_meier(times_of(plan, name, found)) for name in plan.times}
            for condition, found in there.items()
        },
        None if plan.robin is None else standings(plan.robin, kept),
        tuple(held(one, _values(plan, one, there, kept)) for one in plan.references),
        None if len(kept) == len(placed) else analyse(_of_all(plan), placed, elsewhere),
        elsewhere or {},
        () if plan.sensitivity is None else tuple(swept(plan.sensitivity, _means(summaries))),
        {
            name: tuple(choices(plan, one, metrics, placed))
            for name, metrics in plan.multiverse.items()
            for one in [next(one for one in plan.comparisons if one.hypothesis == name)]
        },
    )


def _means(summaries: Mapping[str, Mapping[str, Description]]) -> dict[str, dict[str, float | None]]:
    return {condition: {name: one.mean for name, one in told.items()} for condition, told in summaries.items()}


def _values(
    plan: Plan, asked: Reference, there: Mapping[str, Mapping[int, Run]], runs: Sequence[Run]
) -> list[float | None]:
    """What is held against a number of the source: one value a run of its condition, or a replicate of an entrant."""
    if plan.robin is not None and asked.condition in plan.robin.entrants:
        return entrant_values(plan.robin, runs, asked.condition, asked.metric)
    return [run.metrics.get(asked.metric) for run in there[asked.condition].values()]


def _of_all(plan: Plan) -> Plan:
    """The plan by which every run counts."""
    return dataclasses.replace(plan, leave_out={"not_own": 1.0}, multiverse={})
