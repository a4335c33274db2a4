"""Reward, fairness, completion, degrees and the split ratio, normalised by the oracle where that makes sense.

Source: AdaSociety paper, appendix A.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.catalog.adasociety.oracle import oracle
from games.catalog.adasociety.rules.graph import WHOLE, SocialGraph
from games.catalog.adasociety.rules.physical import worth
from games.catalog.adasociety.rules.state import State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.synthesis import EVENTS
from games.catalog.adasociety.setup.task import MICRO, task_of
from games.core.answers import JSON
from games.core.game import Step
from games.core.measures import gini, mean, ratio


class AdaSocietyMetrics:
    """One step's measures describe the world after it; a run's are those of its last step and its sums."""

    def measure(self, config: AdaSocietyConfig, before: State, step: Step[State, Any]) -> Mapping[str, JSON]:
        task, after, best = task_of(config), step.state, oracle(config)
        returns = [amount / MICRO for amount in after.returns]
        worths = [worth(task, seat, bag) / MICRO for seat, bag in enumerate(after.bags)]
        measures: dict[str, JSON] = {
            "reward": round(sum(step.payoffs.values()), 6),
            "total_reward": round(sum(returns), 6),
            "normalised_reward": ratio(sum(returns), best.total),
            "fairness": fairness(returns),
            "fairness_unshared": fairness(worths),
            "inequality": gini(returns) if sum(returns) >= 0 else None,
            "lost_to_pressure": after.lost / MICRO,
            "kept_mean": kept(after.graph),
            **degrees(after.graph),
            "split_ratio": split_ratio(config, after.graph) if step.index <= config.social_steps else None,
            "returns": returns,
        }
        for name, times in zip(task.events, after.made, strict=True):
            measures[f"made_{name}"] = times
        return measures

    def summarise(self, config: AdaSocietyConfig, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        last: Mapping[str, Any] = series[-1] if series else {}
        best = oracle(config)
        summary: dict[str, JSON] = {
            name: last.get(name)
            for name in (
                "total_reward",
                "normalised_reward",
                "fairness",
                "fairness_unshared",
                "inequality",
                "lost_to_pressure",
                "kept_mean",
                *_DEGREES,
            )
        }
        summary["mean_reward"] = mean(last.get("returns", []))
        ratios = [each["split_ratio"] for each in series if each["split_ratio"] is not None]
        summary["split_ratio"] = ratios[-1] if config.mini_game == "negotiation" and ratios else None
        for name in EVENTS:
            times = last.get(f"made_{name}")
            summary[f"completion_{name}"] = None if times is None else share(times, best.executions.get(name, 0))
        own = [name for name in task_of(config).events if name not in EVENTS]
        made = sum(last.get(f"made_{name}", 0) for name in own)
        summary["completion_own_events"] = share(made, sum(best.executions[name] for name in own))
        return summary

    def about(self) -> Mapping[str, str]:
        return {
            "total_reward": "Sum of all seats' rewards after sharing; 0 up; higher is more made and kept.",
            "normalised_reward": "total_reward / oracle total; 0 to 1; 1 is the integer program's optimum.",
            "mean_reward": "total_reward / seats.",
            "fairness": "1 - Gini of returns after sharing; 0 up to 1, all equal; 1 where nothing was earned.",
            "fairness_unshared": "1 - Gini of what each bag is worth to its holder; 1 is equal.",
            "inequality": "Gini of returns after sharing; 0, all equal, up to 1; two cells of the paper's table 9.",
            "lost_to_pressure": "Reward that hunger and bites have taken from all; 0 up; 0 without such pressure.",
            "kept_mean": "Part of what they earn that groups let members keep, averaged over groups with any; 0 to 1.",
            "group_degree_mean": "Members of a group, averaged over groups with any; a seat in none is a group of one.",
            "group_degree_max": "Members of the largest group; a seat in none is a group of one.",
            "agent_degree_mean": "Edges between agents by seat (in and out have the same mean); 0 to seats - 1.",
            "agent_out_degree_max": "Most edges that leave one agent for others.",
            "agent_in_degree_max": "Most edges that reach one agent from others.",
            "split_ratio": "Carpenters' weights over miners' weights when the negotiation stage ends; 1 each where "
            "ungrouped. None elsewhere, and where miners have none.",
            **{
                f"completion_{name}": f"{name} over the oracle's, 1 at most; None where the oracle makes none."
                for name in EVENTS
            },
            "completion_own_events": "Events defined by the run over the oracle's, 1 at most; None without any.",
        }


_DEGREES = (
    "group_degree_mean",
    "group_degree_max",
    "agent_degree_mean",
    "agent_out_degree_max",
    "agent_in_degree_max",
)


def fairness(rewards: Sequence[float]) -> float | None:
    """1 - sum |Ri - Rj| / (2 N sum R); 1 where the sum is 0, None where it is negative."""
    if sum(rewards) < 0:
        return None
    unfair = gini(rewards)
    return None if unfair is None else 1 - unfair


def share(times: int, most: int) -> float | None:
    """Executions over the oracle's, 1 at most: its optimum may make fewer of a thing than who makes nothing else."""
    part = ratio(times, most)
    return None if part is None else min(1.0, part)


def kept(graph: SocialGraph) -> float:
    """What groups let their members keep, as a part of what they earn, averaged over groups of seats."""
    groups = [group for group in graph.members if group[0] == 1]
    return mean([graph.rules.get(group, 0) / WHOLE for group in groups]) or 0.0


def degrees(graph: SocialGraph) -> dict[str, JSON]:
    """Degrees by kind of node. Empty groups are not counted; a seat in no group counts as a group of one."""
    sizes = [len(members) for group, members in graph.members.items() if group[0] == 1]
    sizes += [1] * sum((0, seat) not in graph.groups for seat in range(graph.sizes[0]))
    bonds = [
        (edge.tail[1], edge.head[1])
        for edge in graph.public.edges
        if edge.head[0] == 0 and edge.tail != edge.head and (edge.shares_view or edge.reward_share)
    ]
    outgoing, incoming = (Counter(pair[end] for pair in bonds).values() for end in (0, 1))
    most = max(outgoing, default=0), max(incoming, default=0)
    return dict(zip(_DEGREES, (mean(sizes), max(sizes), len(bonds) / graph.sizes[0], *most), strict=True))


def split_ratio(config: AdaSocietyConfig, graph: SocialGraph) -> float | None:
    """Carpenters' share over miners': weights within groups, 1 for whoever is in none. None without both roles."""
    weights: dict[str, float] = {}
    for seat, spec in enumerate(task_of(config).seats):
        group = graph.group_of(seat)
        weight = 1.0
        if group is not None:
            members = graph.members[group]
            weight = graph.edge((0, seat), group).weight / sum(each for _, each in members)
        weights[spec.role] = weights.get(spec.role, 0.0) + weight
    if "carpenter" not in weights or "miner" not in weights:
        return None
    return ratio(weights["carpenter"], weights["miner"])
