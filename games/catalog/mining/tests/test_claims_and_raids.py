"""Steps 1 and 2, as tables worked out from the source's text."""

from __future__ import annotations

import pytest

from games.catalog.mining.tests.builder import GAME, Asked, after, board, events, letters, plans, resolve
from games.core.rng import Rng


def test_unowned_plot_goes_to_the_sole_claimant() -> None:
    world = after(board("A../..."), {"B": ["claim 1,2"]})
    assert letters(world) == "A../..B"
    assert world.state.since[5] == 11
    assert world.state.first[5] == 1


def test_contested_claim_goes_to_the_one_whom_the_plots_own_draw_names() -> None:
    world = board("...", miners=3)
    resolved = resolve(world, {"A": ["claim 0,1"], "B": ["claim 0,1"], "C": ["claim 0,1"]})
    winner = world.rng.choice([0, 1, 2], "claim", 1)
    assert resolved.state.owners == (-1, winner, -1)
    [drawn] = events(resolved, "claim_drawn")
    assert drawn.data == {"plot": [0, 1], "by": winner, "claimants": (0, 1, 2)}


def test_every_contender_wins_about_as_often() -> None:
    wins = [0, 0, 0]
    for seed in range(3000):
        state = resolve(board("...", miners=3, seed=seed), {name: ["claim 0,1"] for name in "ABC"}).state
        wins[state.owners[1]] += 1
    assert all(900 < won < 1100 for won in wins), wins


def test_another_contest_does_not_shift_a_draw() -> None:
    alone = after(board("....", miners=4), {"A": ["claim 0,3"], "B": ["claim 0,3"]})
    beside = after(
        board("....", miners=4),
        {"A": ["claim 0,3"], "B": ["claim 0,3"], "C": ["claim 0,0"], "D": ["claim 0,0"]},
    )
    assert alone.state.owners[3] == beside.state.owners[3]


RAIDS: list[tuple[str, str, Asked, str]] = [
    ("an undefended plot goes to the sole raider", "AB", {"B": ["raid 0,0"]}, "BB"),
    ("a defended plot repels its raider", "AB", {"A": ["defend 0,0"], "B": ["raid 0,0"]}, "AB"),
    ("a defended plot repels them all", "ABC", {"A": ["defend 0,0"], "B": ["raid 0,0"], "C": ["raid 0,0"]}, "ABC"),
    ("a defence elsewhere does not help", "AAB", {"A": ["defend 0,1"], "B": ["raid 0,0"]}, "BAB"),
    ("two seats swap plots", "AB", {"A": ["raid 0,1"], "B": ["raid 0,0"]}, "BA"),
    ("a chain moves along", "ABC", {"A": ["raid 0,1"], "B": ["raid 0,2"], "C": ["raid 0,0"]}, "CAB"),
    ("raids need no border", "A...B", {"B": ["raid 0,0"]}, "B...B"),
    ("a raider without land takes land", "AA", {"B": ["raid 0,1"]}, "AB"),
]


@pytest.mark.parametrize(("before", "asked", "expected"), [row[1:] for row in RAIDS], ids=[row[0] for row in RAIDS])
def test_raids(before: str, asked: Asked, expected: str) -> None:
    assert letters(after(board(before), asked)) == expected


def test_contested_raid_goes_to_the_one_whom_the_plots_own_draw_names() -> None:
    world = board("ABC")
    resolved = resolve(world, {"B": ["raid 0,0"], "C": ["raid 0,0"]})
    winner = world.rng.choice([1, 2], "raid", 0)
    assert resolved.state.owners == (winner, 1, 2)
    [drawn] = events(resolved, "raid_drawn")
    assert drawn.data == {"plot": [0, 0], "by": winner, "owner": 0, "raiders": (1, 2), "from": [[0, 1], [0, 2]]}


POINTS: list[tuple[int, int, bool]] = [
    (0, 1, False),
    (1, 1, True),
    (1, 2, False),
    (2, 2, True),
    (2, 3, False),
    (3, 2, True),
]


@pytest.mark.parametrize(("points", "raiders", "holds"), POINTS)
def test_with_points_a_plot_holds_against_as_many_raids_as_it_has_points(
    points: int, raiders: int, holds: bool
) -> None:
    world = board("ABCD", defence="per_point")
    asked: dict[str, list[str]] = {"A": [f"defend 0,0 {points}"] if points else []}
    asked |= {name: ["raid 0,0"] for name in "BCD"[:raiders]}
    assert (after(world, asked).state.owners[0] == 0) is holds


def test_when_points_do_not_suffice_any_of_the_raiders_may_win() -> None:
    winners = {
        after(
            board("ABC", defence="per_point", seed=seed),
            {"A": ["defend 0,0 1"], "B": ["raid 0,0"], "C": ["raid 0,0"]},
        ).state.owners[0]
        for seed in range(40)
    }
    assert winners == {1, 2}


def test_a_captured_plot_starts_a_new_possession_but_keeps_its_first_possessor() -> None:
    state = after(board("AB"), {"B": ["raid 0,0"]}).state
    assert (state.since[0], state.first[0], state.challenged) == (11, 0, (11, 0))


# --- immunity -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("window", "raidable_in"), [(1, 12), (2, 13), (3, 14)])
def test_a_claimed_plot_may_be_raided_when_its_window_is_over(window: int, raidable_in: int) -> None:
    world = after(board("A.", immunity_window=window), {"A": ["claim 0,1"]})
    while world.state.round + 1 < raidable_in:
        _, notes = GAME.clean(world.config, world.state, 1, plans(world, {"B": ["raid 0,1"]})[1], Rng(0))
        assert [note.kind for note in notes] == ["immune"]
        world = after(world, {})
    assert letters(after(world, {"B": ["raid 0,1"]})) == "AB"


def test_without_a_window_a_plot_falls_in_the_round_of_its_claim() -> None:
    resolved = resolve(board("A.", immunity_window=0), {"A": ["claim 0,1"], "B": ["raid 0,1"]})
    assert resolved.state.owners == (0, 1)
    assert resolved.state.first == (0, 0)


def test_without_a_window_a_raid_on_what_nobody_claims_is_void() -> None:
    resolved = resolve(board("A.", immunity_window=0), {"B": ["raid 0,1"]})
    assert resolved.state.owners == (0, -1)
    [void] = events(resolved, "raid_void")
    assert (void.data["owner"], void.data["raiders"]) == (None, (1,))


def test_without_a_window_a_raid_on_ones_own_claim_is_void() -> None:
    world = board("A.", immunity_window=0, miners=3)
    resolved = resolve(world, {"B": ["claim 0,1", "raid 0,1"]})
    assert resolved.state.owners == (0, 1)
    assert [event.data["raiders"] for event in events(resolved, "raid_void")] == [(1,)]
    other = resolve(world, {"B": ["claim 0,1", "raid 0,1"], "C": ["raid 0,1"]})
    assert other.state.owners == (0, 2)
