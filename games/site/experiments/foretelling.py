"""What is to be expected of a design before it starts: who sits where, calls, money and time of a run by condition, and
the smallest difference that its seeds would show. Nobody is called; what cannot be known is None.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median, variance
from typing import Any, Final, Literal

from agents_app.estimating import Estimate, summed
from games.core.codec import config_hash
from games.lab.analysis.plan import Comparison, Plan
from games.lab.analysis.power import power_curve, smallest_difference
from games.lab.analysis.proportions import counted
from games.lab.analysis.sequential import FIRST, rules_compared
from games.lab.scenarios.costing import estimate_condition
from games.lab.scenarios.naming import agent_label
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import ModelSeat
from games.site.models import Call, Run, RunStatus

RUNS_MOST: Final = 400
"""Of the finished runs that are like a condition's, the latest that are read."""
SIMULATED_MOST: Final = 500
"""Seeds up to which stopping rules are simulated."""
CALLS_MOST: Final = 200
"""Of a model's answered calls, the latest by which its latency is told."""

Known = tuple[float, Literal["runs", "calls"], int]
"""Seconds of a run, what they are known from, and from how many of these."""


@dataclass(frozen=True, slots=True)
class Kin:
    """Finished runs that are like one condition's: the same settings, and the same agents in the same seats.

    ``metrics``  of each seed once, for the same seed tells nothing more
    ``seconds``  that each took, of those without a pace
    """

    metrics: Sequence[Mapping[str, Any]] = ()
    seconds: Sequence[float] = ()


def foretold(loaded: Scenario, assumed: Mapping[str, float]) -> dict[str, Any]:
    """By condition, of all runs, and of each declared comparison; ``assumed``: standard deviations by measure."""
    likely = {one.name: estimate_condition(loaded, one, loaded.seeds_of(one)[0]) for one in loaded.conditions}
    kin = kin_of(loaded)
    latencies = _latencies(loaded)
    has_models = any(isinstance(seat, ModelSeat) for one in loaded.conditions for seat in one.seats)
    whole = summed((len(loaded.seeds_of(one)), likely[one.name]) for one in loaded.conditions)
    return {
        "expected": [_expected(loaded, one, likely[one.name], kin[one.name], latencies) for one in loaded.conditions],
        "estimate": {**_plain(whole), "exceeds": []} if has_models else None,
        "power": _power(loaded, kin, assumed),
        "rules": _rules(loaded),
    }


def _plain(found: Estimate) -> dict[str, Any]:
    return {**asdict(found), "usd": None if found.usd is None else float(found.usd)}


# --- a condition --------------------------------------------------------------------------------------


def _expected(
    loaded: Scenario, one: Condition, likely: Estimate, kin: Kin, latencies: Mapping[str, tuple[float, int]]
) -> dict[str, Any]:
    known = _time(one, likely, kin, latencies)
    return {
        "name": one.name,
        "seated": _seated(loaded, one),
        "runs": len(loaded.seeds_of(one)),
        "calls": likely.calls,
        "usd": None if likely.usd is None else float(likely.usd),
        "unpriced": list(likely.unpriced),
        "seconds": None if known is None else known[0],
        "seconds_by": None if known is None else known[1],
        "seconds_of": 0 if known is None else known[2],
    }


def _seated(loaded: Scenario, one: Condition) -> list[dict[str, Any]]:
    """Who plays, each with its seats, in the order of their first."""
    seats: dict[tuple[str, str], list[int]] = defaultdict(list)
    for seat, agent in enumerate(one.seats):
        label = agent_label(loaded.pack, one.config, agent.plain())
        seats[label, agent.kind].append(seat)
    return [{"agent": label, "kind": kind, "seats": taken} for (label, kind), taken in seats.items()]


def _time(one: Condition, likely: Estimate, kin: Kin, latencies: Mapping[str, tuple[float, int]]) -> Known | None:
    """How long a run takes: as long as its like took, or as long as its models were seen to think."""
    if any(seat.kind in ("person", "program") for seat in one.seats):
        return None
    if kin.seconds:
        return median(kin.seconds), "runs", len(kin.seconds)
    models = _called(one)
    if not models or likely.waves is None or not all(model in latencies for model in models):
        return None
    if any(seat.profile.batch is not None for seat in one.seats if isinstance(seat, ModelSeat)):
        return None
    # Models of one turn are asked together, so that a wave of several takes as long as the slowest.
    slowest = max(latencies[model][0] for model in models)
    return likely.waves / len(models) * slowest, "calls", min(latencies[model][1] for model in models)


def _called(one: Condition) -> list[str]:
    named = (seat.profile.model for seat in one.seats if isinstance(seat, ModelSeat) and not seat.profile.is_mock)
    return list(dict.fromkeys(named))


def _latencies(loaded: Scenario) -> dict[str, tuple[float, int]]:
    """By model, the median seconds of its latest calls that were answered here, and how many these are."""
    found = {}
    for model in dict.fromkeys(model for one in loaded.conditions for model in _called(one)):
        made = Call.objects.filter(model=model, failure="", from_cache=False, batch="", latency_ms__gte=0)
        told = [
            each for each in made.order_by("-pk").values_list("latency_ms", flat=True)[:CALLS_MOST] if each is not None
        ]
        if told:
            found[model] = median(told) / 1000, len(told)
    return found


# --- runs that were played ----------------------------------------------------------------------------


def kin_of(loaded: Scenario) -> dict[str, Kin]:
    """By condition, the finished runs that are like its own, whichever scenario or experiment they belong to."""
    game = loaded.pack.game
    keys = {
        one.name: (config_hash(game, one.config), _agents(a.plain() for a in one.seats)) for one in loaded.conditions
    }
    rows = Run.objects.filter(
        game=game.slug,
        status=RunStatus.FINISHED,
        people={},
        parent=None,
        rules_version=game.rules_version,
        config_hash__in={digest for digest, _ in keys.values()},
    )
    by_key: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in rows.prefetch_related("seats").order_by("-ended")[:RUNS_MOST]:
        agents = _agents(seat.agent for seat in sorted(run.seats.all(), key=lambda seat: seat.index))
        by_key[run.config_hash, agents].append(run)
    return {name: _kin(by_key[key]) for name, key in keys.items()}


def _agents(told: Iterable[Mapping[str, Any]]) -> str:
    return json.dumps(list(told), sort_keys=True)


def _kin(runs: Sequence[Run]) -> Kin:
    by_seed = {run.seed: run.metrics or {} for run in reversed(runs)}
    took = [run.ended - run.started for run in runs if run.pace == 0 and run.ended and run.started]
    return Kin(list(by_seed.values()), [one.total_seconds() for one in took])


# --- what would be seen -------------------------------------------------------------------------------


def _power(loaded: Scenario, kin: Mapping[str, Kin], assumed: Mapping[str, float]) -> list[dict[str, Any]]:
    if loaded.experiment is None:
        return []
    plan = Plan.read(loaded.experiment.plain())
    return [_shown(plan, one, len(loaded.seeds), kin, assumed) for one in plan.comparisons if one.test != "log_rank"]


def _rules(loaded: Scenario) -> list[dict[str, Any]]:
    """What every stopping rule would do with so many seeds, at the difference that they show in 80 of 100 experiments
    that are looked at once; nothing where nothing is expected, or for more seeds than are simulated.
    """
    seeds = len(loaded.seeds)
    if loaded.experiment is None or not loaded.experiment.comparisons or not FIRST < seeds <= SIMULATED_MOST:
        return []
    plan = Plan.read(loaded.experiment.plain())
    alpha = plan.family(plan.comparisons[0].family).alpha
    effect = smallest_difference(1.0, seeds, alpha=alpha)
    return [] if effect is None else [asdict(one) for one in rules_compared(seeds, effect, alpha)]


def _shown(
    plan: Plan, one: Comparison, seeds: int, kin: Mapping[str, Kin], assumed: Mapping[str, float]
) -> dict[str, Any]:
    """One comparison. Nothing is known of what seeds have in common, so they are taken to have nothing: where they do,
    smaller differences are shown.
    """
    spread, by, n = _spread(one, kin, assumed)
    weight = math.sqrt(math.fsum(weight**2 for weight in one.weights.values()))
    smallest, curve = None, []
    if spread is not None:
        sd = spread if one.kind == "halves" else spread * (weight if plan.is_paired else weight / math.sqrt(2))
        is_paired = plan.is_paired or one.kind == "halves"
        design = (one.direction, is_paired, plan.family(one.family).alpha)
        smallest = smallest_difference(sd, seeds, *design)
        curve = power_curve(smallest, sd, seeds, *design)
    return {
        "hypothesis": one.hypothesis,
        "metric": one.metric,
        "kind": one.kind,
        "weights": dict(one.weights),
        "spread": spread,
        "spread_by": by,
        "spread_of": n,
        "smallest": smallest,
        "curve": [{"seeds": count, "share": share} for count, share in curve],
    }


def _spread(
    one: Comparison, kin: Mapping[str, Kin], assumed: Mapping[str, float]
) -> tuple[float | None, Literal["assumed", "runs"] | None, int]:
    """The standard deviation within a condition: as it is assumed, else of runs like those that are compared."""
    if one.metric in assumed:
        return assumed[one.metric], "assumed", 0
    if one.kind == "halves":  # of a measure by round, which runs keep no sum of
        return None, None, 0
    groups = [values for name in one.weights if len(values := _values(kin[name], one)) > 1]
    free = sum(len(values) - 1 for values in groups)
    if not free:
        return None, None, 0
    pooled = math.fsum((len(values) - 1) * variance(values) for values in groups) / free
    return math.sqrt(pooled), "runs", sum(map(len, groups))


def _values(kin: Kin, asked: Comparison) -> list[float]:
    """What is compared of each run; of proportions whether it counts."""
    told = (one.get(asked.metric) for one in kin.metrics)
    known = [float(value) for value in told if isinstance(value, int | float) and math.isfinite(value)]
    if asked.test != "proportion":
        return known
    return [share for value in known if (share := counted(value, asked.over)) is not None]
