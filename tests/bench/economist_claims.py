"""What the economist's source claims, over many seeds: ``python -m tests.bench.economist_claims [SEEDS [CLAIM...]]``.

Prints the rows of its rule sheet: means with Student's 95% intervals over seeds, presets as they stand unless a row
says more.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from games.core.agents import deciding
from games.core.engine import play
from games.lab.analysis.intervals import describe
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load

Row = tuple[str, str]
DETECTOR: Final = ("collusion_precision", "collusion_base_rate", "collusion_recall", "total_catches")
FLAT: Final = {"taxation": {"brackets": [[0, 0.2], [10, 0.2], [25, 0.2], [50, 0.2]]}}


def interval(values: Sequence[float | None]) -> str:
    """Mean and half of its interval."""
    sample = describe(values)
    if sample.mean is None:
        return "–"
    return f"{sample.mean:.3f}" if sample.half is None else f"{sample.mean:.3f} ± {sample.half:.3f}"


def runs(preset: str, seeds: Sequence[int], more: Mapping[str, Any] | None = None) -> Iterator[Mapping[str, Any]]:
    """A preset's runs, parts of its config replaced: a run's measures; houses and final coin by policy (means)."""
    scenario = load(f"economist/{preset}", extra=[Layer("claims", config=more or {})])
    pack, condition = scenario.pack, scenario.conditions[0]
    members = Counter(agent.policy for agent in condition.seats[:-1])
    for seed in seeds:
        seats = {seat: deciding(pack.policies[a.policy].bind(a.params)) for seat, a in enumerate(condition.seats)}
        steps = list(play(pack.game, condition.config, seed, seats))
        series = [pack.metrics.measure(condition.config, before.state, step) for before, step in pairwise(steps)]
        held: dict[str, Counter[str]] = {"houses": Counter(), "coin": Counter()}
        workers = steps[-1].state.workers
        for agent, houses, coin in zip(condition.seats[:-1], workers.built, workers.coin, strict=True):
            held["houses"][agent.policy] += houses / members[agent.policy]
            held["coin"][agent.policy] += coin / 1e6 / members[agent.policy]
        yield {**pack.metrics.summarise(condition.config, series), **held}


def measured(preset: str, metrics: Sequence[str], seeds: Sequence[int]) -> Iterator[Row]:
    """Metrics of a preset's runs."""
    played = list(runs(preset, seeds))
    for metric in metrics:
        yield f"{preset}: {metric}", interval([run[metric] for run in played])


def by_policy(name: str, played: Iterator[Mapping[str, Any]]) -> dict[str, list[float]]:
    """``houses`` or ``coin`` of each policy's workers, a value a run."""
    values: dict[str, list[float]] = defaultdict(list)
    for run in played:
        for policy, value in run[name].items():
            values[policy].append(value)
    return values


def population(seeds: Sequence[int]) -> Iterator[Row]:
    """What the default population trades, builds and ends with."""
    yield from measured("default", ("trades_per_epoch", "total_houses_built", "gini_coefficient"), seeds)
    for name in ("houses", "coin"):
        for policy, values in by_policy(name, runs("default", seeds)).items():
            yield f"default: {name} of {policy}", interval(values)


def progressive(seeds: Sequence[int]) -> Iterator[Row]:
    """Top less bottom rate at the end, of the first schedule and of a flat one, by planner."""
    for preset, planner in (("default", "heuristic"), ("bandit", "bandit"), ("saez", "saez")):
        for start, more in (("0.10 to 0.45", None), ("flat 0.2", FLAT)):
            gaps = [run["top_rate"] - run["bottom_rate"] for run in runs(preset, seeds, more)]
            yield f"{planner} from {start}: top less bottom", interval(gaps)


def adversaries(presets: Sequence[str], seeds: Sequence[int]) -> Iterator[Row]:
    """Final coin by policy, each adversary alone among honest workers."""
    for preset in presets:
        for policy, values in by_policy("coin", runs(preset, seeds)).items():
            yield f"{preset}: coin of {policy}", interval(values)


def audits(seeds: Sequence[int]) -> Iterator[Row]:
    """Final coin of the evasive and the honest, by base chance of an audit."""
    for chance in (0.0, 0.2, 0.5, 0.8):
        coin = by_policy("coin", runs("audit-sweep", seeds, {"misreporting": {"audit_probability": chance}}))
        gaps = [evasive - honest for evasive, honest in zip(coin["evasive"], coin["honest"], strict=True)]
        for what, values in (*coin.items(), ("evasive less honest", gaps)):
            yield f"audits at {chance}: coin of {what}", interval(values)


CLAIMS: Final[Mapping[str, Callable[[Sequence[int]], Iterator[Row]]]] = {
    "population": population,
    "progressive": progressive,
    "audits": audits,
    "detector": lambda seeds: measured("default", DETECTOR, seeds),
    "evasion": lambda seeds: adversaries(("gaming", "evasive"), seeds),
}


def main(given: Sequence[str]) -> int:
    """Print the rows of the claims named, of all if none is; 2 with a line where an argument cannot be used."""
    count = given[0] if given else "20"
    unknown = [name for name in given[1:] if name not in CLAIMS]
    if not count.isdigit() or not int(count) or unknown:
        wrong = f"claim {unknown[0]!r}; one of {', '.join(CLAIMS)}" if unknown else f"seeds: {count}; 1 or more"
        sys.stderr.write(wrong + "\n")
        return 2
    for name in given[1:] or CLAIMS:
        for label, value in CLAIMS[name](range(1, int(count) + 1)):
            sys.stdout.write(f"{name}: {label}: {value}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
