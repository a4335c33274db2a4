"""Fairness, degrees and the split ratio, by values reckoned by hand."""

from __future__ import annotations

import pytest

from games.catalog.adasociety.metrics import degrees, fairness, split_ratio
from games.catalog.adasociety.rules.contract import join
from games.catalog.adasociety.rules.graph import SocialGraph, of_structure
from games.catalog.adasociety.rules.negotiation import merged
from games.catalog.adasociety.rules.state import Join
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.structures import NAMED


@pytest.mark.parametrize(
    ("rewards", "expected"),
    [([1, 1, 1, 1], 1.0), ([4, 0, 0, 0], 0.25), ([1, 3], 0.75), ([0, 0], 1.0), ([-1, 0], None)],
)
def test_fairness_is_one_minus_gini(rewards: list[float], expected: float | None) -> None:
    assert fairness(rewards) == expected


def test_degrees_of_groups_leave_empty_ones_out_and_count_loners_as_one() -> None:
    graph, _ = join(SocialGraph((4, 4)), dict.fromkeys((0, 1, 2), Join(2)))
    measured = degrees(graph)
    assert (measured["group_degree_mean"], measured["group_degree_max"]) == (2.0, 3)


def test_degrees_between_agents_are_told_by_direction() -> None:
    measured = degrees(of_structure(NAMED[8]["connection"], 8))
    assert (measured["agent_degree_mean"], measured["agent_out_degree_max"], measured["agent_in_degree_max"]) == (
        5,
        5,
        5,
    )


def test_the_split_ratio_sums_weights_within_groups_and_one_for_loners() -> None:
    """Carpenter 0 with .4 and miner 2 with .6; carpenter 1 and miner 3 alone: (.4 + 1) / (.6 + 1)."""
    config = AdaSocietyConfig(mini_game="negotiation")
    graph, _ = merged(SocialGraph((4,)), 0, 2, 40)
    assert split_ratio(config, graph) == pytest.approx(1.4 / 1.6)
