"""Step 3, and what an authority may add after it."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.mining.land import bound, reachable
from games.catalog.mining.tests.builder import GAME, Asked, after, board, events, letters, resolve
from games.core.game import All, Public, SeatEyes
from games.core.rng import Rng

MINED: list[tuple[str, str, dict[str, Any], Asked, tuple[int, int]]] = [
    ("stamina times productivity", "AB", {}, {"A": ["mine 0,0 2"], "B": ["mine 0,1 3"]}, (2, 3)),
    ("productivity of the plot", "AB", {"alpha_map": ((5, 2),)}, {"A": ["mine 0,0 2"], "B": ["mine 0,1 3"]}, (10, 6)),
    ("a mine of nothing", "AB", {}, {"A": ["mine 0,0 0"]}, (0, 0)),
    ("a lost plot pays nobody", "AB", {}, {"A": ["mine 0,0 3"], "B": ["raid 0,0", "mine 0,1 1"]}, (0, 1)),
    ("a held plot pays", "AB", {}, {"A": ["defend 0,0", "mine 0,0 3"], "B": ["raid 0,0"]}, (3, 0)),
]


@pytest.mark.parametrize(
    ("before", "settings", "asked", "gold"), [row[1:] for row in MINED], ids=[row[0] for row in MINED]
)
def test_mining(before: str, settings: dict[str, Any], asked: Asked, gold: tuple[int, int]) -> None:
    resolved = resolve(board(before, **settings), asked)
    assert resolved.state.gold == gold
    assert resolved.payoffs == dict(enumerate(gold))
    assert resolved.state.last.output == sum(gold)


def test_what_was_mined_is_told_to_the_miner_alone() -> None:
    resolved = resolve(board("AB"), {"A": ["mine 0,0 2"], "B": ["mine 0,1 3"]})
    mined = events(resolved, "gold_mined")
    assert [event.to for event in mined] == [(0,), (1,)]
    assert mined[0].data == {"by": 0, "gold": 2, "plots": [[0, 0]], "mined": [2], "lost": []}
    assert [event.visible_to(Public()) for event in mined] == [False, False]


def test_gold_is_shown_to_its_owner_and_to_all_seeing_eyes_only() -> None:
    world = after(board("AB"), {"A": ["mine 0,0 2"], "B": ["mine 0,1 3"]})
    shown = {
        eyes: [seat["gold"] for seat in GAME.view(world.config, world.state, eyes)["seats"]]  # type: ignore[union-attr,call-overload,index]
        for eyes in (All(), Public(), SeatEyes(1))
    }
    assert shown == {All(): [2, 3], Public(): [None, None], SeatEyes(1): [None, 3]}


def test_the_bound_is_the_cap_on_every_plot_and_the_reachable_is_what_stamina_gets() -> None:
    assert bound(3, (1,) * 100) == 300
    assert reachable(3, (1,) * 100, (10,) * 10) == 100
    assert reachable(2, (1,) * 100, (10,) * 30) == 200
    assert reachable(3, (1, 5, 2), (2, 2)) == 3 * 5 + 1 * 2


# --- land and stamina -----------------------------------------------------------------------------


def test_gold_mines_are_drawn_from_the_seed_and_yield_the_factor() -> None:
    config = board("....", gold_mines=2, gold_mine_factor=4, alpha=3).config
    lands = {GAME.initial(config, Rng.root(seed).step(0)).state.alpha for seed in range(30)}
    assert all(sorted(land) == [3, 3, 12, 12] for land in lands)
    assert len(lands) > 1


def test_stamina_is_given_by_seat_or_drawn_between_bounds() -> None:
    assert board("AB", stamina_each=(4, 9)).state.stamina == (4, 9)
    drawn = {board("AB", stamina_draw=(5, 7), seed=seed).state.stamina for seed in range(60)}
    assert {budget for budgets in drawn for budget in budgets} == {5, 6, 7}


# --- authority ------------------------------------------------------------------------------------


def test_each_raid_is_taxed_as_far_as_its_raider_has_gold() -> None:
    world = board("AAB", raid_tax=2).changed(gold=(0, 3))
    resolved = resolve(world, {"A": ["defend 0,0"], "B": ["raid 0,0", "raid 0,1"]})
    assert resolved.state.gold == (0, 0)
    assert resolved.state.treasury == 3
    [levy] = events(resolved, "levy_paid")
    assert levy.data == {"by": 1, "raids": 2, "captures": 1, "due": 4, "paid": 3}
    assert resolved.payoffs == {0: 0, 1: -3}


def test_a_tax_may_be_paid_from_what_the_round_has_brought() -> None:
    state = resolve(board("AB", raid_tax=2), {"B": ["raid 0,0", "mine 0,1 3"]}).state
    assert (state.gold, state.treasury) == ((0, 1), 2)


def test_only_captures_are_fined() -> None:
    world = board("AAB", capture_fine=5).changed(gold=(0, 20))
    state = resolve(world, {"A": ["defend 0,0"], "B": ["raid 0,0", "raid 0,1"]}).state
    assert (state.gold, state.treasury) == ((0, 15), 5)


def test_the_treasury_is_shared_out_equally_and_the_rest_is_kept() -> None:
    world = board("ABC", raid_tax=5, share_out=True).changed(gold=(0, 9, 1))
    resolved = resolve(world, {"B": ["raid 0,0"]})
    assert (resolved.state.gold, resolved.state.treasury) == ((1, 5, 2), 2)
    [shared] = events(resolved, "treasury_shared")
    assert shared.data == {"share": 1, "left": 2}


def test_a_certain_judge_gives_a_captured_plot_back_and_makes_it_immune() -> None:
    world = after(board("AB", adjudication=1.0), {"B": ["raid 0,0"]})
    assert letters(world) == "AB"
    assert (world.state.since[0], world.state.immune_until[0]) == (1, 12)
    assert world.state.last.verdicts[0].restored


def test_a_judge_restores_the_first_possessor_even_if_another_was_robbed() -> None:
    world = board("BAC", adjudication=1.0).changed(first=(0, 0, 2))
    world = after(world, {"C": ["raid 0,0"]})
    assert letters(world) == "AAC"
    assert world.state.since[0] == 11


def test_no_verdict_is_needed_where_the_first_possessor_takes_back_his_own() -> None:
    world = board("BA", adjudication=1.0).changed(first=(0, 0))
    world = after(world, {"A": ["raid 0,0"]})
    assert letters(world) == "AA"
    assert world.state.last.verdicts == ()


def test_the_judges_draw_is_logged_either_way() -> None:
    kinds = {
        event.kind
        for seed in range(30)
        for event in resolve(board("AB", adjudication=0.5, seed=seed), {"B": ["raid 0,0"]}).events
    }
    assert {"plot_restored", "capture_upheld"} <= kinds


def test_a_plot_that_was_given_back_is_not_shown_as_taken() -> None:
    kept = after(board("AB"), {"B": ["raid 0,0"]})
    assert GAME.view(kept.config, kept.state, All())["taken"] == [(0, 0)]
    restored = after(board("AB", adjudication=1.0), {"B": ["raid 0,0"]})
    assert GAME.view(restored.config, restored.state, All())["taken"] == []
