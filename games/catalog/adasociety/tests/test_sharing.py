"""Who gets which part: the split itself, each named structure, pots of pots, reward on edges."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.catalog.adasociety.rules.graph import SocialGraph, of_structure
from games.catalog.adasociety.rules.sharing import shared_rewards, split
from games.catalog.adasociety.setup.structures import NAMED, Group, RewardShare, Structure


def one(seat: int, seats: int, amount: int = 1_000_000) -> list[int]:
    return [amount if each == seat else 0 for each in range(seats)]


@pytest.mark.parametrize(
    ("amount", "weights", "parts"),
    [
        (10, [1, 1], [5, 5]),
        (10, [1, 1, 1], [4, 3, 3]),
        (-10, [1, 1, 1], [-3, -3, -4]),
        (100, [85, 5, 5, 5], [85, 5, 5, 5]),
        (1, [1, 1, 1, 1], [1, 0, 0, 0]),
        (0, [3, 4], [0, 0]),
    ],
)
def test_a_split_gives_whole_parts_that_add_up(amount: int, weights: list[int], parts: list[int]) -> None:
    assert split(amount, weights) == parts


@settings(deadline=None)
@given(st.integers(-(10**15), 10**15), st.lists(st.integers(1, 10**9), min_size=1, max_size=40))
def test_no_part_is_a_unit_away_from_its_share(amount: int, weights: list[int]) -> None:
    parts = split(amount, weights)
    assert sum(parts) == amount
    total = sum(weights)
    assert all(abs(part * total - amount * weight) < total for part, weight in zip(parts, weights, strict=True))


M = 1_000_000
HARD = {
    "isolation": {0: [M, 0, 0, 0, 0, 0, 0, 0]},
    "connection": {5: [0, 0, 0, 0, 0, M, 0, 0]},
    "independent": {
        0: [M // 4, M // 4, 0, 0, M // 4, M // 4, 0, 0],
        7: [0, 0, M // 4, M // 4, 0, 0, M // 4, M // 4],
    },
    "overlapping": {
        0: [M // 4, M // 4, M // 8, M // 8, M // 8, M // 8, 0, 0],
        6: [0, 0, M // 8, M // 8, M // 8, M // 8, M // 4, M // 4],
    },
    "inequality": {
        1: [850_000, 50_000, 0, 0, 50_000, 50_000, 0, 0],
        7: [0, 0, 50_000, 50_000, 0, 0, 850_000, 50_000],
    },
}


@pytest.mark.parametrize("name", list(HARD))
def test_each_structure_of_eight_splits_as_the_paper_has_it(name: str) -> None:
    graph = of_structure(NAMED[8][name], 8)
    for seat, expected in HARD[name].items():
        assert shared_rewards(one(seat, 8), graph) == expected


EASY = {
    "independent": {0: [M // 2, 0, M // 2, 0]},
    "overlapping": {0: [M // 2, M // 4, M // 4, 0]},
    "inequality": {2: [850_000, 0, 150_000, 0], 1: [0, 150_000, 0, 850_000]},
}


@pytest.mark.parametrize("name", list(EASY))
def test_each_structure_of_four_splits_by_its_definition(name: str) -> None:
    graph = of_structure(NAMED[4][name], 4)
    for seat, expected in EASY[name].items():
        assert shared_rewards(one(seat, 4), graph) == expected


@pytest.mark.parametrize(
    ("name", "edges"),
    [("isolation", 0), ("connection", 40), ("independent", 56), ("overlapping", 40), ("inequality", 24)],
)
def test_each_structure_of_eight_links_as_many_as_the_paper_has_it(name: str, edges: int) -> None:
    assert sum(edge.shares_view for edge in of_structure(NAMED[8][name], 8).edges) == edges


def test_in_connection_everybody_sees_with_five_others() -> None:
    shown_to = of_structure(NAMED[8]["connection"], 8).shown_to
    assert [len(shown_to[seat]) for seat in range(8)] == [5] * 8
    assert shown_to[0] == (1, 2, 3, 4, 5)


def test_losses_are_shared_too() -> None:
    graph = of_structure(Structure(groups=(Group(members=(0, 1)),)), 2)
    assert shared_rewards([-M, 0], graph) == [-M // 2, -M // 2]


def test_a_group_that_is_in_a_group_puts_its_pot_into_the_upper_one() -> None:
    """Seats 0 and 1 are group 0, seat 2 is group 1; both are in group (2, 0) with weights 3 to 1.

    Seat 0 earns 1: the upper pot of 1 goes 0.75 to group 0, in halves to its members, and 0.25 to group 1.
    """
    groups = (Group(members=(0, 1)), Group(members=(2,)), Group(layer=2, members=(0, 1), weights=(3, 1)))
    graph = of_structure(Structure(groups=groups), 4)
    assert shared_rewards([M, 0, 0, M], graph) == [375_000, 375_000, 250_000, M]


def test_a_group_without_agents_is_paid_nothing() -> None:
    groups = (Group(members=(0, 1)), Group(), Group(layer=2, members=(0, 1)))
    graph = of_structure(Structure(groups=groups), 2)
    assert shared_rewards([M, 0], graph) == [M // 2, M // 2]


def test_reward_on_an_edge_is_passed_on_before_groups_split_and_only_once() -> None:
    """0 gives 0.4 to 1, 1 gives 0.5 to 2; 0 is in a group with 2. 0 earns 1, of which 0.6 goes to the group."""
    shares = (RewardShare(tail=0, head=1, share=0.4), RewardShare(tail=1, head=2, share=0.5))
    graph = of_structure(Structure(reward_shares=shares, groups=(Group(members=(0, 2)),)), 3)
    assert shared_rewards([M, 0, 0], graph) == [300_000, 400_000, 300_000]
    assert shared_rewards([0, M, 0], graph) == [250_000, 500_000, 250_000]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[SocialGraph, list[int]]:
    seats = draw(st.integers(2, 6))
    members = st.lists(st.integers(0, seats - 1), unique=True, max_size=seats).map(tuple)
    low = draw(st.lists(members, min_size=1, max_size=4))
    over = st.lists(st.integers(0, len(low) - 1), unique=True, max_size=len(low)).map(tuple)
    high = draw(st.lists(over, max_size=3))
    weighted = [
        Group(layer=layer, members=each, weights=tuple(draw(st.floats(0.001, 100)) for _ in each))
        for layer, groups in ((1, low), (2, high))
        for each in groups
    ]
    shares = tuple(RewardShare(tail=t, head=(t + 1) % seats, share=draw(st.floats(0.01, 1))) for t in range(seats))
    rewards = draw(st.lists(st.integers(-(10**10), 10**10), min_size=seats, max_size=seats))
    return of_structure(Structure(groups=tuple(weighted), reward_shares=shares), seats), rewards


@given(graphs())
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_graph_the_sum_of_rewards_is_conserved(case: tuple[SocialGraph, list[int]]) -> None:
    graph, rewards = case
    assert sum(shared_rewards(rewards, graph)) == sum(rewards)
