"""The policies as the plans they make; what ties do is part of the expectation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.catalog.mining.drawing import draw_items
from games.catalog.mining.policies import POLICIES, border, by_core
from games.catalog.mining.shared import shared
from games.catalog.mining.state import Item, Raid, RoundRecord
from games.catalog.mining.tests.builder import GAME, World, after, board, clean, told
from games.core.agents import deciding
from games.core.engine import play
from games.core.rng import Rng


def chosen(policy: str, world: World, seat: int = 0) -> list[str]:
    """What a policy plans, which must be legal as it stands."""
    seen = GAME.observe(world.config, world.state, seat, ())
    plan, memory = POLICIES[policy].bind()(seen, None, world.rng.at("seat", seat))
    assert memory is None
    assert clean(world, seat, plan) == (plan, ()), clean(world, seat, plan)[1]
    return told(plan)


EXPECTED: list[tuple[str, str, str, dict[str, Any], Sequence[str]]] = [
    ("mines row by row", "greedy-mine", "A.A/.A./.B.", {"stamina": 7}, ["mine 0,0 3", "mine 0,2 3", "mine 1,1 1"]),
    ("claims the nearest, then by number", "greedy-mine", "..A/.../B..", {"stamina": 6},
     ["mine 0,2 3", "claim 0,1", "claim 1,2", "claim 0,0"]),
    ("raids the largest holder's border", "greedy-mine", "ABB/CBB/CBB", {"stamina": 6},
     ["mine 0,0 3", "raid 0,1", "raid 1,1", "raid 2,1"]),
    ("raids the lowest of several largest", "greedy-mine", "ACB", {"stamina": 4}, ["mine 0,0 3", "raid 0,2"]),
    ("claims what is left before it raids", "greedy-mine", "A.B", {"stamina": 5},
     ["mine 0,0 3", "claim 0,1", "raid 0,2"]),
    ("defends all before it mines", "defend-then-mine", "AAB", {"stamina": 6},
     ["defend 0,0", "defend 0,1", "mine 0,0 3", "mine 0,1 1"]),
    ("spends all on defence where it owns much", "defend-then-mine", "AAAAB", {"stamina": 3},
     ["defend 0,0", "defend 0,1", "defend 0,2"]),
    ("claims with the rest", "defend-then-mine", "A.B", {"stamina": 6},
     ["defend 0,0", "mine 0,0 3", "claim 0,1", "raid 0,2"]),
    ("mines when it has enough", "guided", "AAAA/BB..", {}, ["mine 0,0 3", "mine 0,1 3", "mine 0,2 3", "mine 0,3 1"]),
    ("claims what is missing, no more", "guided", "AA../BB..", {},
     ["claim 0,2", "claim 0,3", "mine 0,0 3", "mine 0,1 3"]),
    ("leaves an equal alone when land is gone", "guided", "AABB", {}, ["mine 0,0 3", "mine 0,1 3"]),
    ("leaves who has one more alone", "guided", "ABB", {}, ["mine 0,0 3"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "owners", "settings", "expected"),
    [row[1:] for row in EXPECTED],
    ids=[f"{row[1]} {row[0]}" for row in EXPECTED],
)
def test_plans(policy: str, owners: str, settings: dict[str, Any], expected: Sequence[str]) -> None:
    assert chosen(policy, board(owners, **settings)) == list(expected)


def raids_between(raiders: range, messages: int) -> int:
    """Raids on each other's plots, in forty rounds of ten envoys and two who never answer on scarce land."""
    config = GAME.config_type(miners=12, mine_cap=1, rounds=40, messages=messages)
    names = ["envoy"] * 10 + ["greedy-mine"] * 2
    steps = play(GAME, config, 5, {seat: deciding(POLICIES[name].bind()) for seat, name in enumerate(names)})
    return sum(
        raid.owner in raiders and bool(set(raid.raiders) & set(raiders))
        for step in steps
        for raid in step.state.last.raids
    )


def test_envoys_keep_peace_among_themselves_once_they_may_talk_and_spare_nobody_else() -> None:
    assert raids_between(range(10), messages=0) > 20
    assert raids_between(range(10), messages=1) == 0
    assert raids_between(range(12), messages=1) > 0, "who never answers is raided"


def test_an_envoy_that_keeps_nothing_raids_whoever_offered_peace() -> None:
    config = GAME.config_type(miners=12, mine_cap=1, rounds=40, messages=1)
    envoys = {seat: deciding(POLICIES["envoy"].bind({"keep": 0.0})) for seat in range(12)}
    assert any(step.state.last.raids for step in play(GAME, config, 5, envoys))


def test_guided_evens_out_with_the_largest_holder_by_half_the_difference() -> None:
    plan = chosen("guided", board("ABBBBB/CCCBBB"))
    assert plan[-1] == "mine 0,0 3"
    raids = plan[:-1]
    assert len(raids) == 3, "half of 8 - 1, and 3 plots are missing"
    assert set(raids) <= {"raid 0,1", "raid 0,2", "raid 0,3", "raid 1,3"}, "border plots of B only"


def test_guided_defends_its_core_first_when_it_was_challenged() -> None:
    world = board("AAAA/A.AB").changed(challenged=(10, 0))
    # Own neighbours: (0,0) and (0,2) have 2 and 3; (0,1), (0,3) 2; (1,0) 1; (1,2) 1.
    assert chosen("guided", world) == [
        "defend 0,2",
        "mine 0,2 3",
        "defend 0,0",
        "mine 0,0 3",
        "defend 0,1",
        "mine 0,1 1",
    ]


@pytest.mark.parametrize(
    ("history", "challenged", "defends"),
    [("last", 10, True), ("last", 9, False), ("last_k", 6, True), ("last_k", 5, False), ("full", 1, True)],
)
def test_guided_is_challenged_by_what_it_may_still_see(history: str, challenged: int, defends: bool) -> None:
    world = board("AAAA/BBB.", history=history).changed(challenged=(challenged, 0))
    assert any(text.startswith("defend") for text in chosen("guided", world)) is defends


def test_a_newcomer_claims_around_a_drawn_plot() -> None:
    world = board("....../....../......", miners=2, stamina=4, mine_cap=1)
    home = world.rng.at("seat", 0).choice(range(18), "home")
    row, col = divmod(home, 6)
    claims = [text.split()[1].split(",") for text in chosen("guided", world)]
    assert [abs(int(r) - row) + abs(int(c) - col) for r, c in claims] == [0, 1, 1, 1]


def raided(world: World, *raids: Raid) -> World:
    return world.changed(last=RoundRecord(raids=raids))


def test_tit_for_tat_raids_back_the_plot_that_was_taken() -> None:
    world = raided(board("AABB/..CC", stamina=3), Raid(3, 0, (1,), "taken", 1))
    assert chosen("tit-for-tat-raid", world) == ["raid 0,3", "defend 0,0", "defend 0,1"]


def test_tit_for_tat_raids_back_whoever_tried() -> None:
    world = raided(board("AABB/..CC", stamina=4), Raid(0, 0, (1, 2), "repelled"))
    assert chosen("tit-for-tat-raid", world) == ["raid 0,2", "raid 1,2", "defend 0,0", "defend 0,1"]


def test_tit_for_tat_leaves_alone_who_raided_others_or_earlier() -> None:
    world = raided(board("AABB", stamina=2), Raid(2, 1, (0,), "repelled"))
    assert chosen("tit-for-tat-raid", world) == ["defend 0,0", "defend 0,1"]


def test_tit_for_tat_plans_no_raid_twice() -> None:
    world = raided(board("AB", stamina=9), Raid(0, 0, (1,), "repelled"))
    assert chosen("tit-for-tat-raid", world) == ["raid 0,1", "defend 0,0", "mine 0,0 3"]


def test_tit_for_tat_against_a_raider_keeps_them_both_at_it() -> None:
    world = after(board("AABB", stamina=4), {"B": ["raid 0,0"]})
    assert chosen("tit-for-tat-raid", world)[0] == "raid 0,0"


# --- random ---------------------------------------------------------------------------------------


def test_random_spends_its_stamina_on_distinct_legal_items() -> None:
    for seed in range(50):
        world = board("AAB./.CC./A...", seed=seed)
        items = draw_items(shared(world.config, world.state), 0, Rng(seed))
        assert sum(item.s for item in items) == 10
        assert len({(item.type, item.cell) for item in items}) == len(items)
        chosen("random", world)


def test_random_draws_each_legal_item_about_as_often() -> None:
    world = board("A.B", stamina=1, mine_cap=1)
    counts: dict[str, int] = {}
    for seed in range(4000):
        [item] = draw_items(shared(world.config, world.state), 0, Rng(seed))
        counts[item.type] = counts.get(item.type, 0) + 1
    assert set(counts) == {"claim", "raid", "defend", "mine"}
    assert all(850 < count < 1150 for count in counts.values()), counts


def test_random_stops_where_nothing_more_is_legal() -> None:
    world = board("A", miners=1, stamina=50, immunity_window=2)
    items = draw_items(shared(world.config, world.state), 0, Rng(1))
    assert {item.type for item in items} == {"defend", "mine"}
    empty = board("B", stamina=3).changed(immune_until=(99,))
    assert draw_items(shared(empty.config, empty.state), 0, Rng(1)) == ()


def test_random_raids_unowned_plots_only_without_an_immunity_window() -> None:
    def raids(window: int) -> set[tuple[int, int]]:
        world = board("A..B", immunity_window=window)
        seen = shared(world.config, world.state)
        drawn = [item for seed in range(60) for item in draw_items(seen, 0, Rng(seed))]
        return {item.cell for item in drawn if isinstance(item, Item) and item.type == "raid"}

    assert raids(1) == {(0, 3)}
    assert raids(0) == {(0, 1), (0, 2), (0, 3)}


# --- borders and cores ----------------------------------------------------------------------------


def test_the_edge_of_the_map_is_no_border() -> None:
    world = board("AAA/AAA/AAB")
    assert border(shared(world.config, world.state), 0) == [5, 7]


def test_core_ranks_by_own_neighbours_then_age_then_number() -> None:
    world = board("AA.A/.A.A").changed(since=(3, 3, 0, 2, 0, 3, 0, 9))
    assert by_core(shared(world.config, world.state), 0) == [1, 3, 0, 5, 7]
