"""Figures over many seeds: ``python -m games.catalog.economist.claims [SEEDS [CLAIM...]]`` prints the rule sheet's.

Means with 95% intervals (normal, over seeds). Every row is played anew; nothing is read from files.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from games.catalog.economist import PACK
from games.core.agents import Decider, deciding
from games.core.engine import play

SCENARIOS: Final = Path(__file__).parent / "scenarios"


def spread(values: Sequence[float]) -> str:
    """Mean and half of the 95% interval."""
    n = len(values)
    if not n:
        return "–"
    mean = math.fsum(values) / n
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1) / n) if n > 1 else 0.0
    return f"{mean:.3f} ± {1.96 * error:.3f}"


def played(name: str, seed: int, more: Mapping[str, Any] | None = None) -> tuple[Mapping[str, Any], Any, list[str]]:
    """One run of a preset, with parts of its config replaced: its measures, its last state, each worker's policy."""
    form = yaml.safe_load((SCENARIOS / f"{name}.yaml").read_text("utf-8"))
    given = {**form["config"]}
    for part, values in (more or {}).items():
        given[part] = {**given.get(part, {}), **values}
    config = PACK.game.config_type.model_validate(given)
    seats: dict[Any, Any] = form["seats"]
    who: list[str] = []
    deciders: dict[int, Decider] = {}
    for seat, spec in enumerate(PACK.game.seats(config)):
        one = seats.get(seat, seats.get(f"role:{spec.role}", {"policy": PACK.default_for(spec.role)}))
        deciders[seat] = deciding(PACK.policies[one["policy"]].bind(one.get("params")))
        who.append(one["policy"])
    before, series = None, []
    for step in play(PACK.game, config, seed, deciders):
        if before is not None:
            series.append(PACK.metrics.measure(config, before.state, step))
        before = step
    assert before is not None
    return PACK.metrics.summarise(config, series), before.state, who[:-1]


def by_policy(
    name: str, seeds: Sequence[int], more: Mapping[str, Any] | None = None
) -> tuple[dict[str, list[float]], ...]:
    """Mean houses and mean final coin of each policy's workers, a value a seed."""
    houses: dict[str, list[float]] = {}
    coin: dict[str, list[float]] = {}
    for seed in seeds:
        _, state, who = played(name, seed, more)
        for policy in dict.fromkeys(who):
            mine = [seat for seat, one in enumerate(who) if one == policy]
            houses.setdefault(policy, []).append(sum(state.workers.built[seat] for seat in mine) / len(mine))
            coin.setdefault(policy, []).append(sum(state.workers.coin[seat] for seat in mine) / len(mine) / 1e6)
    return houses, coin


Row = tuple[str, str]


def measured(name: str, metrics: Sequence[str], seeds: Sequence[int]) -> Iterator[Row]:
    """Metrics of a preset's runs."""
    runs = [played(name, seed)[0] for seed in seeds]
    for metric in metrics:
        yield f"{name}: {metric}", spread([run[metric] for run in runs if run[metric] is not None])


def population(seeds: Sequence[int]) -> Iterator[Row]:
    """What the default population trades, builds and ends with."""
    yield from measured("default", ("trades_per_epoch", "total_houses_built", "gini_coefficient"), seeds)
    houses, coin = by_policy("default", seeds)
    for policy in houses:
        yield f"default: houses, coin of {policy}", f"{spread(houses[policy])}, {spread(coin[policy])}"


def progressive(seeds: Sequence[int]) -> Iterator[Row]:
    """Top less bottom rate at the end, of the first schedule and of a flat one, by planner."""
    flat = {"taxation": {"brackets": [[0, 0.2], [10, 0.2], [25, 0.2], [50, 0.2]]}}
    for planner in ("default", "bandit", "saez"):
        for told, more in (("0.10 to 0.45", None), ("flat 0.2", flat)):
            runs = [played(planner, seed, more)[0] for seed in seeds]
            name = "heuristic" if planner == "default" else planner
            yield f"{name} from {told}: top less bottom", spread([run["top_rate"] - run["bottom_rate"] for run in runs])


def adversaries(names: Sequence[str], seeds: Sequence[int]) -> Iterator[Row]:
    """Final coin by policy, each adversary alone among honest workers."""
    for name in names:
        _, coin = by_policy(name, seeds)
        for policy, values in coin.items():
            yield f"{name}: coin of {policy}", spread(values)


def audits(seeds: Sequence[int]) -> Iterator[Row]:
    """Final coin of the evasive and the honest, by base chance of an audit."""
    for chance in (0.0, 0.2, 0.5, 0.8):
        _, coin = by_policy("audit-sweep", seeds, {"misreporting": {"audit_probability": chance}})
        less = [cheat - fair for cheat, fair in zip(coin["evasive"], coin["honest"], strict=True)]
        told = ", ".join(spread(values) for values in (coin["evasive"], coin["honest"], less))
        yield f"audits at {chance}: coin of evasive, honest, difference", told


DETECTOR: Final = ("collusion_precision", "collusion_base_rate", "collusion_recall", "total_catches")
CLAIMS: Final[Mapping[str, Callable[[Sequence[int]], Iterator[Row]]]] = {
    "population": population,
    "progressive": progressive,
    "cartels": lambda seeds: adversaries(("collusive",), seeds),
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
        for told, value in CLAIMS[name](range(1, int(count) + 1)):
            sys.stdout.write(f"{name}: {told}: {value}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
