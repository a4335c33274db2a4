"""The named policies beside the paper's rows: ``python -m games.lab.learning.adasociety.parity [--episodes N]``.

Each row is the mean over episodes of the seats' total reward over the oracle's, with a 95% interval by Student's t.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.catalog.adasociety.metrics import AdaSocietyMetrics
from games.catalog.adasociety.play.policies import POLICIES
from games.catalog.adasociety.rules.game import AdaSociety
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.core.agents import deciding
from games.core.engine import play
from games.lab.learning.adasociety import preset_config

PAPER: Final[tuple[tuple[str, str, float, str], ...]] = (
    ("contract-easy", "random", 0.0046, "Random, table 2"),
    ("contract-hard", "random", 0.0021, "Random, table 2"),
    ("negotiation-easy", "random", 0.0040, "Random, table 2"),
    ("negotiation-hard", "random", 0.0020, "Random, table 2"),
    ("exploration", "random", 0.0001, "Random, table 8"),
    ("contract-easy", "crew", 0.9136, "CL, table 2 (LLM-C 0.8433)"),
    ("contract-hard", "crew", 0.6499, "LLM-C, table 3 (CL 0.2773)"),
    ("negotiation-easy", "crew", 0.8733, "LLM-C, table 3 (CL 0.3543)"),
    ("negotiation-hard", "crew", 0.6862, "LLM-C, table 3 (CL 0.1945)"),
    ("social-structure-hard", "crew", 0.7894, "LLM-C, table 3"),
    ("exploration", "crew", 0.1744, "PPO, table 8"),
    ("contract-easy", "loner", 0.2286, "PPO, table 2"),
    ("contract-hard", "loner", 0.1151, "PPO, table 2"),
    ("negotiation-easy", "loner", 0.2278, "RecPPO, table 2"),
    ("negotiation-hard", "loner", 0.1107, "RecPPO, table 2"),
)
"""(preset, policy, the paper's normalised reward, which of its rows)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One preset and policy over many episodes. ``low`` and ``high`` bound the mean with 95% confidence."""

    preset: str
    policy: str
    episodes: int
    mean: float
    low: float
    high: float
    completion: dict[str, float]


def episodes(config: AdaSocietyConfig, policy: str, seeds: Sequence[int]) -> Iterator[dict[str, float]]:
    """Each episode's summary of numbers."""
    game, metrics = AdaSociety(), AdaSocietyMetrics()
    decider = deciding(POLICIES[policy].bind())
    deciders = dict.fromkeys(range(config.seat_count), decider)
    for seed in seeds:
        before = last = None
        for step in play(game, config, seed, deciders):
            before, last = last, step
        assert before is not None
        assert last is not None
        series = [metrics.measure(config, before.state, last)]
        summary = metrics.summarise(config, series)
        yield {name: float(value) for name, value in summary.items() if isinstance(value, int | float)}


def measured(preset: str, policy: str, count: int) -> Row:
    summaries = list(episodes(preset_config(preset), policy, range(1, count + 1)))
    mean, half = interval([each["normalised_reward"] for each in summaries])
    names = [name for name in summaries[0] if name.startswith("completion_")]
    completion = {name.removeprefix("completion_"): sum(each[name] for each in summaries) / count for name in names}
    return Row(preset, policy, count, mean, mean - half, mean + half, completion)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half width of its 95% interval; the half width of fewer than two values is 0."""
    from scipy.stats import t  # type: ignore[import-untyped]

    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, float(t.ppf(0.975, len(values) - 1)) * math.sqrt(variance / len(values))


def table(count: int, policies: Sequence[str]) -> Iterator[str]:
    for preset, policy, paper, row_name in PAPER:
        if policy in policies and policy in POLICIES:
            few = max(2, count // 10) if preset == "exploration" else count
            row = measured(preset, policy, few)
            done = " ".join(f"{name} {value:.3f}" for name, value in row.completion.items() if value)
            yield (
                f"{preset:22} {policy:7} n={few:<5} {row.mean:.4f} [{row.low:.4f}, {row.high:.4f}]  "
                f"paper {paper:.4f} ({row_name})  completion: {done or 'none'}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=200, help="episodes a row; a tenth in exploration")
    parser.add_argument("--policy", action="append", help="only these policies; may be repeated")
    asked = parser.parse_args()
    for line in table(asked.episodes, asked.policy or sorted(POLICIES)):
        print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    main()
